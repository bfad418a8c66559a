package value

import (
	"encoding/base64"
	"encoding/json"
	"strconv"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/index"
	"github.com/protean-pb/protean/internal/mem"
	"github.com/protean-pb/protean/internal/utf"
)

// New returns v as a tree of the official library, for code that must hold its types.
//
// It accepts what [Marshal] does, with the same errors. For what structpb.NewValue
// accepts the result is equal, with two exceptions: an integer that a double cannot hold
// is an error ([ErrInexact]) instead of a number next to it, and so is data nested beyond
// [DefaultMaxDepth] ([ErrDepth]), which no reader would take; cyclic data is.
//
// The messages are ordinary ones, each its own, free to be changed, merged or reset; the
// strings are those of v. But messages of a kind share an allocation, so that any of them
// keeps the memory of the others: of a large tree of which a small part is to live on,
// keep a proto.Clone of that part.
func New(v any) (*structpb.Value, error) {
	var t dataTree
	if t.count(v, 1) {
		t.allocate()
		if tree := t.value(v); !t.faulty {
			return tree, nil
		}
	}
	// Marshal knows all types, and how to say what is wrong.
	wire, err := Marshal(v)
	if err != nil {
		return nil, err
	}
	var tree *structpb.Value
	err = indexed(wire, index.Value, ParseOptions{}, func(nodes []index.Node, wire []byte) error {
		tree = nodeValue(nodes, wire, 0)
		return nil
	})
	return tree, err
}

// NewStruct is [New] for what becomes an object. The error is [ErrKind] for all else.
func NewStruct(v any) (*structpb.Struct, error) {
	t, err := New(v)
	if err != nil {
		return nil, err
	}
	if s, ok := t.Kind.(*structpb.Value_StructValue); ok {
		return s.StructValue, nil
	}
	return nil, otherKind(t, Object)
}

// NewList is [New] for what becomes a list. The error is [ErrKind] for all else.
func NewList(v any) (*structpb.ListValue, error) {
	t, err := New(v)
	if err != nil {
		return nil, err
	}
	if l, ok := t.Kind.(*structpb.Value_ListValue); ok {
		return l.ListValue, nil
	}
	return nil, otherKind(t, List)
}

func otherKind(t *structpb.Value, want Kind) error {
	got := Unset
	switch t.Kind.(type) {
	case *structpb.Value_NullValue:
		got = Null
	case *structpb.Value_NumberValue:
		got = Number
	case *structpb.Value_StringValue:
		got = String
	case *structpb.Value_BoolValue:
		got = Bool
	case *structpb.Value_StructValue:
		got = Object
	case *structpb.Value_ListValue:
		got = List
	}
	return &Error{Err: ErrKind, Offset: -1, Path: "$", Detail: got.String() + " instead of " + want.String()}
}

// Value returns d as a tree of the official library: what proto.Unmarshal makes of d's
// bytes. It is nil if d is absent. It does not alias d: all strings are parts of one copy
// of d's text. What [New] says of the messages' memory holds here too.
func (d Doc) Value() *structpb.Value {
	if d.state() == absent {
		return nil
	}
	return nodeValue(d.nodes, d.wire, d.at())
}

// The messages, each with what it consists of.
type (
	// A null or a bool: together they take no more room than either.
	smallMessage struct {
		value structpb.Value
		null  structpb.Value_NullValue
		bool  structpb.Value_BoolValue
	}
	numberMessage struct {
		value structpb.Value
		kind  structpb.Value_NumberValue
	}
	stringMessage struct {
		value structpb.Value
		kind  structpb.Value_StringValue
	}
	objectMessage struct {
		value  structpb.Value
		kind   structpb.Value_StructValue
		fields structpb.Struct
	}
	listMessage struct {
		value  structpb.Value
		kind   structpb.Value_ListValue
		values structpb.ListValue
	}
)

