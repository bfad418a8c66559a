package decode

import (
	"encoding/binary"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
)

// decodeRepeated reads a list or map that decodeFields has no case of its own for.
func (d *decoder) decodeRepeated(l *layout.Layout, f *layout.Field, q unsafe.Pointer, b []byte, pos, depth int) int {
	switch f.Op.Storage() {
	case layout.Packed:
		return d.decodePacked(l, f, q, b, pos)
	case layout.Map:
		return d.decodeMapEntries(l, f, q, b, pos, depth)
	case layout.Indirect:
		q = d.SliceAt(q, f.Sub)
	}
	return d.decodeList(l, f, q, b, pos, depth)
}

// decodeGroup reads a group, whose first tag has been read.
func (d *decoder) decodeGroup(l *layout.Layout, m unsafe.Pointer, number uint32, b []byte, pos, depth int) int {
	if l.Ready() == layout.Fast {
		return d.decodeFields(l, m, pos, len(b), depth, number)
	}
	v, n := protowire.ConsumeGroup(protowire.Number(number), b[pos:])
	if n < 0 {
		return d.fail(protoerr.ErrMalformed, pos)
	}
	if d.decodeFields(l, m, pos, pos+len(v), depth, 0) < 0 {
		return failed
	}
	return pos + n
}

// decodeNumber reads a number and returns the bits that it has in memory.
func (d *decoder) decodeNumber(k layout.Kind, b []byte, pos int) (uint64, int) {
	switch k {
	case layout.Fixed32:
		if len(b)-pos < 4 {
			return 0, d.fail(protoerr.ErrTruncated, len(b))
		}
		return uint64(binary.LittleEndian.Uint32(b[pos:])), pos + 4
	case layout.Fixed64:
		if len(b)-pos < 8 {
			return 0, d.fail(protoerr.ErrTruncated, len(b))
		}
		return binary.LittleEndian.Uint64(b[pos:]), pos + 8
	}
	x, pos := d.varint(b, pos)
	return layout.FromVarint(k, x), pos
}

// store sets the number at q.
func store(k layout.Kind, q unsafe.Pointer, x uint64) {
	switch k.Size() {
	case 1:
		*(*byte)(q) = byte(x)
	case 4:
		*(*uint32)(q) = uint32(x)
	default:
		*(*uint64)(q) = x
	}
}
