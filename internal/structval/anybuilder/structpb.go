package anybuilder

import (
	"strconv"
	"unsafe"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/swissmap"
	"github.com/protean-pb/protean/internal/utf"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// MaxDepth is how many objects and lists may be nested: as many as encoding/json reads.
const MaxDepth = 10_000

// maxLenientDepth is the limit of a lenient [Tree]: beyond what a reader of the wire form takes with its usual limit,
// and not so much that the stack overflows, which would end the process.
const maxLenientDepth = 100_000

// What a Value may be that has no form in JSON.
const (
	UnsetValue = "a google.protobuf.Value of no kind"
	BadNumber  = "a google.protobuf.Value cannot be NaN or infinite"
)

// A Tree makes values of the messages of structpb.
type Tree struct {
	Builder
	// Lenient takes all for what Value.AsInterface does: a Value of no kind is nil, numbers
	// that JSON does not have are their names, text need not be UTF-8, and ten times as many
	// objects and lists may be nested.
	Lenient bool
	// Depth is how many objects and lists are open.
	Depth int

	// What is wrong, and where, once something is.
	Err    error
	Detail string
	Trace  protoerr.Trace
}

// Fail notes what is wrong. It returns no value, and false.
func (t *Tree) Fail(err error, detail string) (any, bool) {
	t.Err, t.Detail, t.Trace = err, detail, nil
	return nil, false
}

// Open counts an object or list, if it is not nested too deeply. The caller counts it down.
func (t *Tree) Open() bool {
	if t.Depth++; t.Depth > MaxDepth && (!t.Lenient || t.Depth > maxLenientDepth) {
		t.Fail(protoerr.ErrDepth, "")
		return false
	}
	return true
}

// Valid reports whether s is UTF-8, and fails if not.
func (t *Tree) Valid(s string) bool {
	if utf.Valid(xunsafe.Bytes(s)) {
		return true
	}
	t.Fail(protoerr.ErrUTF8, "")
	return false
}

// Text returns s, if it is UTF-8.
func (t *Tree) Text(s string) (any, bool) {
	if n := len(s); !t.Lenient &&
		!(n <= xunsafe.MaxShort && xunsafe.ShortASCII(unsafe.Pointer(unsafe.StringData(s)), n)) && !t.Valid(s) {
		return nil, false
	}
	return t.String(s), true
}

// maxNodes is how many messages are counted: when there are more, memory that is allocated as
// they come is hardly wasted.
const maxNodes = 1 << 10

// Value adds what v consists of.
func (n *SizeHint) Value(v *structpb.Value) {
	if n.nodes++; n.nodes > maxNodes {
		return
	}
	switch k := v.GetKind().(type) {
	case *structpb.Value_NumberValue:
		n.Numbers++
	case *structpb.Value_StringValue:
		n.Strings++
	case *structpb.Value_StructValue:
		if k != nil {
			n.Struct(k.StructValue)
		}
	case *structpb.Value_ListValue:
		if k != nil {
			n.ListValue(k.ListValue)
		}
	}
}

// Struct adds what s consists of.
func (n *SizeHint) Struct(s *structpb.Struct) {
	fields := s.GetFields()
	n.Map(len(fields))
	for _, v := range swissmap.All(fields) {
		if n.Value(v); n.nodes > maxNodes {
			return
		}
	}
}

// ListValue adds what l consists of.
func (n *SizeHint) ListValue(l *structpb.ListValue) {
	values := l.GetValues()
	n.Lists++
	n.Elements += len(values)
	for _, v := range values {
		if n.Value(v); n.nodes > maxNodes {
			return
		}
	}
}

// Value returns what v stands for.
func (t *Tree) Value(v *structpb.Value) (any, bool) {
	switch k := v.GetKind().(type) {
	case *structpb.Value_NumberValue:
		if k != nil {
			return t.number(k.NumberValue)
		}
	case *structpb.Value_StringValue:
		if k != nil {
			return t.Text(k.StringValue)
		}
	case *structpb.Value_BoolValue:
		if k != nil {
			return k.BoolValue, true
		}
	case *structpb.Value_NullValue:
		if k != nil {
			return nil, true
		}
	case *structpb.Value_StructValue:
		if k != nil {
			return t.Struct(k.StructValue)
		}
	case *structpb.Value_ListValue:
		if k != nil {
			return t.ListValue(k.ListValue)
		}
	}
	if !t.Lenient {
		return t.Fail(protoerr.ErrValue, UnsetValue)
	}
	return nil, true
}

func (t *Tree) number(x float64) (any, bool) {
	switch {
	case x-x == 0: // it is finite
		return t.Number(x), true
	case t.Lenient:
		return NotFinite(x), true
	}
	return t.Fail(protoerr.ErrValue, BadNumber)
}

// Struct returns s as an object.
func (t *Tree) Struct(s *structpb.Struct) (any, bool) {
	if !t.Open() {
		return nil, false
	}
	fields := s.GetFields()
	out := t.MapBuilder(nil, len(fields))
	if !swissmap.FillFrom(&out, fields, func(key string, v *structpb.Value) (x any, ok bool) {
		if t.Lenient || t.Valid(key) {
			x, ok = t.Value(v)
		}
		if !ok {
			return t.at("[" + strconv.Quote(protoerr.Clip(key)) + "]")
		}
		return x, true
	}) {
		return nil, false
	}
	t.Depth--
	return out.Map(), true
}

// ListValue returns l as a list.
func (t *Tree) ListValue(l *structpb.ListValue) (any, bool) {
	if !t.Open() {
		return nil, false
	}
	values := l.GetValues()
	list, out := t.List(len(values))
	for i, v := range values {
		var ok bool
		if out[i], ok = t.Value(v); !ok {
			return t.at("[" + strconv.Itoa(i) + "]")
		}
	}
	t.Depth--
	return list, true
}

// at says where a failure is.
func (t *Tree) at(step string) (any, bool) {
	t.Trace = append(t.Trace, step)
	return nil, false
}