// slabs are the messages of a tree: first counted, then allocated, then cut off one by
// one.
type slabs struct {
	counts [len(kindNames)]int // of the messages, by kind
	places int                 // in all lists together

	unset    []structpb.Value
	smalls   []smallMessage
	numbers  []numberMessage
	strings  []stringMessage
	objects  []objectMessage
	lists    []listMessage
	elements []*structpb.Value
}

func (s *slabs) allocate() {
	s.unset = make([]structpb.Value, s.counts[Unset])
	s.smalls = make([]smallMessage, s.counts[Null]+s.counts[Bool])
	s.numbers = make([]numberMessage, s.counts[Number])
	s.strings = make([]stringMessage, s.counts[String])
	s.objects = make([]objectMessage, s.counts[Object])
	s.lists = make([]listMessage, s.counts[List])
	s.elements = make([]*structpb.Value, s.places)
}

// take cuts off the first element of a slab.
func take[T any](slab *[]T) *T {
	s := *slab
	*slab = s[1:]
	return &s[0]
}

func (s *slabs) null() *structpb.Value {
	m := take(&s.smalls)
	m.value.Kind = &m.null
	return &m.value
}

func (s *slabs) number(f float64) *structpb.Value {
	m := take(&s.numbers)
	m.kind.NumberValue = f
	m.value.Kind = &m.kind
	return &m.value
}

func (s *slabs) text(text string) *structpb.Value {
	m := take(&s.strings)
	m.kind.StringValue = text
	m.value.Kind = &m.kind
	return &m.value
}

func (s *slabs) bool(b bool) *structpb.Value {
	m := take(&s.smalls)
	m.bool.BoolValue = b
	m.value.Kind = &m.bool
	return &m.value
}

func (s *slabs) object(n int) (*structpb.Value, map[string]*structpb.Value) {
	m := take(&s.objects)
	m.fields.Fields = make(map[string]*structpb.Value, n)
	m.kind.StructValue = &m.fields
	m.value.Kind = &m.kind
	return &m.value, m.fields.Fields
}

func (s *slabs) list(n int) (*structpb.Value, []*structpb.Value) {
	m := take(&s.lists)
	// No capacity beyond n: an append by the owner must not reach into the next list.
	m.values.Values = s.elements[:n:n]
	s.elements = s.elements[n:]
	m.kind.ListValue = &m.values
	m.value.Kind = &m.kind
	return &m.value, m.values.Values
}

// A dataTree builds a tree of Go values.
type dataTree struct {
	slabs
	faulty bool // whether something in the data was, while building
}

// count counts the messages of v, which is itself nested in so many less one. It reports
// false for what is too deep or not of the types here, which is Marshal's business.
func (t *dataTree) count(v any, depth int) bool {
	switch v := v.(type) {
	case string:
		t.counts[String]++
	case float64:
		t.counts[Number]++
	case bool:
		t.counts[Bool]++
	case nil:
		t.counts[Null]++
	case map[string]any:
		t.counts[Object]++
		return depth+perObject <= DefaultMaxDepth && t.countObject(v, depth+perObject)
	case []any:
		t.counts[List]++
		t.places += len(v)
		if depth+perList > DefaultMaxDepth {
			return false
		}
		for _, e := range v {
			if !t.count(e, depth+perList) {
				return false
			}
		}
	case []byte:
		t.counts[String]++
	case json.Number:
		t.counts[Number]++
	default:
		t.counts[Number]++
		_, ok := number(v)
		return ok
	}
	return true
}

func (t *dataTree) countObject(m map[string]any, depth int) bool {
	for _, v := range mem.All(m) {
		if !t.count(v, depth) {
			return false
		}
	}
	return true
}

// number converts the numbers that are neither float64 nor json.Number. A result below
// 2^53 is exact.
func number(v any) (f float64, ok bool) {
	switch v := v.(type) {
	case int:
		return float64(v), true
	case int8:
		return float64(v), true
	case int16:
		return float64(v), true
	case int32:
		return float64(v), true
	case int64:
		return float64(v), true
	case uint:
		return float64(v), true
	case uint8:
		return float64(v), true
	case uint16:
		return float64(v), true
	case uint32:
		return float64(v), true
	case uint64:
		return float64(v), true
	case float32:
		return float64(v), true
	}
	return 0, false
}

