package records

import (
	"encoding/binary"
	"errors"
	"math"
)

// A packKind is what the head of a MessagePack value says that it is.
type packKind uint8

const (
	packNil packKind = iota
	packFalse
	packTrue
	packInt
	packUint
	packFloat32
	packFloat64
	packString
	packBytes
	packArray
	packMap
	packExt
)

// A packHead is the head of a MessagePack value: what it is, and how much follows.
type packHead struct {
	kind packKind
	size int    // of the head, in bytes
	n    int    // bytes of text or data, elements of an array, entries of a map
	bits uint64 // of a number
	ext  int8   // the type of an extension
}

var (
	errPackShort = errors.New("truncated")
	errPackCode  = errors.New("byte 0xc1, which MessagePack does not use")
)

// packHeads are the kinds by their first byte from 0xc0 on, and how many bytes of a number or
// length follow it.
var packHeads = [32]struct {
	kind packKind
	size int
}{
	{packNil, 0}, {}, {packFalse, 0}, {packTrue, 0},
	{packBytes, 1}, {packBytes, 2}, {packBytes, 4},
	{packExt, 1}, {packExt, 2}, {packExt, 4},
	{packFloat32, 4}, {packFloat64, 8},
	{packUint, 1}, {packUint, 2}, {packUint, 4}, {packUint, 8},
	{packInt, 1}, {packInt, 2}, {packInt, 4}, {packInt, 8},
	{packExt, 0}, {packExt, 0}, {packExt, 0}, {packExt, 0}, {packExt, 0},
	{packString, 1}, {packString, 2}, {packString, 4},
	{packArray, 2}, {packArray, 4}, {packMap, 2}, {packMap, 4},
}

// readPackHead reads the head that b begins with; errPackShort says that b ends in it.
func readPackHead(b []byte) (packHead, error) {
	if len(b) == 0 {
		return packHead{}, errPackShort
	}
	switch c := b[0]; {
	case c <= 0x7f:
		return packHead{kind: packInt, size: 1, bits: uint64(c)}, nil
	case c <= 0x8f:
		return packHead{kind: packMap, size: 1, n: int(c & 0x0f)}, nil
	case c <= 0x9f:
		return packHead{kind: packArray, size: 1, n: int(c & 0x0f)}, nil
	case c <= 0xbf:
		return packHead{kind: packString, size: 1, n: int(c & 0x1f)}, nil
	case c == 0xc1:
		return packHead{}, errPackCode
	case c >= 0xe0:
		return packHead{kind: packInt, size: 1, bits: uint64(int64(int8(c)))}, nil
	}
	form := packHeads[b[0]-0xc0]
	h := packHead{kind: form.kind, size: 1 + form.size}
	if len(b) < h.size {
		return packHead{}, errPackShort
	}
	bits := bigEndian(b[1:h.size])
	switch h.kind {
	case packInt:
		unused := 64 - 8*form.size
		h.bits = uint64(int64(bits<<unused) >> unused)
	case packUint, packFloat32, packFloat64:
		h.bits = bits
	case packExt:
		if h.n = int(bits); form.size == 0 {
			h.n = 1 << (b[0] - 0xd4)
		}
		if len(b) < h.size+1 {
			return packHead{}, errPackShort
		}
		h.ext = int8(b[h.size])
		h.size++
	default:
		h.n = int(bits)
	}
	return h, nil
}

func bigEndian(b []byte) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.BigEndian.Uint16(b))
	case 4:
		return uint64(binary.BigEndian.Uint32(b))
	case 8:
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

// A packExtent finds where a MessagePack value ends, without recursion: what is nested is a number
// of values that are still to come.
type packExtent struct {
	at   int // where scanning goes on: the end, when it is done
	todo int // values, those that the array or map at hand is made of too
	open bool
}

// scan goes on in b, which is the value from its beginning, as far as it is there.
func (x *packExtent) scan(b []byte) (done bool, err error) {
	if !x.open {
		x.open, x.todo = true, 1
	}
	for x.todo > 0 {
		if x.at > len(b) {
			return false, nil
		}
		h, err := readPackHead(b[x.at:])
		if err == errPackShort {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		x.at += h.size
		x.todo--
		switch h.kind {
		case packString, packBytes, packExt:
			x.at += h.n
		case packArray:
			x.todo += h.n
		case packMap:
			x.todo += 2 * h.n
		}
		if x.todo > math.MaxInt32 {
			return false, errors.New("a MessagePack value of more than 2^31 values")
		}
	}
	return x.at <= len(b), nil
}
