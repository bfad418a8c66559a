package records

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// exactDigits is how many significant digits a decimal number may have to come back from a double
// as it was, whatever they are.
const exactDigits = 15

func isNumberByte(c byte) bool {
	return '0' <= c && c <= '9' || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-'
}

// longNumber is how many bytes a number has that a double may not hold, unless its exponent is below -99.
const longNumber = exactDigits + 1

// mayBeInexact reports whether a JSON text may hold a number that a double does not: one of longNumber
// bytes or more, of which two neighbours would be among bytes eight apart; or one with an exponent
// below -99, that is next to nothing.
func mayBeInexact(text []byte) bool {
	last := false
	for i := 7; i < len(text); i += 8 {
		now := isNumberByte(text[i])
		if now && last && hasLongNumber(text, i) {
			return true
		}
		last = now
	}
	return hasSmallExponent(text, "e-") || hasSmallExponent(text, "E-")
}

// hasLongNumber reports whether the byte at i is one of longNumber bytes of numbers.
func hasLongNumber(text []byte, i int) bool {
	from, to := i, i+1
	for from > 0 && i-from < longNumber && isNumberByte(text[from-1]) {
		from--
	}
	for to < len(text) && to-from < longNumber && isNumberByte(text[to]) {
		to++
	}
	return to-from >= longNumber
}

func hasSmallExponent(text []byte, mark string) bool {
	for {
		i := bytes.Index(text, []byte(mark))
		if i < 0 {
			return false
		}
		text = text[i+len(mark):]
		if len(text) >= 3 && isDigit(text[0]) && isDigit(text[1]) && isDigit(text[2]) {
			return true
		}
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// numbers yields the numbers of a JSON text, each with its offset, those in strings not, until one is refused.
func numbers(text []byte, yield func(at int, number []byte) bool) {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			i = stringEnd(text, i)
		case c == '-' || '0' <= c && c <= '9':
			end := i + 1
			for end < len(text) && isNumberByte(text[end]) {
				end++
			}
			if !yield(i, text[i:end]) {
				return
			}
			i = end
		default:
			i++
		}
	}
}

// stringEnd is where the string ends that begins at i.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text); {
		n := bytes.IndexByte(text[i:], '"')
		if n < 0 {
			return len(text)
		}
		i += n
		escapes := 0
		for text[i-1-escapes] == '\\' {
			escapes++
		}
		i++
		if escapes%2 == 0 {
			return i
		}
	}
	return len(text)
}

// A decimal is a number in the one form that all its spellings have.
type decimal struct {
	negative bool
	digits   string // without zeros at either end
	exponent int    // of the first digit, as in 0.digits
}

func decimalOf(number string) decimal {
	var d decimal
	number, d.negative = strings.CutPrefix(number, "-")
	mantissa, exponent := number, "0"
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		mantissa, exponent = number[:i], number[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	d.digits = whole + fraction
	d.exponent = len(whole)
	trimmed := strings.TrimLeft(d.digits, "0")
	d.exponent -= len(d.digits) - len(trimmed)
	d.digits = strings.TrimRight(trimmed, "0")
	e, err := strconv.Atoi(exponent)
	if err != nil {
		e = math.MaxInt32
	}
	d.exponent += e
	if d.digits == "" {
		d.exponent = 0
	}
	return d
}

// exactDouble reports whether the double nearest to a number is it: by its shortest spelling, as 0.1
// is, or by its value, as large integers can be.
func exactDouble(number string) bool {
	if len(number) <= exactDigits && !strings.ContainsAny(number, "eE") {
		return true
	}
	f, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return false
	}
	d := decimalOf(number)
	return d == decimalOf(strconv.FormatFloat(f, 'g', -1, 64)) ||
		f == math.Trunc(f) && d == decimalOf(strconv.FormatFloat(f, 'f', 0, 64))
}

// exactFloat is exactDouble for a float.
func exactFloat(number string) bool {
	f, err := strconv.ParseFloat(number, 32)
	if err != nil {
		return false
	}
	d := decimalOf(number)
	return d == decimalOf(strconv.FormatFloat(f, 'g', -1, 32)) ||
		f == math.Trunc(f) && d == decimalOf(strconv.FormatFloat(f, 'f', 0, 32))
}

// inexactNumber returns a number of a JSON text that no double has, and its offset; "" if there is none. Those beyond
// the range of doubles do not count: they are errors.
func inexactNumber(text []byte) (at int, number string) {
	if !mayBeInexact(text) {
		return 0, ""
	}
	numbers(text, func(offset int, n []byte) bool {
		if s := string(n); !exactDouble(s) {
			if f, _ := strconv.ParseFloat(s, 64); !math.IsInf(f, 0) {
				at, number = offset, s
			}
		}
		return number == ""
	})
	return at, number
}

// appendFloat appends a number as JavaScript writes it.
func appendFloat(dst []byte, f float64, bits int) []byte {
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	dst = strconv.AppendFloat(dst, f, format, -1, bits)
	if n := len(dst); format == 'e' && n >= 4 && dst[n-4] == 'e' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1] // e-09 as e-9
		dst = dst[:n-1]
	}
	return dst
}
