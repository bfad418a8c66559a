// Package index reads the wire form of google.protobuf.Value, Struct and ListValue
// once, validates it, and lists its nodes: one flat slice from which everything
// else that reads such data works.
//
// [Append] takes only the regular form: in every Value one field and nothing else,
// in every entry of a Struct the key and then the value, no unknown fields, every
// varint as short as it can be. That is what all libraries write. Whatever else the
// specification allows, [Regularize] rewrites into the regular form, and it also
// says what is wrong with bytes that it does not allow.
package index

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/protean-pb/protean/internal/xunsafe"
)

// A Form is one of the three messages.
type Form uint8

// The forms.
const (
	Value Form = iota
	Struct
	List
)

// A Kind is what a Value holds.
type Kind uint8

// The kinds. Unset is a Value in which no field is set, which is legal on the wire.
const (
	Unset Kind = iota
	Null
	Number
	String
	Bool
	Object
	Array
)

// The tags of the three messages, a byte each. All other tags are unknown fields.
const (
	TagNull    = 1 << 3   // Value.null_value
	TagNumber  = 2<<3 | 1 // Value.number_value
	TagString  = 3<<3 | 2 // Value.string_value
	TagBool    = 4 << 3   // Value.bool_value
	TagStruct  = 5<<3 | 2 // Value.struct_value
	TagList    = 6<<3 | 2 // Value.list_value
	TagElement = 1<<3 | 2 // Struct.fields and ListValue.values
	TagKey     = 1<<3 | 2 // the key of an entry of Struct.fields
	TagValue   = 2<<3 | 2 // its value
)

// MaxSize is the longest input that an index can hold: offsets, lengths and counts
// must leave room for four bits.
const MaxSize = 1<<28 - 1

// A Node is one Value of an index. Twelve bytes, since what an index costs is its memory:
// where the key lies, for one, follows from where the content does.
//
// An object or array has a second Node, and then its children, each with its own. After
// an object's last child lies its table of keys, if it has one.
type Node [3]uint32

// What the numbers of a Node are.
const (
	nodeStart = iota // where the content starts: text, 8 bytes, varint, entries
	nodeEnd          // and ends
	nodeKind         // the kind, bit 3 for a table, and from bit 4 on the length of the key
)

// What the numbers of the second Node of an object or array are.
const (
	extraNext  = iota // index of the node after this one and all that belongs to it
	extraCount        // number of children
)

const (
	kindMask = 7
	tableBit = 8
	keyShift = 4
)

// First returns the index of the first child of an object or array.
func First(at int) int { return at + 2 }

// Next returns the index of the node after the one at the given index, and after its
// children.
func Next(nodes []Node, at int) int {
	if nodes[at].Kind() < Object {
		return at + 1
	}
	return int(nodes[at+1][extraNext])
}

// Len returns the number of children of the node at the given index, entries with the
// same key counted each.
func Len(nodes []Node, at int) int {
	if nodes[at].Kind() < Object {
		return 0
	}
	return int(nodes[at+1][extraCount])
}

// Kind returns what the node holds.
func (n *Node) Kind() Kind { return Kind(n[nodeKind] & kindMask) }

// Key returns where in the wire the key of an object's entry lies.
func (n *Node) Key(wire []byte) []byte {
	end := n.keyEnd()
	return wire[end-n[nodeKind]>>keyShift : end]
}

// beforeContent is how many bytes lie between a key and the content of the value of each
// kind, where lengths take one byte.
var beforeContent = [8]uint8{Unset: 2, Null: 3, Number: 3, String: 4, Bool: 3, Object: 4, Array: 4}

// keyEnd returns where the key ends.
func (n *Node) keyEnd() uint32 {
	if n[nodeEnd]-n[nodeStart] < 0x80-2 {
		return n[nodeStart] - uint32(beforeContent[n[nodeKind]&kindMask])
	}
	return n.longKeyEnd()
}

func (n *Node) longKeyEnd() uint32 {
	start := n.valueStart()
	return start - 1 - varintSize(n[nodeEnd]-start) // before tag and length of the value
}

// KeyText is Key as a string, which shares the bytes of wire.
func (n *Node) KeyText(wire []byte) string { return xunsafe.String(n.Key(wire)) }

