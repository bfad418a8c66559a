package decode

import (
	"encoding/binary"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/internal/fault"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/utf"
)

// field reads a field of any shape.
func (d *decoder) field(l *layout.Layout, f *layout.Field, p unsafe.Pointer, b []byte, pos, depth int) int {
	q := unsafe.Add(p, f.Offset)
	switch f.Op.Shape() {
	case layout.Repeated:
		return d.list(l, f, q, b, pos, depth)
	case layout.Packed:
		return d.packed(l, f, q, b, pos)
	case layout.Indirect:
		return d.list(l, f, d.indirect(q), b, pos, depth)
	case layout.Map:
		return d.entries(l, f, q, b, pos, depth)
	case layout.Member:
		q = d.wrapper(f, q)
	case layout.Case:
		chosen(f, p, q)
	case layout.Explicit:
		*(*uint32)(unsafe.Add(p, f.Bits)) |= f.Mask
	case layout.MarkedPointer:
		*(*uint32)(unsafe.Add(p, f.Bits)) |= f.Mask
		q = d.target(f, q)
	case layout.Pointer:
		q = d.target(f, q)
	}
	if pos = d.value(f, q, b, pos, depth); pos < 0 {
		return d.within(l, f, "")
	}
	return pos
}

// indirect returns the slice that the pointer at q points to, a new one if it is nil.
func (d *decoder) indirect(q unsafe.Pointer) unsafe.Pointer {
	list := (*unsafe.Pointer)(q)
	if *list == nil {
		*list = unsafe.Pointer(new([]unsafe.Pointer))
	}
	return *list
}

// wrapper returns the value in the wrapper of the oneof whose interface is at q; a new
// one if another member or none is set.
func (d *decoder) wrapper(f *layout.Field, q unsafe.Pointer) unsafe.Pointer {
	// Sound: q points to an interface with methods, and the wrapper is of the type that
	// its first word stands for.
	i := (*[2]unsafe.Pointer)(q)
	if i[0] != f.Wrap.Word || i[1] == nil {
		w := d.block(&f.Wrap.Block)
		i[0], i[1] = f.Wrap.Word, w
	}
	return i[1]
}

// chosen makes f the member that is set in its oneof, and empty if it was another.
func chosen(f *layout.Field, p, q unsafe.Pointer) {
	which := (*uint32)(unsafe.Add(p, f.Bits))
	if *which == f.Mask {
		return
	}
	*which = f.Mask
	layout.Clear(f.Op.Kind(), q)
}

// target returns what the pointer at q points to, new memory if it is nil.
func (d *decoder) target(f *layout.Field, q unsafe.Pointer) unsafe.Pointer {
	k := f.Op.Kind()
	if k == layout.Bytes {
		return q
	}
	to := (*unsafe.Pointer)(q)
	if *to == nil {
		if k == layout.String || k == layout.Text {
			*to = d.string()
		} else {
			*to = d.word()
		}
	}
	return *to
}

// value reads one value into q.
func (d *decoder) value(f *layout.Field, q unsafe.Pointer, b []byte, pos, depth int) int {
	switch k := f.Op.Kind(); k {
	case layout.String, layout.Text:
		start, end := d.span(b, pos)
		if end < 0 {
			return failed
		}
		if k == layout.String && !utf.Valid(b[start:end]) {
			return d.fail(fault.ErrUTF8, start)
		}
		*(*string)(q) = d.text(start, end)
		return end
	case layout.Bytes:
		start, end := d.span(b, pos)
		if end < 0 {
			return failed
		}
		*(*[]byte)(q) = d.bytes(start, end)
		return end
	case layout.Message:
		start, end := d.span(b, pos)
		if end < 0 || d.body(f.Sub, d.pointed(f.Sub, q), start, end, depth, 0) < 0 {
			return failed
		}
		return end
	case layout.Group:
		return d.group(f.Sub, d.pointed(f.Sub, q), f.Number(), b, pos, depth)
	default:
		x, pos := d.number(k, b, pos)
		if pos >= 0 {
			store(k, q, x)
		}
		return pos
	}
}

// pointed returns the message that the pointer at q points to, a new one if it is nil.
func (d *decoder) pointed(l *layout.Layout, q unsafe.Pointer) unsafe.Pointer {
	m := (*unsafe.Pointer)(q)
	if *m == nil {
		*m = d.message(l)
	}
	return *m
}

// group reads a group, whose first tag has been read.
func (d *decoder) group(l *layout.Layout, m unsafe.Pointer, number uint32, b []byte, pos, depth int) int {
	if l.Ready() == layout.Fast {
		return d.body(l, m, pos, len(b), depth, number)
	}
	v, n := protowire.ConsumeGroup(protowire.Number(number), b[pos:])
	if n < 0 {
		return d.fail(fault.ErrMalformed, pos)
	}
	if d.body(l, m, pos, pos+len(v), depth, 0) < 0 {
		return failed
	}
	return pos + n
}

// number reads a number and returns the bits that it has in memory.
func (d *decoder) number(k layout.Kind, b []byte, pos int) (uint64, int) {
	switch k {
	case layout.Fixed32:
		if len(b)-pos < 4 {
			return 0, d.fail(fault.ErrTruncated, len(b))
		}
		return uint64(binary.LittleEndian.Uint32(b[pos:])), pos + 4
	case layout.Fixed64:
		if len(b)-pos < 8 {
			return 0, d.fail(fault.ErrTruncated, len(b))
		}
		return binary.LittleEndian.Uint64(b[pos:]), pos + 8
	}
	x, pos := d.varint(b, pos)
	return convert(k, x), pos
}

// convert returns the bits that a number has in memory whose varint is x.
func convert(k layout.Kind, x uint64) uint64 {
	switch k {
	case layout.Bool:
		if x != 0 {
			return 1
		}
	case layout.Sint32:
		return uint64(protowire.DecodeZigZag(x & 0xffffffff))
	case layout.Sint64:
		return uint64(protowire.DecodeZigZag(x))
	}
	return x
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
