package value

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"sync"
	"unicode/utf8"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/index"
	"github.com/protean-pb/protean/internal/mem"
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
	t := dataTrees.Get().(*dataTree)
	if t.count(v, 1) {
		t.allocate()
		tree := t.value(v)
		t.release()
		return tree, nil
	}
	t.release()
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
	nullMessage struct {
		value structpb.Value
		kind  structpb.Value_NullValue
	}
	numberMessage struct {
		value structpb.Value
		kind  structpb.Value_NumberValue
	}
	stringMessage struct {
		value structpb.Value
		kind  structpb.Value_StringValue
	}
	boolMessage struct {
		value structpb.Value
		kind  structpb.Value_BoolValue
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
	nulls    []nullMessage
	numbers  []numberMessage
	strings  []stringMessage
	bools    []boolMessage
	objects  []objectMessage
	lists    []listMessage
	elements []*structpb.Value
}

func (s *slabs) allocate() {
	s.unset = make([]structpb.Value, s.counts[Unset])
	s.nulls = make([]nullMessage, s.counts[Null])
	s.numbers = make([]numberMessage, s.counts[Number])
	s.strings = make([]stringMessage, s.counts[String])
	s.bools = make([]boolMessage, s.counts[Bool])
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
	m := take(&s.nulls)
	m.value.Kind = &m.kind
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
	m := take(&s.bools)
	m.kind.BoolValue = b
	m.value.Kind = &m.kind
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
	// The entries of all maps, each map's together, in the order in which the maps are
	// met: to iterate over a map a second time would take longer.
	entries  []entry
	used     int       // of them, while building
	numerals []float64 // what the json.Numbers are, in the same order
}

type entry struct {
	key   string
	value any
}

var dataTrees = sync.Pool{New: func() any { return new(dataTree) }}

// release gives t back, without what would keep the caller's data alive.
func (t *dataTree) release() {
	clear(t.entries)
	entries := t.entries[:0]
	if cap(entries) > maxScratch {
		entries = nil
	}
	*t = dataTree{entries: entries}
	dataTrees.Put(t)
}

// count counts the messages of v, which is itself nested in so many less one. It reports
// false for what is faulty or not of the types here, which is Marshal's business.
func (t *dataTree) count(v any, depth int) bool {
	switch v := v.(type) {
	case string:
		t.counts[String]++
		return utf8.ValidString(v)
	case float64:
		t.counts[Number]++
	case bool:
		t.counts[Bool]++
	case nil:
		t.counts[Null]++
	case map[string]any:
		if depth+3 > DefaultMaxDepth {
			return false
		}
		t.counts[Object]++
		return t.countObject(v, depth+3)
	case []any:
		if depth+2 > DefaultMaxDepth {
			return false
		}
		t.counts[List]++
		t.places += len(v)
		for _, e := range v {
			if !t.count(e, depth+2) {
				return false
			}
		}
	default:
		return t.countRare(v)
	}
	return true
}

func (t *dataTree) countObject(m map[string]any, depth int) bool {
	first := len(t.entries)
	for k, v := range m {
		if !utf8.ValidString(k) {
			return false
		}
		t.entries = append(t.entries, entry{k, v})
	}
	for i := range len(m) {
		if !t.count(t.entries[first+i].value, depth) {
			return false
		}
	}
	return true
}

func (t *dataTree) countRare(v any) bool {
	switch v := v.(type) {
	case []byte:
		t.counts[String]++
		return true
	case json.Number:
		t.counts[Number]++
		f, err := strconv.ParseFloat(string(v), 64)
		t.numerals = append(t.numerals, f)
		return err == nil && (!isInteger(string(v)) || isExact(string(v), f))
	}
	t.counts[Number]++
	f, ok := number(v)
	return ok && -exact < f && f < exact
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
		return t.text(v)
	case float64:
		return t.number(v)
	case bool:
		return t.bool(v)
	case nil:
		return t.null()
	case map[string]any:
		out, fields := t.object(len(v))
		entries := t.entries[t.used : t.used+len(v)]
		t.used += len(v)
		for i := range entries {
			e := &entries[i]
			fields[e.key] = t.value(e.value)
		}
		return out
	case []any:
		out, values := t.list(len(v))
		for i, e := range v {
			values[i] = t.value(e)
		}
		return out
	case []byte:
		return t.text(base64.StdEncoding.EncodeToString(v))
	case json.Number:
		return t.number(*take(&t.numerals))
	}
	f, _ := number(v)
	return t.number(f)
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

// Interface returns v in Go types: the same as v.AsInterface(), also for nil, and for
// NaN and infinities, which become strings. It allocates less, as strings and numbers
// share memory with others of the same result. The result does not alias v, save that
// strings, being immutable, are not copied.
func Interface(v *structpb.Value) any {
	var b boxes
	return b.value(v, 1)
}

// boxes are what values of type any in a result point to.
type boxes struct {
	strings room[string]
	numbers room[float64]
	lists   room[[]any]
}

// A room has boxes of one type.
type room[T any] struct {
	free []T
	size int // how many were allocated last
}

// maxBoxes is how many boxes are allocated beyond what a single object or list may need.
const maxBoxes = 128

// box puts v, which is one of so many siblings, into a box.
func box[T any](r *room[T], v T, siblings int) *T {
	if len(r.free) == 0 {
		r.size = max(siblings, min(2*r.size, maxBoxes))
		r.free = make([]T, r.size)
	}
	p := take(&r.free)
	*p = v
	return p
}

// value converts v, which is the first of so many siblings that are left.
func (b *boxes) value(v *structpb.Value, siblings int) any {
	switch k := v.GetKind().(type) {
	case *structpb.Value_NumberValue:
		if k == nil {
			return nil
		}
		if f := k.NumberValue; f-f != 0 { // it is not finite
			return notFinite(f)
		}
		return mem.BoxFloat64(box(&b.numbers, k.NumberValue, siblings))
	case *structpb.Value_StringValue:
		if k != nil {
			return mem.BoxString(box(&b.strings, k.StringValue, siblings))
		}
	case *structpb.Value_BoolValue:
		if k != nil {
			return k.BoolValue
		}
	case *structpb.Value_StructValue:
		if k != nil {
			return b.object(k.StructValue.GetFields())
		}
	case *structpb.Value_ListValue:
		if k != nil {
			return b.list(k.ListValue.GetValues(), siblings)
		}
	}
	return nil
}

func (b *boxes) object(fields map[string]*structpb.Value) map[string]any {
	out := make(map[string]any, len(fields))
	left := len(fields)
	for key, v := range fields {
		out[key] = b.value(v, left)
		left--
	}
	return out
}

func (b *boxes) list(values []*structpb.Value, siblings int) any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = b.value(v, len(values)-i)
	}
	return mem.BoxSlice(box(&b.lists, out, siblings))
}
