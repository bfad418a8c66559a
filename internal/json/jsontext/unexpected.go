package jsontext

import (
	"strconv"
	"unicode/utf8"
)

// Unexpected says in words what is at an offset of a text instead of what was wanted
// there. It is not ok if that is not UTF-8.
func Unexpected(b []byte, at int, want string) (detail string, ok bool) {
	if at >= len(b) {
		return "the text ends instead of " + want, true
	}
	c, n := utf8.DecodeRune(b[at:])
	if c == utf8.RuneError && n == 1 {
		return "", false
	}
	return strconv.QuoteRune(c) + " instead of " + want, true
}
