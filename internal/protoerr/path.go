package protoerr

import (
	"strconv"
	"unicode/utf8"
)

// A Step leads from an object or an array to one of its children.
type Step struct {
	Key   string // of an object's entry
	Index int    // of an array's element; -1 where Key counts
}

// FormatValuePath writes a path from the root: $.actor["two words"][2].
func FormatValuePath(steps []Step) string {
	b := []byte("$")
	for _, s := range steps {
		b = appendStep(b, s)
	}
	return string(b)
}

func appendStep(b []byte, s Step) []byte {
	switch {
	case s.Index >= 0:
		b = append(b, '[')
		b = strconv.AppendInt(b, int64(s.Index), 10)
		return append(b, ']')
	case isName(s.Key):
		b = append(b, '.')
		return append(b, s.Key...)
	default:
		b = append(b, '[')
		b = strconv.AppendQuote(b, s.Key)
		return append(b, ']')
	}
}

// isName reports whether a key can stand after a dot.
func isName(key string) bool {
	for i, c := range []byte(key) {
		letter := c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return key != "" && utf8.ValidString(key)
}

// Index returns the step of a path into the element of a list: [17].
func Index(i int) string { return "[" + strconv.Itoa(i) + "]" }
