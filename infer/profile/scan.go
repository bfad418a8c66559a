package profile

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth is how deeply arrays and objects may be nested, as in ProtoJSON.
const maxDepth = 10000

// A SyntaxError says where text is not JSON.
type SyntaxError struct {
	// Offset is the byte of the text.
	Offset int
	// Message is one line, lower-case.
	Message string
}

// Error returns the message with the byte.
func (e *SyntaxError) Error() string { return fmt.Sprintf("at byte %d: %s", e.Offset, e.Message) }

// A scanner reads JSON by RFC 8259 and counts it in nodes. Where a node is nil it only reads.
type scanner struct {
	profile *Profile
	text    []byte
	grown   int    // the memory of nodes and samples that were made
	buf     []byte // a string without its escapes
	keys    []byte // the key of the value that is read next, likewise
	frames  []frame
}

func (s *scanner) fail(at int, format string, args ...any) (int, error) {
	if at >= len(s.text) {
		return 0, &SyntaxError{len(s.text), "unexpected end of the document"}
	}
	return 0, &SyntaxError{at, fmt.Sprintf(format, args...)}
}

// space returns where white space ends.
func (s *scanner) space(at int) int {
	for at < len(s.text) {
		switch s.text[at] {
		case ' ', '\t', '\n', '\r':
			at++
		default:
			return at
		}
	}
	return at
}

// document counts one document.
func (s *scanner) document(at int) (int, error) {
	end, err := s.value(s.profile.Root, at, 0)
	if err != nil {
		return 0, err
	}
	s.profile.Documents++
	s.profile.Bytes += uint64(end - at)
	return end, nil
}

// value counts the value at a byte, and returns its end.
func (s *scanner) value(n *Node, at, depth int) (int, error) {
	if at >= len(s.text) {
		return s.fail(at, "")
	}
	switch c := s.text[at]; {
	case c == '"':
		text, end, err := s.str(at, &s.buf)
		if err == nil && n != nil {
			n.addString(text)
			s.grown += n.Values.add(text, 1)
		}
		return end, err
	case c == '{':
		return s.object(n, at, depth)
	case c == '[':
		return s.array(n, at, depth)
	case c == '-' || c >= '0' && c <= '9':
		return s.number(n, at)
	}
	return s.literal(n, at)
}

func (s *scanner) literal(n *Node, at int) (int, error) {
	rest := s.text[at:]
	switch {
	case len(rest) >= 4 && string(rest[:4]) == "true":
		if n != nil {
			n.Bools++
		}
		return at + 4, nil
	case len(rest) >= 5 && string(rest[:5]) == "false":
		if n != nil {
			n.Bools++
			n.False++
		}
		return at + 5, nil
	case len(rest) >= 4 && string(rest[:4]) == "null":
		if n != nil {
			n.Nulls++
		}
		return at + 4, nil
	}
	r, _ := utf8.DecodeRune(rest)
	return s.fail(at, "expected a value, not %q", r)
}

func (s *scanner) array(n *Node, at, depth int) (int, error) {
	if depth >= maxDepth {
		return s.fail(at, "arrays and objects are nested more deeply than %d", maxDepth)
	}
	at = s.space(at + 1)
	if at < len(s.text) && s.text[at] == ']' {
		if n != nil {
			n.addArray(0)
		}
		return at + 1, nil
	}
	var elem *Node
	if n != nil {
		elem = s.elem(n, depth)
	}
	for items := uint64(1); ; items++ {
		end, err := s.value(elem, at, depth+1)
		if err != nil {
			return 0, err
		}
		at = s.space(end)
		switch {
		case at < len(s.text) && s.text[at] == ',':
			at = s.space(at + 1)
		case at < len(s.text) && s.text[at] == ']':
			if n != nil {
				n.addArray(items)
			}
			return at + 1, nil
		default:
			return s.fail(at, `expected "," or "]"`)
		}
	}
}

