// Package inspect says what the bytes of a message are: [List] names each in a
// listing, and [Counts] say how many of them are tags, lengths, keys, numbers and
// text, for a message in its wire form, as a google.protobuf.Value or Struct, and as
// JSON ([FormsOf]).
//
// # Concepts
//
// A listing has a line for each field on the wire, in the order of the bytes. The
// lines lie end to end: a line has the tag, the length and the value of its field,
// but for a field that holds others, which have lines of their own, one deeper.
// So the sizes of all lines add up to the length of the message, and so do the counts.
//
// # Where the format is loose
//
//   - What is legal but of no known field, or of a wire type that does not fit the
//     field, is listed as unknown, as every Protobuf library has it.
//   - A length-delimited field that is unknown may hold text, a message, or any
//     bytes. Printable text is shown as text, unless it is also a message that has
//     such fields itself; other bytes that are a message to their end, as a message;
//     the rest as bytes.
//   - What an Any holds is listed by its type, if that is known and its bytes fit;
//     otherwise it is bytes.
//   - A string that is not UTF-8, or a number that takes more bytes than it needs,
//     is listed with a note.
//   - Where something is no field, the listing ends: [Listing.Problem] says what it
//     is, and at which byte. All before has its lines.
package inspect

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// A Category is what a byte is there for.
type Category int

// The categories. Brackets and Separators are of JSON alone, Tags and Lengths of
// Protobuf alone.
const (
	Tags       Category = iota // field number and wire type, the end of a group too
	Lengths                    // of what is length-delimited
	Brackets                   // { } [ ]
	Separators                 // colons and commas
	Keys                       // of maps and objects, in JSON with their quotes
	Numbers
	Text     // strings, in JSON with their quotes
	Bytes    // fields of type bytes, and what is of no known kind
	Literals // bools, enums and null
	numCategories
)

var categoryNames = [numCategories]string{"tags", "lengths", "brackets", "separators", "keys", "numbers", "text",
	"bytes", "bools, enums, null"}

// String returns the name as tables show it.
func (c Category) String() string { return categoryNames[c] }

// Categories lists the categories in the order in which tables show them.
func Categories() []Category {
	out := make([]Category, numCategories)
	for i := range out {
		out[i] = Category(i)
	}
	return out
}

// Counts are numbers of bytes by [Category].
type Counts [numCategories]int

// Total is the number of all bytes.
func (c Counts) Total() int {
	n := 0
	for _, x := range c {
		n += x
	}
	return n
}

// Plus returns the sum of c and o.
func (c Counts) Plus(o Counts) Counts {
	for i, x := range o {
		c[i] += x
	}
	return c
}

// A Resolver finds the types of what is packed in an Any, and of extensions.
type Resolver interface {
	protoregistry.MessageTypeResolver
	protoregistry.ExtensionTypeResolver
}

// A Listing is what there is to say of the bytes of one message.
type Listing struct {
	Lines  []Line // without gaps, from the first byte on
	Counts Counts // of the bytes that have lines
	// Problem says what is wrong with the message. Then the lines may end before it
	// does, but not before the field that is wrong; of a field that runs past the end
	// they show what there is. It is nil if nothing is wrong.
	Problem *Problem
}

// A Line is one field, or the end of a group. What a field holds has further lines
// if it is fields.
type Line struct {
	Offset int // of its first byte in the message
	// Tag, Length and Value are numbers of bytes. Value is 0 for what has lines of
	// its own.
	Tag, Length, Value int
	Category           Category // of the value
	Depth              int      // 0 for the fields of the message itself
	Number             protowire.Number
	WireType           protowire.Type
	Name               string // of the field, without a schema empty; an extension's in brackets
	Path               string // such as events[17].labels["web"].value
	Type               string // such as int32, acme.v1.Event or map; empty for what is unknown
	Text               string // the value; text with escapes, so that a terminal may have it
	Nested             int    // bytes that have lines of their own; -1 for no such field
	Note               string // what is odd about it; mostly empty
}

// Size is the number of bytes that the line stands for.
func (l *Line) Size() int { return l.Tag + l.Length + l.Value }

// A Problem says at which byte a message is wrong.
type Problem struct {
	Offset  int
	Path    string // of the field, or the message, that is wrong; may be empty
	Message string
}

// List lists the bytes of a message of type md, which is nil if it is unknown. A nil
// resolver knows the well-known types. The lines share no memory with b.
func List(b []byte, md protoreflect.MessageDescriptor, types Resolver) *Listing {
	w := newWalker(b, types)
	w.listing = new(Listing)
	w.message(scope{md: md, end: len(b)})
	w.listing.Counts, w.listing.Problem = w.counts, w.problem
	return w.listing
}

// Count counts the bytes of a message as List does, without a listing.
func Count(b []byte, md protoreflect.MessageDescriptor, types Resolver) (Counts, *Problem) {
	w := newWalker(b, types)
	w.message(scope{md: md, end: len(b)})
	return w.counts, w.problem
}
