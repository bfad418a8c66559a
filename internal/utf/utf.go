// Package utf tells whether text is UTF-8, and does so without a branch per character:
// in text that mixes scripts those are hard to foresee.
package utf

import "encoding/binary"

// highs has the high bit of each of the eight bytes of a word.
const highs = 0x8080808080808080

// The states of a reader of UTF-8. Each is a multiple of 6, for next. The state fresh
// is between two characters, and from invalid there is no way out.
const (
	invalid = 6 * iota
	fresh
	one     // one byte is to come,
	two     // two,
	three   // three
	afterE0 // two, of which the first must not be below A0,
	afterED // nor above 9F,
	afterF0 // three, of which the first must not be below 90,
	afterF4 // nor above 8F
)

// next has for every byte the state that each state becomes: next[c]>>state & 63.
// A step thus takes no more than a shift.
var next = func() (t [256]uint64) {
	to := func(state int, first, last byte, becomes uint64) {
		for c := int(first); c <= int(last); c++ {
			t[c] |= becomes << state
		}
	}
	to(fresh, 0x00, 0x7f, fresh)
	to(fresh, 0xc2, 0xdf, one)
	to(fresh, 0xe0, 0xe0, afterE0)
	to(fresh, 0xe1, 0xec, two)
	to(fresh, 0xed, 0xed, afterED)
	to(fresh, 0xee, 0xef, two)
	to(fresh, 0xf0, 0xf0, afterF0)
	to(fresh, 0xf1, 0xf3, three)
	to(fresh, 0xf4, 0xf4, afterF4)
	to(one, 0x80, 0xbf, fresh)
	to(two, 0x80, 0xbf, one)
	to(three, 0x80, 0xbf, two)
	to(afterE0, 0xa0, 0xbf, one)
	to(afterED, 0x80, 0x9f, one)
	to(afterF0, 0x90, 0xbf, two)
	to(afterF4, 0x80, 0x8f, two)
	return t
}()

// short is up to which length Valid first looks whether a text is ASCII, as most are.
const short = 128

// Valid reports whether b is UTF-8.
func Valid(b []byte) bool {
	if len(b) <= short && ascii(b) {
		return true
	}
	state := uint64(fresh)
	for ; len(b) >= 8; b = b[8:] {
		x := binary.LittleEndian.Uint64(b)
		if x&highs == 0 && state&63 == fresh {
			// A run of ASCII, four words at a time.
			for len(b) >= 40 && (word(b[8:])|word(b[16:])|word(b[24:])|word(b[32:]))&highs == 0 {
				b = b[32:]
			}
			continue
		}
		state = next[byte(x)] >> (state & 63)
		state = next[byte(x>>8)] >> (state & 63)
		state = next[byte(x>>16)] >> (state & 63)
		state = next[byte(x>>24)] >> (state & 63)
		state = next[byte(x>>32)] >> (state & 63)
		state = next[byte(x>>40)] >> (state & 63)
		state = next[byte(x>>48)] >> (state & 63)
		state = next[byte(x>>56)] >> (state & 63)
	}
	for _, c := range b {
		state = next[c] >> (state & 63)
	}
	return state&63 == fresh
}

func word(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// ascii reports whether b is ASCII. The last bytes are read again rather than one by one.
func ascii(b []byte) bool {
	var all uint64
	switch n := len(b); {
	case n >= 8:
		for i := 0; i <= n-8; i += 8 {
			all |= binary.LittleEndian.Uint64(b[i:])
		}
		all |= binary.LittleEndian.Uint64(b[n-8:])
	case n >= 4:
		all = uint64(binary.LittleEndian.Uint32(b) | binary.LittleEndian.Uint32(b[n-4:]))
	case n > 0:
		all = uint64(b[0] | b[n/2] | b[n-1])
	}
	return all&highs == 0
}
