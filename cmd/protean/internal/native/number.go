package native

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
)

var errInteger = errors.New("not an integer")

// plain reduces a value of any numeric or text type to int64, uint64, float64 or
// string, without loss. Other values give nil.
func plain(v any) any {
	rv := reflect.ValueOf(v)
	switch {
	case rv.CanInt():
		return rv.Int()
	case rv.CanUint():
		return rv.Uint()
	case rv.CanFloat():
		return rv.Float()
	case rv.Kind() == reflect.String: // json.Number, and numbers as text
		return rv.String()
	}
	return nil
}

// toInt returns v as a signed integer of the given size; a value that is not
// one, or does not fit, is an error.
func toInt(v any, bits int) (int64, error) {
	digits, err := integerText(v)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(digits, 10, bits)
	return n, rangeError(err, v, "int", bits)
}

// toUint is toInt for unsigned integers.
func toUint(v any, bits int) (uint64, error) {
	digits, err := integerText(v)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(digits, 10, bits)
	return n, rangeError(err, v, "uint", bits)
}

func rangeError(err error, v any, kind string, bits int) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s does not fit %s%d", clip(fmt.Sprint(v)), kind, bits)
}

// integerText returns the digits of the integer v, with a minus if negative.
// Integers go through text so that one path judges every source.
func integerText(v any) (string, error) {
	switch x := plain(v).(type) {
	case int64:
		return strconv.FormatInt(x, 10), nil
	case uint64:
		return strconv.FormatUint(x, 10), nil
	case float64:
		if math.Trunc(x) != x || math.IsInf(x, 0) {
			return "", fmt.Errorf("%v is %w", x, errInteger)
		}
		return strconv.FormatFloat(x, 'f', 0, 64), nil
	case string:
		digits, err := expand(x)
		if err != nil {
			return "", fmt.Errorf("%q is %w", clip(x), err)
		}
		return digits, nil
	default:
		return "", mismatch("a number", v)
	}
}

// maxDigits is more than any 64-bit integer has: longer ones do not fit anyway,
// and the exponent of a hostile number must not decide how much memory we take.
const maxDigits = 20

// expand writes the text of a JSON number, such as 1.5e3, as an integer, 1500.
func expand(text string) (string, error) {
	d, ok := parseDecimal(text)
	switch {
	case !ok:
		return "", errors.New("not a number")
	case d.digits == "":
		return "0", nil
	case d.exponent < 0:
		return "", errInteger
	case len(d.digits)+d.exponent > maxDigits:
		return "", errors.New("not a 64-bit integer")
	}
	return d.sign + d.digits + strings.Repeat("0", d.exponent), nil
}

// decimal is sign digits × 10^exponent; digits neither begins nor ends with 0
// and is empty for zero.
type decimal struct {
	sign, digits string
	exponent     int
}

func parseDecimal(text string) (decimal, bool) {
	var d decimal
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		d.sign, text = "-", rest
	}
	text, exponent, hasExponent := cutAny(text, "eE")
	whole, fraction, hasPoint := strings.Cut(text, ".")
	if !allDigits(whole) || hasPoint && !allDigits(fraction) {
		return d, false
	}
	if hasExponent {
		if !allDigits(strings.TrimLeft(exponent, "+-")) || len(strings.TrimLeft(exponent, "+-")) < len(exponent)-1 {
			return d, false
		}
		// Out of range it comes back as the nearest int, and is as good as any.
		n, _ := strconv.Atoi(exponent)
		d.exponent = min(max(n, -math.MaxInt32), math.MaxInt32)
	}
	digits := whole + fraction
	d.digits = strings.TrimRight(digits, "0")
	d.exponent += len(digits) - len(d.digits) - len(fraction)
	d.digits = strings.TrimLeft(d.digits, "0")
	return d, true
}

func cutAny(s, chars string) (before, after string, found bool) {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

func allDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// toFloat returns v as the nearest float of the given size. An integer that
// would change, and a number beyond the largest float, are errors.
func toFloat(v any, bits int) (float64, error) {
	switch x := plain(v).(type) {
	case int64:
		return exactFloat(new(big.Float).SetInt64(x), bits)
	case uint64:
		return exactFloat(new(big.Float).SetUint64(x), bits)
	case float64:
		if bits == 32 && math.IsInf(float64(float32(x)), 0) && !math.IsInf(x, 0) {
			return 0, rangeError(strconv.ErrRange, v, "float", bits)
		}
		return x, nil
	case string:
		return parseFloat(x, bits)
	default:
		return 0, mismatch("a number", v)
	}
}

func exactFloat(x *big.Float, bits int) (float64, error) {
	f, accuracy := x.Float64()
	if bits == 32 {
		var f32 float32
		f32, accuracy = x.Float32()
		f = float64(f32)
	}
	if accuracy != big.Exact {
		return 0, fmt.Errorf("%s has no exact form in float%d", x.Text('f', 0), bits)
	}
	return f, nil
}

func parseFloat(text string, bits int) (float64, error) {
	switch text {
	case "NaN":
		return math.NaN(), nil
	case "Infinity":
		return math.Inf(1), nil
	case "-Infinity":
		return math.Inf(-1), nil
	}
	// ParseFloat alone would take inf, 0x1p-2 and others that no codec writes.
	if _, ok := parseDecimal(text); !ok {
		return 0, fmt.Errorf("%q is not a number", clip(text))
	}
	f, err := strconv.ParseFloat(text, bits)
	return f, rangeError(err, text, "float", bits)
}
