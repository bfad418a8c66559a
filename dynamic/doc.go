// Package dynamic has messages whose descriptors are known only at run time: they can be
// read, changed and written, with the same encoder and decoder as generated messages. It
// is a drop-in for google.golang.org/protobuf/types/dynamicpb.
//
// A [Type] is compiled once for each descriptor. It says where in a block of memory each
// field lies: numbers, strings, lists and messages in the Go types that generated code has
// for them, so that a [Message] is one allocation, and an access to a field neither looks
// up a map nor allocates, unless it returns a list or map, which is a handle, or a message
// that is absent.
//
// # Copies
//
// A Message may be copied by value, and over another of any type:
//
//	*m = *dynamic.NewMessage(md)
//
// It refers to what it holds, so that a copy shares all of it, as dynamicpb's do: fields that
// are set in one are set in the other. Reset, and so Unmarshal, gives a message storage of its
// own, and leaves its copies what they have. Copies differ from dynamicpb's in two points:
//
//   - Unknown fields are shared like all others.
//   - A message that is reset for the first time, and holds nothing, keeps its storage: what
//     is made by [NewMessage] and then unmarshaled is allocated once. So it goes on sharing it
//     with copies that were made before.
//
// The zero Message has no descriptor. It is read-only, has no fields, and its methods panic
// where they would need a descriptor.
//
// # Reflection
//
// A [Message] behaves as dynamicpb's, panics included, and where that is unspecified:
//
//   - Handles stay live. What is written through a list or map that Mutable returned, or
//     that Get returned for one that is not empty, is written to the message, whatever
//     has happened to the field meanwhile: after Clear, too, it is a handle to the field,
//     where dynamicpb's is one to the list that was there.
//   - A message of any implementation can be set, or put into a list or map, if it is of the
//     right full name. It is not copied: what Get returns later is that very message, of the
//     same Go type.
//   - Set takes a list or map of any implementation. A map of the same field is not copied,
//     and the list of NewField becomes the message's own. Of all others the elements are put
//     into a new list or map.
//   - An absent message is read-only and of the right type, and so is the zero message of
//     a type. Reset makes them messages of their own that can be changed.
//   - Merge and Clone make messages of this package for the fields of a [Message], whatever
//     those of the source are. They may have another descriptor of the same full name.
//   - A type that is not resolved (see AllowUnresolvable of package protodesc) is one without
//     fields, or an enum without names.
//   - Get, Has and Clear of a map panic if the key is of the wrong Go type.
//   - An extension field holds what is set, uncopied, whichever package it is from, if its
//     type takes it.
//   - An extension field must be in the extension ranges of the message.
//
// # The official library
//
// Its functions proto.Marshal, Unmarshal, Size, Merge, Clone and CheckInitialized use this
// module's code for these messages, and return its errors
// ([github.com/protean-pb/protean/proto.FieldError]). All others (protojson, prototext, protocmp,
// proto.Equal) work by reflection. A message with the option message_set_wire_format is written and
// read by the official library alone, which refuses it, unless it is built with the tag protolegacy.
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
// most 16 KiB, where short lists of numbers lie as well, and messages are allocated several
// at a time, in at most 8 KiB: that is what keeping a part of a message may keep besides that
// part. UnmarshalOptions.AliasInput of this module's package proto does without the copies.
//
// A message that is unmarshaled again and again keeps its first storage as long as it is in use
// itself, with what was read first, besides the storage that it has now.
package dynamic
