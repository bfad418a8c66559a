// Package wire writes Protobuf's wire format from its end to its start. Written
// that way, the length of a message is known when its turn comes, so there is no
// pass that only adds up sizes.
package wire

import (
	"encoding/binary"
	"math/bits"
)

// A BackwardBuffer is a buffer that grows towards its front. The zero Back is empty and ready.
type BackwardBuffer struct {
	buf []byte
	at  int // where the written bytes start
}

// Reset empties the buffer and keeps its memory.
func (b *BackwardBuffer) Reset() { b.at = len(b.buf) }

// Len returns the number of bytes written.
func (b *BackwardBuffer) Len() int { return len(b.buf) - b.at }

// Cap returns how many bytes the buffer has memory for.
func (b *BackwardBuffer) Cap() int { return len(b.buf) }

// Written returns the bytes written, the last written first. They are valid until
// the next write.
func (b *BackwardBuffer) Written() []byte { return b.buf[b.at:] }

// reserve makes room for n bytes and moves the start before them.
func (b *BackwardBuffer) reserve(n int) {
	if b.at < n {
		b.grow(n)
	}
	b.at -= n
}

//go:noinline
func (b *BackwardBuffer) grow(n int) {
	used := b.Len()
	size := max(2*len(b.buf), used+n, 512)
	buf := make([]byte, size)
	copy(buf[size-used:], b.Written())
	b.buf, b.at = buf, size-used
}

// Byte writes one byte.
func (b *BackwardBuffer) Byte(c byte) {
	b.reserve(1)
	b.buf[b.at] = c
}

// Byte2 writes c and then d, to be read in that order.
func (b *BackwardBuffer) Byte2(c, d byte) {
	b.reserve(2)
	b.buf[b.at], b.buf[b.at+1] = c, d
}

// Bytes writes p.
func (b *BackwardBuffer) Bytes(p []byte) {
	b.reserve(len(p))
	copy(b.buf[b.at:], p)
}

// String writes s.
func (b *BackwardBuffer) String(s string) {
	b.reserve(len(s))
	copy(b.buf[b.at:], s)
}

// Fixed64 writes x as a fixed64.
func (b *BackwardBuffer) Fixed64(x uint64) {
	b.reserve(8)
	binary.LittleEndian.PutUint64(b.buf[b.at:], x)
}

// Varint writes x as a varint.
func (b *BackwardBuffer) Varint(x uint64) {
	if x < 0x80 {
		b.Byte(byte(x))
		return
	}
	n := SizeVarint(x)
	b.reserve(n)
	p := b.buf[b.at : b.at+n]
	for i := range n - 1 {
		p[i] = byte(x) | 0x80
		x >>= 7
	}
	p[n-1] = byte(x)
}

// Delimit writes the length of what was written since Len was start, and before it a
// tag of one byte.
func (b *BackwardBuffer) Delimit(tag byte, start int) {
	n := b.Len() - start
	if n < 0x80 {
		b.Byte2(tag, byte(n))
		return
	}
	b.Varint(uint64(n))
	b.Byte(tag)
}

// SizeVarint returns how many bytes x takes as a varint: a seventh of its bits, rounded up, by a shift
// instead of a division.
func SizeVarint(x uint64) int { return int((9*uint(bits.Len64(x|1)) + 64) / 64) }

// SizeBytes returns how many bytes n bytes take with their length before them.
func SizeBytes(n int) int { return SizeVarint(uint64(n)) + n }