// elem returns the node of an array's elements, or nil where nothing is distinguished any more.
func (s *scanner) elem(n *Node, depth int) *Node {
	if depth >= s.profile.limit().depth {
		n.Cut = true
		return nil
	}
	if n.Elem == nil {
		n.Elem = &Node{}
		s.grown += nodeBytes
	}
	return n.Elem
}

func (s *scanner) object(n *Node, at, depth int) (int, error) {
	if depth >= maxDepth {
		return s.fail(at, "arrays and objects are nested more deeply than %d", maxDepth)
	}
	at = s.space(at + 1)
	var f *frame
	if n != nil {
		n.Objects++
		n.next = 0
		f = s.frame(depth)
	}
	if at < len(s.text) && s.text[at] == '}' {
		if n != nil {
			n.EmptyObjects++
		}
		return at + 1, nil
	}
	for position := uint64(0); ; position++ {
		if at >= len(s.text) || s.text[at] != '"' {
			return s.fail(at, "expected a key in double quotes")
		}
		key, end, err := s.str(at, &s.keys)
		if err != nil {
			return 0, err
		}
		if at = s.space(end); at >= len(s.text) || s.text[at] != ':' {
			return s.fail(at, `expected ":"`)
		}
		var child *Node
		if n != nil {
			if child = s.child(n, key, depth); child != nil {
				child.Position += position
				f.keys = append(f.keys, child.at)
			}
		}
		start := s.space(at + 1)
		if end, err = s.value(child, start, depth+1); err != nil {
			return 0, err
		}
		if child != nil && (child.tag || s.text[start] == '{') {
			s.member(child, start, end, depth)
		}
		at = s.space(end)
		switch {
		case at < len(s.text) && s.text[at] == ',':
			at = s.space(at + 1)
		case at < len(s.text) && s.text[at] == '}':
			if n != nil {
				s.tagObjects(n, depth)
			}
			return at + 1, nil
		default:
			return s.fail(at, `expected "," or "}"`)
		}
	}
}

// child returns the node of a key, or nil where nothing is distinguished any more.
func (s *scanner) child(n *Node, key []byte, depth int) *Node {
	l := s.profile.limit()
	if depth >= l.depth {
		n.Cut = true
		return nil
	}
	if n.Wild == nil && len(key) <= maxKey {
		c, made := n.child(key)
		if !made {
			return c
		}
		s.grown += nodeBytes + len(key)
		if len(n.Fields) <= l.keys {
			return c
		}
	}
	s.profile.widen(n, depth)
	if _, counted := n.Keys.find(hash(key)); !counted {
		s.grown += valueBytes
	}
	n.Keys.add(key, 1)
	return n.Wild
}

// str returns the string at a byte, and its end. The text is that of the document, or in buf where there are
// escapes.
func (s *scanner) str(at int, buf *[]byte) ([]byte, int, error) {
	start := at + 1
	at = start
	ascii := true
	t := s.text
	for {
		// Eight bytes at a time, as long as none is a quote, a backslash, a control character or beyond ASCII.
		for at+8 <= len(t) {
			w := binary.LittleEndian.Uint64(t[at:])
			const ones, highs = 0x0101010101010101, 0x8080808080808080
			quote, back := w^ones*'"', w^ones*'\\'
			if special := ((quote-ones)&^quote | (back-ones)&^back | (w-ones*0x20)&^w | w) & highs; special != 0 {
				at += bits.TrailingZeros64(special) / 8
				break
			}
			at += 8
		}
		if at >= len(t) {
			_, err := s.fail(at, "")
			return nil, 0, err
		}
		switch c := t[at]; {
		case c == '"':
			if !ascii && !utf8.Valid(t[start:at]) {
				return nil, 0, &SyntaxError{start - 1, "a string that is not UTF-8"}
			}
			return t[start:at], at + 1, nil
		case c == '\\':
			return s.escaped(start, at, buf)
		case c < 0x20:
			return nil, 0, &SyntaxError{at, fmt.Sprintf("control character %q in a string", c)}
		case c >= 0x80:
			ascii = false
			for at < len(t) && t[at] >= 0x80 {
				at++
			}
		default:
			at++
		}
	}
}

