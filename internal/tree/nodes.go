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

	keys    *keys   // nil if none are known
	numbers []uint8 // for each of nodes, what keys.find returned
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

// count adds the message that is a node, and what is in it, and returns the index of the
// node after that.
func (n *nodes) count(s *Size, at int) int {
	switch node := &n.nodes[at]; node.Kind() {
	case index.Object:
		s.Object(index.Len(n.nodes, at))
		return n.countChildren(s, at)
	case index.Array:
		s.List(index.Len(n.nodes, at))
		return n.countChildren(s, at)
	case index.String:
		if !n.alias {
			start, end := node.Bounds()
			s.Text(end - start)
		}
	}
	s.Leaves++
	return at + 1
}

func (n *nodes) countChildren(s *Size, at int) int {
	object, count := n.nodes[at].Kind() == index.Object, index.Len(n.nodes, at)
	known := object && n.keys != nil && count <= mem.SmallEntries
	child := index.First(at)
	for range count {
		if object {
			key, number := n.nodes[child].Key(n.wire), uint8(0)
			if known {
				number = n.keys.find(key)
				n.numbers[child] = number
			}
			if number == 0 && !n.alias {
				s.Text(len(key))
			}
		}
		child = n.count(s, child)
	}
	return index.Next(n.nodes, at)
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
	if s.Fields == nil && n.keys != nil && 0 < count && count <= mem.SmallEntries {
		n.put(s, child, count)
		return
	}
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

// put makes the map of a Struct of a few entries, the first of which is child.
func (n *nodes) put(s *structpb.Struct, child, count int) {
	room, known := n.Builder.maps.one(), n.keys.known
	s.Fields = room.Keyed(known, count)
	var there keySet
	for range count {
		number, v := n.numbers[child], n.value(child)
		switch {
		case number == 0:
			s.Fields[n.string(n.nodes[child].Key(n.wire))] = v
		case !there.add(number):
			s.Fields[known.Name(int(number))] = v
		default:
			room.Put(s.Fields, known, int(number), v)
		}
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