// Content returns where in the wire the node's content lies: the text of a string,
// the 8 bytes of a number, the varint of a bool or null, and the bytes of the Struct
// or ListValue inside.
func (n *Node) Content(wire []byte) []byte { return wire[n[nodeStart]:n[nodeEnd]] }

// Bounds returns where in the wire Content starts and ends. The end is also that of the
// field which the node is, in the object or array above it.
func (n *Node) Bounds() (start, end int) { return int(n[nodeStart]), int(n[nodeEnd]) }

// Float returns the number of a Number.
func (n *Node) Float(wire []byte) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(wire[n[nodeStart]:]))
}

// Text returns the text of a String. It shares the bytes of wire.
func (n *Node) Text(wire []byte) string { return xunsafe.String(wire[n[nodeStart]:n[nodeEnd]]) }

// Bool returns the value of a Bool.
func (n *Node) Bool(wire []byte) bool { return wire[n[nodeStart]] != 0 }

// Wire returns where the Value that the node is lies in the wire. It must not be
// used for the root of another form than Value.
func (n *Node) Wire(wire []byte) []byte { return wire[n.valueStart():n[nodeEnd]] }

// valueStart returns where the Value starts whose content the node gives.
func (n *Node) valueStart() uint32 {
	start := n[nodeStart]
	switch n.Kind() {
	case Unset:
		return start
	case Null, Number, Bool:
		return start - 1
	}
	return start - 1 - varintSize(n[nodeEnd]-start)
}

// varintSize returns how many bytes x takes.
func varintSize(x uint32) uint32 { return uint32(bits.Len32(x|1)+6) / 7 }

// Append appends the nodes of the given message, the root first, and reports
// whether the message is regular and neither deeper than maxDepth messages nor
// longer than [MaxSize]. If it is not, the nodes are of no use.
//
// Depth is counted as the official library does: every Value, Struct, ListValue and
// entry of a Struct is a message. Where the depth comes near the limit, Append may
// refuse too early; [Regularize] knows exactly.
//
// With tables, objects with many keys get a table of them, which [Find] needs to be fast.
func Append(nodes []Node, wire []byte, form Form, maxDepth int, tables bool) ([]Node, bool) {
	if len(wire) > MaxSize || len(nodes) != 0 {
		return nodes, false
	}
	tableless := uint32(wide)
	if !tables {
		tableless = MaxSize
	}
	// Sound, here and below: whatever is read through in lies before the end of wire.
	in := unsafe.Pointer(unsafe.SliceData(wire))
	var (
		pos, end = uint32(0), uint32(len(wire))
		open     uint32 // the node of the message that pos lies in
		count    uint32 // of its children so far
		object   bool   // whether it is a Struct
		depth    = 1    // of that message
	)
	switch form {
	case Struct:
		nodes, object = append(nodes, Node{nodeEnd: end, nodeKind: uint32(Object)}, Node{}), true
	case List:
		nodes = append(nodes, Node{nodeEnd: end, nodeKind: uint32(Array)}, Node{})
	case Value:
		kind, start, ok := header(in, wire, 0, end)
		if !ok {
			return nodes, false
		}
		nodes = append(nodes, Node{start, end, uint32(kind)})
		if kind < Object {
			return nodes, kind != String || valid(wire, start, end)
		}
		nodes = append(nodes, Node{})
		pos, object, depth = start, kind == Object, 2
	}
	if depth+2 > maxDepth {
		return nodes, false
	}
	for {
		if pos == end { // the message is complete
			if object && count > tableless {
				nodes = appendTable(nodes, wire, open, count)
			}
			extra := &nodes[open+1]
			above := extra[extraNext] // kept there meanwhile
			extra[extraNext], extra[extraCount] = uint32(len(nodes)), count
			if open == 0 {
				return nodes, true
			}
			depth -= 2
			open = above
			end, object = nodes[open][nodeEnd], nodes[open].Kind() == Object
			if object {
				depth--
			}
			count = nodes[open+1][extraCount]
			continue
		}
		nodes = double(nodes)
		// The next element: its tag and length, for an object those of the key, the key
		// and those of the value, and then the start of the Value.
		if end-pos < 2 || byteAt(in, pos) != TagElement {
			return nodes, false
		}
		at, length := pos+2, byteAt(in, pos+1)
		if length >= 0x80 {
			if length, at = LongLength(wire, pos+1, end); at == 0 {
				return nodes, false
			}
		}
		if length > end-at {
			return nodes, false
		}
		last, keyLen := at+length, uint32(0)
		if object {
			if length < 4 || byteAt(in, at) != TagKey {
				return nodes, false
			}
			keyLen, at = byteAt(in, at+1), at+2
			if keyLen >= 0x80 {
				if keyLen, at = LongLength(wire, at-1, last); at == 0 {
					return nodes, false
				}
			}
			if last-at < 2 || keyLen > last-at-2 || !shortASCII(in, at, keyLen) && !valid(wire, at, at+keyLen) {
				return nodes, false
			}
			if at += keyLen; byteAt(in, at) != TagValue {
				return nodes, false
			}
			length, at = byteAt(in, at+1), at+2
			if length >= 0x80 {
				if length, at = LongLength(wire, at-1, last); at == 0 {
					return nodes, false
				}
			}
			if length != last-at {
				return nodes, false
			}
		}
		kind, start, ok := header(in, wire, at, last)
		if !ok {
			return nodes, false
		}
		count++
		if kind < Object {
			if kind == String && !shortASCII(in, start, last-start) && !valid(wire, start, last) {
				return nodes, false
			}
			nodes = append(nodes, Node{start, last, keyLen<<keyShift | uint32(kind)})
			pos = last
			continue
		}
		depth += 2
		if object {
			depth++
		}
		if depth+2 > maxDepth {
			return nodes, false
		}
		nodes[open+1][extraCount] = count
		nodes = append(nodes, Node{start, last, keyLen<<keyShift | uint32(kind)}, Node{extraNext: open})
		open, count, object = uint32(len(nodes))-2, 0, kind == Object
		pos, end = start, last
	}
}

