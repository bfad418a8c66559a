package tree

import (
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/structval/index"
)

// A nodeBuilder builds the tree of the nodes of an index.
type nodeBuilder struct {
	Builder
	nodes []index.Node
	wire  []byte
}

// FromNodes returns the tree of the node at that index and of those below it. It does not
// alias wire. Every object has a map to write to, also one without entries, which
// [Reader.Read] leaves without, as the official library does.
func FromNodes(list []index.Node, wire []byte, at int) *structpb.Value {
	n := nodeBuilder{nodes: list, wire: wire}
	var s Size
	n.count(&s, at)
	n.Init(s)
	return n.value(at)
}

// count adds the message that is a node, and what is in it, and returns the index of the
// node after that.
func (n *nodeBuilder) count(s *Size, at int) int {
	switch node := &n.nodes[at]; node.Kind() {
	case index.Object:
		s.Object(index.Len(n.nodes, at))
		return n.countChildren(s, at)
	case index.Array:
		s.List(index.Len(n.nodes, at))
		return n.countChildren(s, at)
	case index.String:
		start, end := node.Bounds()
		s.Text(end - start)
	}
	s.Leaves++
	return at + 1
}

func (n *nodeBuilder) countChildren(s *Size, at int) int {
	object := n.nodes[at].Kind() == index.Object
	child := index.First(at)
	for range index.Len(n.nodes, at) {
		if object {
			s.Text(len(n.nodes[child].Key(n.wire)))
		}
		child = n.count(s, child)
	}
	return index.Next(n.nodes, at)
}

// value returns what a node stands for.
func (n *nodeBuilder) value(at int) *structpb.Value {
	node := &n.nodes[at]
	switch node.Kind() {
	case index.Null:
		return n.Null()
	case index.Number:
		return n.Number(node.Float(n.wire))
	case index.String:
		return n.String(n.Own(node.Content(n.wire)))
	case index.Bool:
		return n.Bool(node.Bool(n.wire))
	case index.Object:
		return n.object(at)
	case index.Array:
		return n.list(at)
	}
	return n.Unset()
}

func (n *nodeBuilder) object(at int) *structpb.Value {
	count, child := index.Len(n.nodes, at), index.First(at)
	v, fill := n.Object(count)
	fields := fill.Map()
	for range count {
		key := n.Own(n.nodes[child].Key(n.wire))
		fields[key] = n.value(child)
		child = index.Next(n.nodes, child)
	}
	return v
}

func (n *nodeBuilder) list(at int) *structpb.Value {
	v, out := n.List(index.Len(n.nodes, at))
	child := index.First(at)
	for i := range out {
		out[i] = n.value(child)
		child = index.Next(n.nodes, child)
	}
	return v
}
