// Package required finds required fields that are not set.
package required

import (
	"strconv"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
)

// Check returns nil if the message at p and all below it have their required fields, else
// a [*protoerr.Error] that names the first that is missing. The layout must be Ready; p may
// be nil, which is an empty message.
func Check(l *layout.Layout, p unsafe.Pointer) error {
	if !l.NeedsRequiredCheck {
		return nil
	}
	var c checker
	if c.message(l, p) {
		return nil
	}
	return &protoerr.Error{Err: c.err, Offset: -1, Path: c.trace.String(), Message: string(l.Desc.FullName())}
}

// A checker is the state of one call: what is missing, once something is.
type checker struct {
	err   error
	trace protoerr.Trace
}

// message reports whether nothing is missing in the message at p.
func (c *checker) message(l *layout.Layout, p unsafe.Pointer) bool {
	switch l.Ready() {
	case layout.Official:
		c.err = proto.CheckInitialized(l.Interface(p))
		return c.err == nil
	case layout.Fast:
	default:
		return true // the types of structpb have no required fields
	}
	if m := p; m != nil {
		if p = l.FieldsOf(m); p == nil {
			return c.reflected(layout.MessageAt(m))
		}
	}
	for _, i := range l.Checked {
		f := &l.Fields[i]
		if !c.field(l, f, p) {
			c.trace = append(c.trace, string(l.Descs[i].Name()))
			return false
		}
	}
	return l.Extensions == 0 || c.extensions(l, p)
}

// field reports whether f is set, if it must be, and nothing is missing below it.
func (c *checker) field(l *layout.Layout, f *layout.Field, p unsafe.Pointer) bool {
	if p == nil {
		if f.Required {
			c.err = protoerr.ErrRequired
		}
		return !f.Required
	}
	q := l.Locate(f, p)
	if q == nil {
		if f.Required {
			c.err = protoerr.ErrRequired
		}
		return !f.Required
	}
	// Sound, here and below: the layout says what lies at q.
	switch k := f.Op.Kind(); {
	case f.Entry != nil:
		return c.entries(f, q)
	case k != layout.Message && k != layout.Group:
		return true
	case f.Op.Storage() == layout.Repeated || f.Op.Storage() == layout.Indirect:
		for i, m := range *(*[]unsafe.Pointer)(q) {
			if !c.message(f.Sub, m) {
				c.trace = append(c.trace, "["+strconv.Itoa(i)+"]")
				return false
			}
		}
		return true
	}
	return c.message(f.Sub, *(*unsafe.Pointer)(q))
}

// entries reports whether nothing is missing in the messages of the map at q.
func (c *checker) entries(f *layout.Field, q unsafe.Pointer) bool {
	switch f.Entry.Key {
	case layout.Bool:
		return values[bool](c, f, q)
	case layout.String, layout.Text:
		return values[string](c, f, q)
	case layout.Varint64, layout.Sint64, layout.Fixed64:
		return values[uint64](c, f, q)
	}
	return values[uint32](c, f, q)
}

func values[K comparable](c *checker, f *layout.Field, q unsafe.Pointer) bool {
	// Sound: the map's own types have the same size, hash and pointers as these.
	for k, m := range *(*map[K]unsafe.Pointer)(q) {
		if !c.message(f.Entry.Sub, m) {
			c.trace = append(c.trace, "["+layout.FormatKey(f.Entry, unsafe.Pointer(&k))+"]")
			return false
		}
	}
	return true
}

// extensions reports whether nothing is missing in the extension fields.
func (c *checker) extensions(l *layout.Layout, p unsafe.Pointer) bool {
	if p == nil || l.ExtensionCount(p) == 0 {
		return true
	}
	var few [8]layout.Extension
	for _, x := range l.AppendExtensions(few[:0], p) {
		if x.Type.Desc.Message() != nil && !c.extension(x.Type, x.Value) {
			c.trace = append(c.trace, x.Type.Name())
			return false
		}
	}
	return true
}

func (c *checker) extension(t *layout.ExtensionType, v protoreflect.Value) bool {
	if !t.List {
		return c.reflected(v.Message())
	}
	list := v.List()
	for i := range list.Len() {
		if !c.reflected(list.Get(i).Message()) {
			c.trace = append(c.trace, "["+strconv.Itoa(i)+"]")
			return false
		}
	}
	return true
}

func (c *checker) reflected(m protoreflect.Message) bool {
	l, p := layout.Of(m.Interface())
	if l.Ready() == layout.Official {
		c.err = proto.CheckInitialized(m.Interface())
		return c.err == nil
	}
	return c.message(l, p)
}
