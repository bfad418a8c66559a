package xunsafe

import "unsafe"

// MaxShort is the longest text that [CopyShort] copies.
const MaxShort = 64

// CopyShort copies n bytes, at most [MaxShort], from src to dst, which must not overlap, and
// reports whether they are all ASCII. It does so without a loop: words overlap where n is
// not a multiple of their size.
func CopyShort(dst, src unsafe.Pointer, n int) (ascii bool) {
	// Sound: no access goes beyond the n bytes of either.
	switch {
	case n > 32:
		x := Copy16(dst, src) | Copy16(unsafe.Add(dst, 16), unsafe.Add(src, 16))
		dst, src = unsafe.Add(dst, n-32), unsafe.Add(src, n-32)
		return (x|Copy16(dst, src)|Copy16(unsafe.Add(dst, 16), unsafe.Add(src, 16)))&Highs == 0
	case n >= 16:
		return (Copy16(dst, src)|Copy16(unsafe.Add(dst, n-16), unsafe.Add(src, n-16)))&Highs == 0
	case n >= 8:
		return CopyTwoWords(dst, src, n)
	case n >= 4:
		a, b := Load32(src), Load32(unsafe.Add(src, n-4))
		Store32(dst, a)
		Store32(unsafe.Add(dst, n-4), b)
		return (a|b)&(Highs&0xffffffff) == 0
	case n > 0:
		a, b, c := *(*byte)(src), *(*byte)(unsafe.Add(src, n/2)), *(*byte)(unsafe.Add(src, n-1))
		*(*byte)(dst), *(*byte)(unsafe.Add(dst, n/2)), *(*byte)(unsafe.Add(dst, n-1)) = a, b, c
		return a|b|c < 0x80
	}
	return true
}

// IsTwoWords reports whether [CopyTwoWords] copies n bytes.
func IsTwoWords(n int) bool { return uint(n-8) <= 8 }

// CopyTwoWords copies 8 to 16 bytes, the length of most names and identifiers, and reports whether all are ASCII: it is
// small enough to be inlined.
func CopyTwoWords(dst, src unsafe.Pointer, n int) (ascii bool) {
	// Sound: no access goes beyond the n bytes of either.
	a, b := Load64(src), Load64(unsafe.Add(src, n-8))
	Store64(dst, a)
	Store64(unsafe.Add(dst, n-8), b)
	return (a|b)&Highs == 0
}

// Copy16 copies 16 bytes that do not overlap and returns the two words or-ed.
func Copy16(dst, src unsafe.Pointer) uint64 {
	a, b := Load64(src), Load64(unsafe.Add(src, 8))
	Store64(dst, a)
	Store64(unsafe.Add(dst, 8), b)
	return a | b
}

// ShortASCII reports whether n bytes, at most [MaxShort], from p on are all ASCII.
func ShortASCII(p unsafe.Pointer, n int) bool {
	// Sound: no access goes beyond the n bytes.
	switch {
	case n > 32:
		x := or16(p) | or16(unsafe.Add(p, 16))
		p = unsafe.Add(p, n-32)
		return (x|or16(p)|or16(unsafe.Add(p, 16)))&Highs == 0
	case n >= 16:
		return (or16(p)|or16(unsafe.Add(p, n-16)))&Highs == 0
	case n >= 8:
		return (Load64(p)|Load64(unsafe.Add(p, n-8)))&Highs == 0
	case n >= 4:
		return (Load32(p)|Load32(unsafe.Add(p, n-4)))&(Highs&0xffffffff) == 0
	case n > 0:
		return *(*byte)(p)|*(*byte)(unsafe.Add(p, n/2))|*(*byte)(unsafe.Add(p, n-1)) < 0x80
	}
	return true
}

func or16(p unsafe.Pointer) uint64 { return Load64(p) | Load64(unsafe.Add(p, 8)) }

// Highs has the high bit of each of the eight bytes of a word.
const Highs = 0x8080808080808080
