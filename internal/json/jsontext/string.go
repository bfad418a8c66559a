// Package jsontext reads and writes the scalars of JSON text as the official Protobuf library
// does: which texts it accepts, and every byte that it writes. These are strings, numbers,
// and what ProtoJSON has strings for: bytes, numbers again, times, and paths. It also puts
// whole text into other forms, such as many lines. It knows nothing of messages.
package jsontext

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
	"unicode/utf8"
	"unsafe"

	"github.com/protean-pb/protean/internal/utf"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// Eight bytes are looked at as one word. In a word, ones times a byte is that byte
// eight times over.
const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// special marks, with its high bit, the first byte of w that is a control character,
// a quote or a backslash. Bytes after the first marked one may be marked wrongly. With one
// bit flipped, the quote comes next after the control characters.
func special(w uint64) uint64 {
	return (((w ^ 0x02*ones) - 0x21*ones) | ((w ^ '\\'*ones) - ones)) &^ w & highs
}

// Ends marks, with its high bit, the first of the eight bytes of a JSON string in w that needs
// attention: its closing quote, an escape, what is not ASCII or not legal. It is 0 if there is
// none. Bytes after the first marked one may be marked wrongly.
func Ends(w uint64) uint64 { return special(w) | w&highs }

// What may be wrong with a string.
var (
	// ErrString: it does not end, or contains a control character.
	ErrString = errors.New("a string does not end")
	// ErrEscape: there is no such escape, or half of a surrogate pair is missing.
	ErrEscape = errors.New("invalid escape")
	// ErrUTF8: it is not UTF-8.
	ErrUTF8 = errors.New("invalid UTF-8")
)

// short has for the letter of an escape what it stands for.
var short = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// load returns the eight bytes from b[i] on; where b ends before, zeros follow.
func load(b []byte, i int) uint64 {
	if i+8 <= len(b) {
		return binary.LittleEndian.Uint64(b[i:])
	}
	return loadEnd(b, i)
}

//go:noinline
func loadEnd(b []byte, i int) (w uint64) {
	if n := len(b); n >= 8 {
		return binary.LittleEndian.Uint64(b[n-8:]) >> (8 * (i + 8 - n))
	}
	for k := len(b) - 1; k >= i; k-- {
		w = w<<8 | uint64(b[k])
	}
	return w
}

// Unquote appends what the JSON string stands for whose opening quote is b[i], and returns
// where the text goes on after it. In case of an error, next is where that lies, and dst
// has got part of the string. Memory of dst beyond the result may be overwritten.
func Unquote(dst, b []byte, i int) (out []byte, next int, err error) {
	out, n := dst[:cap(dst)], len(dst)
	for i++; ; {
		if n+16 > len(out) {
			out = slices.Grow(out[:n], 64)
			out = out[:cap(out)]
		}
		// Eight bytes are written, of which those count that need no attention.
		w := load(b, i)
		binary.LittleEndian.PutUint64(out[n:], w)
		t := special(w) | w&highs
		if t == 0 {
			i, n = i+8, n+8
			continue
		}
		k := bits.TrailingZeros64(t) / 8
		i, n = i+k, n+k
		switch c := byte(w >> (8 * k)); {
		case c == '"':
			return out[:n], i + 1, nil
		case c >= 0x80:
			// Mostly more of its kind follow.
			for w = load(b, i); byte(w) >= 0x80 && n+16 <= len(out); w = load(b, i) {
				size := letterSize(uint32(w))
				if size == 0 {
					return out[:n], i, ErrUTF8
				}
				binary.LittleEndian.PutUint64(out[n:], w)
				i, n = i+size, n+size
			}
		case c == '\\' && i+1 < len(b):
			if e := short[b[i+1]]; e != 0 {
				out[n] = e
				i, n = i+2, n+1
				continue
			}
			r, size := hexEscape(b[i:])
			if size == 0 {
				return out[:n], i, ErrEscape
			}
			n += utf8.EncodeRune(out[n:], r)
			i += size
		default: // a control character, such as the zero beyond the end
			return out[:n], min(i, len(b)), ErrString
		}
	}
}

// letterSize returns the length of the letter of two to four bytes that starts in the
// lowest byte of w; 0 if there is none (RFC 3629, section 4). Whether there is one shows
// when the bits that tell the sizes, and those that must not all be zero because a shorter
// form exists, are looked at together.
func letterSize(w uint32) int {
	switch {
	case w&0xc0e0 == 0x80c0 && w&0x1e != 0:
		return 2
	case w&0xc0c0f0 == 0x8080e0 && w&0x200f != 0 && w&0x200f != 0x200d: // not a surrogate
		return 3
	case w&0xc0c0c0f8 == 0x808080f0 && w&0x3007 != 0 && (w&7 < 4 || w&0x3007 == 4): // up to U+10FFFF
		return 4
	}
	return 0
}

// hexEscape decodes \uXXXX, and a surrogate pair of two of them. It returns how many
// bytes that are; 0 if there is no such thing.
func hexEscape(b []byte) (r rune, size int) {
	r = hex4(b)
	if r < 0 || r&^0x3ff == 0xdc00 {
		return 0, 0
	}
	if r&^0x3ff != 0xd800 {
		return r, 6
	}
	low := hex4(b[6:])
	if low < 0 || low&^0x3ff != 0xdc00 {
		return 0, 0
	}
	return (r-0xd800)<<10 + (low - 0xdc00) + 0x10000, 12
}

// hex4 decodes one \uXXXX; -1 if b does not start with one.
func hex4(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return -1
	}
	var r rune
	for _, c := range b[2:6] {
		switch {
		case c-'0' < 10:
			r = r<<4 | rune(c-'0')
		case c|0x20-'a' < 6:
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return -1
		}
	}
	return r
}

