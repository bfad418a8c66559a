// Package gostruct writes the Go structs that an engineer would write by hand
// for the JSON form of a message, and converts messages to them and back.
//
// [Generate] declares a struct for each message type. A field is named in JSON
// as in the proto file, and carries its number in a proto tag, by which the
// conversions find it:
//
//	                    Go type                             json options
//	no presence         bool, int32, …, string, []byte      omitempty, omitzero
//	presence            pointer to that, *[]byte too        omitzero
//	enum                string, the name                    as above
//	list                []T                                 omitempty, omitzero
//	map                 map[K]V; bool keys as string        omitempty, omitzero
//	message, group      *T; T in lists and maps             omitzero
//	Timestamp           *time.Time; time.Time               omitempty
//	Duration, FieldMask *string; string                     omitzero
//	wrappers            pointer to scalar; scalar           omitzero
//	Struct, Any         *map[string]any; map[string]any     omitzero
//	ListValue           *[]any; []any                       omitzero
//	Value               any                                 omitzero
//	Empty               *struct{}; struct{}                 omitzero
//
// Pointers carry no omitempty, because encoding/json/v2 then drops a pointer to
// an empty string. That of a Timestamp carries no omitzero, because it drops a
// pointer to the zero time, 0001-01-01T00:00:00Z, which is a legal Timestamp.
//
// # Loose points
//
//   - Extension fields have no place in a struct: a populated one is an error.
//     Unknown fields are left out, as in package native.
//   - A singular Value that is null looks the same as one that is absent. In
//     lists and maps nulls are kept.
//   - Negative zero in a field without presence is kept by the conversions, but
//     every JSON library takes it for a zero value to be omitted.
//   - NaN and infinities are kept too; JSON cannot hold them.
//   - A number for which an enum has no name is held as decimal text.
//   - An Any holds the form of ProtoJSON, as described in package native.
package gostruct
