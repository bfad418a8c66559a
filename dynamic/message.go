package dynamic

import (
	"fmt"
	"sync"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/runtime/protoiface"
	"google.golang.org/protobuf/runtime/protoimpl"

	"github.com/protean-pb/protean/internal/block"
	"github.com/protean-pb/protean/internal/layout"
)

// A Message is a message whose descriptor is known only at run time. It implements
// [proto.Message] and [protoreflect.Message], where the meaning of most methods is
// documented; the package's documentation says where it does not leave one choice.
//
// A Message must come from this package, and not be copied. Any number of goroutines may
// read it, and none meanwhile change it.
type Message struct {
	_      [0]sync.Mutex // go vet finds copies
	header layout.Header // the fields follow, as the layout says
}

var (
	_ protoreflect.Message = (*Message)(nil)
	_ protoiface.MessageV1 = (*Message)(nil)
)

// NewMessage returns an empty message that md describes.
func NewMessage(md protoreflect.MessageDescriptor) *Message { return NewType(md).New() }

// typ returns m's type, which for a read-only message is one of its own.
func (m *Message) typ() *Type { return block.Owner[Type](m.header.Layout) }

// parts returns what the methods need: the layout that says how m lies in memory, and where.
func (m *Message) parts() (*layout.Layout, layout.Address) {
	return &m.typ().of.layout, block.AddressOf(m)
}

// field returns the field that fd describes, nil for an extension field. It panics if it
// is none of m's.
func (m *Message) field(fd protoreflect.FieldDescriptor) *field {
	t := m.typ()
	if i := uint(fd.Index()); i < uint(len(t.fields)) && t.fields[i].fd == fd {
		return &t.fields[i]
	}
	return t.other(fd)
}

