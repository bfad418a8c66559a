package arena

import (
	"unsafe"

	"github.com/protean-pb/protean/internal/xunsafe"
)

// MaxChunk is how many bytes of text are copied into one allocation at most: what a string
// that is kept keeps with it, unless it is longer itself.
const MaxChunk = 16 << 10

// firstChunk is how many bytes the first chunk has at most, unless one text needs more. Each of the next may have twice
// as many as the one before it. So a message of little text wastes little, and one of much needs few chunks.
const firstChunk = 512

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
}

// AllocText returns memory for n bytes, not 0, where there is no room in the current chunk. At
// most so many more bytes of text are still to come, these included.
//
//go:noinline
func (a *Arena) AllocText(n, rest int) unsafe.Pointer {
	if a.pool != nil {
		a.newChunk(n)
		a.Used = n
		return a.Base
	}
	if n > longText {
		return xunsafe.AllocUncleared(n)
	}
	a.chunk(n, rest)
	a.Used = n
	return a.Base
}

// chunk begins a chunk of n bytes at least, where so many are still to come.
func (a *Arena) chunk(n, rest int) {
	// A multiple of 8, for which the allocator returns memory that may begin and end with numbers.
	size := (max(min(rest, max(firstChunk, 2*a.size), MaxChunk), n) + 7) &^ 7
	a.Base = xunsafe.AllocUncleared(size)
	a.Used, a.Cap, a.size = 0, size, size
}

// Shorten takes back what lies behind the first n of the room bytes at p, which were reserved last, if they are of the
// chunk.
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
