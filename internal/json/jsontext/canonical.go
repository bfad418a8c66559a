package jsontext

import (
	"bytes"
	"cmp"
	"slices"
)

// AppendCanonical appends JSON text that has no white space outside of strings in the form
// of RFC 8785: the members of each object sorted by their names, compared as UTF-16, and 0
// instead of -0. Strings, and all other numbers that [AppendFloat] and its like write, are
// in that form already. Those of [AppendFloat32] too: they have at most 9 digits, and of all
// decimals of up to 15 digits that read as one double, which is no more than one, the
// shortest form of that double is made.
//
// The text must be valid, with no escapes but those that [AppendString] writes. Memory in
// proportion to it is needed, whatever its depth.
func AppendCanonical(dst, compact []byte) []byte {
	var c canonical
	c.scan(compact)
	dst = slices.Grow(dst, len(compact))
	if len(c.parts) == 0 {
		return append(dst, compact...)
	}
	return c.write(dst, compact)
}

// A canonical knows what is to be changed in a text.
type canonical struct {
	parts   []part   // in the order of the text
	members []member // of the objects among them
	open    []member // of the objects that are being scanned
}

// A part is a piece of text that is to be changed: an object that is not sorted. What has
// no members is left out: the sign of -0. Objects that turn out to be sorted become parts
// of no length if there are others in them.
type part struct {
	start, end  int // in the text
	next        int // the first part after this one and those in it
	first, last int // the range of its members, sorted
}

// A member is one of an object.
type member struct {
	start, nameEnd, end int  // in the text: its name with both quotes, and it all
	plain               bool // the name is ASCII and has no escapes
	part                int  // the first part that may lie in its value
}

// A nesting is an object or list that is being scanned.
type nesting struct {
	part     int // of an object; -1 for a list
	first    int // where its members begin among those that are open
	unsorted bool
}

// scan finds the parts. It keeps a stack of its own: text may be nested deeper than
// functions may.
func (c *canonical) scan(text []byte) {
	var stack []nesting
	top := nesting{part: -1}
	named := false // the next string is a name
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			end, plain := StringEnd(text, i+1)
			if end < 0 {
				return
			}
			if named {
				c.add(&top, text, member{start: i, nameEnd: end + 1, plain: plain, part: len(c.parts)})
				named = false
			}
			i = end
		case '{':
			stack = append(stack, top)
			top = nesting{part: len(c.parts), first: len(c.open)}
			c.parts = append(c.parts, part{start: i})
			named = true
		case '[':
			stack = append(stack, top)
			top = nesting{part: -1}
		case ',':
			if named = top.part >= 0; named {
				c.open[len(c.open)-1].end = i
			}
		case '}':
			c.close(top, text, i)
			named = false
			fallthrough
		case ']':
			top = stack[len(stack)-1]
			stack = stack[:len(stack)-1]
		case '-':
			if text[i+1] == '0' && EndsAt(text, i+2) && (i == 0 || EndsAt(text, i-1)) { // not an exponent
				c.parts = append(c.parts, part{start: i, end: i + 1, next: len(c.parts) + 1})
			}
		}
	}
}

// add adds a member to the object that is being scanned.
func (c *canonical) add(top *nesting, text []byte, m member) {
	if n := len(c.open); n > top.first && !top.unsorted {
		top.unsorted = compareNames(text, c.open[n-1], m) > 0
	}
	c.open = append(c.open, m)
}

// close ends an object, whose closing bracket is text[i].
func (c *canonical) close(top nesting, text []byte, i int) {
	p, members := &c.parts[top.part], c.open[top.first:]
	c.open = c.open[:top.first]
	switch {
	case top.unsorted:
		members[len(members)-1].end = i
		slices.SortFunc(members, func(a, b member) int {
			return cmp.Or(compareNames(text, a, b), a.start-b.start)
		})
		p.end, p.next, p.first = i+1, len(c.parts), len(c.members)
		c.members = append(c.members, members...)
		p.last = len(c.members)
	case len(c.parts) == top.part+1:
		c.parts = c.parts[:top.part]
	default:
		p.end, p.next = p.start, top.part+1
	}
}

// A piece is text that is being written: all of it, or a member.
type piece struct {
	at, end   int // what is left of it
	part      int // the first part that may lie in that
	next, all int // the members after it
}

// write writes the text with the parts changed.
func (c *canonical) write(dst, text []byte) []byte {
	var stack []piece
	top := piece{end: len(text)}
	for {
		if top.part < len(c.parts) && c.parts[top.part].start < top.end {
			p := &c.parts[top.part]
			dst = append(dst, text[top.at:p.start]...)
			top.at, top.part = p.end, p.next
			if p.first == p.last {
				continue
			}
			stack = append(stack, top)
			dst = append(dst, '{')
			top = c.piece(p.first, p.last)
			continue
		}
		dst = append(dst, text[top.at:top.end]...)
		switch {
		case len(stack) == 0:
			return dst
		case top.next < top.all:
			dst = append(dst, ',')
			top = c.piece(top.next, top.all)
		default:
			dst = append(dst, '}')
			top = stack[len(stack)-1]
			stack = stack[:len(stack)-1]
		}
	}
}

// piece returns the first of some members.
func (c *canonical) piece(first, last int) piece {
	m := c.members[first]
	return piece{m.start, m.end, m.part, first + 1, last}
}

// compareNames compares the names of two members as UTF-16.
func compareNames(text []byte, a, b member) int {
	x, y := text[a.start+1:a.nameEnd-1], text[b.start+1:b.nameEnd-1]
	if a.plain && b.plain {
		return bytes.Compare(x, y)
	}
	var xRoom, yRoom [64]byte
	// What an encoder has written has no errors.
	x, _, _ = Unquote(xRoom[:0], text, a.start)
	y, _, _ = Unquote(yRoom[:0], text, b.start)
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return int(order16(x[i])) - int(order16(y[i]))
		}
	}
	return len(x) - len(y)
}

// order16 maps the bytes of UTF-8 so that it sorts like UTF-16: there, characters beyond 16
// bits, which begin with F0 and more, are made of halves that come before U+E000, which
// begins with EE.
func order16(c byte) byte {
	if c == 0xee || c == 0xef {
		return c + 0x10
	}
	return c
}