// escaped returns a string in which the first escape is at a byte.
func (s *scanner) escaped(start, at int, buf *[]byte) ([]byte, int, error) {
	out := append((*buf)[:0], s.text[start:at]...)
	for at < len(s.text) {
		switch c := s.text[at]; {
		case c == '"':
			*buf = out
			if !utf8.Valid(out) {
				return nil, 0, &SyntaxError{start - 1, "a string that is not UTF-8"}
			}
			return out, at + 1, nil
		case c == '\\':
			r, size := s.escape(at)
			if size == 0 {
				return nil, 0, &SyntaxError{at, "an escape that JSON has not"}
			}
			out = utf8.AppendRune(out, r)
			at += size
		case c < 0x20:
			return nil, 0, &SyntaxError{at, fmt.Sprintf("control character %q in a string", c)}
		default:
			out = append(out, c)
			at++
		}
	}
	_, err := s.fail(at, "")
	return nil, 0, err
}

// escape returns what the escape at a byte means, and its length, 0 if it is none.
func (s *scanner) escape(at int) (rune, int) {
	if at+1 >= len(s.text) {
		return 0, 0
	}
	switch c := s.text[at+1]; c {
	case '"', '\\', '/':
		return rune(c), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		r, ok := s.unicode(at)
		if !ok {
			return 0, 0
		}
		if !utf16.IsSurrogate(r) {
			return r, 6
		}
		low, ok := s.unicode(at + 6)
		if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
			return 0, 0
		}
		return r, 12
	}
	return 0, 0
}

func (s *scanner) unicode(at int) (rune, bool) {
	if at+6 > len(s.text) || s.text[at] != '\\' || s.text[at+1] != 'u' || !isHex(s.text[at+2:at+6]) {
		return 0, false
	}
	v, err := strconv.ParseUint(string(s.text[at+2:at+6]), 16, 32)
	return rune(v), err == nil
}

// number counts the number at a byte, and returns its end.
func (s *scanner) number(n *Node, at int) (int, error) {
	start, t := at, s.text
	if t[at] == '-' {
		at++
	}
	first := at
	at = digits(t, at)
	if at == first || t[first] == '0' && at > first+1 {
		return s.fail(first, "expected a number")
	}
	whole := at
	if at < len(t) && t[at] == '.' {
		fraction := at + 1
		if at = digits(t, fraction); at == fraction {
			return s.fail(at, "expected a digit")
		}
	}
	if at < len(t) && t[at]|0x20 == 'e' {
		at++
		if at < len(t) && (t[at] == '+' || t[at] == '-') {
			at++
		}
		exponent := at
		if at = digits(t, at); at == exponent {
			return s.fail(at, "expected a digit")
		}
	}
	if n != nil {
		text := t[start:at]
		s.grown += n.Values.add(text, 1)
		if at == whole && (t[start] != '-' || t[first] != '0') {
			n.addIntText(text)
		} else {
			n.addFloatText(text)
		}
	}
	return at, nil
}

func digits(t []byte, at int) int {
	for at < len(t) && t[at]-'0' <= 9 {
		at++
	}
	return at
}

func (n *Node) addIntText(text []byte) {
	if len(text) > 18 {
		v, err := strconv.ParseInt(string(text), 10, 64)
		_, unsigned := strconv.ParseUint(string(text), 10, 64)
		n.addInt(v, err != nil && unsigned == nil, err == nil || unsigned == nil)
		return
	}
	var v int64
	for _, c := range text {
		if c != '-' {
			v = v*10 + int64(c-'0')
		}
	}
	if text[0] == '-' {
		v = -v
	}
	n.addInt(v, false, true)
}

func (n *Node) addFloatText(text []byte) {
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil { // beyond the range of double
		n.addFloat(math.Copysign(math.MaxFloat64, v), false)
		return
	}
	exact := len(text) <= 15 || sameDecimal(text, strconv.AppendFloat(nil, v, 'e', -1, 64))
	n.addFloat(v, exact)
}
