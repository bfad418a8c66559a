package jsontext

import "math"

// StringInt returns the integer of 32 or 64 bits that a string of JSON text holds, given
// without quotes and escapes. The official library takes what it takes for a number
// outside of a string, with nothing before or after it.
func StringInt(s []byte, bits int) (x int64, ok bool) {
	if NumberEnd(s, 0) != len(s) {
		return 0, false
	}
	return Int(s, bits)
}

// StringUint parses an unsigned integer in a string, with the rules of [StringInt].
func StringUint(s []byte, bits int) (x uint64, ok bool) {
	if NumberEnd(s, 0) != len(s) {
		return 0, false
	}
	return Uint(s, bits)
}

// StringFloat parses a number in a string, with the rules of [StringInt]: a double, or a float32 if bits is 32;
// NaN and the
// infinities have names.
func StringFloat(s []byte, bits int) (f float64, ok bool) {
	switch string(s) {
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		return math.Inf(1), true
	case "-Infinity":
		return math.Inf(-1), true
	}
	return Float(s, bits)
}
