// Package dynamic has messages whose descriptors are known only at run time: they can be
// read, changed and written, with the same encoder and decoder as generated messages. It
// is a drop-in for google.golang.org/protobuf/types/dynamicpb.
//
// A [Type] is compiled once for each descriptor. It says where in a block of memory each
// field lies: numbers, strings, lists and messages in the Go types that generated code has
// for them, so that a [Message] is one allocation, and an access to a field neither looks
// up a map nor allocates, unless it returns a list or map, which is a handle.
//
// # Reflection
//
// A [Message] behaves as dynamicpb's, panics included, and where that is unspecified:
//
//   - Handles stay live. What is written through a list or map that Mutable returned, or
//     that Get returned for one that is not empty, is written to the message, whatever
//     has happened to the field meanwhile: after Clear, too, it is a handle to the field,
//     where dynamicpb's is one to the list that was there.
//   - Set takes a message, list or map of any implementation. A [Message] of the same Type
//     is not copied, nor is a map of the same field; the list of NewField becomes the
//     message's own. All else is copied, deeply if it comes from another package. The
//     descriptors of messages may differ if they have the same full name.
//   - An absent message is read-only and of the right type, and so is the zero message of
//     a type. Reset panics on them, as Set does.
//   - Get, Has and Clear of a map panic if the key is of the wrong Go type.
//   - An extension field holds what is set, uncopied, whichever package it is from, if its
//     type takes it.
//   - An extension field must be in the extension ranges of the message.
//
// # The official library
//
// Its functions proto.Marshal, Unmarshal, Size, Merge, Clone and CheckInitialized use this
// module's code for these messages, and all others (protojson, prototext, protocmp,
// proto.Equal) work by reflection. A message with the option message_set_wire_format is
// written and read by the official library alone, which refuses it, unless it is built
// with the tag protolegacy.
//
// # Memory
//
// The cache of types keeps no descriptor and no type alive, except for the 64 used last:
// a type is collected when neither it nor a message of it nor a type that has a field of
// it is in use. What Go keeps for ever is the types of the blocks. Those are few, however
// many descriptors are compiled, because numbers, strings, lists and pointers lie each
// with their like, and their counts are rounded up to one of a few, at the price of some
// room in a message that is not used.
//
// A decoded message's strings and bytes are copied one after the other into chunks of at
// most 64 KiB, where short lists of numbers lie as well, and messages are allocated several
// at a time, in at most 8 KiB: that is what keeping a part of a message may keep besides that
// part. UnmarshalOptions.AliasInput of this module's package proto does without the copies.
package dynamic
