// Package proto reads and writes Protobuf messages faster than generated code does, and is
// a drop-in for google.golang.org/protobuf/proto: replace the import path.
//
// All names of the official package are here, with the same meaning, for any
// [Message]: generated with the open, the hybrid or the opaque API, from proto2, proto3
// or an edition, or of package dynamic. Messages of the two packages are the same, so
// that a program may use both.
//
// # Concepts
//
// The first time that a message of a type is read or written, a layout of the type is
// compiled: which field lies where in the Go struct, and how it looks on the wire. One
// encoder and one decoder interpret the layouts of all types. There is no code to
// generate and nothing to register. Layouts of generated types live as long as the
// program, as the types do; for those of other messages see package dynamic. All functions
// are safe for concurrent use, as long as nobody changes a message that is in use.
//
// The encoder writes from the last byte to the first, so that it needs no sizes in advance,
// and into a buffer that is used again: a message is written in one allocation, that of the
// result. For a message of more than 1 MB, or of which a long string is the most part, it
// calculates the size when it gets to know that, and goes on in memory of just that size. The
// decoder counts what follows before it allocates a list, and where more messages
// of a type are to be expected it allocates several at a time.
//
// google.protobuf.Struct, Value and ListValue, wherever they occur, have code of their own.
// For google.protobuf.Any there are [Pack] and [Unpack], which are anypb.New and
// UnmarshalNew, and [AppendAny] and [UnmarshalAny], which go between a message and the wire
// form of an Any without an Any between. [Clone], [Equal], [Merge] and what is about extensions
// are the official package's.
//
// # Memory
//
// Without AliasInput a message does not refer to the input. Its parts share memory with one
// another, though, so that a part of a message that is kept keeps more alive:
//
//   - Strings and bytes are copied one after the other into chunks of at most 16 KiB. A string
//     that is kept keeps the chunk that it is in. One that is longer than a chunk is by
//     itself.
//   - The capacity of bytes is their length, so that an append to them does not touch what
//     is next to them.
//   - Numbers that generated code points to, and lists of numbers of up to 256 bytes, lie in
//     the same chunks. An append to such a list does not touch anything else.
//   - Messages of a type, strings that generated code points to, and short lists of strings,
//     may be of one allocation, of at most 8 KiB. One that is larger is by itself.
//   - Messages in a message, and strings that generated code points to or of a list, that most
//     messages of its type have had lately may be of one allocation, of at most 1 KiB.
//   - The messages of a Struct, Value or ListValue may be of allocations of at most 16 KiB,
//     and their strings of one of the length of all text, up to 64 KiB. Short keys that come
//     again and again have one text, which the messages of all calls share.
//
// So a part of a large message keeps tens of kilobytes at most; [Clone] a part that is kept
// for long. A whole message takes about as much memory as one that the official library has
// read: at most as much more as the input is long, as much again as its messages take (three
// times as much for those that only the first of a long list have in them), and 1.5 KiB that
// messages of its type mostly need.
//
// With AliasInput strings and bytes are parts of the input itself. That is for callers who
// know that nobody changes the input as long as the message, or a string out of it, is in
// use; such as a server that reads each request into a buffer of its own.
//
// # Errors
//
// What is wrong with a message or its wire form is a [*FieldError]: the path of the field
// (lines[17].attributes["color"]), the byte in the input and the message type. It wraps
// [ErrTruncated], [ErrMalformed], [ErrUTF8], [ErrDepth] or [ErrRequired] for errors.Is, and
// is an [Error] of Protobuf. The text of errors is not that of the official library.
// The offset is that of the tag, number, length or text that is wrong, or of the end of
// the input, or of the message, where more was expected; in a Struct, Value or ListValue
// it may be the very byte of a text.
//
// # What is left to the official library
//
// It reads and writes, silently and for that type alone:
//
//   - message sets (option message_set_wire_format);
//   - types with lazy fields in the opaque API;
//   - types that another generator wrote or were written by hand, and those of the time before
//     google.golang.org/protobuf (legacy messages);
//   - any type whose Go struct is not as protoc-gen-go makes it.
//
// Such a type may be a field of one that is not. Errors within it are then those of the
// official library.
//
// # Where the specification is loose
//
// The oracle is the official library; all types of messages are tested against it on the
// same bytes, those of the official conformance suite among them.
//
//   - Fields are written in the order of their numbers, members of oneofs after all others,
//     then unknown fields; extension fields, by number, before all. That is the official
//     library's order, and not a promise of either.
//   - Maps are written in no order; [MarshalOptions.Deterministic] sorts them by key. The
//     bytes are then those of the official library, in this version of both; they are the
//     canonical form of nothing.
//   - A field that comes again: the last one counts. Messages are merged, members of a oneof
//     too as long as no other comes between; lists are appended to.
//   - Entries of a map with the same key: the last one counts, and values that are messages
//     are replaced, not merged. An entry without a key has the key zero or empty, one
//     without a value the empty value.
//   - Numbers of a list are read packed and not packed, however they are declared, and
//     written as declared.
//   - Unknown fields are kept in the order in which they come, and fields of a known number
//     with another wire type among them. Their tags are written anew for generated
//     messages, as short as can be.
//   - Closed enums: a number that is not in the enum is read into the field all the same, as
//     the official library does, where the specification would have it an unknown field.
//   - Strings must be UTF-8 in proto3 and where an edition says so, on both ways. In
//     extension fields of editions they need not, as in the official library.
//   - Varints may be longer than they need be, up to ten bytes; what is beyond the bits of
//     the field is cut off.
//   - [Size] is what the official library's returns, which for lazy fields that nobody has
//     read yet may be more than is written. A message of any size is written, also of
//     more than 2 GB, though few can read it.
//   - Nil elements of lists and maps, and nil messages in a oneof, are written as empty
//     messages.
//   - The result of Marshal is nil for a nil message only, and empty for one that is empty.
//     Bytes that are empty are nil in a field without presence, and not nil elsewhere.
//   - A message that is incomplete ([ErrRequired]) is read or written to its end all the same.
//
// # Limits and hostile input
//
// Whatever the bytes are, nothing panics, and time and memory are in proportion to their
// number: an empty message in a list takes two bytes on the wire and its size in memory, and
// nothing is allocated on the word of a length without the bytes for it.
//
// Messages may be nested 10,000 levels deep in what is read, or as RecursionLimit says. An
// entry of a map counts as one. Messages in extension fields count on, where the official
// library begins anew with each. What is written may be nested 100,000 levels, which ends in
// ErrDepth for a message that contains itself, where the official library ends the program.
//
// # Memory that is used again
//
// By default the garbage collector takes back what a message took. [UnmarshalOptions] with an [Arena] take memory from
// that instead, which is free again, all at once, after its Reset: a loop that handles one message after the other
// allocates nothing.
package proto
