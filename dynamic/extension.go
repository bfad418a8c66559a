package dynamic

import (
	"fmt"
	"reflect"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/dynamic/internal/block"
	"github.com/protean-pb/protean/internal/layout"
)

// An extension is an extension field of a message, with a value as its type makes them.
type extension = layout.DynamicExtension

// isSet reports whether the field is present: a list may be there, and empty.
func isSet(x extension) bool { return !x.Desc.IsList() || x.Value.List().Len() > 0 }

// extension returns the extension field that fd describes, of the message at p.
func (t *Type) extension(p layout.Address, fd protoreflect.FieldDescriptor) (extension, bool) {
	x, ok := (*block.Extensions(&t.of.layout, p))[int32(fd.Number())]
	return x, ok && protoreflect.FieldDescriptor(x.Desc) == fd
}

// putExtension sets an extension field of the message at p to a value of the right type.
func (t *Type) putExtension(p layout.Address, x extension) {
	all := block.Extensions(&t.layout, p)
	if *all == nil {
		*all = map[int32]extension{}
	}
	(*all)[int32(x.Desc.Number())] = x
}

func (t *Type) setExtension(p layout.Address, fd protoreflect.ExtensionTypeDescriptor, v protoreflect.Value) {
	ok := fd.Type().IsValidValue(v)
	switch {
	case !ok:
	case fd.IsList():
		ok = v.List().IsValid()
	case fd.Message() != nil:
		ok = v.Message().IsValid()
	}
	if !ok {
		panic(fmt.Errorf("proto: %v: assigning invalid type %T", fd.FullName(), v.Interface()))
	}
	t.putExtension(p, extension{Desc: fd, Value: v})
}

func (t *Type) mutableExtension(p layout.Address, fd protoreflect.ExtensionTypeDescriptor) protoreflect.Value {
	if x, ok := t.extension(p, fd); ok {
		return x.Value
	}
	v := fd.Type().New()
	t.putExtension(p, extension{Desc: fd, Value: v})
	return v
}

// An extensionType is the type of an extension field that is known only at run time.
type extensionType struct{ fd extensionDescriptor }

// An extensionDescriptor is a descriptor that knows its type.
type extensionDescriptor struct {
	protoreflect.ExtensionDescriptor
}

// NewExtensionType returns the type of the extension field that xd describes; equal
// descriptors have equal types. Its messages are of this package, and its Go values are
// those of [protoreflect.Value].
func NewExtensionType(xd protoreflect.ExtensionDescriptor) protoreflect.ExtensionType {
	if d, ok := xd.(protoreflect.ExtensionTypeDescriptor); ok {
		xd = d.Descriptor()
	}
	return extensionType{extensionDescriptor{xd}}
}

func (d extensionDescriptor) Type() protoreflect.ExtensionType { return extensionType{d} }

func (d extensionDescriptor) Descriptor() protoreflect.ExtensionDescriptor {
	return d.ExtensionDescriptor
}

func (t extensionType) TypeDescriptor() protoreflect.ExtensionTypeDescriptor { return t.fd }

func (t extensionType) New() protoreflect.Value {
	f := newField(t.fd)
	return f.new()
}

func (t extensionType) Zero() protoreflect.Value {
	f := newField(t.fd)
	if f.shape == single && f.value.sub == nil {
		return f.zero
	}
	return f.load(nil)
}

func (t extensionType) ValueOf(v any) protoreflect.Value {
	value := protoreflect.ValueOf(v)
	t.mustFit(value)
	return value
}

func (t extensionType) InterfaceOf(v protoreflect.Value) any {
	t.mustFit(v)
	return v.Interface()
}

func (t extensionType) IsValidInterface(v any) bool { return t.check(protoreflect.ValueOf(v)) == nil }

func (t extensionType) IsValidValue(v protoreflect.Value) bool { return t.check(v) == nil }

func (t extensionType) mustFit(v protoreflect.Value) {
	if err := t.check(v); err != nil {
		panic(err)
	}
}

// check returns what is wrong with a value for the field. A message may be of another
// package.
func (t extensionType) check(v protoreflect.Value) error {
	ok := false
	switch x := v.Interface().(type) {
	case nil:
	case *list:
		ok = t.fd.IsList() && x.field.fd == protoreflect.FieldDescriptor(t.fd) && x.IsValid()
	case *Message:
		ok = x.IsValid() && t.holds(x)
	case protoreflect.Message:
		ok = t.holds(x)
	default:
		ok = !t.fd.IsList() && t.fd.Message() == nil && sameGoType(t.fd, v)
	}
	if !ok {
		return fmt.Errorf("proto: %v: assigning invalid type %T", t.fd.FullName(), v.Interface())
	}
	return nil
}

// holds reports whether the field is one for messages such as m.
func (t extensionType) holds(m protoreflect.Message) bool {
	return !t.fd.IsList() && t.fd.Message() != nil && m.Descriptor().FullName() == t.fd.Message().FullName()
}

// sameGoType reports whether v has the Go type of the field's values, which are no messages.
func sameGoType(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
	e := element{fd: fd, kind: fd.Kind()}
	var want any = protoreflect.EnumNumber(0)
	if e.kind != protoreflect.EnumKind { // of which new takes the first value, and there may be none
		want = e.new().Interface()
	}
	return reflect.TypeOf(want) == reflect.TypeOf(v.Interface())
}