// other finds fields whose descriptors are not those of t's own.
func (t *Type) other(fd protoreflect.FieldDescriptor) *field {
	md := t.layout.Desc
	if fd.IsExtension() && fd.ContainingMessage().FullName() == md.FullName() {
		if _, ok := fd.(protoreflect.ExtensionTypeDescriptor); !ok {
			panic(fmt.Errorf("proto: %v: extension field descriptor does not implement ExtensionTypeDescriptor", fd.FullName()))
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

// mustBeValid panics if m is read-only; what is the name of what would be changed.
func (m *Message) mustBeValid(what protoreflect.Descriptor) {
	if !m.IsValid() {
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
func (m *Message) Descriptor() protoreflect.MessageDescriptor { return m.header.Layout.Desc }

// Type returns m's type.
func (m *Message) Type() protoreflect.MessageType { return messageType{m.typ().of} }

// New returns an empty message of the same type.
func (m *Message) New() protoreflect.Message { return m.typ().of.New() }

// IsValid reports whether m can be changed. It is false for what Get returns for a
// message that is absent, and for the zero message of a type.
func (m *Message) IsValid() bool { t := m.typ(); return t.of == t }

// Reset makes m empty. It panics if m is read-only.
func (m *Message) Reset() {
	m.mustBeValid(m.Descriptor())
	l, p := m.parts()
	block.Reset(l, p)
}

// locate returns where the value of f is in m; nil if it is absent.
func (m *Message) locate(f *field) layout.Address {
	l, p := m.parts()
	return l.Locate(f.at, p)
}

// Has reports whether the field is present.
func (m *Message) Has(fd protoreflect.FieldDescriptor) bool {
	if f := m.field(fd); f != nil {
		return f.has(m.locate(f))
	}
	x, ok := m.extension(fd)
	return ok && isSet(x)
}

// Get returns the value of the field, or its default. Bytes are not copied: what is
// written to them is written to the message.
func (m *Message) Get(fd protoreflect.FieldDescriptor) protoreflect.Value {
	if f := m.field(fd); f != nil {
		if f.plain {
			return block.Load(f.value.kind, block.Field(f.at, block.AddressOf(m)))
		}
		return f.load(m.locate(f))
	}
	if x, ok := m.extension(fd); ok {
		return x.Value
	}
	return fd.(protoreflect.ExtensionTypeDescriptor).Type().Zero()
}

// Set sets the field. It panics if v is not of the type of the field, or is a read-only
// list, map or message.
//
// A message of this package is not copied, nor is a map; a list that [Message.NewField]
// returned becomes that of m. All others are copied.
func (m *Message) Set(fd protoreflect.FieldDescriptor, v protoreflect.Value) {
	f := m.field(fd)
	m.mustBeValid(fd)
	if f == nil {
		m.setExtension(fd.(protoreflect.ExtensionTypeDescriptor), v)
		return
	}
	l, p := m.parts()
	switch f.shape {
	case repeated:
		f.setList(block.Field(f.at, p), v.List())
	case mapped:
		f.setMap(block.Field(f.at, p), v.Map())
	default:
		v = f.value.accept(v)
		block.Store(f.value.kind, block.Claim(l, f.at, p), v)
	}
}

// Mutable returns a list, map or message for changing it, and makes a message present.
func (m *Message) Mutable(fd protoreflect.FieldDescriptor) protoreflect.Value {
	f := m.field(fd)
	if fd.Message() == nil && fd.Cardinality() != protoreflect.Repeated {
		panic(fmt.Errorf("proto: %v: getting mutable reference to non-composite type", fd.FullName()))
	}
	m.mustBeValid(fd)
	if f == nil {
		return m.mutableExtension(fd.(protoreflect.ExtensionTypeDescriptor))
	}
	l, p := m.parts()
	switch f.shape {
	case repeated:
		return protoreflect.ValueOfList(&list{field: f, at: block.Field(f.at, p)})
	case mapped:
		return protoreflect.ValueOfMap(&mapping{field: f, at: block.Field(f.at, p)})
	}
	to := block.Pointer(block.Claim(l, f.at, p))
	if *to == nil {
		*to = block.AddressOf(f.value.sub.New())
	}
	return protoreflect.ValueOfMessage(block.As[Message](*to))
}

// Clear makes the field absent.
func (m *Message) Clear(fd protoreflect.FieldDescriptor) {
	f := m.field(fd)
	if !m.IsValid() {
		return // there is nothing in it
	}
	l, p := m.parts()
	if f == nil {
		delete(*block.Extensions(l, p), int32(fd.Number()))
		return
	}
	block.Clear(f.at, p)
}

// NewField returns a new value for the field: a default, or an empty list, map or message
// that is not yet part of a message.
func (m *Message) NewField(fd protoreflect.FieldDescriptor) protoreflect.Value {
	if f := m.field(fd); f != nil {
		return f.new()
	}
	return fd.(protoreflect.ExtensionTypeDescriptor).Type().New()
}

// Range calls f for each field that is present, extension fields included, in the order
// of the descriptor, until f returns false. f may change m.
func (m *Message) Range(f func(protoreflect.FieldDescriptor, protoreflect.Value) bool) {
	l, p := m.parts()
	fields := m.typ().fields
	for i := range fields {
		fl := &fields[i]
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
	first := od.Fields().Get(0)
	f := m.field(first)
	l, p := m.parts()
	switch {
	case f.at.Op.Shape() == layout.Case:
		if n := block.Which(f.at, p); n != 0 {
			return l.DescOf(l.Find(n))
		}
	case m.Has(first): // a oneof that was made up for presence has no other member
		return first
	}
	return nil
}

// GetUnknown returns the unknown fields, which are not copied.
func (m *Message) GetUnknown() protoreflect.RawFields {
	return *block.Unknown(m.parts())
}

// SetUnknown sets the unknown fields to b, which is not copied.
func (m *Message) SetUnknown(b protoreflect.RawFields) {
	m.mustBeValid(m.Descriptor())
	*block.Unknown(m.parts()) = b
}
