package value

import (
	"encoding/base64"
	"encoding/json"
	"strconv"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/structval/index"
	pbtree "github.com/protean-pb/protean/internal/structval/tree"
	"github.com/protean-pb/protean/internal/swissmap"
	"github.com/protean-pb/protean/internal/utf"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// New returns v as a tree of the official library, for code that must hold its types.
//
// It accepts what [Marshal] does, with the same errors. For what structpb.NewValue
// accepts the result is equal, with two exceptions: an integer that a double cannot hold
// is an error ([ErrInexact]) instead of a number next to it, and so is data nested beyond
// [DefaultMaxDepth] ([ErrDepth]), which no reader would take; cyclic data is.
//
// The messages are ordinary ones, each its own, free to be changed, merged or reset; the
// strings are those of v. But neighbours of a kind share an allocation of at most 16 KB, so
// that any of them keeps the others, and what those hold: of a large tree of which a small
// part is to live on, keep a proto.Clone of that part.
func New(v any) (*structpb.Value, error) {
	var t dataTree
	if t.count(v, 1) {
		t.Init(t.size)
		if built := t.value(v); !t.faulty {
			return built, nil
		}
	}
	// Marshal knows all types, and how to say what is wrong.
	wire, err := Marshal(v)
	if err != nil {
		return nil, err
	}
	var built *structpb.Value
	err = indexed(wire, index.Value, ParseOptions{}, func(nodes []index.Node, wire []byte) error {
		built = pbtree.FromNodes(nodes, wire, 0)
		return nil
	})
	return built, err
}

// NewStruct returns a Struct for a Go value that becomes an object, converted as by [New]. The error is
// [ErrKind] for all else.
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

// NewList returns a ListValue for a Go value that becomes a list, converted as by [New]. The error is [ErrKind]
// for all else.
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
// bytes. It is nil if d is absent. It does not alias d: the strings are parts of copies of
// at most 64 KB of d's text. What [New] says of the messages' memory holds here too.
func (d Doc) Value() *structpb.Value {
	if d.state() == absent {
		return nil
	}
	return pbtree.FromNodes(d.nodes, d.wire, d.at())
}

// A dataTree builds a tree of Go values.
type dataTree struct {
	pbtree.Builder
	size   pbtree.Size
	faulty bool // whether something in the data was, while building
}

// count counts the messages of v, which is itself nested in so many less one. It reports
// false for what is too deep or not of the types here, which is Marshal's business.
func (t *dataTree) count(v any, depth int) bool {
	switch v := v.(type) {
	case string, float64, bool, nil, []byte, json.Number:
		t.size.Leaves++
	case map[string]any:
		t.size.Object(len(v))
		return depth+perObject <= DefaultMaxDepth && t.countObject(v, depth+perObject)
	case []any:
		t.size.List(len(v))
		if depth+perList > DefaultMaxDepth {
			return false
		}
		for _, e := range v {
			if !t.count(e, depth+perList) {
				return false
			}
		}
	default:
		t.size.Leaves++
		_, ok := number(v)
		return ok
	}
	return true
}

func (t *dataTree) countObject(m map[string]any, depth int) bool {
	for _, v := range swissmap.All(m) {
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
		return t.String(v)
	case float64:
		return t.Number(v)
	case bool:
		return t.Bool(v)
	case nil:
		return t.Null()
	case map[string]any:
		return t.fields(v)
	case []any:
		out, values := t.List(len(v))
		for i, e := range v {
			values[i] = t.value(e)
		}
		return out
	}
	return t.rare(v)
}

func (t *dataTree) fields(m map[string]any) *structpb.Value {
	out, fill := t.Object(len(m))
	swissmap.FillFrom(&fill, m, func(key string, v any) (*structpb.Value, bool) {
		t.check(key)
		return t.value(v), true
	})
	return out
}

// rare handles the types that data from JSON does not have.
func (t *dataTree) rare(v any) *structpb.Value {
	switch v := v.(type) {
	case []byte:
		return t.String(base64.StdEncoding.EncodeToString(v))
	case json.Number:
		f, err := strconv.ParseFloat(string(v), 64)
		if err != nil || isInteger(string(v)) && !isExact(string(v), f) {
			t.faulty = true
		}
		return t.Number(f)
	}
	f, _ := number(v)
	if f <= -exact || f >= exact {
		t.faulty = true // or not: Marshal knows
	}
	return t.Number(f)
}

// check sees whether s is UTF-8.
func (t *dataTree) check(s string) {
	if !utf.Valid(xunsafe.Bytes(s)) {
		t.faulty = true
	}
}
