package mem

import "unsafe"

// PadSize is how many bytes a [Padded] text is copied at a time.
const PadSize = 16

// A Padded is text of which whole words can be read: zeros follow it up to a multiple of
// [PadSize] bytes. It does not change.
type Padded struct {
	first unsafe.Pointer
	n     int
}

// Pad returns a copy of s.
func Pad(s string) Padded {
	b := make([]byte, (len(s)+PadSize-1)/PadSize*PadSize)
	copy(b, s)
	return Padded{unsafe.Pointer(unsafe.SliceData(b)), len(s)}
}

// Len returns the length of the text.
func (p Padded) Len() int { return p.n }

// Words returns how many bytes [Padded.IsAt] reads.
func (p Padded) Words() int { return (p.n + 7) &^ 7 }

// String returns the text.
func (p Padded) String() string {
	// Sound: that many bytes are there, and nobody changes them.
	return unsafe.String((*byte)(p.first), p.n)
}

// CopyTo copies the text, which must not be empty, to dst, where as many bytes as a multiple
// of [PadSize] has must be the caller's to write.
func (p Padded) CopyTo(dst unsafe.Pointer) {
	p.CopyStart(dst)
	p.CopyRest(dst)
}

// CopyStart copies the first [PadSize] bytes, as [Padded.CopyTo] does: with fewer in the
// text that is all.
func (p Padded) CopyStart(dst unsafe.Pointer) {
	// Sound: zeros follow the text, and the caller vouches for dst.
	*(*[PadSize]byte)(dst) = *(*[PadSize]byte)(p.first)
}

// CopyRest copies what CopyStart does not.
func (p Padded) CopyRest(dst unsafe.Pointer) {
	for i := PadSize; i < p.n; i += PadSize {
		*(*[PadSize]byte)(unsafe.Add(dst, i)) = *(*[PadSize]byte)(unsafe.Add(p.first, i)) // Sound: as for CopyStart.
	}
}

// IsAt reports whether the text is at p, where so many bytes as Words says
// must be readable. The text must not be empty.
func (p Padded) IsAt(q unsafe.Pointer) bool {
	// Sound: as for CopyTo.
	src, n := p.first, p.n
	for ; n > 8; n -= 8 {
		if Load64(q) != Load64(src) {
			return false
		}
		q, src = unsafe.Add(q, 8), unsafe.Add(src, 8)
	}
	return (Load64(q)^Load64(src))<<(64-8*uint(n)) == 0
}
