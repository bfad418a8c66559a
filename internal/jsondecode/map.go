package jsondecode

import (
	"strconv"
	"unsafe"

	"github.com/protean-pb/protean/internal/arena"
	"github.com/protean-pb/protean/internal/fault"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/mem"
	"github.com/protean-pb/protean/internal/swissmap"
	"github.com/protean-pb/protean/internal/text"
)

// A member is an entry of a map whose keys are strings.
type member[V any] struct {
	key   string
	value V
	at    int // where it is in the text
}

// Cells are an entry of any other map.
type cells struct {
	key, value arena.Cell
	at         int
}

// entries reads an object into the map at q, which is empty.
func (d *decoder) entries(f *layout.JSONField, q unsafe.Pointer, pos, depth int) int {
	if d.byte(pos) != '{' {
		d.notOf(pos, "an object")
		return d.within(f, "")
	}
	if f.Key == layout.StringForm {
		switch f.Form {
		case layout.StringForm:
			return texted(d, &d.strings, f, q, pos, depth)
		case layout.MessageForm:
			return texted(d, &d.messages, f, q, pos, depth)
		}
	}
	return d.others(f, q, pos, depth)
}

// nextMember goes on to the next member of an object, and to its name if there is one. It
// returns where that is, or with done where the object ends.
func (d *decoder) nextMember(pos int) (next int, done bool) {
	switch pos = text.SkipSpace(d.in, pos); d.byte(pos) {
	case ',':
		return skipComma(d.in, pos), false
	case '}':
		return pos + 1, true
	}
	return d.unexpected(pos, "',' or '}'"), true
}

// key reads the name of a member as a string, and what follows up to the value.
func (d *decoder) key(to *string, pos int) int {
	if d.byte(pos) != '"' {
		return d.unexpected(pos, "a name")
	}
	if pos = d.string(to, pos); pos < 0 {
		return failed
	}
	if pos = text.SkipSpace(d.in, pos); d.byte(pos) != ':' {
		return d.unexpected(pos, "':'")
	}
	return text.SkipSpace(d.in, pos+1)
}

// texted reads the entries of a map whose keys are strings, and whose values are like a V.
func texted[V any](d *decoder, stack *[]member[V], f *layout.JSONField, q unsafe.Pointer, pos, depth int) int {
	from := len(*stack)
	pos = text.SkipSpace(d.in, pos+1)
	if d.byte(pos) == '}' {
		d.Put(f.Entry, q, nil, nil, 0)
		return pos + 1
	}
	for done := false; !done; {
		c := member[V]{at: pos}
		if pos = d.key(&c.key, pos); pos < 0 {
			return d.within(f, "")
		}
		if pos, _ = d.element(f, unsafe.Pointer(&c.value), pos, depth); pos < 0 {
			return d.within(f, quoted(c.key))
		}
		*stack = append(*stack, c)
		if pos, done = d.nextMember(pos); pos < 0 {
			return d.within(f, "")
		}
	}
	all := (*stack)[from:]
	// Sound: V has the size and the pointers of the map's own values, and that is all by
	// which the runtime tells one map from another.
	to := (*map[string]V)(q)
	if d.Pooled() {
		d.Put(f.Entry, q, nil, nil, len(all))
	} else {
		*to = swissmap.Make[V](len(all))
	}
	m := *to
	if twice := fill(m, all); twice != nil {
		d.fail(fault.ErrDuplicate, twice.at, "a key")
		return d.within(f, quoted(twice.key))
	}
	*stack = popped(*stack, from)
	return pos
}

func quoted(key string) string { return "[" + strconv.Quote(fault.Clip(key)) + "]" }

// fill sets the entries of an empty map, and returns the first one whose key comes twice.
func fill[V any](m map[string]V, all []member[V]) *member[V] {
	for i := range all {
		c := &all[i]
		if m[c.key] = c.value; len(m) != i+1 {
			return c
		}
	}
	return nil
}

// popped takes the elements from there on off the stack, and lets go of them.
func popped[T any](stack []T, from int) []T {
	clear(stack[from:])
	return stack[:from]
}

// others reads the entries of any map.
func (d *decoder) others(f *layout.JSONField, q unsafe.Pointer, pos, depth int) int {
	from := len(d.cells)
	pos = text.SkipSpace(d.in, pos+1)
	t := f.Entry
	if d.byte(pos) == '}' {
		d.Put(t, q, nil, nil, 0)
		return pos + 1
	}
	for done := false; !done; {
		c := cells{at: pos}
		if f.Key == layout.StringForm {
			pos = d.key(&c.key.Text, pos)
		} else {
			pos = d.number(f, c.key.At(t.Key), pos)
		}
		if pos < 0 {
			return d.within(f, "")
		}
		known := false
		if pos, known = d.element(f, c.value.At(t.Value), pos, depth); pos < 0 {
			return d.within(f, "["+layout.FormatKey(t, c.key.At(t.Key))+"]")
		}
		if known {
			d.cells = append(d.cells, c)
		}
		if pos, done = d.nextMember(pos); pos < 0 {
			return d.within(f, "")
		}
	}
	for i, all := 0, d.cells[from:]; i < len(all); i++ {
		c := &all[i]
		d.Put(t, q, c.key.At(t.Key), c.value.At(t.Value), len(all))
		// Sound: all maps keep the number of their entries in the same place, and nothing
		// else is read.
		if len(*(*map[int32]struct{})(q)) != i+1 {
			d.fail(fault.ErrDuplicate, c.at, "a key")
			return d.within(f, "["+layout.FormatKey(t, c.key.At(t.Key))+"]")
		}
	}
	d.cells = popped(d.cells, from)
	return pos
}

// number reads the name of a member as a key that is not a string, and what follows up to
// the value.
func (d *decoder) number(f *layout.JSONField, q unsafe.Pointer, pos int) int {
	name, next := d.name(pos)
	if next < 0 {
		return failed
	}
	if !f.ParseKey(q, mem.String(name)) {
		return d.fail(fault.ErrValue, pos, strconv.Quote(fault.Clip(string(name)))+" is no key of the map")
	}
	return text.SkipSpace(d.in, next)
}