// value builds the tree of v, which has been counted.
func (t *dataTree) value(v any) *structpb.Value {
	switch v := v.(type) {
	case string:
		t.check(v)
		return t.text(v)
	case float64:
		return t.number(v)
	case bool:
		return t.bool(v)
	case nil:
		return t.null()
	case map[string]any:
		return t.fields(v)
	case []any:
		out, values := t.list(len(v))
		for i, e := range v {
			values[i] = t.value(e)
		}
		return out
	}
	return t.rare(v)
}

func (t *dataTree) fields(m map[string]any) *structpb.Value {
	out, fields := t.object(len(m))
	for k, v := range mem.All(m) {
		t.check(k)
		fields[k] = t.value(v)
	}
	return out
}

// rare is value for the types that data from JSON does not have.
func (t *dataTree) rare(v any) *structpb.Value {
	switch v := v.(type) {
	case []byte:
		return t.text(base64.StdEncoding.EncodeToString(v))
	case json.Number:
		f, err := strconv.ParseFloat(string(v), 64)
		if err != nil || isInteger(string(v)) && !isExact(string(v), f) {
			t.faulty = true
		}
		return t.number(f)
	}
	f, _ := number(v)
	if f <= -exact || f >= exact {
		t.faulty = true // or not: Marshal knows
	}
	return t.number(f)
}

// check sees whether s is UTF-8.
func (t *dataTree) check(s string) {
	if !utf.Valid(mem.Bytes(s)) {
		t.faulty = true
	}
}

// A nodeTree builds a tree of the nodes of an index.
type nodeTree struct {
	slabs
	nodes []index.Node
	wire  []byte
	size  int    // of the text of all strings and keys
	copy  []byte // of that text; it has the capacity from the start, so it stays in place
}

// nodeValue returns the tree of a node and those below it.
func nodeValue(nodes []index.Node, wire []byte, at int) *structpb.Value {
	t := nodeTree{nodes: nodes, wire: wire}
	t.count(at)
	t.allocate()
	t.copy = make([]byte, 0, t.size)
	return t.value(at)
}

func (t *nodeTree) count(at int) {
	n := &t.nodes[at]
	kind := Kind(n.Kind()) + 1
	t.counts[kind]++
	switch kind {
	case String:
		t.size += len(n.Content(t.wire))
	case List:
		t.places += index.Len(t.nodes, at)
	}
	child := index.First(at)
	for range index.Len(t.nodes, at) {
		if kind == Object {
			t.size += len(t.nodes[child].Key(t.wire))
		}
		t.count(child)
		child = index.Next(t.nodes, child)
	}
}

func (t *nodeTree) own(text []byte) string {
	start := len(t.copy)
	t.copy = append(t.copy, text...)
	return mem.String(t.copy[start:])
}

func (t *nodeTree) value(at int) *structpb.Value {
	n := &t.nodes[at]
	count, child := index.Len(t.nodes, at), index.First(at)
	switch n.Kind() {
	case index.Null:
		return t.null()
	case index.Number:
		return t.number(n.Float(t.wire))
	case index.String:
		return t.text(t.own(n.Content(t.wire)))
	case index.Bool:
		return t.bool(n.Bool(t.wire))
	case index.Object:
		out, fields := t.object(count)
		for range count {
			key := t.own(t.nodes[child].Key(t.wire))
			fields[key] = t.value(child)
			child = index.Next(t.nodes, child)
		}
		return out
	case index.Array:
		out, values := t.list(count)
		for i := range values {
			values[i] = t.value(child)
			child = index.Next(t.nodes, child)
		}
		return out
	}
	return take(&t.unset)
}
