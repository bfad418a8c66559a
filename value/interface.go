package value

import (
	"github.com/protean-pb/protean/internal/structval/anybuilder"
	"github.com/protean-pb/protean/internal/structval/index"
)

// Interface returns d as the types of encoding/json: nil, bool, float64, string, []any
// and map[string]any, exactly as structpb.Value.AsInterface has it. So NaN and the
// infinities become the strings "NaN", "Infinity" and "-Infinity", a Value that is unset
// or absent becomes nil, and no map or slice is nil. Of several entries with the same key
// the last one counts.
//
// The strings alias the wire form as d does. The maps and slices are the caller's. Things of
// one type share allocations of at most 8 KB, so that any part of the result keeps its
// neighbours alive, and what those refer to.
func (d Doc) Interface() any {
	if d.state() == absent {
		return nil
	}
	t := tree{nodes: d.nodes, wire: d.wire}
	t.reserve(d.at())
	return t.value(d.at())
}

// A tree makes Go values of nodes.
type tree struct {
	anybuilder.Builder
	nodes []index.Node
	wire  []byte // which the strings share
}

// A census says what a node and those below it consist of.
type census struct {
	anybuilder.SizeHint
	objects int
}

func (c *census) count(nodes []index.Node, at int) {
	switch n := index.Len(nodes, at); nodes[at].Kind() {
	case index.Number:
		c.Numbers++
	case index.String:
		c.Strings++
	case index.Array:
		c.Lists++
		c.Elements += n
		c.children(nodes, at, n)
	case index.Object:
		c.objects++
		c.Map(n)
		c.children(nodes, at, n)
	}
}

func (c *census) children(nodes []index.Node, at, n int) {
	at = index.First(at)
	for range n {
		switch nodes[at].Kind() {
		case index.Number:
			c.Numbers++
			at++
		case index.String:
			c.Strings++
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
func (c *census) hasText() bool { return c.Strings > 0 || c.objects > 0 }

// reserve counts what a node and all below it need, for which memory is allocated together.
func (t *tree) reserve(at int) {
	var c census
	c.count(t.nodes, at)
	t.Reserve(&c.SizeHint, 1)
}

// value returns what a node stands for.
func (t *tree) value(at int) any {
	n := &t.nodes[at]
	switch n.Kind() {
	case index.String:
		return t.String(n.Text(t.wire))
	case index.Number:
		f := n.Float(t.wire)
		if f-f != 0 { // it is not finite
			return t.String(anybuilder.NotFinite(f))
		}
		return t.Number(f)
	case index.Bool:
		return n.Bool(t.wire)
	case index.Object:
		return t.object(at)
	case index.Array:
		list, elements := t.List(index.Len(t.nodes, at))
		t.each(elements, at)
		return list
	}
	return nil
}

// object returns an object as a map.
func (t *tree) object(at int) map[string]any {
	m := t.Map(index.Len(t.nodes, at))
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

// each puts the elements of an array into a slice of its length.
func (t *tree) each(out []any, at int) {
	at = index.First(at)
	for i := range out {
		out[i] = t.value(at)
		at = index.Next(t.nodes, at)
	}
}
