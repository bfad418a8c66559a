package jsontext

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"strconv"

	"github.com/protean-pb/protean/internal/xunsafe"
)

// What may be wrong with a number.
var (
	ErrSyntax = errors.New("not a number")
	ErrRange  = errors.New("a double cannot hold the number")
)

// maxPow5 is the largest power of five that a word holds.
const maxPow5 = 27

// pow5 are the powers of five.
var pow5 = func() (t [maxPow5 + 1]uint64) {
	t[0] = 1
	for i := range maxPow5 {
		t[i+1] = 5 * t[i]
	}
	return t
}()

// pow10 are the powers of ten that a double holds exactly.
var pow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// maxDigits is how many digits surely fit into a word.
const maxDigits = 19

// Number reads the JSON number that starts at b[i], rounded to the nearest double, and
// returns where it ends. What follows it is the caller's to judge. The error is
// [ErrSyntax] if there is no number, with end the offset of the offence, and
// [ErrRange] if it is too large.
func Number(b []byte, i int) (f float64, end int, err error) {
	start := i
	if i < len(b) && b[i] == '-' {
		i++
	}
	first := i
	digits, i := digitRun(b, i, 0)
	if n := i - first; n == 0 || n > 1 && b[first] == '0' {
		return 0, min(first+n, first+1), ErrSyntax
	}
	count, exp := i-first, 0
	if i < len(b) && b[i] == '.' {
		point := i
		digits, i = digitRun(b, i+1, digits)
		if exp = point + 1 - i; exp == 0 {
			return 0, i, ErrSyntax
		}
		count -= exp
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		var e int
		if e, i = exponent(b, i+1); i < 0 {
			return 0, -i, ErrSyntax
		}
		exp += e
	}
	if count <= maxDigits {
		if f, ok := scale(digits, exp); ok {
			if b[start] == '-' {
				f = -f
			}
			return f, i, nil
		}
	}
	// The string is used only here, and b is not changed meanwhile.
	if f, err = strconv.ParseFloat(xunsafe.String(b[start:i]), 64); err != nil {
		return 0, i, ErrRange
	}
	return f, i, nil
}

// digitRun reads digits from i on and puts them behind those that x has; when there
// are too many, x overflows. It returns where they end.
func digitRun(b []byte, i int, x uint64) (uint64, int) {
	for i+8 <= len(b) {
		w := binary.LittleEndian.Uint64(b[i:])
		if !allDigits(w) {
			break
		}
		x, i = x*1e8+eightDigits(w), i+8
	}
	for ; i < len(b) && b[i]-'0' < 10; i++ {
		x = x*10 + uint64(b[i]-'0')
	}
	return x, i
}

// allDigits reports whether the eight bytes of w are digits: the high half of each is
// 3, and remains 3 when 6 is added.
func allDigits(w uint64) bool {
	return w&(0xf0*ones) == 0x30*ones && (w+0x06*ones)&(0xf0*ones) == 0x30*ones
}

// eightDigits returns the number that the eight digits in w are, the first one in the
// lowest byte: digits are joined to pairs, pairs to fours, and those to one number.
func eightDigits(w uint64) uint64 {
	w -= '0' * ones
	w = w*10 + w>>8
	const pairs = 0x000000ff000000ff
	return (w&pairs*(100+1000000<<32) + w>>16&pairs*(1+10000<<32)) >> 32
}

// exponent reads an exponent after its letter, up to a size beyond which only zero and
// infinity are left. If there is none the end is the offset of the offence, negated.
func exponent(b []byte, i int) (e, end int) {
	negative := false
	if i < len(b) && (b[i] == '+' || b[i] == '-') {
		negative = b[i] == '-'
		i++
	}
	first := i
	for ; i < len(b) && b[i]-'0' < 10; i++ {
		if e < 1<<26 {
			e = e*10 + int(b[i]-'0')
		}
	}
	if i == first {
		return 0, -i
	}
	if negative {
		e = -e
	}
	return e, i
}

// scale returns x times ten to the power of exp, correctly rounded, if that is to be
// had without numbers of more than two words.
func scale(x uint64, exp int) (f float64, ok bool) {
	switch {
	case exp == 0 || x == 0:
		return float64(x), true
	case x < 1<<53 && -len(pow10) < exp && exp < len(pow10):
		// Both operands are exact, so the result is rounded once.
		if exp < 0 {
			return float64(x) / pow10[-exp], true
		}
		return float64(x) * pow10[exp], true
	case -maxPow5 <= exp && exp < 0:
		return quotient(x, -exp), true
	}
	return 0, false
}

// quotient returns x / 10**k for a positive x and k up to maxPow5, correctly rounded.
func quotient(x uint64, k int) float64 {
	d := pow5[k]
	// With the high bit set in both, the quotient has 64 bits if what is divided is
	// shifted by 64 bits, or by 63 when x is not less.
	lx, ld := bits.LeadingZeros64(x), bits.LeadingZeros64(d)
	x, d = x<<lx, d<<ld
	exp := ld - lx - k - 64
	low := uint64(0)
	if x >= d {
		x, low = x>>1, x<<63
		exp++
	}
	q, rest := bits.Div64(x, low, d)
	m, cut := q>>11, q&(1<<11-1)
	if cut > 1<<10 || cut == 1<<10 && (rest != 0 || m&1 == 1) {
		m++
	}
	// A power of two, which changes nothing but the exponent.
	return float64(m) * math.Float64frombits(uint64(1023+11+exp)<<52)
}
