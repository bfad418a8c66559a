package tree

import (
	"unsafe"

	"github.com/protean-pb/protean/internal/structval/index"
)

// A countingPass finds out what a message consists of, so that memory can be allocated for all of
// it, and whether it is regular: in every Value one field and nothing else, in every entry
// the key and then the value, no unknown fields, every varint as short as it can be. That is
// what all libraries write. It does not look at texts, but for keys that it knows.
type countingPass struct {
	wire []byte
	in   unsafe.Pointer // to the first byte of wire
	size Size
	own  bool // whether the strings are to be copies

	// What the objects and lists hold, in the order in which these start.
	counts []uint32
	// For each entry of an object, in the order of the wire, what keys.find returned.
	numbers []uint8
	keys    keys
}

// maxScratch is how many numbers a countingPass may have room for that goes back to the pool.
const maxScratch = 1 << 16

// begin makes s ready for a message.
func (s *countingPass) begin(wire []byte, own bool) {
	s.wire, s.in = wire, unsafe.Pointer(unsafe.SliceData(wire))
	s.size, s.own = Size{}, own
	s.counts, s.numbers = s.counts[:0], s.numbers[:0]
	s.keys.start()
}

// forget lets go of the message.
func (s *countingPass) forget() {
	s.wire, s.in = nil, nil
	if cap(s.counts)+cap(s.numbers) > maxScratch {
		s.counts, s.numbers = nil, nil
	}
}

// message adds what is in a message that is all of the wire, but not the message itself, and
// reports whether it is regular. It may be false near the limit of the depth, which is how
// many messages may be nested, this one included.
func (s *countingPass) message(form index.Form, depth int) bool {
	var (
		end  = len(s.wire)
		root byte
		ok   bool
	)
	switch {
	case end > index.MaxSize:
	case form == index.Struct:
		root, ok = index.TagStruct, s.object(0, end, depth)
	case form == index.List:
		root, ok = index.TagList, s.list(0, end, depth)
	default:
		root, ok = s.byte(0), s.value(0, end, depth)
	}
	switch {
	case !ok:
	case root == index.TagStruct:
		s.size.owned(int(s.counts[0]))
	case root == index.TagList:
		s.size.lists--
	default:
		s.size.Leaves--
	}
	return ok
}

// byte returns a byte of the wire.
func (s *countingPass) byte(at int) byte {
	return *(*byte)(unsafe.Add(s.in, at)) // Sound: callers know that it is there.
}

// value adds the Value between pos and end.
func (s *countingPass) value(pos, end, depth int) bool {
	if end-pos < 2 {
		s.size.Leaves++
		return end == pos
	}
	tag, length, start := s.byte(pos), int(s.byte(pos+1)), pos+2
	switch tag {
	case index.TagNumber:
		s.size.Leaves++
		return end-pos == 9
	case index.TagBool:
		s.size.Leaves++
		return end == start && length <= 1
	case index.TagNull:
		s.size.Leaves++
		return end == start && length == 0
	case index.TagString, index.TagStruct, index.TagList:
	default:
		return false
	}
	if length >= 0x80 {
		length, start = index.LongLength(s.wire, pos+1, end)
	}
	switch {
	case length != end-start || start == 0:
		return false
	case tag == index.TagStruct:
		return s.object(start, end, depth-1)
	case tag == index.TagList:
		return s.list(start, end, depth-1)
	}
	s.size.Leaves++
	if s.own {
		s.size.Text(length)
	}
	return true
}

// object adds the entries of a Struct.
func (s *countingPass) object(pos, end, depth int) bool {
	if depth < 3 {
		return false
	}
	place, count := len(s.counts), 0
	s.counts = append(s.counts, 0)
	for ; pos < end; count++ {
		// The tag and length of the entry, those of the key, the key, and those of the value.
		if end-pos < 6 || s.byte(pos) != index.TagElement {
			return false
		}
		length, at := int(s.byte(pos+1)), pos+2
		if length >= 0x80 {
			if length, at = index.LongLength(s.wire, pos+1, end); at == 0 {
				return false
			}
		}
		last := at + length
		if length < 4 || last > end || s.byte(at) != index.TagKey {
			return false
		}
		length, at = int(s.byte(at+1)), at+2
		if length >= 0x80 {
			if length, at = index.LongLength(s.wire, at-1, last); at == 0 {
				return false
			}
		}
		if length > last-at-2 || s.byte(at+length) != index.TagValue {
			return false
		}
		number := uint8(0)
		if count < maxKnown {
			number = s.keys.find(s.wire[at : at+length])
		}
		s.numbers = append(s.numbers, number)
		if number == 0 && s.own {
			s.size.Text(length)
		}
		at += length + 2
		if length = int(s.byte(at - 1)); length >= 0x80 {
			if length, at = index.LongLength(s.wire, at-1, last); at == 0 {
				return false
			}
		}
		if length != last-at || !s.value(at, last, depth-2) {
			return false
		}
		pos = last
	}
	s.counts[place] = uint32(count)
	s.size.Object(count)
	return true
}

// list adds the elements of a ListValue.
func (s *countingPass) list(pos, end, depth int) bool {
	if depth < 2 {
		return false
	}
	place, count := len(s.counts), 0
	s.counts = append(s.counts, 0)
	for ; pos < end; count++ {
		if end-pos < 2 || s.byte(pos) != index.TagElement {
			return false
		}
		length, at := int(s.byte(pos+1)), pos+2
		if length >= 0x80 {
			if length, at = index.LongLength(s.wire, pos+1, end); at == 0 {
				return false
			}
		}
		if length > end-at || !s.value(at, at+length, depth-1) {
			return false
		}
		pos = at + length
	}
	s.counts[place] = uint32(count)
	s.size.List(count)
	return true
}
