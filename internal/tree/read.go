package tree

import (
	"slices"
	"sync"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/index"
)

// ReadOptions say how to read.
type ReadOptions struct {
	// Depth is how many messages may be nested, the one that is read included. The entry
	// of an object is a message too.
	Depth int
	// Alias lets strings share the bytes of the body, which nobody may change as long as
	// one of them is in use. Without it, what is read does not refer to the body.
	Alias bool
	// DiscardUnknown leaves unknown fields out.
	DiscardUnknown bool
}

// ReadValue merges the wire form of a Value, without tag and length, into v, as the
// official library does. The error is an [*Error]; v then holds what had been read of it.
//
// All that v holds afterwards is its own and may be changed; see the package documentation
// for what shares memory. A message of a few small objects takes an allocation for each
// kind of thing in it, a large one as many more as slabs are filled.
func ReadValue(v *structpb.Value, body []byte, o ReadOptions) error {
	if v.Kind != nil {
		return o.official(v, body, index.Value)
	}
	return o.read(v, body, index.Value, func(n *nodes) { n.into(v) })
}

// ReadStruct is [ReadValue] for a Struct.
func ReadStruct(s *structpb.Struct, body []byte, o ReadOptions) error {
	return o.read(s, body, index.Struct, func(n *nodes) { n.intoStruct(s) })
}

// ReadList is [ReadValue] for a ListValue.
func ReadList(l *structpb.ListValue, body []byte, o ReadOptions) error {
	return o.read(l, body, index.List, func(n *nodes) { n.intoList(l) })
}

// A scratch is what is in use while a message is read.
type scratch struct {
	nodes
	list    []index.Node
	numbers []uint8
	keys    keys
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// maxScratch is how many nodes a scratch may have room for that goes back to the pool:
// less than a megabyte.
const maxScratch = 1 << 16

// release puts s back into the pool, without anything that belongs to a caller.
func (s *scratch) release() {
	s.nodes = nodes{}
	if cap(s.list) > maxScratch {
		s.list, s.numbers = nil, nil
	}
	scratches.Put(s)
}

// know has the keys that are known looked for in so many nodes.
func (s *scratch) know(count int) {
	s.keys.start()
	s.numbers = slices.Grow(s.numbers[:0], count)[:count]
	s.nodes.keys, s.nodes.numbers = &s.keys, s.numbers
}

// read has build make a tree of the nodes of body, or the official library read it into m.
func (o ReadOptions) read(m proto.Message, body []byte, form index.Form, build func(*nodes)) error {
	switch {
	case o.Depth <= 0:
		return o.official(m, body, form)
	case len(body) == 0:
		return nil
	}
	s := scratches.Get().(*scratch)
	list, ok := index.Append(s.list[:0], body, form, o.Depth, false)
	s.list = list
	if ok {
		s.nodes.nodes, s.wire, s.alias = list, body, o.Alias
		s.know(len(list))
		build(&s.nodes)
	}
	s.release()
	if ok {
		return nil
	}
	return o.official(m, body, form)
}

// official has the official library read body into m.
func (o ReadOptions) official(m proto.Message, body []byte, form index.Form) error {
	if o.Depth <= 0 {
		return &Error{Err: index.ErrDepth}
	}
	err := proto.UnmarshalOptions{
		Merge: true, AllowPartial: true, DiscardUnknown: o.DiscardUnknown, RecursionLimit: o.Depth,
	}.Unmarshal(body, m)
	if err == nil {
		return nil
	}
	return o.fault(body, form, err)
}

// fault says what is wrong with a body for which the official library has that error.
func (o ReadOptions) fault(body []byte, form index.Form, err error) error {
	if _, f := index.Regularize(body, form, o.Depth); f != nil {
		return &Error{Err: f.Err, Offset: f.Offset, Path: faultPath(f.Path, form)}
	}
	return &Error{Err: err, Offset: -1}
}

// into sets the kind of v, which has none, to what the root is.
func (n *nodes) into(v *structpb.Value) {
	node := &n.nodes[0]
	switch node.Kind() {
	case index.Null:
		v.Kind = new(structpb.Value_NullValue)
	case index.Number:
		v.Kind = &structpb.Value_NumberValue{NumberValue: node.Float(n.wire)}
	case index.Bool:
		v.Kind = &structpb.Value_BoolValue{BoolValue: node.Bool(n.wire)}
	case index.String:
		n.text.left = len(node.Content(n.wire))
		v.Kind = &structpb.Value_StringValue{StringValue: n.string(node.Content(n.wire))}
	case index.Object:
		o := new(objectKind)
		v.Kind = &o.kind
		o.kind.StructValue = &o.fields
		n.intoStruct(&o.fields)
	case index.Array:
		l := new(listKind)
		v.Kind = &l.kind
		l.kind.ListValue = &l.values
		n.intoList(&l.values)
	}
}

// intoStruct adds the entries of the root to s. Where s has an entry of the same key, that
// is replaced and not merged.
func (n *nodes) intoStruct(s *structpb.Struct) {
	var size Size
	if s.Fields == nil {
		size.entries(index.Len(n.nodes, 0))
	}
	n.countChildren(&size, 0)
	n.Init(size)
	n.fill(s, 0)
}

// intoList adds the elements of the root to l.
func (n *nodes) intoList(l *structpb.ListValue) {
	var size Size
	n.countChildren(&size, 0)
	n.Init(size)
	old, count := len(l.Values), index.Len(n.nodes, 0)
	l.Values = slices.Grow(l.Values, count)[:old+count]
	n.each(l.Values[old:], 0)
}
