// Package native converts messages to the Go data that a program without a
// schema holds (maps, slices, scalars), and back.
//
// A message becomes a map[string]any of its populated fields, under their proto
// names:
//
//	message, group               map[string]any
//	list                         []any
//	map                          map[string]any, keys as text (-3, true)
//	int32, sint32, sfixed32      int32
//	int64, sint64, sfixed64      int64
//	uint32, fixed32              uint32
//	uint64, fixed64              uint64
//	float, double                float32, float64
//	bool, string, bytes          bool, string, []byte
//	enum                         its name; the decimal text of an unknown number
//	extension                    under "[full.name]"
//
// Well-known types take the shape that ProtoJSON gives them:
//
//	Timestamp, Duration, FieldMask   string
//	the wrappers                     the scalar alone, of the type above
//	Struct, ListValue                map[string]any, []any
//	Value                            nil, bool, float64, string, map[string]any or []any
//	Empty                            an empty map[string]any
//	Any                              map[string]any with "@type", ProtoJSON's own form throughout
//
// # Loose points
//
//   - Unknown fields have no place in this data. They are left out, and
//     [Difference] reports that they were lost.
//   - NaN and infinities stay float values, in a google.protobuf.Value too:
//     whether they can be written is for the codec under test to say.
//   - A value that ProtoJSON cannot express in a well-known type is an error: a
//     Value with no kind set, a Timestamp out of range, an Any of unknown type.
//   - The content of an Any is in the form of ProtoJSON (64-bit integers and
//     bytes as text), because a reader without its type could not tell more.
//     Types are looked up in [google.golang.org/protobuf/reflect/protoregistry.GlobalTypes], or
//     where [Options] say.
//     On the way back the content is marshaled deterministically: bytes that were
//     in another order, or held unknown fields, come back different, and
//     Difference reports it.
//   - A null for an ordinary field means absent, as in ProtoJSON; a null for a
//     Value, or for an enum of type NullValue, is that value.
//   - A number for a float field is rounded to the nearest float, as ProtoJSON
//     does, for 0.1 has no exact form; an integer that would change is an error.
//
// The data shares no memory with the message, in either direction. The functions
// are safe for concurrent use as far as the messages are.
package native
