package result

import (
	"fmt"
	"strings"
	"unicode"
)

// CellName is the name of a cell as a sub-benchmark of its suite, such as
// "payload=medium/variant=Concrete_(proto)/op=marshal".
func CellName(payload, variant, op string) string {
	return fmt.Sprintf("payload=%s/variant=%s/op=%s", part(payload), part(variant), part(op))
}

// SuiteName is the name of a suite as a benchmark: "HiddenCost" for
// "hidden-cost".
func SuiteName(s string) string {
	var out strings.Builder
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }) {
		letters := []rune(word)
		out.WriteString(string(unicode.ToUpper(letters[0])) + string(letters[1:]))
	}
	if out.Len() == 0 {
		return "Suite"
	}
	return out.String()
}

// part keeps a value from ending the name, or its part of the name.
func part(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || r == '/' {
			return '_'
		}
		return r
	}, s)
}
