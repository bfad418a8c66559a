package proof

import (
	"bytes"
	"encoding/json"
)

// A tape is a JSON text as a list of its values and keys, in their order, in memory that is used again for the next
// text. The first entry is the value that the text is; a member of an object is two entries, its key and its value.
type tape struct {
	text []byte
	all  []entry
	open []int // the objects and arrays that are being read
}

// An entry is a value or a key.
type entry struct {
	// kind is the first byte of a value: {, [, ", t, f, n, or 0 for a number; isKey for a key.
	kind       byte
	escaped    bool // a string or key with escapes
	start, end int  // in the text, without quotes
	next       int  // the entry after the value and all that is in it
	n          int  // values in an object or array
}

const isKey = 'k'

// maxTape is how many entries a tape keeps memory for.
const maxTape = 1 << 17

// read makes the tape that of a text, which must be JSON, and is in use until the next call.
func (t *tape) read(text []byte) {
	if cap(t.all) > maxTape {
		t.all, t.open = nil, nil
	}
	t.text, t.all, t.open = text, t.all[:0], t.open[:0]
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case ' ', '\t', '\n', '\r', ',', ':':
			i++
		case '{', '[':
			t.add(entry{kind: c, start: i})
			t.open = append(t.open, len(t.all)-1)
			i++
		case '}', ']':
			i++
			last := len(t.open) - 1
			e := &t.all[t.open[last]]
			e.end, e.next = i, len(t.all)
			t.open = t.open[:last]
		case '"':
			i = t.str(i + 1)
		default:
			i = t.scalar(i)
		}
	}
}

// add adds a value.
func (t *tape) add(e entry) {
	if len(t.open) > 0 {
		t.all[t.open[len(t.open)-1]].n++
	}
	e.next = len(t.all) + 1
	t.all = append(t.all, e)
}

// scalar adds a literal or number, and returns where it ends.
func (t *tape) scalar(start int) int {
	kind, end := t.text[start], start
	switch kind {
	case 't', 'n':
		end += len("true")
	case 'f':
		end += len("false")
	default:
		kind = 0
		for end < len(t.text) && isNumber(t.text[end]) {
			end++
		}
	}
	if end == start {
		panic("proof: not JSON") // which the reader and the encoder of the text rule out
	}
	t.add(entry{kind: kind, start: start, end: end})
	return end
}

func isNumber(c byte) bool {
	return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}

// str adds the string or key that begins after a quote, and returns what follows its end.
func (t *tape) str(start int) int {
	e := entry{kind: '"', start: start}
	e.end, e.escaped = stringEnd(t.text, start)
	i := e.end + 1
	for i < len(t.text) && (t.text[i] == ' ' || t.text[i] == '\t' || t.text[i] == '\n' || t.text[i] == '\r') {
		i++
	}
	if i < len(t.text) && t.text[i] == ':' {
		e.kind, e.next = isKey, len(t.all)+1
		t.all = append(t.all, e)
		return i + 1
	}
	t.add(e)
	return i
}

// stringEnd is where the quote is that ends a string, of which start is the first byte, and whether there are escapes
// before it.
func stringEnd(text []byte, start int) (end int, escaped bool) {
	end = start + bytes.IndexByte(text[start:], '"')
	at := bytes.IndexByte(text[start:end], '\\')
	if at < 0 {
		return end, false
	}
	for end = start + at; text[end] != '"'; end++ {
		if text[end] == '\\' {
			end++
		}
	}
	return end, true
}

// raw is the text of a value or key, with the quotes.
func (t *tape) raw(i int) []byte {
	e := &t.all[i]
	if e.kind == '"' || e.kind == isKey {
		return t.text[e.start-1 : e.end+1]
	}
	return t.text[e.start:e.end]
}

// string returns the text of a scalar or key: a number as it is, a string without quotes and escapes.
func (t *tape) string(i int) string {
	e := &t.all[i]
	text := t.text[e.start:e.end]
	if e.escaped {
		var s string
		if json.Unmarshal(t.raw(i), &s) == nil {
			return s
		}
	}
	return string(text)
}

// sameText reports whether two scalars of one kind, or two keys, are the same.
func sameText(a *tape, i int, b *tape, j int) bool {
	x, y := &a.all[i], &b.all[j]
	if bytes.Equal(a.text[x.start:x.end], b.text[y.start:y.end]) {
		return true
	}
	return (x.escaped || y.escaped) && a.string(i) == b.string(j)
}

// members calls f with the entries of the key and the value of each member of an object.
func (t *tape) members(object int, f func(key, value int)) {
	for k := object + 1; k < t.all[object].next; k = t.all[k+1].next {
		f(k, k+1)
	}
}

// compact returns a text without white space between its tokens, in dst.
func compact(dst, text []byte) []byte {
	from := 0
	for i := 0; i < len(text); {
		switch text[i] {
		case ' ', '\t', '\n', '\r':
			dst = append(dst, text[from:i]...)
			i++
			from = i
		case '"':
			end, _ := stringEnd(text, i+1)
			i = end + 1
		default:
			i++
		}
	}
	return append(dst, text[from:]...)
}
