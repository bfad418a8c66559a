package jsondecode

import (
	"unsafe"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/fault"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/mem"
	"github.com/protean-pb/protean/internal/text"
)

// leafText is about how much text there is at least for a leaf of a tree, its name included.
const leafText = 24

// root reads a Value, Struct or ListValue of structpb's types into the one at p.
func (d *decoder) root(c layout.Class, p unsafe.Pointer, pos, depth int) int {
	d.tree.InitUnsized((len(d.in) - pos) / leafText)
	// Sound: the class says what p points to.
	switch c {
	case layout.Value:
		v, pos := d.node(pos, depth+1) // which counts it
		if pos >= 0 {
			(*structpb.Value)(p).Kind = v.Kind
		}
		return pos
	case layout.Struct:
		if d.byte(pos) != '{' {
			return d.notOf(pos, "an object")
		}
		from := len(d.fields)
		if pos = d.fieldsOf(pos, depth); pos < 0 {
			return failed
		}
		n := len(d.fields) - from
		(*structpb.Struct)(p).Fields = mem.NewMap[*structpb.Value](n)
		return d.move((*structpb.Struct)(p).Fields, from, pos)
	}
	if d.byte(pos) != '[' {
		return d.notOf(pos, "an array")
	}
	from := len(d.values)
	if pos = d.valuesOf(pos, depth); pos < 0 {
		return failed
	}
	taken(&d.values, from, unsafe.Pointer(&(*structpb.ListValue)(p).Values))
	return pos
}

// node reads a Value.
func (d *decoder) node(pos, depth int) (*structpb.Value, int) {
	if depth--; depth < 0 {
		return nil, d.fail(fault.ErrDepth, pos, "")
	}
	switch d.byte(pos) {
	case '"':
		var s string
		next := d.string(&s, pos)
		return d.tree.String(s), next
	case '{':
		from := len(d.fields)
		next := d.fieldsOf(pos, depth)
		if next < 0 {
			return nil, failed
		}
		v, m := d.tree.Object(len(d.fields) - from)
		return v, d.move(m, from, next)
	case '[':
		from := len(d.values)
		next := d.valuesOf(pos, depth)
		if next < 0 {
			return nil, failed
		}
		v, list := d.tree.List(len(d.values) - from)
		copy(list, d.values[from:])
		d.values = popped(d.values, from)
		return v, next
	case 't':
		return d.tree.Bool(true), d.word(pos, "true")
	case 'f':
		return d.tree.Bool(false), d.word(pos, "false")
	case 'n':
		return d.tree.Null(), d.word(pos, "null")
	}
	x, next, ok := text.FloatIn(d.in, pos, 64)
	if !ok {
		x, next = d.unusual(pos)
	}
	return d.tree.Number(x), next
}

// unusual reads a number that is written in an unusual way, or fails for something else.
func (d *decoder) unusual(pos int) (float64, int) {
	end := text.NumberEnd(d.in, pos)
	if end < 0 {
		return 0, d.unexpected(pos, "a value")
	}
	x, ok := text.Float(d.in[pos:end], 64)
	if !ok {
		return 0, d.wrong(pos, end, wantFloat[64])
	}
	return x, end
}

// fieldsOf reads the members of the object at pos onto the stack.
func (d *decoder) fieldsOf(pos, depth int) int {
	pos = skip(d.in, pos+1)
	if d.byte(pos) == '}' {
		return pos + 1
	}
	for done := false; !done; {
		c := member[*structpb.Value]{at: pos}
		if pos = d.key(&c.key, pos); pos < 0 {
			return failed
		}
		if c.value, pos = d.node(pos, depth); pos < 0 {
			d.trace = append(d.trace, quoted(c.key))
			return failed
		}
		d.fields = append(d.fields, c)
		pos, done = d.nextMember(pos)
	}
	return pos
}

// move moves the members from there on off the stack to an empty map, and returns pos.
func (d *decoder) move(m map[string]*structpb.Value, from, pos int) int {
	if twice := fill(m, d.fields[from:]); twice != nil {
		d.trace = append(d.trace, quoted(twice.key))
		d.err, d.at, d.detail = fault.ErrDuplicate, twice.at, "a key"
		return failed
	}
	d.fields = popped(d.fields, from)
	return pos
}

// valuesOf reads the elements of the array at pos onto the stack.
func (d *decoder) valuesOf(pos, depth int) int {
	pos = skip(d.in, pos+1)
	if d.byte(pos) == ']' {
		return pos + 1
	}
	for from := len(d.values); ; {
		v, next := d.node(pos, depth)
		if next < 0 {
			d.trace = append(d.trace, index(len(d.values)-from))
			return failed
		}
		d.values = append(d.values, v)
		switch pos = skip(d.in, next); d.byte(pos) {
		case ',':
			pos = skip(d.in, pos+1)
		case ']':
			return pos + 1
		default:
			return d.unexpected(pos, "',' or ']'")
		}
	}
}
