package migrate

import (
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// A place is where a value is in the writer's message; nil is the message itself. The steps
// are made into text only where something is recorded.
type place struct {
	parent *place
	fd     protoreflect.FieldDescriptor // nil for an element or entry
	step   string                       // of an element or entry, such as [3]
	named  bool                         // the step is the type that an Any holds
}

func (p *place) field(fd protoreflect.FieldDescriptor) *place { return &place{parent: p, fd: fd} }

func (p *place) index(i int) *place { return &place{parent: p, step: "[" + strconv.Itoa(i) + "]"} }

func (p *place) key(k protoreflect.MapKey) *place {
	if s, ok := k.Interface().(string); ok {
		return &place{parent: p, step: "[" + strconv.Quote(clip(s)) + "]"}
	}
	return &place{parent: p, step: "[" + k.String() + "]"}
}

// generic is the path with all elements of a list or map as one: items[].price.
func (p *place) generic() string { return p.text(func(string) string { return "[]" }) }

// exact is the path of the one value: items[3].price.
func (p *place) exact() string { return p.text(func(step string) string { return step }) }

func (p *place) text(element func(string) string) string {
	var steps []string
	for ; p != nil; p = p.parent {
		steps = append(steps, p.one(element))
	}
	var b strings.Builder
	for i := len(steps) - 1; i >= 0; i-- {
		b.WriteString(steps[i])
	}
	return strings.TrimPrefix(b.String(), ".")
}

func (p *place) one(element func(string) string) string {
	switch {
	case p.named:
		return p.step
	case p.fd == nil:
		return element(p.step)
	case p.fd.IsExtension():
		return ".[" + string(p.fd.FullName()) + "]"
	}
	return "." + string(p.fd.Name())
}

// innermost is the field that the value is in; nil for the message itself.
func (p *place) innermost() protoreflect.FieldDescriptor {
	for ; p != nil; p = p.parent {
		if p.fd != nil {
			return p.fd
		}
	}
	return nil
}
