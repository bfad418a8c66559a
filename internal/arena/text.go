package arena

import (
	"sync/atomic"
	"unsafe"

	"github.com/protean-pb/protean/internal/mem"
)

// MaxChunk is how many bytes of text are copied into one allocation at most: what a string
// that is kept keeps with it, unless it is longer itself.
const MaxChunk = 16 << 10

// longText is how many bytes have memory of their own if they do not fit into the chunk: another chunk for them might
// waste as much.
const longText = MaxChunk / 2

// A Text is the memory that strings and bytes are copied to, one after the other, in
// chunks. Base is the current one, of which so many bytes are Used. From its end, where Cap
// is, numbers are taken.
type Text struct {
	Base      unsafe.Pointer
	Used, Cap int
	size      int // of the chunk: those behind Cap are numbers
	spare     int // how many bytes may be left of it when it has been about right
	texts     int // bytes of text in the chunks before it
	numbers   int // bytes of numbers elsewhere than in this chunk
}

// Chunk returns memory for n bytes, not 0, where there is no room in the current chunk. At
// most so many more bytes of text are still to come, these included.
//
//go:noinline
func (a *Arena) Chunk(n, rest int) unsafe.Pointer {
	if n > longText {
		return mem.Uncleared(n)
	}
	if a.size == 0 && a.Share != nil {
		if share := a.Share.Load(); share&shareMask != 0 {
			rest = a.expected(share)
		}
	}
	a.chunk(max(min(rest, MaxChunk), n))
	a.Used = n
	return a.Base
}

// Begin makes a, which is zero, ready for the messages of an input of that size, of which that share is known.
func (a *Arena) Begin(share *atomic.Uint64, size int, noText bool) {
	a.Share, a.Size, a.NoText = share, size, noText
}

// chunk begins a chunk of so many bytes, or a few more: a multiple of 8, for which the
// allocator returns memory that may begin and end with numbers.
func (a *Arena) chunk(size int) {
	size = (size + 7) &^ 7
	a.texts += a.Used
	a.numbers += a.size - a.Cap
	a.Base = mem.Uncleared(size)
	a.Used, a.Cap, a.size, a.spare = 0, size, size, spare(size)
	a.more = true
}

// Shorten takes back what lies behind the first n of the room bytes at p, which were reserved last, if they are of the chunk.
func (t *Text) Shorten(p unsafe.Pointer, room, n int) {
	// Sound: the difference is an offset in the chunk.
	if room <= t.Used && p == unsafe.Add(t.Base, t.Used-room) {
		t.Used -= room - n
	}
}

// Number returns memory for a number of 4 or 8 bytes, which is 0; nil if there is no room in the chunk.
func (t *Text) Number(size int) unsafe.Pointer {
	p := t.Numbers(size, size)
	if p != nil {
		// Sound: so many bytes were reserved.
		if *(*uint32)(p) = 0; size == 8 {
			*(*uint64)(p) = 0
		}
	}
	return p
}

// Numbers returns memory for n bytes, not 0, of numbers of that size; nil if there is no room in
// the chunk. They may be anything.
func (t *Text) Numbers(n, size int) unsafe.Pointer {
	at := (t.Cap - n) &^ (size - 1)
	if at < t.Used {
		return nil
	}
	t.Cap = at
	return unsafe.Add(t.Base, at) // Sound: n bytes are free from there on.
}
