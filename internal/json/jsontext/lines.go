package jsontext

// What is here works on whole JSON text, which must be valid: it is what an encoder has
// written. Strings in it have no escapes but those that [AppendString] writes.

// AppendIndented appends JSON text that has no white space outside of strings in the form of
// many lines: each element and member in its own, indented as often as it is nested, and a
// space after each name. Empty objects and lists stay as they are.
func AppendIndented(dst, compact []byte, indent string) []byte {
	var room [64]byte
	line := append(room[:0], '\n') // and the indent of as many levels as there have been
	depth, from := 1, 0            // the length of line that counts, and what is not yet copied
	for i := 0; i < len(compact); i++ {
		switch compact[i] {
		case '"':
			i = lastQuote(compact, i)
		case '{', '[':
			if c := compact[i+1]; c == '}' || c == ']' {
				i++
				continue
			}
			if depth += len(indent); depth > len(line) {
				line = append(line, indent...)
			}
			dst, from = append(append(dst, compact[from:i+1]...), line[:depth]...), i+1
		case '}', ']':
			depth -= len(indent)
			dst, from = append(append(dst, compact[from:i]...), line[:depth]...), i
		case ',':
			dst, from = append(append(dst, compact[from:i+1]...), line[:depth]...), i+1
		case ':':
			dst, from = append(append(dst, compact[from:i+1]...), ' '), i+1
		}
	}
	return append(dst, compact[from:]...)
}

// AppendCompact appends JSON text without the white space that is not in strings.
func AppendCompact(dst, text []byte) []byte {
	from := 0 // what is not yet copied
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = lastQuote(text, i)
		case ' ', '\n', '\r', '\t':
			dst = append(dst, text[from:i]...)
			for i+1 < len(text) && text[i+1] <= ' ' {
				i++
			}
			from = i + 1
		}
	}
	return append(dst, text[from:]...)
}

// lastQuote returns where the string ends that b[i] is the first quote of: at its last one.
func lastQuote(b []byte, i int) int {
	if end, _ := StringEnd(b, i+1); end >= 0 {
		return end
	}
	return len(b)
}