// double makes room for two more in a slice that is full, and for as much again: append would leave
// more garbage behind.
func double[T any](s []T) []T {
	if len(s)+2 > cap(s) {
		s = slices.Grow(s, max(len(s), 32))
	}
	return s
}

// LongLength reads a length of two to four bytes, which suffice for [MaxSize], and
// returns where what it measures starts; 0 if there is no such length before end.
func LongLength[T int | uint32](wire []byte, pos, end T) (length, start T) {
	for i := T(0); i < 4; i++ {
		if pos+i >= end {
			return 0, 0
		}
		c := T(wire[pos+i])
		length |= c & 0x7f << (7 * i)
		if c < 0x80 {
			if c == 0 {
				return 0, 0 // a last byte of zero is one too many
			}
			return length, pos + i + 1
		}
	}
	return 0, 0
}

// byteAt returns a byte of the input that begins at in, without a check that it has one there.
func byteAt(in unsafe.Pointer, at uint32) uint32 { return uint32(*(*byte)(unsafe.Add(in, at))) }

// shortASCII reports whether the n bytes from start on are ASCII, and few enough to find out
// in one step. It is false of none at all.
func shortASCII(in unsafe.Pointer, start, n uint32) bool {
	return n-1 < xunsafe.MaxShort && xunsafe.ShortASCII(unsafe.Add(in, start), int(n))
}

// header reads the start of the Value between pos and end of the input wire, the first byte
// of which is at in, and returns its kind and where its content starts; the content ends
// at end.
func header(in unsafe.Pointer, wire []byte, pos, end uint32) (kind Kind, start uint32, ok bool) {
	size := end - pos
	if size < 2 {
		return Unset, pos, size == 0
	}
	second := byteAt(in, pos+1)
	switch byteAt(in, pos) {
	case TagString:
		kind = String
	case TagNumber:
		return Number, pos + 1, size == 9
	case TagBool:
		return Bool, pos + 1, size == 2 && second <= 1
	case TagNull:
		return Null, pos + 1, size == 2 && second == 0
	case TagStruct:
		kind = Object
	case TagList:
		kind = Array
	default:
		return 0, 0, false
	}
	if second < 0x80 {
		return kind, pos + 2, second == size-2
	}
	length, start := LongLength(wire, pos+1, end)
	return kind, start, start != 0 && length == end-start
}
