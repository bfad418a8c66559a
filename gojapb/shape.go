package gojapb

import (
	"sync"
	"sync/atomic"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/dynamic"
)

// A shape is a message type as scripts see it: its fields by all their names. It is compiled once and shared by all
// runtimes.
type shape struct {
	desc   protoreflect.MessageDescriptor
	typ    protoreflect.MessageType
	fields []field           // by the index of the descriptor
	byName map[string]*field // by proto name, by JSON name, and groups by the name of their type
	// properties is byName without the names that every object has a meaning for.
	properties map[string]*field
	known      knownType

	loops func() bool // whether a message can hold another of the type
}

// A field is one field of a shape.
type field struct {
	protoreflect.FieldDescriptor
	proto, json string
	index       int
	kind        protoreflect.Kind
	cardinality cardinality
	value       element // what a singular field, an element of a list or a value of a map is
	key         element // what a key of a map is
}

type cardinality uint8

const (
	singular cardinality = iota
	list
	mapped
)

// An element is the type of a single value.
type element struct {
	kind protoreflect.Kind
	fd   protoreflect.FieldDescriptor // of the field, or of the key or value of a map's entry
	enum protoreflect.EnumDescriptor
	msg  protoreflect.MessageDescriptor
	// known says which well-known type msg is.
	known knownType
	shape *atomic.Pointer[shape] // of msg, once it is known
}

// A knownType is a message type that has a form of its own in JavaScript or in ProtoJSON.
type knownType uint8

const (
	ordinary knownType = iota
	anyType
	timestampType
	durationType
	fieldMaskType
	emptyType
	wrapperType
	structType
	valueType
	listValueType
)

var knownTypes = map[protoreflect.FullName]knownType{
	"google.protobuf.Any":         anyType,
	"google.protobuf.Timestamp":   timestampType,
	"google.protobuf.Duration":    durationType,
	"google.protobuf.FieldMask":   fieldMaskType,
	"google.protobuf.Empty":       emptyType,
	"google.protobuf.DoubleValue": wrapperType,
	"google.protobuf.FloatValue":  wrapperType,
	"google.protobuf.Int64Value":  wrapperType,
	"google.protobuf.UInt64Value": wrapperType,
	"google.protobuf.Int32Value":  wrapperType,
	"google.protobuf.UInt32Value": wrapperType,
	"google.protobuf.BoolValue":   wrapperType,
	"google.protobuf.StringValue": wrapperType,
	"google.protobuf.BytesValue":  wrapperType,
	"google.protobuf.Struct":      structType,
	"google.protobuf.Value":       valueType,
	"google.protobuf.ListValue":   listValueType,
}

// plain reports whether scripts see the type as plain values: numbers, strings, objects and arrays.
func (k knownType) plain() bool { return k >= structType }

// reserved are the properties that every message and every object has; a field of such a name is reached by get and
// set.
var reserved = map[string]bool{
	"get": true, "set": true, "has": true, "clear": true, "whichOneof": true, "clearOneof": true, "$type": true,
	"toJSON": true, "toObject": true,
	"constructor": true, "toString": true, "toLocaleString": true, "valueOf": true, "hasOwnProperty": true,
	"isPrototypeOf":        true,
	"propertyIsEnumerable": true, "__proto__": true, "__defineGetter__": true, "__defineSetter__": true,
	"__lookupGetter__": true, "__lookupSetter__": true, "then": true,
}

// newShape compiles the fields of a message type.
func newShape(mt protoreflect.MessageType) *shape {
	md := mt.Descriptor()
	n := md.Fields().Len()
	s := &shape{
		desc: md, typ: mt, known: knownTypes[md.FullName()],
		fields: make([]field, n), byName: make(map[string]*field, 2*n), properties: make(map[string]*field, 2*n),
		loops: sync.OnceValue(func() bool { return canLoop(md) }),
	}
	for i := range s.fields {
		s.fields[i] = newField(md.Fields().Get(i))
	}
	for i := range s.fields {
		f := &s.fields[i]
		s.byName[f.proto] = f
	}
	// Where these are names of other fields too, a proto name wins over a JSON name, and that over the name of a
	// group's type, which is what the field is called in text format.
	for _, name := range []func(f *field) string{func(f *field) string { return f.json }, (*field).TextName} {
		for i := range s.fields {
			if f := &s.fields[i]; s.byName[name(f)] == nil {
				s.byName[name(f)] = f
			}
		}
	}
	for name, f := range s.byName {
		if !reserved[name] {
			s.properties[name] = f
		}
	}
	return s
}

func newField(fd protoreflect.FieldDescriptor) field {
	f := field{FieldDescriptor: fd, proto: string(fd.Name()), json: fd.JSONName(), index: fd.Index(), kind: fd.Kind()}
	if fd.IsExtension() {
		f.json = "[" + string(fd.FullName()) + "]"
		f.proto, f.index = f.json, -1
	}
	switch {
	case fd.IsMap():
		f.cardinality, f.key, f.value = mapped, newElement(fd.MapKey()), newElement(fd.MapValue())
	case fd.IsList():
		f.cardinality, f.value = list, newElement(fd)
	default:
		f.value = newElement(fd)
	}
	return f
}

func newElement(fd protoreflect.FieldDescriptor) element {
	e := element{kind: fd.Kind(), fd: fd, enum: fd.Enum(), msg: fd.Message()}
	if e.msg != nil {
		e.known = knownTypes[e.msg.FullName()]
		e.shape = new(atomic.Pointer[shape])
	}
	return e
}

// canLoop reports whether a message of the type can hold another of it. Extensions may hold anything.
func canLoop(md protoreflect.MessageDescriptor) bool {
	seen := map[protoreflect.FullName]bool{}
	var reaches func(protoreflect.MessageDescriptor) bool
	reaches = func(from protoreflect.MessageDescriptor) bool {
		if seen[from.FullName()] {
			return from.FullName() == md.FullName()
		}
		seen[from.FullName()] = true
		for i := range from.Fields().Len() {
			if sub := from.Fields().Get(i).Message(); sub != nil && reaches(sub) {
				return true
			}
		}
		return from.ExtensionRanges().Len() > 0
	}
	return reaches(md)
}

// shapeOf returns the shape of md. That of a descriptor which no registry has is not shared with other runtimes.
func (m *Module) shapeOf(md protoreflect.MessageDescriptor) *shape {
	if home := m.schema.home(md); home != nil {
		return home.shapeOf(md)
	}
	s := m.foreign[md]
	if s == nil {
		s = newShape(dynamic.NewMessageType(md))
		m.foreign[md] = s
	}
	return s
}

// shapeOfElement returns the shape of the messages of e.
func (m *Module) shapeOfElement(e *element) *shape {
	if s := e.shape.Load(); s != nil {
		return s
	}
	s := m.shapeOf(e.msg)
	e.shape.Store(s)
	return s
}
