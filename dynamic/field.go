package dynamic

import (
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/dynamic/internal/block"
	"github.com/protean-pb/protean/internal/layout"
)

// A field is what reflection must know of a field; for a detached list or map, of the
// extension field that it is for.
type field struct {
	fd     protoreflect.FieldDescriptor
	at     *layout.Field      // where it lies; nil for an extension
	shape  shape              //
	plain  bool               // it has a value always, in the message itself
	value  element            // its value, the elements of a list, the values of a map
	key    element            // the keys of a map
	vector block.Vector       // of a list
	table  block.Table        // of a map
	zero   protoreflect.Value // of an absent field that holds a single value and no message
}

// A shape says what a field holds.
type shape uint8

const (
	single shape = iota
	repeated
	mapped
)

// An element is the type of single values.
type element struct {
	fd   protoreflect.FieldDescriptor
	kind protoreflect.Kind
	mem  layout.Kind
	sub  *Type // of messages
}

func elementOf(fd protoreflect.FieldDescriptor) element {
	e := element{fd: fd, kind: fd.Kind(), mem: layout.KindOf(fd)}
	if md := fd.Message(); md != nil {
		e.sub = NewType(md)
	}
	return e
}

// fieldsOf describes the fields of a layout that has been compiled.
func fieldsOf(l *layout.Layout) []field {
	if l.Desc == nil {
		return nil
	}
	fds := l.Desc.Fields()
	fields := make([]field, fds.Len())
	for i := range fields {
		fields[i] = newField(fds.Get(i))
		f := &fields[i]
		f.at = l.Find(uint32(f.fd.Number()))
		f.plain = f.shape == single && f.value.sub == nil && f.at.Op.Storage() == layout.Implicit
	}
	return fields
}

func newField(fd protoreflect.FieldDescriptor) field {
	f := field{fd: fd}
	switch {
	case fd.IsMap():
		f.shape, f.value, f.key = mapped, elementOf(fd.MapValue()), elementOf(fd.MapKey())
		f.table = block.TableOf(fd)
	case fd.IsList():
		f.shape, f.value = repeated, elementOf(fd)
		f.vector = block.VectorOf(f.value.mem)
	default:
		f.value = elementOf(fd)
		if fd.Message() == nil {
			f.zero = fd.Default()
		}
	}
	return f
}

// load returns the field's value, which lies at q; nil means that it is absent.
func (f *field) load(q layout.Address) protoreflect.Value {
	switch f.shape {
	case repeated:
		if q != nil && block.Len(q) == 0 {
			q = nil
		}
		return protoreflect.ValueOfList(&list{field: f, at: q})
	case mapped:
		if q != nil && block.MapLen(q) == 0 {
			q = nil
		}
		return protoreflect.ValueOfMap(&mapping{field: f, at: q})
	}
	switch {
	case q != nil:
		return block.Load(f.value.kind, q)
	case f.value.sub != nil:
		return protoreflect.ValueOfMessage(f.value.sub.zeroMessage())
	case f.value.kind == protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(append([]byte(nil), f.zero.Bytes()...))
	}
	return f.zero
}

// has reports whether the field is present, whose value Locate says is at q.
func (f *field) has(q layout.Address) bool {
	switch {
	case q == nil:
		return false
	case f.shape == repeated:
		return block.Len(q) > 0
	case f.shape == mapped:
		return block.MapLen(q) > 0
	}
	return true
}

// new returns a new value for the field, detached from any message.
func (f *field) new() protoreflect.Value {
	switch f.shape {
	case repeated:
		return protoreflect.ValueOfList(&list{field: f, at: block.NewSlice(), detached: true})
	case mapped:
		m := &mapping{field: f, at: block.NewMap()}
		f.table.Make(m.at)
		return protoreflect.ValueOfMap(m)
	}
	if f.value.sub != nil {
		return protoreflect.ValueOfMessage(f.value.sub.New())
	}
	return f.zero
}

// mustAccept panics if v must not be stored as a value of e: it is of another Go type, or a message of another
// name, or a read-only one. The descriptor of the message may be another one of the name.
func (e *element) mustAccept(v protoreflect.Value) {
	if e.sub == nil {
		if !e.fits(v) {
			panic(fmt.Errorf("proto: %v: assigning invalid type %T", e.fd.FullName(), v.Interface()))
		}
		return
	}
	m := v.Message()
	if d, ok := m.(*Message); ok {
		switch t := d.typ(); {
		case t == e.sub:
			return
		case t.of != t:
			panic(fmt.Errorf("proto: %v: assigning invalid zero-value message", e.fd.FullName()))
		}
	}
	if got := m.Descriptor(); got == nil || got.FullName() != e.fd.Message().FullName() {
		panic(fmt.Errorf("proto: %v: assigning invalid message type %v", e.fd.FullName(), nameOf(got)))
	}
}

// nameOf returns the name of a descriptor, which may be nil.
func nameOf(md protoreflect.MessageDescriptor) protoreflect.FullName {
	if md == nil {
		return ""
	}
	return md.FullName()
}

// mutable makes the pointer at q refer to a new message if it is nil, and returns the message that it refers to.
func (e *element) mutable(q layout.Address) protoreflect.Message {
	to := block.Pointer(q)
	if *to == nil {
		*to = layout.AddressOf(e.sub.New())
	}
	return layout.MessageAt(*to)
}

// fits reports whether v is of e's Go type, or panics if it is of quite another.
func (e *element) fits(v protoreflect.Value) bool {
	// Equal is false for values of different types, and takes no memory, unlike
	// v.Interface().
	switch e.kind {
	case protoreflect.BoolKind:
		v.Bool()
	case protoreflect.EnumKind:
		v.Enum()
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(v.Int())).Equal(v)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(v.Uint())).Equal(v)
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(v.Int()).Equal(v)
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(v.Uint()).Equal(v)
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(float32(v.Float())).Equal(v)
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(v.Float()).Equal(v)
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(v.String()).Equal(v)
	case protoreflect.BytesKind:
		v.Bytes()
	}
	return true
}

// adopt adds a deep copy of what src holds to dst. Their descriptors may differ if they have one name; it panics if
// src is quite another message, and not empty.
func adopt(dst, src protoreflect.Message) {
	to, from := dst.Descriptor(), src.Descriptor()
	switch {
	case to == from:
		proto.Merge(dst.Interface(), src.Interface())
		return
	case nameOf(to) != nameOf(from):
		src.Range(func(protoreflect.FieldDescriptor, protoreflect.Value) bool {
			panic(fmt.Errorf("proto: merging a message of the type %v into a %v", nameOf(from), nameOf(to)))
		})
		if u := src.GetUnknown(); len(u) > 0 {
			dst.SetUnknown(append(dst.GetUnknown(), u...))
		}
		return
	}
	b, err := proto.MarshalOptions{AllowPartial: true}.Marshal(src.Interface())
	if err == nil {
		err = proto.UnmarshalOptions{AllowPartial: true, Merge: true}.Unmarshal(b, dst.Interface())
	}
	if err != nil {
		panic(fmt.Errorf("proto: %v: copying a message of another descriptor: %w", to.FullName(), err))
	}
}

// new returns a new value, detached from any message.
func (e *element) new() protoreflect.Value {
	switch e.kind {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		return protoreflect.ValueOfMessage(e.sub.New())
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(e.fd.Enum().Values().Get(0).Number())
	case protoreflect.StringKind:
		return protoreflect.ValueOfString("")
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(nil)
	}
	return layout.ValueOf(e.fd, 0)
}
