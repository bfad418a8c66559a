// Package value reads and writes schema-less Protobuf data (google.protobuf.Value,
// Struct and ListValue) without building the tree of package structpb.
//
// The wire form is the official library's: what one writes, the other reads. Where
// the three messages are part of a message of your own, you need not change its
// schema on the other side, nor your peers: a field of type google.protobuf.Value and
// one of type bytes with the same number have the same wire form.
//
// # Concepts
//
// Marshal and Unmarshal go between Go values and the wire, and are shaped like
// encoding/json: [Marshal] takes what structpb.NewValue takes, and beyond that typed
// slices, maps and structs by their json tags; [Unmarshal] fills the same. A
// google.protobuf.Struct by itself has [MarshalStruct] and [UnmarshalStruct], a
// google.protobuf.ListValue [MarshalList] and [UnmarshalList].
//
// A [Doc] is for reading: [Parse] validates the bytes once and indexes them, and from
// then on any value is found by its path, in place. Only what is
// asked for is decoded.
//
// JSON text goes to the wire and back in one pass ([AppendFromJSON], [AppendJSON]), with no
// tree between. [Set] and [Delete] edit wire bytes in place of a decoded message.
// [AppendCanonical] gives equal values equal bytes, to hash, sign or cache them. [Check]
// says what other readers would refuse or alter. [New] and [Interface] are for code
// that must hold structpb's types all the same.
//
// # Where the specification is loose
//
// The oracle is google.golang.org/protobuf; every function of this package is tested
// against it on the same bytes.
//
//   - A Value with several fields set: the last one counts. A struct_value after a
//     struct_value merges with it, key by key, a list_value after a list_value is
//     appended to it. A field that is replaced must be valid all the same.
//   - A Value with no field set is legal on the wire. In Go it is nil; [Doc.Kind] says
//     [Unset]; JSON has no form for it, so writing JSON is an error.
//   - NaN and infinities are legal on the wire, and errors in JSON text. [Marshal] writes
//     them; in an any they come back as the strings that AsInterface makes of them, "NaN" and
//     "Infinity", in a float64 as what they are.
//   - Entries with the same key: the last one counts. [Doc.Fields] shows all of them.
//   - An entry without a key has the key "", one without a value an unset Value; its
//     fields may come in any order, and twice.
//   - null_value may be any number on the wire; all of them are null, and this package
//     writes 0.
//   - Unknown fields are skipped, and are lost when a value is written again.
//   - Strings and keys must be UTF-8, as the official library demands.
//   - Depth counts messages: a Value, a Struct, a ListValue and each entry of a Struct
//     is one. So an object takes three and a list two. The limit is 10,000, as in the
//     official library; others read 100, and [Check] reports what lies beyond.
//   - JSON text is limited to 10,000 levels, as protojson counts them, which is more than
//     a reader of the wire form takes.
//   - Integers that a double cannot hold are errors in Marshal, where structpb.NewValue
//     rounds them; [MarshalOptions] has the choice. In JSON text they are rounded, as
//     protojson does.
//
// Whatever is legal but not as libraries write it (several fields set, fields out of
// order, unknown fields, varints longer than they need be) takes a slower way, by
// being rewritten first.
//
// # Limits and hostile input
//
// Whatever the bytes are, nothing panics, and memory is in proportion: an index takes 12
// bytes for each value, the shortest of which takes two on the wire, and 12 more for an object
// or list. Inputs are limited
// to 256 MiB, and further by the options' MaxSize and MaxDepth.
//
// # Errors
//
// Errors are of type [*Error], with the byte offset and the path to the value
// ($.actor.tags[2]), and wrap one of this package's error values for errors.Is.
package value
