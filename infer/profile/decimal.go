package profile

import "bytes"

// SameNumber reports whether two JSON numbers are the same number, however they are written.
func SameNumber(a, b []byte) bool { return sameDecimal(a, b) }

func sameDecimal(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, y := decimal(a), decimal(b)
	return x.negative == y.negative && x.exponent == y.exponent && bytes.Equal(x.digits, y.digits)
}

// A decimalNumber is 0.digits · 10^exponent, without zeros at either end of the digits.
type decimalNumber struct {
	negative bool
	digits   []byte
	exponent int
}

// maxExponent keeps sums of exponents from overflowing.
const maxExponent = 1 << 30

func decimal(text []byte) decimalNumber {
	var d decimalNumber
	if text[0] == '-' {
		d.negative, text = true, text[1:]
	}
	mantissa, exponent := text, 0
	if i := bytes.IndexAny(text, "eE"); i >= 0 {
		mantissa, exponent = text[:i], parseExponent(text[i+1:])
	}
	whole, fraction, _ := bytes.Cut(mantissa, []byte("."))
	d.digits = append(append(d.digits, whole...), fraction...)
	d.exponent = exponent + len(whole)
	for len(d.digits) > 0 && d.digits[0] == '0' {
		d.digits = d.digits[1:]
		d.exponent--
	}
	d.digits = bytes.TrimRight(d.digits, "0")
	if len(d.digits) == 0 {
		return decimalNumber{negative: d.negative}
	}
	return d
}

func parseExponent(text []byte) int {
	v, sign := 0, 1
	for _, c := range text {
		switch {
		case c == '-':
			sign = -1
		case c >= '0' && c <= '9' && v < maxExponent:
			v = v*10 + int(c-'0')
		}
	}
	return sign * min(v, maxExponent)
}
