package inspect

import "bytes"

// CountJSON counts the bytes of compact JSON text; white space between counts as
// separators.
func CountJSON(text []byte) Counts {
	var c Counts
	for i := 0; i < len(text); {
		n, category := 1, Literals
		switch text[i] {
		case '{', '}', '[', ']':
			category = Brackets
		case ':', ',', ' ', '\t', '\n', '\r':
			category = Separators
		case '"':
			n, category = quoted(text[i:]), Text
			if rest := bytes.TrimLeft(text[i+n:], " \t\r\n"); len(rest) > 0 && rest[0] == ':' {
				category = Keys
			}
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			n, category = len(text[i:])-len(bytes.TrimLeft(text[i:], "-+.eE0123456789")), Numbers
		}
		c[category] += n
		i += n
	}
	return c
}

// quoted returns the length of the string that text begins with.
func quoted(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}
