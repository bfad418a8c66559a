package dynamic

import (
	"fmt"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/runtime/protoiface"
	"google.golang.org/protobuf/runtime/protoimpl"

	"github.com/protean-pb/protean/dynamic/internal/block"
	"github.com/protean-pb/protean/internal/layout"
)

// A Message is a message whose descriptor is known only at run time. It implements
// [google.golang.org/protobuf/proto.Message] and [protoreflect.Message], where the meaning of most methods is
// documented; the package's documentation says where it does not leave one choice.
//
// A copy of a Message shares what the message holds: what is set in one is set in the other,
// until one of them is Reset, as Unmarshal does, or overwritten with another. The zero Message
// has no descriptor and is read-only.
//
// Any number of goroutines may read a Message and its copies, and none meanwhile change one.
type Message struct{ header layout.Header }

var (
	_ protoreflect.Message = (*Message)(nil)
	_ protoiface.MessageV1 = (*Message)(nil)
)

// NewMessage returns an empty message that md describes.
func NewMessage(md protoreflect.MessageDescriptor) *Message { return NewType(md).New() }

// messageOf returns the message that consists of the header.
func messageOf(h *layout.Header) *Message {
	// Sound: a Message is a Header and nothing else.
	return block.Struct[Message](h)
}

// parts returns m's type, which for a read-only message is one of its own, and where its fields
// lie, as the layout of the type that it stands for says. The two belong together, so that
// it must not be loaded twice: another goroutine may overwrite m meanwhile.
func (m *Message) parts() (*Type, layout.Address) {
	s := m.header.Storage
	if s == nil {
		s = untyped.readOnly()
	}
	return block.Owner[Type](s.Layout), layout.Address(s)
}

// typ returns the type that parts returns.
func (m *Message) typ() *Type {
	t, _ := m.parts()
	return t
}

// field returns the field that fd describes, nil for an extension field. It panics if it
// is none of t's.
func (t *Type) field(fd protoreflect.FieldDescriptor) *field {
	if i := uint(fd.Index()); i < uint(len(t.fields)) && t.fields[i].fd == fd {
		return &t.fields[i]
	}
	return t.other(fd)
}

// other finds fields whose descriptors are not those of t's own.
func (t *Type) other(fd protoreflect.FieldDescriptor) *field {
	md := t.descriptor()
	if fd.IsExtension() && fd.ContainingMessage().FullName() == md.FullName() {
		if _, ok := fd.(protoreflect.ExtensionTypeDescriptor); !ok {
			panic(fmt.Errorf("proto: %v: extension field descriptor does not implement ExtensionTypeDescriptor",
				fd.FullName()))
		}
		if !md.ExtensionRanges().Has(fd.Number()) {
			panic(fmt.Errorf("proto: %v extends %v outside the extension range", fd.FullName(), md.FullName()))
		}
		return nil
	}
	if !fd.IsExtension() && fd.Parent() == md {
		if own := md.Fields().ByNumber(fd.Number()); own != nil {
			return &t.fields[own.Index()]
		}
	}
	panic(fmt.Errorf("proto: %v: field descriptor does not belong to this message", fd.FullName()))
}

// mustBeValid panics if t is that of read-only messages; what is the name of what would be changed.
func (t *Type) mustBeValid(what protoreflect.Descriptor) {
	if t.of != t {
		panic(fmt.Errorf("proto: %v: modification of read-only message", what.FullName()))
	}
}

// ProtoMessage marks m as a message.
func (m *Message) ProtoMessage() {}

// ProtoReflect returns m.
func (m *Message) ProtoReflect() protoreflect.Message { return m }

// Interface returns m.
func (m *Message) Interface() protoreflect.ProtoMessage { return m }

// String returns m in the text format, for debugging.
func (m *Message) String() string { return protoimpl.X.MessageStringOf(m) }

// Descriptor returns what describes m.
func (m *Message) Descriptor() protoreflect.MessageDescriptor { return m.typ().layout.Desc }

// Type returns m's type.
func (m *Message) Type() protoreflect.MessageType { return messageType{m.typ().of} }

// New returns an empty message of the same type.
func (m *Message) New() protoreflect.Message { return m.typ().of.New() }

// IsValid reports whether m can be changed. It is false for what Get returns for a
// message that is absent, and for the zero message of a type.
func (m *Message) IsValid() bool { t := m.typ(); return t.of == t }

// Reset makes m empty. Copies of m keep what they hold, and share nothing with it any more;
// lists, maps and messages that were got from m are no longer parts of it.
func (m *Message) Reset() {
	l := &m.typ().of.layout
	l.Ready()
	l.Reset(&m.header)
}

// Has reports whether the field is present.
func (m *Message) Has(fd protoreflect.FieldDescriptor) bool {
	t, p := m.parts()
	if f := t.field(fd); f != nil {
		return f.has(t.of.layout.Locate(f.at, p))
	}
	x, ok := t.extension(p, fd)
	return ok && isSet(x)
}

