// Package gojapb gives scripts in goja, the JavaScript engine in Go, Protobuf: messages of any schema, read and written
// by the codecs of this module's packages proto and dynamic.
//
// # Start
//
// A host registers the module under a name of its choice, and scripts require it:
//
//	registry := require.NewRegistry()
//	registry.RegisterNativeModule("protobuf", gojapb.Require())
//
//	const pb = require('protobuf');
//	pb.loadDescriptorSet(bytes);
//	const Event = pb.messageType('acme.v1.Event');
//	const event = new Event({ id: 'evt_1', actor: { email: 'a@example.com' }, tags: ['web'] });
//	event.userAgent = 'curl';
//	const wire = pb.encode(event);
//
// Without goja_nodejs, [New] and [Module.SetupExports] do the same. Types come from what scripts load, and from what
// the host's program has linked or names by [WithFiles] and [WithResolver]. [Module.WrapMessage] hands a Go message to
// a script, [Module.UnwrapMessage] takes one back, neither with a copy.
//
// # Messages
//
// A message is an object whose properties are its fields, each by its proto name and by its JSON name: msg.user_agent
// and msg.userAgent. Where a name is that of a method or of something that every object has (get, set, toJSON,
// constructor, toString…), the method wins, and the field is reached by msg.get(name) and msg.set(name, value), which
// take all names. Extension fields are called '[full.name]' there. Object.keys lists the fields that are present.
//
//   - 32-bit integers, floats and doubles are numbers; 64-bit integers are as [WithInt64] says; bool and string are
//     what they are; bytes are a Uint8Array, which is a copy; enums are numbers, and can be set by name.
//   - A message field is the object of its message, the same one each time, or null if it is absent. It can be set to a
//     message, which then is the field's own and not a copy, or to a plain object, from which a new one is made, in
//     depth.
//   - A repeated field is an array that is always what is in the field, with get, set, add and clear besides. It can be
//     set to anything iterable. It has no holes: an index beyond the end is a RangeError. Methods that change several
//     elements, such as push, splice and sort, change all of them or none.
//   - A map field has the methods of a Map. It can be set to a Map or a plain object. Its keys come in ascending order.
//   - google.protobuf.Struct, Value and ListValue are plain values: objects, arrays, strings, numbers, booleans and
//     null, in which changes are changes of the message.
//   - Setting a field to null or undefined clears it. Only a field of type google.protobuf.Value is set to null by
//     null.
//
// Whatever is not of a field's type is a TypeError, an integer that a field cannot hold a RangeError, and both name the
// field. A value is converted whole before anything changes. Strings with half a surrogate pair are refused rather than
// altered, and so is what would make a message part of itself.
//
// A method that is read off a message, rather than called on it, goes on acting on that message: const get = msg.get. A
// receiver that is given goes first, and one that is no message is a TypeError.
//
// # Conversions
//
// pb.toJSON(msg), which is also what JSON.stringify sees, returns a plain value in the shapes of ProtoJSON, and
// pb.fromJSON(M, value) takes one: 64-bit integers as strings, bytes in base64, enums by name, well-known types in
// their own forms. pb.fromJSON(M, value, { discardUnknown: true }) ignores what the schema has not got, which is an
// error else. JSON.stringify of a list or map is what its message's JSON has for it. msg.toObject() returns a plain
// object of the values as fields have them; new M(object) takes it. None of them goes through JSON text.
//
// Milliseconds, of which pb.timestampFromMs and pb.durationFromMs make messages, lose their fraction towards zero, as
// those of a Date do. A Timestamp or Duration whose milliseconds no number can say exactly is a RangeError.
//
// # Schemas
//
// A file that is loaded twice, or that the host has linked, must declare the same. What compilers add to it aside, such
// as comments, unknown fields and custom options, anything else is a conflict, and an error that changes nothing.
//
// # Memory and concurrency
//
// A module belongs to its runtime, and is not safe for concurrent use, as that is not. What is compiled for a schema is
// shared: runtimes that load equal descriptor sets in equal order have the same descriptors and tables, which are
// dropped when the last runtime that uses them is. Objects of nested messages are made when a script first looks at
// them.
package gojapb
