package jsontext

import (
	"bytes"
	"math"
	"math/bits"
	"strconv"

	"github.com/protean-pb/protean/internal/xunsafe"
)

// inWord has the bytes that end no number and no literal: after one of those may come
// anything else, or the end.
var inWord = func() (t [256]bool) {
	for _, c := range []byte("+-._0123456789") {
		t[c] = true
	}
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = true, true
	}
	return t
}()

// EndsAt reports whether a number or literal may end at b[i], judged by what b[i] is; i may
// be the length of b.
func EndsAt(b []byte, i int) bool { return i >= len(b) || !inWord[b[i]] }

// NumberEnd returns where the number ends that starts at b[i], or -1 if the official
// library takes what is there for no number. Like there, digits may be missing after the
// letter of an exponent, and its sign, if more text follows; [Int] and [Float] are stricter.
func NumberEnd(b []byte, i int) int {
	if i < len(b) && b[i] == '-' {
		i++
	}
	switch {
	case i >= len(b) || b[i]-'0' > 9:
		return -1
	case b[i] == '0':
		i++
	default:
		i = digitsEnd(b, i)
	}
	if i+1 < len(b) && b[i] == '.' && b[i+1]-'0' <= 9 {
		i = digitsEnd(b, i+1)
	}
	if i+1 < len(b) && b[i]|0x20 == 'e' {
		if i++; b[i] == '+' || b[i] == '-' {
			if i++; i == len(b) {
				return -1
			}
		}
		i = digitsEnd(b, i)
	}
	if !EndsAt(b, i) {
		return -1
	}
	return i
}

// digitsEnd returns where the digits end that start at b[i].
func digitsEnd(b []byte, i int) int {
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	return i
}

// IntIn reads the integer that starts at b[i] and returns where it ends, if it is written
// the usual way, up to 18 digits and no exponent, and [EndsAt] there. If not ok, it is left
// to [NumberEnd] and [Int] to tell whether there is one.
//
// The digits are read one by one: most numbers are short, and what depends on where one
// ends is worth more than to read it in words.
func IntIn(b []byte, i int) (x int64, end int, ok bool) {
	sign := int64(0)
	if i < len(b) && b[i] == '-' {
		sign = -1
		i++
	}
	first := i
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		x = x*10 + int64(b[i]-'0')
	}
	n := i - first
	if uint(n-1) >= maxDigits-1 || b[first] == '0' && n > 1 || !EndsAt(b, i) {
		return 0, i, false
	}
	return (x ^ sign) - sign, i, true
}

// UintIn reads an integer without sign at i, and returns where it ends, as [IntIn] does.
func UintIn(b []byte, i int) (x uint64, end int, ok bool) {
	s, end, ok := IntIn(b, i)
	return uint64(s), end, ok && b[i] != '-'
}

// Int returns the value of a number that [NumberEnd] has found, if it is an integer of the
// given count of bits: 32 or 64. It may have a fraction and an exponent.
func Int(b []byte, bits int) (x int64, ok bool) {
	if x, end, ok := IntIn(b, 0); ok && end == len(b) {
		return x, x == x<<(64-bits)>>(64-bits)
	}
	u, negative, ok := integer(b)
	limit := uint64(1) << (bits - 1)
	if negative {
		return -int64(u), ok && u <= limit
	}
	return int64(u), ok && u < limit
}

// Uint parses an unsigned integer of so many bits, with the rules of [Int].
func Uint(b []byte, bits int) (x uint64, ok bool) {
	if x, end, ok := UintIn(b, 0); ok && end == len(b) {
		return x, x>>(bits-1)>>1 == 0
	}
	u, negative, ok := integer(b)
	return u, ok && (u == 0 || !negative) && u>>(bits-1)>>1 == 0
}

// integer returns the value of a number without its sign, if it is an integer that a word
// holds.
func integer(b []byte) (x uint64, negative, ok bool) {
	i := 0
	if b[0] == '-' {
		negative, i = true, 1
	}
	end := digitsEnd(b, i)
	whole := b[i:end]
	if whole[0] == '0' {
		whole = nil
	}
	var fraction []byte
	if i = end; i < len(b) && b[i] == '.' {
		end = digitsEnd(b, i+1)
		fraction = bytes.TrimRight(b[i+1:end], "0")
	}
	exp, ok := integerExponent(b[end:])
	switch {
	case !ok && len(b)-end <= 2:
		return 0, negative, false // a sign that nothing follows
	case len(whole) == 0 && len(fraction) == 0:
		return 0, negative, true
	case !ok || len(fraction) > max(exp, 0):
		return 0, negative, false
	case exp < 0:
		point := len(whole) + exp
		if point < 0 || len(bytes.TrimRight(whole[point:], "0")) > 0 {
			return 0, negative, false
		}
		x, ok = addDigits(0, whole[:point])
		return x, negative, ok
	case max(exp, len(whole)+exp) > 20: // more than the digits of the largest word; the sum may overflow
		return 0, negative, false
	}
	x, ok = addDigits(0, whole)
	if ok {
		x, ok = addDigits(x, fraction)
	}
	if ok {
		x, ok = addDigits(x, "00000000000000000000"[:exp-len(fraction)])
	}
	return x, negative, ok
}

// integerExponent returns the value of an exponent, which begins with its letter; without
// digits it is 0, but not after a sign. It must fit into 32 bits.
func integerExponent(b []byte) (exp int, ok bool) {
	if len(b) <= 1 {
		return 0, true
	}
	e, err := strconv.ParseInt(xunsafe.String(b[1:]), 10, 32) // which keeps nothing of the text
	return int(e), err == nil
}

// addDigits puts digits behind those that x has, if a word holds them.
func addDigits[T string | []byte](x uint64, digits T) (uint64, bool) {
	for i := range len(digits) {
		high, low := bits.Mul64(x, 10)
		low, carry := bits.Add64(low, uint64(digits[i]-'0'), 0)
		if high|carry != 0 {
			return 0, false
		}
		x = low
	}
	return x, true
}

// FloatIn reads the number that starts at b[i], as a double or, if bits is 32, a float32,
// and returns where it ends, if there is one and [EndsAt] there. If not ok, what is there
// is no number or too large.
func FloatIn(b []byte, i, bits int) (f float64, end int, ok bool) {
	f, end, err := Number(b, i)
	if err != nil || !EndsAt(b, end) {
		return 0, end, false
	}
	if bits == 32 {
		f, ok = single(f, b[i:end])
		return f, end, ok
	}
	return f, end, true
}

// Float returns the value of a number that [NumberEnd] has found, rounded to the nearest
// double or, if bits is 32, to the nearest float32, if that is finite.
func Float(b []byte, bits int) (f float64, ok bool) {
	f, end, ok := FloatIn(b, 0, bits)
	return f, ok && end == len(b)
}

// single rounds a number to the nearest float32, given the nearest double.
func single(f float64, b []byte) (float64, bool) {
	const cut, half = 1<<29 - 1, 1 << 28 // what a float32 has not room for
	size := math.Abs(f)
	// To round twice is right but where the double is just between two float32, or these
	// have fewer bits.
	if math.Float64bits(f)&cut != half && (size >= 0x1p-126 || size == 0) && size <= math.MaxFloat32 {
		return float64(float32(f)), true
	}
	// The string is used only here, and b is not changed meanwhile.
	f, err := strconv.ParseFloat(xunsafe.String(b), 32)
	return f, err == nil
}
