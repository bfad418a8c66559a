// Package protojson reads and writes Protobuf messages as ProtoJSON, and is a drop-in for
// google.golang.org/protobuf/encoding/protojson: replace the import path.
//
// All names of the official package are here, with the same meaning, for any message:
// generated with the open, the hybrid or the opaque API, from proto2, proto3 or an edition,
// or of package dynamic. It accepts what the official package accepts, and writes what that
// writes, but for white space. The specification is
// https://protobuf.dev/programming-guides/json; where it is loose, the official package is
// the oracle.
//
// # Concepts
//
// ProtoJSON is read and written by the layouts that package proto compiles, one for each
// message type when it is first used, to which the names and forms of JSON are added then.
// Nothing is generated or registered. All functions are safe for concurrent use, as long as
// nobody changes a message that is in use.
//
// [Marshal] writes compact text, without white space: the same for equal messages in every
// process of one version of this package. Multiline text is made from that. With
// [MarshalOptions.Canonical] the text is that of RFC 8785, which any other implementation
// can make too: to be hashed or signed.
//
// [ToAny] and [FromAny] go between messages and Go values in the shapes of ProtoJSON, such
// as templates, scripts and configurations have, without text between.
//
// [AppendAny] writes a message as a google.protobuf.Any that holds it, and [UnmarshalAny]
// reads it back, without its wire form between.
//
// [Encoder] and [Decoder] write and read many messages, one after the other: JSON lines.
// [MarshalWrite] and [UnmarshalRead] are for one message.
//
// google.protobuf.Value, Struct and ListValue that are not to become messages at all are
// faster with package value.
//
// # Order and form
//
// Fields come in the order of their declaration, then extension fields by their full names;
// entries of maps by their keys. 64-bit integers are strings unless
// [MarshalOptions.UseInt64Numbers] says otherwise; floating point numbers are the shortest that
// read back the same. In strings nothing is escaped but what JSON asks for: quotes,
// backslashes and control characters.
//
// # Memory
//
// The result of Marshal is one allocation of its size. A message that has been read refers
// to copies of the text, and its parts share memory with one another as those of package
// proto do: a string that is kept may keep a chunk of 64 KiB with it, one message of a list
// a batch of 8 KiB.
//
// # Errors
//
// All errors are an [*Error]: the path of the field (lines[17].attributes["color"]), line,
// column and byte in the text, and the message type. It wraps one of the errors of this
// package for errors.Is, and is an Error of package proto. Within a Struct or ListValue a
// path has the keys and indexes of the JSON. The text of errors is not that of the official
// library.
//
// # What is left to the official library
//
// The types that package proto leaves to it, for the same reasons: message sets, which it
// refuses; types with lazy fields in the opaque API; and those that protoc-gen-go did not
// write. Their text is made stable. UseInt64Numbers has no effect in them.
//
// # Limits and hostile input
//
// Whatever the text is, nothing panics, and time and memory are in proportion to its length.
// Messages may be nested 10,000 levels deep in what is read, or as RecursionLimit says;
// a Value counts as one, and its Struct or ListValue does not count again. What is written
// may be nested 100,000 levels, which ends in [ErrDepth] for a message that contains itself,
// where the official library ends the program.
//
// One thing takes more: an Any is looked through for its type first, unless that comes first
// and no more than 20,000 bytes follow. So Anys within one another n deep are looked through n
// times, as in the official library, and each level has the wire form of all below it.
package protojson
