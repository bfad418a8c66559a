package xunsafe

import (
	"strings"
	"unsafe"
)

// PadSize is how many bytes a [PaddedString] text is copied at a time.
const PadSize = 16

// A PaddedString is text of which whole words can be read: zeros follow it up to a multiple of
// [PadSize] bytes. It does not change.
type PaddedString struct {
	first unsafe.Pointer
	n     int
}

// Pad returns a copy of s.
func Pad(s string) PaddedString {
	b := make([]byte, (len(s)+PadSize-1)/PadSize*PadSize)
	copy(b, s)
	return PaddedString{unsafe.Pointer(unsafe.SliceData(b)), len(s)}
}

// Len returns the length of the text.
func (p PaddedString) Len() int { return p.n }

// Words returns how many bytes [PaddedString.PrefixOf] reads.
func (p PaddedString) Words() int { return (p.n + 7) &^ 7 }

// String returns the text.
func (p PaddedString) String() string {
	// Sound: that many bytes are there, and nobody changes them.
	return unsafe.String((*byte)(p.first), p.n)
}

// CopyTo copies the text, which must not be empty, to dst, where as many bytes as a multiple
// of [PadSize] has must be the caller's to write.
func (p PaddedString) CopyTo(dst unsafe.Pointer) {
	for i := 0; i < p.n; i += PadSize {
		// Sound: zeros follow the text, and the caller vouches for dst.
		*(*[PadSize]byte)(unsafe.Add(dst, i)) = *(*[PadSize]byte)(unsafe.Add(p.first, i))
	}
}

// memberSize is how many bytes of a [MemberPrefix] are copied without asking for its length.
const memberSize = 2 * PadSize

// A MemberPrefix is how a member of a JSON object begins, with its colon. A comma precedes it.
type MemberPrefix struct{ PaddedString }

// NewMemberPrefix returns the prefix of a member with the name in s.
func NewMemberPrefix(s string) MemberPrefix {
	p := Pad("," + s + strings.Repeat("\x00", memberSize))
	return MemberPrefix{PaddedString{unsafe.Add(p.first, 1), len(s)}} // Sound: there is more than a byte.
}

// IsShort reports whether [MemberPrefix.CopyShort] copies all.
func (m MemberPrefix) IsShort() bool { return m.n < memberSize }

// CopyShort copies the comma and what comes after it to dst, where 32 bytes must be the caller's to write.
func (m MemberPrefix) CopyShort(dst unsafe.Pointer) {
	// Sound: the comma precedes the text and zeros follow it, and the caller vouches for dst.
	src := unsafe.Add(m.first, -1)
	*(*[PadSize]byte)(dst) = *(*[PadSize]byte)(src)
	*(*[PadSize]byte)(unsafe.Add(dst, PadSize)) = *(*[PadSize]byte)(unsafe.Add(src, PadSize))
}

// CopyTo copies the comma and what comes after it to dst, where [PadSize] bytes more than that
// must be the caller's to write.
func (m MemberPrefix) CopyTo(dst unsafe.Pointer) {
	PaddedString{unsafe.Add(m.first, -1), m.n + 1}.CopyTo(dst) // Sound: as for CopyShort.
}

// PrefixOf reports whether the text is at p, where so many bytes as Words says
// must be readable. The text must not be empty.
func (p PaddedString) PrefixOf(q unsafe.Pointer) bool {
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
