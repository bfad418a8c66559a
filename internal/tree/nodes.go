package tree

import (
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/index"
	"github.com/protean-pb/protean/internal/mem"
)

// A nodes builds the tree of the nodes of an index.
type nodes struct {
	Builder
	nodes []index.Node
	wire  []byte
	alias bool // whether the strings share the bytes of wire
	maps  bool // whether an object without entries gets a map all the same
}

// FromNodes returns the tree of the node at that index and of those below it. It does not
// alias wire. Every object has a map to write to, also one without entries, which
// [ReadValue] leaves without, as the official library does.
func FromNodes(list []index.Node, wire []byte, at int) *structpb.Value {
	n := nodes{nodes: list, wire: wire, maps: true}
	var s Size
	n.count(&s, at)
	n.Init(s)
	return n.value(at)
}

// count adds the message that is a node, and what is in it.
func (n *nodes) count(s *Size, at int) {
	switch node := &n.nodes[at]; node.Kind() {
	case index.Object:
		s.Object(index.Len(n.nodes, at))
		n.countChildren(s, at)
	case index.Array:
		s.List(index.Len(n.nodes, at))
		n.countChildren(s, at)
	case index.String:
		s.Leaves++
		if !n.alias {
			start, end := node.Bounds()
			s.Text(end - start)
		}
	default:
		s.Leaves++
	}
}

func (n *nodes) countChildren(s *Size, at int) {
	keys := !n.alias && n.nodes[at].Kind() == index.Object
	child := index.First(at)
	for range index.Len(n.nodes, at) {
		if keys {
			s.Text(len(n.nodes[child].Key(n.wire)))
		}
		n.count(s, child)
		child = index.Next(n.nodes, child)
	}
}

func (n *nodes) string(text []byte) string {
	if n.alias {
		return mem.String(text)
	}
	return n.Own(text)
}

// value returns what a node stands for.
func (n *nodes) value(at int) *structpb.Value {
	node := &n.nodes[at]
	switch node.Kind() {
	case index.Null:
		return n.Null()
	case index.Number:
		return n.Number(node.Float(n.wire))
	case index.String:
		return n.String(n.string(node.Content(n.wire)))
	case index.Bool:
		return n.Bool(node.Bool(n.wire))
	case index.Object:
		o := n.objects.one()
		n.object(&o.objectKind, at)
		o.value.Kind = &o.kind
		return &o.value
	case index.Array:
		l := n.lists.one()
		n.list(&l.listKind, at)
		l.value.Kind = &l.kind
		return &l.value
	}
	return n.Unset()
}

func (n *nodes) object(o *objectKind, at int) {
	o.kind.StructValue = &o.fields
	n.fill(&o.fields, at)
}

// fill adds the entries of an object to a Struct.
func (n *nodes) fill(s *structpb.Struct, at int) {
	count, child := index.Len(n.nodes, at), index.First(at)
	if s.Fields == nil && (count > 0 || n.maps) {
		s.Fields = n.entries(count)
	}
	fields := s.Fields
	for range count {
		key := n.string(n.nodes[child].Key(n.wire))
		fields[key] = n.value(child)
		child = index.Next(n.nodes, child)
	}
}

func (n *nodes) list(l *listKind, at int) {
	l.kind.ListValue = &l.values
	l.values.Values = n.elements.run(index.Len(n.nodes, at))
	n.each(l.values.Values, at)
}

// each sets the elements of a list.
func (n *nodes) each(out []*structpb.Value, at int) {
	child := index.First(at)
	for i := range out {
		out[i] = n.value(child)
		child = index.Next(n.nodes, child)
	}
}
