// Package tree reads and writes google.protobuf.Value, Struct and ListValue as the types
// of package structpb: trees of messages with a Go map for every object.
//
// A [Reader] does what the official library's Unmarshal does
// with the option Merge, [WriteValue], [WriteStruct] and [WriteList] what its Marshal
// does. Wire form that is not as libraries write it, or is wrong, and messages that hold
// something that has to be merged with it are handed to the official library.
//
// [Tokens] are for readers of text: they list what they find, and build the tree of the list.
//
// A [Builder] is where the messages come from. They are ordinary ones, each its own, free
// to be changed, merged or reset. But neighbours of a kind lie in one piece of memory of
// at most 16 KB (a slab), strings in one of at most 64 KB unless they are longer, so that
// each keeps its neighbours, and what those refer to, alive. To keep a small part of
// a large tree should keep a proto.Clone of it. Short keys that come again and again have one
// text for all trees.
package tree
