package jsonencode

import (
	"encoding/binary"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/mapsort"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/wire/decode"
	"github.com/protean-pb/protean/internal/wire/resolve"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// What is in an Any is written from its wire form, without a message between, if that is of
// the regular form that libraries write: known fields, each in one place and as it is
// declared, tags as short as can be, entries of maps with a key and a value. Everything
// else, errors too, is irregular and left to a message: the functions below fail then,
// whatever they have written.

// A wireSpan is where a value lies in the wire form: of what has a length, what that measures; of a
// group, what is in it; of a run of a list's or map's elements, all from the first value on. A
// varint is read already. A field that is absent has no end.
type wireSpan struct {
	start, end int
	number     uint64
}

// A cell holds bytes or a number as they are in memory.
type cell struct {
	number uint64
	bytes  []byte
}

// maxWireDepth is how deeply messages may be nested that are written in this way.
const maxWireDepth = 100

func (e *encoder) irregular() int { return e.fail(protoerr.ErrMalformed, "") }

// tagAt returns the tag at pos of up to three bytes, and where it ends; 0 if there is none.
func tagAt(b []byte, pos int) (tag uint32, next int) {
	switch {
	case pos >= len(b):
	case b[pos] < 0x80:
		return uint32(b[pos]), pos + 1
	case pos+1 < len(b) && b[pos+1]-1 < 0x7f:
		return uint32(b[pos]&0x7f) | uint32(b[pos+1])<<7, pos + 2
	case pos+2 < len(b) && b[pos+1] >= 0x80 && b[pos+2]-1 < 0x7f:
		return uint32(b[pos]&0x7f) | uint32(b[pos+1]&0x7f)<<7 | uint32(b[pos+2])<<14, pos + 3
	}
	return 0, pos
}

// value finds the value with the tag that starts at pos, and returns where it ends: -1 if it
// does not.
func (s *wireSpan) value(tag uint32, b []byte, pos int) int {
	s.start = pos
	switch protowire.Type(tag & 7) {
	case protowire.VarintType:
		if pos < len(b) && b[pos] < 0x80 {
			s.number, s.end = uint64(b[pos]), pos+1
			return s.end
		}
		x, n := protowire.ConsumeVarint(b[min(pos, len(b)):])
		if n < 0 {
			return -1
		}
		s.number, s.end = x, pos+n
	case protowire.Fixed32Type:
		s.end = pos + 4
	case protowire.Fixed64Type:
		s.end = pos + 8
	case protowire.BytesType:
		if pos < len(b) && b[pos] < 0x80 {
			s.start, s.end = pos+1, pos+1+int(b[pos])
			break
		}
		x, n := protowire.ConsumeVarint(b[min(pos, len(b)):])
		if n < 0 || x > uint64(len(b)) {
			return -1
		}
		s.start, s.end = pos+n, pos+n+int(x)
	case protowire.StartGroupType:
		inside, n := protowire.ConsumeGroup(protowire.Number(tag>>3), b[min(pos, len(b)):])
		if n < 0 {
			return -1
		}
		s.end = pos + len(inside)
		return pos + n
	default:
		return -1
	}
	if s.end > len(b) {
		return -1
	}
	return s.end
}

// encodeWire writes the fields of a message from its wire form, each with a comma before it.
func (e *encoder) encodeWire(l *layout.Layout, j *layout.JSON, b []byte, at, depth int) int {
	if depth > maxWireDepth {
		return e.irregular()
	}
	from := len(e.spots)
	e.spots = append(e.spots, make([]wireSpan, len(j.Fields))...)
	if !e.locate(l, j, b, e.spots[from:]) {
		return e.irregular()
	}
	for i := range j.Fields {
		s := e.spots[from+i] // which may move meanwhile
		if s.end == 0 {
			continue
		}
		f := &j.Fields[i]
		e.room(0, at)
		switch f.FieldKind {
		case layout.JSONString:
			if f.Sparse && s.start == s.end {
				continue
			}
			at = e.string(xunsafe.String(b[s.start:s.end]), e.name(f, at)) // which is not changed meanwhile
		case layout.JSONMessage:
			at = e.wireMessage(f, b[s.start:s.end], e.name(f, at), depth)
		case layout.JSONList:
			if f.Op.Storage() != layout.Packed {
				at = e.wireList(f, b[:s.end], s.start, e.name(f, at), depth)
			} else if s.start < s.end {
				at = e.wirePacked(f, b[:s.end], s.start, e.name(f, at))
			} else {
				continue
			}
		case layout.JSONMap:
			at = e.wireMap(f, b[:s.end], s.start, e.name(f, at), depth)
		default:
			k := f.Op.Kind()
			q := e.load(k, b, &s)
			if f.Sparse && layout.Zero(k, q) {
				continue
			}
			at = e.encodeValue(f, f.ValueKind, q, e.name(f, at))
		}
		if at < 0 {
			return failed
		}
	}
	e.spots = e.spots[:from]
	return at
}

// locate finds the fields, and reports whether the form is regular.
func (e *encoder) locate(l *layout.Layout, j *layout.JSON, b []byte, spots []wireSpan) bool {
	var oneofs uint64
	for pos := 0; pos < len(b); {
		tag, next := uint32(b[pos]), pos+1
		if tag >= 0x80 {
			tag, next = tagAt(b, pos)
		}
		f := l.At(tag >> 3)
		if f.Tag != tag {
			return false
		}
		s, jf := &spots[f.Index], &j.Fields[f.Index]
		if s.end > 0 {
			return false
		}
		if pos = s.value(tag, b, next); jf.FieldKind >= layout.JSONList && f.Op.Storage() != layout.Packed {
			pos = run(tag, b, pos)
			s.start, s.end = next, pos
		}
		if pos < 0 {
			return false
		}
		if jf.Oneof >= 0 {
			bit := uint64(1) << uint(jf.Oneof)
			if bit == 0 || oneofs&bit != 0 {
				return false
			}
			oneofs |= bit
		}
	}
	return true
}

// run returns where the run of values with the tag ends of which the first ends at pos; -1 if
// it does not.
func run(tag uint32, b []byte, pos int) int {
	var s wireSpan
	for pos >= 0 && pos < len(b) {
		again, next := tagAt(b, pos)
		if again != tag {
			break
		}
		pos = s.value(tag, b, next)
	}
	return pos
}

// load returns where the value is in memory, which is neither a string nor a message.
func (e *encoder) load(k layout.Kind, b []byte, s *wireSpan) unsafe.Pointer {
	c := &e.cell
	switch k {
	case layout.Bytes:
		c.bytes = b[s.start:s.end]
		return unsafe.Pointer(&c.bytes)
	case layout.Fixed32:
		*(*uint32)(unsafe.Pointer(&c.number)) = binary.LittleEndian.Uint32(b[s.start:])
	case layout.Fixed64:
		c.number = binary.LittleEndian.Uint64(b[s.start:])
	default:
		return c.set(k, layout.FromVarint(k, s.number))
	}
	return unsafe.Pointer(&c.number)
}

// set makes the number x, of the kind, what c holds, and returns where it is.
func (c *cell) set(k layout.Kind, x uint64) unsafe.Pointer {
	switch k.Size() {
	case 8:
		c.number = x
	case 4:
		*(*uint32)(unsafe.Pointer(&c.number)) = uint32(x)
	default:
		*(*byte)(unsafe.Pointer(&c.number)) = byte(x)
	}
	return unsafe.Pointer(&c.number)
}

// wireMessage writes the message whose wire form is b.
func (e *encoder) wireMessage(f *layout.JSONField, b []byte, at, depth int) int {
	l := f.Sub
	switch c := l.Ready(); c {
	case layout.Official:
		return e.irregular()
	case layout.Fast:
		if j := l.JSON(); j.Object {
			start := at
			if at = e.encodeWire(l, j, b, at, depth+1); at < 0 {
				return failed
			}
			at = e.object(at, start)
			e.room(0, at)
			return at
		}
	}
	p := l.NewMessage()
	o := decode.Options{AllowPartial: true, Alias: true, Depth: maxWireDepth, Resolver: resolve.OrGlobal(e.Resolver)}
	if _, err := decode.Merge(b, l, p, &o); err != nil {
		return e.irregular()
	}
	return e.encodeMessage(l, p, at)
}

// wireValue writes the value of an element or entry.
func (e *encoder) wireValue(f *layout.JSONField, k layout.Kind, b []byte, s *wireSpan, at, depth int) int {
	e.room(0, at)
	switch f.ValueKind {
	case layout.JSONMessage:
		return e.wireMessage(f, b[s.start:s.end], at, depth)
	case layout.JSONString:
		return e.string(xunsafe.String(b[s.start:s.end]), at)
	}
	return e.encodeValue(f, f.ValueKind, e.load(k, b, s), at)
}

// wireList writes a run of elements, the first of which is at pos.
func (e *encoder) wireList(f *layout.JSONField, b []byte, pos, at, depth int) int {
	at = e.put('[', at)
	k := f.Op.Kind()
	for pos < len(b) {
		var s wireSpan
		pos = s.value(f.Tag, b, pos) + int(f.TagSize)
		if at = e.wireValue(f, k, b, &s, at, depth); at < 0 {
			return failed
		}
		at = e.put(',', at)
	}
	return e.close(']', at)
}

// wirePacked writes packed numbers from pos on.
func (e *encoder) wirePacked(f *layout.JSONField, b []byte, pos, at int) int {
	at = e.put('[', at)
	k := f.Op.Kind()
	for pos < len(b) {
		var s wireSpan
		if pos = s.value(uint32(k.WireType()), b, pos); pos < 0 {
			return e.irregular()
		}
		e.room(0, at)
		at = e.put(',', e.encodeValue(f, f.ValueKind, e.load(k, b, &s), at)) // which cannot fail
	}
	return e.close(']', at)
}

// A span is where the key and the value of an entry are.
type span struct{ key, value wireSpan }

// wireMap writes a run of entries, the first of which is at pos.
func (e *encoder) wireMap(f *layout.JSONField, b []byte, pos, at, depth int) int {
	from := len(e.spans)
	if !e.wireEntries(f, b, pos) {
		return e.irregular()
	}
	entries, marks := e.spans[from:], e.marks[from:] // which remain as they are when the stacks move
	name := func(at uint32) string {
		key := entries[at].key
		return xunsafe.String(b[key.start:key.end])
	}
	mapsort.Sort(marks, name)
	for i := 1; i < len(marks); i++ {
		if p, q := marks[i-1], marks[i]; p.Prefix == q.Prefix &&
			(f.KeyKind != layout.JSONString || name(p.At) == name(q.At)) {
			return e.irregular()
		}
	}
	at = e.put('{', at)
	for _, m := range marks {
		if f.KeyKind == layout.JSONString {
			at = e.string(name(m.At), at)
		} else {
			at = e.wireKey(f, m.Prefix, at)
		}
		if at < 0 {
			return failed
		}
		if at = e.wireValue(f, f.Entry.Value, b, &entries[m.At].value, e.put(':', at), depth); at < 0 {
			return failed
		}
		e.room(0, at)
		at = e.put(',', at)
	}
	e.spans, e.marks = e.spans[:from], e.marks[:from]
	return e.close('}', at)
}

// wireKey writes the key with the ordinal, which is not a string.
func (e *encoder) wireKey(f *layout.JSONField, n uint64, at int) int {
	if f.KeyKind == layout.JSONInt32 || f.KeyKind == layout.JSONInt64 {
		n -= signBit
	}
	e.room(0, at)
	return e.put('"', e.key(f.KeyKind, e.cell.set(f.Entry.Key, n), e.put('"', at)))
}

// wireEntries puts the entries of a run on the stack, and reports whether they are regular.
func (e *encoder) wireEntries(f *layout.JSONField, b []byte, pos int) bool {
	t, from := f.Entry, len(e.spans)
	for pos < len(b) {
		var entry, key, value wireSpan
		end := entry.value(f.Tag, b, pos)
		in := b[:end]
		if entry.start == end || in[entry.start] != t.KeyTag {
			return false
		}
		next := key.value(uint32(t.KeyTag), in, entry.start+1)
		if next < 0 || next == end || in[next] != t.ValTag || value.value(uint32(t.ValTag), in, next+1) != end {
			return false
		}
		m := mapsort.Mark{At: uint32(len(e.spans) - from)}
		if f.KeyKind == layout.JSONString {
			m.Prefix = mapsort.Prefix(xunsafe.String(in[key.start:key.end]))
		} else {
			m.Prefix = ordinal(f.KeyKind, e.load(t.Key, in, &key))
		}
		e.spans, e.marks = append(e.spans, span{key, value}), append(e.marks, m)
		pos = end + int(f.TagSize)
	}
	return true
}
