// Package visit reads every field of what a variant has decoded, as a program that uses
// all of its data would: generated messages by their getters, plain structs by their
// fields, maps and lists by ranging over them, and what has neither by reflection.
//
// What is read is added up, so that the compiler cannot leave the reading out: numbers as
// they are, text and bytes by their length.
package visit

import (
	"encoding/json"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// Method is the name of the method of [Fields], which the harness generates for the types
// of a schema. No field of a schema is likely to have it.
const Method = "ProteanReadFields"

// Fields is implemented by messages and structs whose code the harness generates.
type Fields interface {
	// ProteanReadFields reads all fields.
	ProteanReadFields() uint64
}

// Message reads a message, which may be nil.
func Message(m proto.Message) uint64 {
	switch m := m.(type) {
	case Fields:
		return m.ProteanReadFields()
	case *timestamppb.Timestamp:
		return uint64(m.GetSeconds()) + uint64(m.GetNanos())
	case *durationpb.Duration:
		return uint64(m.GetSeconds()) + uint64(m.GetNanos())
	case *structpb.Value:
		return Value(m)
	case *structpb.Struct:
		return values(m.GetFields())
	case *structpb.ListValue:
		return list(m.GetValues())
	case *anypb.Any:
		return uint64(len(m.GetTypeUrl()) + len(m.GetValue()))
	case nil:
		return 0
	}
	return Reflect(m.ProtoReflect())
}

// Extensions reads the extension fields of a message that may have some.
func Extensions(m proto.Message) (n uint64) {
	proto.RangeExtensions(m, func(t protoreflect.ExtensionType, v any) bool {
		n += field(t.TypeDescriptor(), t.ValueOf(v))
		return true
	})
	return n
}

// Reflect reads the populated fields of a message by reflection, which is what a program
// has that learns of the schema at run time.
func Reflect(m protoreflect.Message) (n uint64) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		n += field(f, v)
		return true
	})
	return n
}

func field(f protoreflect.FieldDescriptor, v protoreflect.Value) (n uint64) {
	switch {
	case f.IsMap():
		v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
			n += scalar(f.MapKey(), k.Value()) + single(f.MapValue(), v)
			return true
		})
	case f.IsList():
		l := v.List()
		for i := range l.Len() {
			n += single(f, l.Get(i))
		}
	default:
		n = single(f, v)
	}
	return n
}

func single(f protoreflect.FieldDescriptor, v protoreflect.Value) uint64 {
	if f.Message() != nil {
		return Reflect(v.Message())
	}
	return scalar(f, v)
}

func scalar(f protoreflect.FieldDescriptor, v protoreflect.Value) uint64 {
	switch f.Kind() {
	case protoreflect.BoolKind:
		return Bool(v.Bool())
	case protoreflect.EnumKind:
		return uint64(v.Enum())
	case protoreflect.StringKind:
		return uint64(len(v.String()))
	case protoreflect.BytesKind:
		return uint64(len(v.Bytes()))
	case protoreflect.FloatKind, protoreflect.DoubleKind:
		return uint64(int64(v.Float()))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind, protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return v.Uint()
	default:
		return uint64(v.Int())
	}
}

// Bool is 1 for true.
func Bool(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Value reads structpb's tree.
func Value(v *structpb.Value) uint64 {
	switch k := v.GetKind().(type) {
	case *structpb.Value_StringValue:
		return uint64(len(k.StringValue))
	case *structpb.Value_NumberValue:
		return uint64(int64(k.NumberValue))
	case *structpb.Value_BoolValue:
		return Bool(k.BoolValue)
	case *structpb.Value_StructValue:
		return values(k.StructValue.GetFields())
	case *structpb.Value_ListValue:
		return list(k.ListValue.GetValues())
	}
	return 0
}

func values(m map[string]*structpb.Value) (n uint64) {
	for k, v := range m {
		n += uint64(len(k)) + Value(v)
	}
	return n
}

func list(vs []*structpb.Value) (n uint64) {
	for _, v := range vs {
		n += Value(v)
	}
	return n
}

// Any reads Go data as libraries for JSON decode it without a schema.
func Any(v any) uint64 {
	switch v := v.(type) {
	case string:
		return uint64(len(v))
	case float64:
		return uint64(int64(v))
	case bool:
		return Bool(v)
	case map[string]any:
		return Map(v)
	case []any:
		return List(v)
	case int64:
		return uint64(v)
	case uint64:
		return v
	case []byte:
		return uint64(len(v))
	case json.Number:
		return uint64(len(v))
	}
	return 0
}

// Map reads the entries of a map of Go data.
func Map(m map[string]any) (n uint64) {
	for k, v := range m {
		n += uint64(len(k)) + Any(v)
	}
	return n
}

// List reads the items of a list of Go data.
func List(l []any) (n uint64) {
	for _, v := range l {
		n += Any(v)
	}
	return n
}

// Time reads a time.
func Time(t time.Time) uint64 { return uint64(t.Unix()) + uint64(t.Nanosecond()) }
