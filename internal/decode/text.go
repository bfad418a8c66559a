package decode

import (
	"sync/atomic"
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/mem"
)

// MaxChunk is how many bytes of text are copied into one allocation at most: what a string
// that is kept keeps with it, unless it is longer itself.
const MaxChunk = 64 << 10

// Chunks are the memory that strings and bytes are copied to, one after the other.
type chunks struct {
	base      unsafe.Pointer // of the current chunk
	used, cap int            // of its bytes
	total     int            // of those before it
}

// reserve returns memory for the n bytes of the input that start at pos; n must not be 0.
func (d *decoder) reserve(pos, n int) unsafe.Pointer {
	t := &d.chunks
	if n > t.cap-t.used {
		return d.chunk(pos, n)
	}
	// Sound: n bytes of the chunk are free, and n is not 0, so that the pointer is into it.
	p := unsafe.Add(t.base, t.used)
	t.used += n
	return p
}

// chunk is reserve where there is no room. All text that is still to come lies in the rest
// of the input, so a chunk is never longer than that; the first is as long as the text of
// messages of the type lately was.
//
//go:noinline
func (d *decoder) chunk(pos, n int) unsafe.Pointer {
	if n > MaxChunk {
		return unsafe.Pointer(unsafe.SliceData(make([]byte, n)))
	}
	size := min(len(d.in)-pos, MaxChunk)
	if d.chunks.cap == 0 {
		size = min(size, d.expected())
	}
	size = max(size, n)
	d.chunks.total += d.chunks.used
	d.chunks.base, d.chunks.used, d.chunks.cap = unsafe.Pointer(unsafe.SliceData(make([]byte, size))), n, size
	return d.chunks.base
}

// copy returns the bytes from start to end of the input, or a copy of them. Nobody else
// has them, and their capacity ends with them. There is one at least.
func (d *decoder) copy(start, end int) []byte {
	if d.Alias {
		return d.in[start:end:end]
	}
	b := unsafe.Slice((*byte)(d.reserve(start, end-start)), end-start)
	copy(b, d.in[start:end])
	return b
}

// text returns the text from start to end of the input.
func (d *decoder) text(start, end int) string {
	if start == end {
		return ""
	}
	return mem.String(d.copy(start, end))
}

// bytes returns the bytes from start to end of the input: not nil.
func (d *decoder) bytes(start, end int) []byte {
	if start == end {
		return []byte{}
	}
	return d.copy(start, end)
}

// shareOfAll is the TextShare of a type whose messages are all text. A share is in parts of
// 256, and one more, since 0 means that it is not known.
const shareOfAll = 257

// expected returns how much text there will be.
func (d *decoder) expected() int {
	share := int(atomic.LoadUint32(&d.layout.TextShare))
	if share == 0 {
		return len(d.in)
	}
	return len(d.in)*share/256 + len(d.in)/64
}

// learn notes how much text there was. It follows rises at once and falls slowly, and it
// does not write what hardly differs: the layout is shared by all processors.
func learn(l *layout.Layout, text, size int) {
	old := int(atomic.LoadUint32(&l.TextShare))
	share := min(text*256/size+1, shareOfAll)
	if old > share {
		share = old - (old-share)/8
	}
	if share > old+2 || share < old-2 {
		atomic.StoreUint32(&l.TextShare, uint32(share))
	}
}
