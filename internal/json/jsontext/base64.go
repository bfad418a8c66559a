package jsontext

import (
	"bytes"
	"encoding/base64"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/protean-pb/protean/internal/xunsafe"
)

const letters64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// letterPairs has for each twelve bits their two letters, the first one lowest.
var letterPairs = func() (t [1 << 12]uint16) {
	for i := range t {
		t[i] = uint16(letters64[i>>6]) | uint16(letters64[i&63])<<8
	}
	return t
}()

// Base64Len returns the length of the text for n bytes.
func Base64Len(n int) int { return (n + 2) / 3 * 4 }

// AppendBase64 appends b in the standard alphabet, with padding.
func AppendBase64(dst, b []byte) []byte {
	n, size := len(dst), Base64Len(len(b))
	dst = slices.Grow(dst, size)[:n+size]
	PutBase64(unsafe.Pointer(unsafe.SliceData(dst[n:])), b)
	return dst
}

// PutBase64 writes what [AppendBase64] appends to p, where [Base64Len] bytes must be the
// caller's to write.
func PutBase64(p unsafe.Pointer, b []byte) {
	// Sound: what is written are so many bytes in all. Of b, eight are read where there are as
	// many, of which six become eight of the text.
	q := unsafe.Pointer(unsafe.SliceData(b))
	i, k := 0, 0
	for ; i+8 <= len(b); i, k = i+6, k+8 {
		w := bits.ReverseBytes64(xunsafe.Load64(unsafe.Add(q, i)))
		xunsafe.Store64(unsafe.Add(p, k), uint64(letterPairs[w>>52])|uint64(letterPairs[w>>40&0xfff])<<16|
			uint64(letterPairs[w>>28&0xfff])<<32|uint64(letterPairs[w>>16&0xfff])<<48)
	}
	for ; i+3 <= len(b); i, k = i+3, k+4 {
		xunsafe.Store32(unsafe.Add(p, k), fourLetters(b[i], b[i+1], b[i+2]))
	}
	switch len(b) - i {
	case 1:
		xunsafe.Store32(unsafe.Add(p, k), fourLetters(b[i], 0, 0)&0xffff|'='<<16|'='<<24)
	case 2:
		xunsafe.Store32(unsafe.Add(p, k), fourLetters(b[i], b[i+1], 0)&0xffffff|'='<<24)
	}
}

// fourLetters returns the letters of three bytes, the first one lowest.
func fourLetters(a, b, c byte) uint32 {
	x := uint32(a)<<16 | uint32(b)<<8 | uint32(c)
	return uint32(letterPairs[x>>12]) | uint32(letterPairs[x&0xfff])<<16
}

// What an entry of sextets says besides the six bits.
const (
	onlyStandard = 1 << 24
	onlyURL      = 1 << 25
)

// sextets has for the letters of both alphabets their six bits, for each of four letters in
// a row where these lie in the three bytes, of which the first is lowest. What is in neither
// alphabet has both marks.
var sextets = func() (t [4][256]uint32) {
	set := func(c byte, x, marks uint32) {
		for i := range t {
			t[i][c] = bits.ReverseBytes32(x<<(26-6*i)) | marks
		}
	}
	for c := range t[0] {
		set(byte(c), 0, onlyStandard|onlyURL)
	}
	for i := range 62 {
		set(letters64[i], uint32(i), 0)
	}
	set('+', 62, onlyStandard)
	set('/', 63, onlyStandard)
	set('-', 62, onlyURL)
	set('_', 63, onlyURL)
	return t
}()

// DecodedLen returns the length of the memory that [DecodeBase64] needs for a text of n bytes.
func DecodedLen(n int) int { return n/4*3 + n%4*6/8 }

// DecodeBase64 decodes s into dst, whose length must be [DecodedLen] of that of s at least,
// and returns how many bytes that are. As in the official library, s may be in the standard
// alphabet or in that for URLs; it has padding if its length is a multiple of four. The two
// must not overlap. If not ok, dst may have been written to.
func DecodeBase64(dst, s []byte) (n int, ok bool) {
	if len(s)%4 == 1 {
		return decodeUnusual(dst, s)
	}
	dst = dst[:DecodedLen(len(s))]
	// Sound: after each four letters that are read here come others that stand for a byte
	// at least, so that there is room for the fourth byte that is written.
	p, q := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(s))
	i, all := 0, uint32(0)
	for ; i < len(s)-4; i += 4 {
		in := (*[4]byte)(unsafe.Add(q, i))
		x := sextets[0][in[0]] | sextets[1][in[1]] | sextets[2][in[2]] | sextets[3][in[3]]
		all |= x
		xunsafe.Store32(unsafe.Add(p, n), x)
		n += 3
	}
	tail := s[i:]
	if len(tail) == 4 {
		tail = bytes.TrimSuffix(bytes.TrimSuffix(tail, []byte("=")), []byte("="))
	}
	x := uint32(0)
	for i, c := range tail {
		x |= sextets[i][c]
	}
	if (all|x)>>24 == (onlyStandard|onlyURL)>>24 {
		return decodeUnusual(dst, s)
	}
	for range len(tail) * 6 / 8 {
		dst[n] = byte(x)
		x >>= 8
		n++
	}
	return n, true
}

// decodeUnusual decodes base64 that may have line breaks, or errors.
func decodeUnusual(dst, s []byte) (n int, ok bool) {
	url, padded := bytes.ContainsAny(s, "-_"), len(s)%4 == 0
	e := base64.StdEncoding
	switch {
	case url && padded:
		e = base64.URLEncoding
	case url:
		e = base64.RawURLEncoding
	case !padded:
		e = base64.RawStdEncoding
	}
	n, err := e.Decode(dst, s)
	return n, err == nil
}
