package migrate

import (
	"bytes"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// An enumValue is the value of an enum field.
type enumValue struct {
	of     protoreflect.EnumDescriptor
	number protoreflect.EnumNumber
}

// names are the names that a number has, several with allow_alias.
func (e enumValue) names() []protoreflect.Name {
	var out []protoreflect.Name
	for i := range e.of.Values().Len() {
		if vd := e.of.Values().Get(i); vd.Number() == e.number {
			out = append(out, vd.Name())
		}
	}
	return out
}

func (e enumValue) hasName(name string) bool {
	vd := e.of.Values().ByName(protoreflect.Name(name))
	return vd != nil && vd.Number() == e.number
}

// scalarOf returns a scalar as bool, int64, uint64, float32, float64, string, []byte or enumValue.
func scalarOf(fd protoreflect.FieldDescriptor, v protoreflect.Value) any {
	switch fd.Kind() {
	case protoreflect.EnumKind:
		return enumValue{fd.Enum(), v.Enum()}
	case protoreflect.FloatKind:
		return float32(v.Float())
	}
	switch x := v.Interface().(type) {
	case int32:
		return int64(x)
	case uint32:
		return uint64(x)
	default:
		return x
	}
}

// isZero reports whether a value says no more than its absence.
func isZero(v any) bool {
	switch x := v.(type) {
	case nil:
		return true
	case bool:
		return !x
	case int64:
		return x == 0
	case uint64:
		return x == 0
	case float32:
		return x == 0 && !math.Signbit(float64(x))
	case float64:
		return x == 0 && !math.Signbit(x)
	case string:
		return x == ""
	case []byte:
		return len(x) == 0
	case enumValue:
		return x.number == 0
	case []any:
		return len(x) == 0
	case map[string]any:
		return len(x) == 0
	}
	return false
}

// compareScalars says what became of a scalar.
func compareScalars(wrote, read any, w Wire) Class {
	switch a := wrote.(type) {
	case enumValue:
		switch b := read.(type) {
		case enumValue:
			return compareEnums(a, b, w)
		case string:
			return formIf(a.hasName(b))
		}
	case string:
		return compareText(a, read)
	case []byte:
		switch b := read.(type) {
		case []byte:
			return sameIf(bytes.Equal(a, b))
		case string:
			return formIf(string(a) == b)
		}
		return Altered
	}
	if b, ok := read.(string); ok {
		return formIf(numericText(b, wrote))
	}
	return compareNumbers(wrote, read)
}

func sameIf(ok bool) Class {
	if ok {
		return Same
	}
	return Altered
}

func formIf(ok bool) Class {
	if ok {
		return Form
	}
	return Altered
}

// compareEnums: numbers travel in binary form, names in JSON. A number whose name the reader
// has under another number is another value; one without a name is kept as a number.
func compareEnums(a, b enumValue, w Wire) Class {
	wrote, read := a.names(), b.names()
	for _, name := range wrote {
		if !b.hasName(string(name)) {
			continue
		}
		if a.number == b.number {
			return Same
		}
		return Form // the same name under another number
	}
	if a.number != b.number {
		return Altered
	}
	for _, name := range wrote {
		if vd := b.of.Values().ByName(name); vd != nil {
			return Altered // what the name means has another number
		}
	}
	for _, name := range read {
		if vd := a.of.Values().ByName(name); vd != nil {
			return Altered // the number means what has another number for the writer
		}
	}
	if len(read) == 0 && (len(wrote) > 0 || b.of.IsClosed() && !a.of.IsClosed()) {
		return Form // kept as a number
	}
	return Same
}

func compareText(a string, read any) Class {
	switch b := read.(type) {
	case string:
		return sameIf(a == b)
	case []byte:
		return formIf(a == string(b))
	case enumValue:
		return formIf(b.hasName(a))
	}
	return formIf(numericText(a, read))
}

// numericText reports whether a text is a number. JSON has 64-bit integers as text, and the
// names of the values that JSON has no numbers for.
func numericText(text string, v any) bool {
	if f, ok := toFloat(v); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return text == "NaN" && math.IsNaN(f) || text == "Infinity" && f > 0 || text == "-Infinity" && f < 0
	}
	switch x := v.(type) {
	case float32:
		f, err := strconv.ParseFloat(text, 32)
		return err == nil && float32(f) == x
	case float64:
		f, err := strconv.ParseFloat(text, 64)
		return err == nil && f == x
	}
	n := toNumber(v)
	if n == nil || len(text) > 40 || strings.ContainsAny(text, "xXoObBpP_") {
		return false
	}
	x, _, err := big.ParseFloat(text, 10, precision, big.ToNearestEven)
	return err == nil && x.Cmp(n) == 0
}

// precision holds every integer of 64 bits and every double.
const precision = 128

// compareNumbers compares integers, floats, booleans and enums by what they count.
func compareNumbers(wrote, read any) Class {
	a, aFloat := toFloat(wrote)
	b, bFloat := toFloat(read)
	if aFloat && bFloat && math.IsNaN(a) && math.IsNaN(b) {
		return Same
	}
	x, y := toNumber(wrote), toNumber(read)
	if x == nil || y == nil {
		return sameIf(aFloat && bFloat && a == b)
	}
	if x.Cmp(y) == 0 && x.Signbit() == y.Signbit() {
		if kindOf(wrote) == kindOf(read) {
			return Same
		}
		return Form
	}
	// JSON has the shortest text of a float, which is another double.
	if f, ok := wrote.(float32); ok && bFloat && float32(b) == f {
		return Form
	}
	return formIf(x.Cmp(y) == 0)
}

// kindOf tells what is alike for those who read it: integers of any size, floats, and others.
func kindOf(v any) int {
	switch v.(type) {
	case int64, uint64:
		return 1
	case float32, float64:
		return 2
	case bool:
		return 3
	case enumValue:
		return 4
	}
	return 0
}

func toFloat(v any) (float64, bool) {
	switch x := v.(type) {
	case float32:
		return float64(x), true
	case float64:
		return x, true
	}
	return 0, false
}

// toNumber returns a number exactly; nil for what is none, and for infinities and NaN.
func toNumber(v any) *big.Float {
	n := new(big.Float).SetPrec(precision)
	switch x := v.(type) {
	case bool:
		if x {
			return n.SetInt64(1)
		}
		return n
	case int64:
		return n.SetInt64(x)
	case uint64:
		return n.SetUint64(x)
	case enumValue:
		return n.SetInt64(int64(x.number))
	}
	if f, ok := toFloat(v); ok && !math.IsNaN(f) && !math.IsInf(f, 0) {
		return n.SetFloat64(f)
	}
	return nil
}

// sameInstant reports whether two texts are RFC 3339 for one instant.
func sameInstant(a, b string) bool {
	x, errX := time.Parse(time.RFC3339Nano, a)
	y, errY := time.Parse(time.RFC3339Nano, b)
	return errX == nil && errY == nil && x.Equal(y)
}

// sameDuration reports whether two texts are JSON of one Duration: 1.5s and 1.500s.
func sameDuration(a, b string) bool {
	x, okX := strings.CutSuffix(a, "s")
	y, okY := strings.CutSuffix(b, "s")
	trim := func(s string) string {
		if strings.Contains(s, ".") {
			s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
		}
		return s
	}
	return okX && okY && trim(x) == trim(y)
}
