package jsontext

import (
	"bytes"
	"math/bits"
)

// An Extent finds out where a JSON value ends, in text that comes in pieces. It looks at
// brackets and strings alone: whether the value is JSON shows when it is read. The zero
// Extent is ready for a value.
type Extent struct {
	open  []byte // the brackets that are still to come
	at    int    // up to where the text has been looked at
	quote int    // where the text of the string begins that is open; 0 if none is
}

// maxOpen is how many brackets an Extent has room for between two values.
const maxOpen = 1 << 10

// shortString is how many bytes of a string are looked at for its end and escapes at once.
const shortString = 64

// Reset makes e ready for the next value.
func (e *Extent) Reset() {
	if cap(e.open) > maxOpen {
		e.open = nil
	}
	e.open, e.at, e.quote = e.open[:0], 0, 0
}

// End returns where the value ends that b begins with, or -1 if more text is needed to tell:
// then it is to be called again with all of that. It is not ok if the bracket at end is not
// the one that must come.
//
// b must not be empty nor begin with white space. What begins with none of the brackets and
// quotes that values begin with is a value that ends where white space or punctuation
// follows, as a number does.
func (e *Extent) End(b []byte) (end int, ok bool) {
	if e.InWord() && b[0] != '"' && b[0]|0x20 != '{' {
		return e.word(b), true
	}
	i := e.at
	for i < len(b) {
		if e.quote > 0 {
			k := bytes.IndexByte(b[i:], '"')
			if k < 0 {
				break
			}
			if i += k + 1; isEscaped(b[e.quote : i-1]) {
				continue
			}
			e.quote = 0
			if len(e.open) == 0 {
				return i, true
			}
			continue
		}
		if i+8 <= len(b) {
			t := structural(load(b, i))
			if t == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(t) / 8
		}
		switch c := b[i]; c {
		case '"':
			// Most strings are short; for long ones bytes.IndexByte pays.
			if end, _ := StringEnd(b[:min(i+shortString, len(b))], i+1); end >= 0 {
				if i = end + 1; len(e.open) == 0 {
					return i, true
				}
				continue
			}
			e.quote = i + 1
		case '{', '[':
			e.open = append(e.open, c+2)
		case '}', ']':
			last := len(e.open) - 1
			if c != e.open[last] {
				return i, false
			}
			if e.open = e.open[:last]; last == 0 {
				return i + 1, true
			}
		}
		i++
	}
	e.at = len(b)
	return -1, true
}

// InWord reports whether the value that was looked at last has neither brackets nor quotes, so
// that it may end where the text ends.
func (e *Extent) InWord() bool { return len(e.open) == 0 && e.quote == 0 }

// Bracket returns the bracket that must come next, of the closing ones.
func (e *Extent) Bracket() byte { return e.open[len(e.open)-1] }

// word returns where a value ends that has neither brackets nor quotes.
func (e *Extent) word(b []byte) int {
	for i := e.at; i < len(b); i++ {
		switch b[i] {
		case ' ', '\t', '\r', '\n', ',', ':', '"', '{', '}', '[', ']':
			return max(i, 1)
		}
	}
	e.at = len(b)
	return -1
}

// structural marks, with its high bit, the first byte of w that is a quote or a bracket.
// Some other bytes may be marked too: those after the first marked one, and letters that
// with the bits of 0x26 set are like a bracket.
func structural(w uint64) uint64 {
	quote, bracket := w^'"'*ones, (w|0x26*ones)^0x7f*ones
	return ((quote-ones)&^quote | (bracket-ones)&^bracket) & highs
}

// isEscaped reports whether the quote after this text of a string is a part of it.
func isEscaped(before []byte) bool {
	n := len(before)
	return (n-len(bytes.TrimRight(before, "\\")))&1 == 1
}
