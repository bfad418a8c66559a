package decode

import (
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/internal/arena"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
)

// A cell holds a key or a value while its entry is read.
type cell struct {
	arena.Cell
	read bool // a message that was there
}

// maxHint is for how many entries a map has room at first at most: what is read may
// have the same key again and again.
const maxHint = 1 << 10

// decodeMapEntries reads a run of a map's entries, the first of which has its length at pos.
func (d *decoder) decodeMapEntries(l *layout.Layout, f *layout.Field, q unsafe.Pointer, b []byte, pos, depth int) int {
	if depth--; depth < 0 {
		d.fail(protoerr.ErrDepth, pos)
		return d.inField(l, f, "")
	}
	t := f.Entry
	left := d.countRun(f, b, pos)
	hint := min(left, maxHint)
	outer := d.Run
	for ; ; left-- {
		start, end := d.lengthPrefix(b, pos)
		if end < 0 {
			return d.inField(l, f, "")
		}
		d.Run = left
		var key, value cell
		if t.Value == layout.Message {
			value.Message = d.AllocMessage(t.Sub)
		} else if t.Default != 0 {
			store(t.Value, value.At(t.Value), t.Default)
		}
		if !d.decodeEntry(t, b[:end], start, depth, &key, &value) {
			return d.inField(l, f, "["+layout.FormatKey(t, key.At(t.Key))+"]")
		}
		if t.Value == layout.Message && !value.read {
			d.missing = d.missing || t.Sub.NeedsRequiredCheck
		}
		d.PutEntry(t, q, key.At(t.Key), value.At(t.Value), hint)
		if left == 1 {
			d.Run = outer
			return end
		}
		pos = end + int(f.TagSize)
	}
}

// decodeEntry reads the fields of an entry and reports whether that went well.
func (d *decoder) decodeEntry(t *layout.Entry, b []byte, pos, depth int, key, value *cell) bool {
	// Mostly there is first the key and then the value, both short, and nothing else.
	if next := d.decodeShortCell(t.KeyTag, t.Key, key, b, pos); next >= 0 {
		pos = next
		if next = d.decodeShortCell(t.ValTag, t.Value, value, b, pos); next >= 0 {
			pos = next
		}
	}
	for pos < len(b) {
		start := pos
		tag, next := uint64(b[pos]), pos+1
		if tag >= 0x80 {
			if tag, next = d.longVarint(b, pos); next < 0 {
				return false
			}
		}
		switch {
		case tag == uint64(t.KeyTag):
			pos = d.decodeCell(t.Key, nil, key, b, next, depth)
		case tag == uint64(t.ValTag):
			pos = d.decodeCell(t.Value, t.Sub, value, b, next, depth)
		case tag>>3 == 0 || tag>>3 > uint64(protowire.MaxValidNumber):
			d.fail(protoerr.ErrMalformed, start)
			return false
		default:
			n := protowire.ConsumeFieldValue(protowire.Number(tag>>3), protowire.Type(tag&7), b[next:])
			if n < 0 {
				d.valueError(n, start, len(b))
				return false
			}
			pos = next + n
		}
		if pos < 0 {
			return false
		}
	}
	return true
}

// decodeShortCell reads a key or value with its tag, a varint or a short text, and returns where it ends; a negative
// number if it is left to cell, which fails again if this has.
func (d *decoder) decodeShortCell(tag byte, k layout.Kind, c *cell, b []byte, pos int) int {
	if len(b)-pos < 2 || b[pos] != tag || k > layout.Text {
		return -1
	}
	x := uint64(b[pos+1])
	pos += 2
	switch k {
	case layout.String, layout.Text:
		if x >= 0x80 || int(x) > len(b)-pos {
			return -1
		}
		c.Text, pos = d.decodeString(k == layout.String, pos, pos+int(x))
		return pos
	case layout.Fixed32, layout.Fixed64:
		return -1
	}
	if x >= 0x80 {
		if x, pos = d.longVarint(b, pos-1); pos < 0 {
			return -1
		}
	}
	store(k, c.At(k), layout.FromVarint(k, x))
	return pos
}

// decodeCell reads a key or value.
func (d *decoder) decodeCell(k layout.Kind, sub *layout.Layout, c *cell, b []byte, pos, depth int) int {
	switch k {
	case layout.String, layout.Text:
		start, end := d.lengthPrefix(b, pos)
		if end >= 0 {
			c.Text, end = d.decodeString(k == layout.String, start, end)
		}
		return end
	case layout.Bytes:
		start, end := d.lengthPrefix(b, pos)
		if end >= 0 {
			c.Bytes = d.bytes(start, end)
		}
		return end
	case layout.Message:
		c.read = true
		start, end := d.lengthPrefix(b, pos)
		if m := d.values; m != nil && end >= 0 {
			d.values = nil // those of maps in the message are other ones
			if d.decodeMasked(m, sub, c.Message, start, end, depth, 0) < 0 {
				end = failed
			}
			d.values = m
			return end
		}
		if end < 0 || d.decodeFields(sub, c.Message, start, end, depth, 0) < 0 {
			return failed
		}
		return end
	}
	x, pos := d.decodeNumber(k, b, pos)
	if pos >= 0 {
		store(k, c.At(k), x)
	}
	return pos
}