// StringEnd returns where the JSON string ends whose text begins at b[i], after the opening
// quote: the index of the closing quote, or -1 if there is none or a control character comes
// before it. It also reports whether the text is plain, which is ASCII and has no escapes.
// Escapes and UTF-8 are not checked.
func StringEnd(b []byte, i int) (end int, plain bool) {
	for all := uint64(0); ; {
		w := load(b, i)
		t := special(w)
		if t == 0 {
			all |= w
			i += 8
			continue
		}
		k := bits.TrailingZeros64(t) & 0x38
		all |= w & (1<<k - 1)
		switch i += k / 8; byte(w >> k) {
		case '"':
			return i, all&highs == 0
		case '\\':
			i += 2
			all = highs
		default: // such as the zero beyond the end
			return -1, false
		}
	}
}

const hexDigits = "0123456789abcdef"

// long has for a control character, a quote and a backslash the letter of its escape.
var long = [256]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// AppendString appends s, which must be UTF-8, as a JSON string with its quotes.
func AppendString(dst, s []byte) []byte {
	// Room for s, the quotes, and to write eight bytes where fewer count.
	dst = slices.Grow(dst, len(s)+16)
	out, n := dst[:cap(dst)], len(dst)
	out[n] = '"'
	n++
	for i := 0; i < len(s); {
		if i+8 <= len(s) {
			w := binary.LittleEndian.Uint64(s[i:])
			binary.LittleEndian.PutUint64(out[n:], w)
			t := special(w)
			if t == 0 {
				i, n = i+8, n+8
				continue
			}
			k := bits.TrailingZeros64(t) / 8
			i, n = i+k, n+k
		} else if c := s[i]; c >= ' ' && c != '"' && c != '\\' {
			out[n] = c
			i, n = i+1, n+1
			continue
		}
		// Each escape is longer than what it stands for.
		if room := len(s) - i + 24; len(out)-n < room {
			dst = slices.Grow(out[:n], room)
			out = dst[:cap(dst)]
		}
		n += putEscape(out[n:n+6], s[i])
		i++
	}
	out[n] = '"'
	return out[:n+1]
}

// PutText writes s as a JSON string with its quotes to start, where so many bytes must be
// the caller's to write, and reports whether that is it: s is ASCII, and has no need of escapes.
// Of what is not ASCII, [IsPlain] says that.
func PutText(start unsafe.Pointer, s string) bool {
	n := len(s)
	// Sound: no access goes beyond the n bytes of s, and the room for as many and two quotes.
	p, q := unsafe.Add(start, 1), unsafe.Pointer(unsafe.StringData(s))
	// Words overlap where n is not a multiple of their size. What is special in any of them
	// is looked at when everything is copied.
	var found uint64
	switch {
	case n > 16:
		for i := 0; i < n-16; i += 16 {
			v, w := xunsafe.Load64(unsafe.Add(q, i)), xunsafe.Load64(unsafe.Add(q, i+8))
			xunsafe.Store64(unsafe.Add(p, i), v)
			xunsafe.Store64(unsafe.Add(p, i+8), w)
			found |= suspect(v) | suspect(w)
		}
		v, w := xunsafe.Load64(unsafe.Add(q, n-16)), xunsafe.Load64(unsafe.Add(q, n-8))
		xunsafe.Store64(unsafe.Add(p, n-16), v)
		xunsafe.Store64(unsafe.Add(p, n-8), w)
		found |= suspect(v) | suspect(w)
	case n >= 8:
		v, w := xunsafe.Load64(q), xunsafe.Load64(unsafe.Add(q, n-8))
		xunsafe.Store64(p, v)
		xunsafe.Store64(unsafe.Add(p, n-8), w)
		found = suspect(v) | suspect(w)
	case n >= 4:
		v, w := xunsafe.Load32(q), xunsafe.Load32(unsafe.Add(q, n-4))
		xunsafe.Store32(p, v)
		xunsafe.Store32(unsafe.Add(p, n-4), w)
		found = suspect(uint64(v) | uint64(w)<<32)
	case n > 0:
		u, v, w := *(*byte)(q), *(*byte)(unsafe.Add(q, n/2)), *(*byte)(unsafe.Add(q, n-1))
		*(*byte)(p), *(*byte)(unsafe.Add(p, n/2)), *(*byte)(unsafe.Add(p, n-1)) = u, v, w
		found = suspect(uint64(u) | uint64(v)<<8 | uint64(w)<<16 | ' '*(ones&^0xffffff))
	}
	*(*byte)(start), *(*byte)(unsafe.Add(p, n)) = '"', '"'
	return found&highs == 0
}

// suspect has no high bit set if the bytes of w are ASCII and none of them is special.
func suspect(w uint64) uint64 {
	return ((w ^ 0x02*ones) - 0x21*ones) | ((w ^ '\\'*ones) - ones) | w
}

// IsPlain reports whether s has no need of escapes, and is UTF-8.
func IsPlain(s string) bool {
	b := xunsafe.Bytes(s)
	i := 0
	for ; i+8 <= len(b); i += 8 {
		if special(binary.LittleEndian.Uint64(b[i:])) != 0 {
			return false
		}
	}
	// Behind the end there are spaces.
	return special(load(b, i)|' '*ones<<(8*(len(b)-i))) == 0 && utf.Valid(b)
}

// putEscape writes the escape of c and returns its length.
func putEscape(out []byte, c byte) int {
	_ = out[5]
	out[0] = '\\'
	if e := long[c]; e != 0 {
		out[1] = e
		return 2
	}
	out[1], out[2], out[3], out[4], out[5] = 'u', '0', '0', '0'+c>>4, hexDigits[c&15]
	return 6
}
