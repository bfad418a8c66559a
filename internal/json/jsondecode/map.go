package jsondecode

import (
	"strconv"
	"unsafe"

	"github.com/protean-pb/protean/internal/arena"
	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/swissmap"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// A member is an entry of a map whose keys are strings.
type member[V any] struct {
	key   string
	value V
	at    int // where it is in the text
}

// cells holds an entry of any other map.
type cells struct {
	key, value arena.Cell
	at         int
}

// decodeMap reads an object into the map at q, which is empty.
func (d *decoder) decodeMap(f *layout.JSONField, q unsafe.Pointer, pos, depth int) int {
	if d.byte(pos) != '{' {
		d.notOf(pos, "an object")
		return d.inField(f, "")
	}
	if f.KeyKind == layout.JSONString {
		switch f.ValueKind {
		case layout.JSONString:
			return decodeStringMap(d, &d.strings, f, q, pos, depth)
		case layout.JSONMessage:
			return decodeStringMap(d, &d.messages, f, q, pos, depth)
		}
	}
	return d.decodeOtherMap(f, q, pos, depth)
}

// nextMember goes on to the next member of an object, and to its name if there is one. It
// returns where that is, or with done where the object ends.
func (d *decoder) nextMember(pos int) (next int, done bool) {
	switch pos = jsontext.SkipSpace(d.in, pos); d.byte(pos) {
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
	if pos = jsontext.SkipSpace(d.in, pos); d.byte(pos) != ':' {
		return d.unexpected(pos, "':'")
	}
	return jsontext.SkipSpace(d.in, pos+1)
}

// decodeStringMap reads the entries of a map whose keys are strings, and whose values are like a V.
func decodeStringMap[V any](d *decoder, stack *[]member[V], f *layout.JSONField, q unsafe.Pointer, pos, depth int) int {
	from := len(*stack)
	pos = jsontext.SkipSpace(d.in, pos+1)
	if d.byte(pos) == '}' {
		d.PutEntry(f.Entry, q, nil, nil, 0)
		return pos + 1
	}
	for done := false; !done; {
		c := member[V]{at: pos}
		if pos = d.key(&c.key, pos); pos < 0 {
			return d.inField(f, "")
		}
		if pos, _ = d.decodeElement(f, unsafe.Pointer(&c.value), pos, depth); pos < 0 {
			return d.inField(f, quoted(c.key))
		}
		*stack = append(*stack, c)
		if pos, done = d.nextMember(pos); pos < 0 {
			return d.inField(f, "")
		}
	}
	all := (*stack)[from:]
	// Sound: V has the size and the pointers of the map's own values, and that is all by
	// which the runtime tells one map from another.
	to := (*map[string]V)(q)
	if d.Pooled() {
		d.PutEntry(f.Entry, q, nil, nil, len(all))
	} else {
		*to = swissmap.Make[V](len(all))
	}
	m := *to
	if twice := fill(m, all); twice != nil {
		d.fail(protoerr.ErrDuplicate, twice.at, "a key")
		return d.inField(f, quoted(twice.key))
	}
	*stack = popped(*stack, from)
	return pos
}

func quoted(key string) string { return "[" + strconv.Quote(protoerr.Clip(key)) + "]" }

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

// decodeOtherMap reads the entries of any map.
func (d *decoder) decodeOtherMap(f *layout.JSONField, q unsafe.Pointer, pos, depth int) int {
	from := len(d.cells)
	pos = jsontext.SkipSpace(d.in, pos+1)
	t := f.Entry
	if d.byte(pos) == '}' {
		d.PutEntry(t, q, nil, nil, 0)
		return pos + 1
	}
	for done := false; !done; {
		c := cells{at: pos}
		if f.KeyKind == layout.JSONString {
			pos = d.key(&c.key.Text, pos)
		} else {
			pos = d.number(f, c.key.At(t.Key), pos)
		}
		if pos < 0 {
			return d.inField(f, "")
		}
		known := false
		if pos, known = d.decodeElement(f, c.value.At(t.Value), pos, depth); pos < 0 {
			return d.inField(f, "["+layout.FormatKey(t, c.key.At(t.Key))+"]")
		}
		if known {
			d.cells = append(d.cells, c)
		}
		if pos, done = d.nextMember(pos); pos < 0 {
			return d.inField(f, "")
		}
	}
	for i, all := 0, d.cells[from:]; i < len(all); i++ {
		c := &all[i]
		d.PutEntry(t, q, c.key.At(t.Key), c.value.At(t.Value), len(all))
		// Sound: all maps keep the number of their entries in the same place, and nothing
		// else is read.
		if len(*(*map[int32]struct{})(q)) != i+1 {
			d.fail(protoerr.ErrDuplicate, c.at, "a key")
			return d.inField(f, "["+layout.FormatKey(t, c.key.At(t.Key))+"]")
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
	if !f.ParseKey(q, xunsafe.String(name)) {
		return d.fail(protoerr.ErrValue, pos, strconv.Quote(protoerr.Clip(string(name)))+" is no key of the map")
	}
	return jsontext.SkipSpace(d.in, next)
}
