package proof

import "github.com/protean-pb/protean/infer/profile"

// compact returns a text without white space between its tokens, in dst.
func compact(dst, text []byte) []byte {
	inString := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case inString:
			dst = append(dst, c)
			if c == '\\' && i+1 < len(text) {
				i++
				dst = append(dst, text[i])
			}
			inString = c != '"'
			continue
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			continue
		case c == '"':
			inString = true
		}
		dst = append(dst, c)
	}
	return dst
}

// sameNumber reports whether two numbers are the same.
func sameNumber(a, b string) bool { return profile.SameNumber([]byte(a), []byte(b)) }
