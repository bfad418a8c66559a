package value

import (
	"math"

	"github.com/protean-pb/protean/internal/index"
	"github.com/protean-pb/protean/internal/mem"
)

// Interface returns d as the types of encoding/json: nil, bool, float64, string, []any
// and map[string]any, exactly as structpb.Value.AsInterface has it. So NaN and the
// infinities become the strings "NaN", "Infinity" and "-Infinity", a Value that is unset
// or absent becomes nil, and no map or slice is nil. Of several entries with the same key
// the last one counts.
//
// The strings alias the wire form as d does. The maps and slices are the caller's. All of
// it lies in few pieces of memory, so that any part of the result keeps the whole alive.
func (d Doc) Interface() any {
	if d.state() == absent {
		return nil
	}
	t := tree{nodes: d.nodes, wire: d.wire}
	t.reserve(d.at())
	return t.value(d.at())
}

// A tree makes Go values of nodes. What they consist of it takes from slabs: one piece of
// memory for all strings, one for all numbers, and so on, which make has made.
type tree struct {
	nodes    []index.Node
	wire     []byte // which the strings share
	strings  []string
	numbers  []float64
	elements []any   // of all lists
	lists    [][]any // their headers
	used     census  // how much of the slabs is
}

// A census counts the nodes below one, and itself.
type census struct{ strings, numbers, elements, lists, objects int }

func (c *census) count(nodes []index.Node, at int) {
	switch nodes[at].Kind() {
	case index.Number:
		c.numbers++
	case index.String:
		c.strings++
	case index.Array:
		c.lists++
		c.elements += index.Len(nodes, at)
		c.children(nodes, at)
	case index.Object:
		c.objects++
		c.children(nodes, at)
	}
}

func (c *census) children(nodes []index.Node, at int) {
	n := index.Len(nodes, at)
	at = index.First(at)
	for range n {
		switch nodes[at].Kind() {
		case index.Number:
			c.numbers++
			at++
		case index.String:
			c.strings++
			at++
		case index.Object, index.Array:
			c.count(nodes, at)
			at = index.Next(nodes, at)
		default:
			at++
		}
	}
}

// hasText reports whether there are strings, keys included.
func (c *census) hasText() bool { return c.strings > 0 || c.objects > 0 }

// reserve makes the slabs for a node and all below it.
func (t *tree) reserve(at int) {
	var c census
	c.count(t.nodes, at)
	t.make(&c, false)
}

// make makes the slabs. With copyText there is a copy of the wire form among them, which
// the strings share from then on.
func (t *tree) make(c *census, copyText bool) {
	t.used = census{}
	t.strings = make([]string, c.strings)
	t.elements = make([]any, c.elements)
	t.lists = make([][]any, c.lists)
	if !copyText {
		t.numbers = make([]float64, c.numbers)
		return
	}
	var text []byte
	t.numbers, text = mem.Slab(c.numbers, len(t.wire))
	copy(text, t.wire)
	t.wire = text
}

// value returns what a node stands for.
func (t *tree) value(at int) any {
	n := &t.nodes[at]
	switch n.Kind() {
	case index.String:
		return t.string(n)
	case index.Number:
		return t.number(n)
	case index.Bool:
		return n.Bool(t.wire)
	case index.Object:
		return t.object(at)
	case index.Array:
		l := &t.lists[t.used.lists]
		t.used.lists++
		*l = t.list(at)
		return mem.BoxSlice(l)
	}
	return nil
}

func (t *tree) string(n *index.Node) any {
	s := &t.strings[t.used.strings]
	t.used.strings++
	*s = n.Text(t.wire)
	return mem.BoxString(s)
}

func (t *tree) number(n *index.Node) any {
	f := &t.numbers[t.used.numbers]
	t.used.numbers++
	*f = n.Float(t.wire)
	if *f-*f != 0 { // it is not finite
		return notFinite(*f)
	}
	return mem.BoxFloat64(f)
}

// notFinite names a number that JSON does not have.
func notFinite(f float64) string {
	switch {
	case f > math.MaxFloat64:
		return "Infinity"
	case f < -math.MaxFloat64:
		return "-Infinity"
	}
	return "NaN"
}

// object returns an object as a map.
func (t *tree) object(at int) map[string]any {
	m := make(map[string]any, index.Len(t.nodes, at))
	t.fill(m, at)
	return m
}

// fill adds the entries of an object to a map.
func (t *tree) fill(m map[string]any, at int) {
	n := index.Len(t.nodes, at)
	at = index.First(at)
	for range n {
		m[t.nodes[at].KeyText(t.wire)] = t.value(at)
		at = index.Next(t.nodes, at)
	}
}

// list returns an array as a slice. Its capacity is its length, so that an append does
// not write into the next list.
func (t *tree) list(at int) []any {
	n := index.Len(t.nodes, at)
	if n == 0 {
		return []any{}
	}
	first := t.used.elements
	t.used.elements += n
	out := t.elements[first : first+n : first+n]
	t.each(out, at)
	return out
}

// each puts the elements of an array into a slice of its length.
func (t *tree) each(out []any, at int) {
	at = index.First(at)
	for i := range out {
		out[i] = t.value(at)
		at = index.Next(t.nodes, at)
	}
}
