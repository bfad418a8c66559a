package decode

import (
	"unsafe"

	"github.com/protean-pb/protean/internal/xunsafe"
)

// reserve returns memory for the n bytes of the input that start at pos; n must not be 0.
func (d *decoder) reserve(pos, n int) unsafe.Pointer {
	t := &d.Text
	if n > t.Cap-t.Used {
		return d.AllocText(n, len(d.in)-pos) // all text that is still to come lies in the rest
	}
	// Sound: n bytes of the chunk are free, and n is not 0, so that the pointer is into it.
	p := unsafe.Add(t.Base, t.Used)
	t.Used += n
	return p
}

// copy returns the bytes from start to end of the input, or a copy of them. Nothing else
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
	return xunsafe.String(d.copy(start, end))
}

// bytes returns the bytes from start to end of the input: not nil.
func (d *decoder) bytes(start, end int) []byte {
	if start == end {
		return []byte{}
	}
	return d.copy(start, end)
}