// Get returns the value of the field, or its default. Bytes are not copied: what is
// written to them is written to the message.
func (m *Message) Get(fd protoreflect.FieldDescriptor) protoreflect.Value {
	t, p := m.parts()
	if f := t.field(fd); f != nil {
		if f.plain {
			return block.Load(f.value.kind, block.Field(f.at, p))
		}
		return f.load(t.of.layout.Locate(f.at, p))
	}
	if x, ok := t.extension(p, fd); ok {
		return x.Value
	}
	return fd.(protoreflect.ExtensionTypeDescriptor).Type().Zero()
}

// Set sets the field. It panics if v is not of the type of the field, or is a read-only
// list, map or message.
//
// A message of any implementation is not copied, nor is a map of this package; a list that
// [Message.NewField] returned becomes that of m. Other lists and maps are copied, but not the
// messages in them.
func (m *Message) Set(fd protoreflect.FieldDescriptor, v protoreflect.Value) {
	t, p := m.parts()
	f := t.field(fd)
	t.mustBeValid(fd)
	if f == nil {
		t.setExtension(p, fd.(protoreflect.ExtensionTypeDescriptor), v)
		return
	}
	switch f.shape {
	case repeated:
		f.setList(block.Field(f.at, p), v.List())
	case mapped:
		f.setMap(block.Field(f.at, p), v.Map())
	default:
		f.value.mustAccept(v)
		block.Store(f.value.kind, block.SetPresence(&t.layout, f.at, p), v)
	}
}

// Mutable returns a list, map or message for changing it, and makes a message present.
func (m *Message) Mutable(fd protoreflect.FieldDescriptor) protoreflect.Value {
	t, p := m.parts()
	f := t.field(fd)
	if fd.Message() == nil && fd.Cardinality() != protoreflect.Repeated {
		panic(fmt.Errorf("proto: %v: getting mutable reference to non-composite type", fd.FullName()))
	}
	t.mustBeValid(fd)
	if f == nil {
		return t.mutableExtension(p, fd.(protoreflect.ExtensionTypeDescriptor))
	}
	switch f.shape {
	case repeated:
		return protoreflect.ValueOfList(&list{field: f, at: block.Field(f.at, p)})
	case mapped:
		return protoreflect.ValueOfMap(&mapping{field: f, at: block.Field(f.at, p)})
	}
	return protoreflect.ValueOfMessage(f.value.mutable(block.SetPresence(&t.layout, f.at, p)))
}

// Clear makes the field absent.
func (m *Message) Clear(fd protoreflect.FieldDescriptor) {
	t, p := m.parts()
	f := t.field(fd)
	if t.of != t {
		return // there is nothing in it
	}
	if f == nil {
		delete(*block.Extensions(&t.layout, p), int32(fd.Number()))
		return
	}
	block.Clear(f.at, p)
}

// NewField returns a new value for the field: a default, or an empty list, map or message
// that is not yet part of a message.
func (m *Message) NewField(fd protoreflect.FieldDescriptor) protoreflect.Value {
	if f := m.typ().field(fd); f != nil {
		return f.new()
	}
	return fd.(protoreflect.ExtensionTypeDescriptor).Type().New()
}

// Range calls f for each field that is present, extension fields included, in the order
// of the descriptor, until f returns false. f may change m.
func (m *Message) Range(f func(protoreflect.FieldDescriptor, protoreflect.Value) bool) {
	t, p := m.parts()
	l := &t.of.layout
	for i := range t.fields {
		fl := &t.fields[i]
		if q := l.Locate(fl.at, p); fl.has(q) && !f(fl.fd, fl.load(q)) {
			return
		}
	}
	if l.Extensions == 0 {
		return
	}
	for _, x := range *block.Extensions(l, p) {
		if isSet(x) && !f(x.Desc, x.Value) {
			return
		}
	}
}

// WhichOneof returns the member of the oneof that is set; nil if none is.
func (m *Message) WhichOneof(od protoreflect.OneofDescriptor) protoreflect.FieldDescriptor {
	t, p := m.parts()
	first := od.Fields().Get(0)
	f := t.field(first)
	l := &t.of.layout
	switch {
	case f.at.Op.Storage() == layout.Case:
		if n := block.Which(f.at, p); n != 0 {
			return l.DescOf(l.Find(n))
		}
	case f.has(l.Locate(f.at, p)): // a oneof that was made up for presence has no other member
		return first
	}
	return nil
}

// GetUnknown returns the unknown fields, which are not copied.
func (m *Message) GetUnknown() protoreflect.RawFields {
	t, p := m.parts()
	u := *block.Unknown(&t.of.layout, p)
	if layout.WasReset(u) {
		return nil
	}
	return u
}

// SetUnknown sets the unknown fields to b, which is not copied.
func (m *Message) SetUnknown(b protoreflect.RawFields) {
	t, p := m.parts()
	if t.of != t {
		t.mustBeValid(t.descriptor())
	}
	*block.Unknown(&t.layout, p) = b
}
