package arena

import (
	"sync/atomic"
	"unsafe"
)

// MaxChunk is how many bytes of text are copied into one allocation at most: what a string
// that is kept keeps with it, unless it is longer itself.
const MaxChunk = 64 << 10

// A Text is the memory that strings and bytes are copied to, one after the other, in
// chunks. Base is the current one, of Cap bytes, of which so many are Used.
type Text struct {
	Base      unsafe.Pointer
	Used, Cap int
	total     int // of the chunks before it
}

// Chunk returns memory for n bytes, not 0, where there is no room in the current chunk. At
// most so many more bytes of text are still to come, these included, and a first chunk
// has room for first.
//
//go:noinline
func (t *Text) Chunk(n, rest, first int) unsafe.Pointer {
	if n > MaxChunk {
		return unsafe.Pointer(unsafe.SliceData(make([]byte, n)))
	}
	size := min(rest, MaxChunk)
	if t.Cap == 0 {
		size = min(size, first)
	}
	size = max(size, n)
	t.total += t.Used
	t.Base, t.Used, t.Cap = unsafe.Pointer(unsafe.SliceData(make([]byte, size))), n, size
	return t.Base
}

// shareOfAll is the TextShare of a type whose messages are all text. A share is in parts of
// 256, and one more, since 0 means that it is not known.
const shareOfAll = 257

// Expected returns how much text there will be in an input of so many bytes, a message of
// the layout.
func Expected(share *uint32, size int) int {
	s := int(atomic.LoadUint32(share))
	if s == 0 {
		return size
	}
	return size*s/256 + size/64
}

// Learn notes how much text there was in an input of so many bytes. What it notes rises at
// once and falls slowly, and it does not write what hardly differs: a layout is shared by
// all processors.
func (t *Text) Learn(share *uint32, size int) {
	if t.Cap == 0 {
		return
	}
	old := int(atomic.LoadUint32(share))
	if text := (t.total + t.Used) * 256; (old-2)*size < text && text < (old+1)*size {
		return // and a division is spared
	}
	now := min((t.total+t.Used)*256/size+1, shareOfAll)
	if old > now {
		now = old - (old-now)/8
	}
	if now > old+2 || now < old-2 {
		atomic.StoreUint32(share, uint32(now))
	}
}
