package goany

import (
	"strconv"
	"unsafe"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/swissmap"
)

// structpbValue reads a Value, Struct or ListValue of structpb's types into the one at p.
func (r *reader) structpbValue(c layout.Class, p unsafe.Pointer, v any, depth int) bool {
	r.tree.InitUnsized(children(v))
	// Sound: the class says what p points to.
	switch c {
	case layout.Value:
		x, ok := r.node(v, depth+1) // which counts it
		if ok {
			(*structpb.Value)(p).Kind = x.Kind
		}
		return ok
	case layout.Struct:
		m, ok := v.(map[string]any)
		if !ok {
			return r.wrong(v, "an object")
		}
		fill := swissmap.NewBuilder[*structpb.Value](nil, len(m))
		ok = r.fields(&fill, m, depth)
		(*structpb.Struct)(p).Fields = fill.Map()
		return ok
	}
	s, ok := v.([]any)
	if !ok {
		return r.wrong(v, "a list")
	}
	if len(s) == 0 {
		return true
	}
	values := make([]*structpb.Value, len(s))
	(*structpb.ListValue)(p).Values = values
	return r.values(values, s, depth)
}

// children returns how many values v consists of, without what is in those.
func children(v any) int {
	switch v := v.(type) {
	case map[string]any:
		return len(v)
	case []any:
		return len(v)
	}
	return 1
}

// node reads a Value from a value of any type.
func (r *reader) node(v any, depth int) (*structpb.Value, bool) {
	if depth--; depth < 0 {
		return nil, r.fail(protoerr.ErrDepth, "")
	}
	v, ok := r.plain(v)
	if !ok {
		return nil, false
	}
	switch v := v.(type) {
	case nil:
		return r.tree.Null(), true
	case bool:
		return r.tree.Bool(v), true
	case string, []byte:
		s, ok := r.text(v, "")
		return r.tree.String(s), ok
	case map[string]any:
		x, fill := r.tree.Object(len(v))
		return x, r.fields(&fill, v, depth)
	case []any:
		x, values := r.tree.List(len(v))
		return x, r.values(values, v, depth)
	}
	x, ok := r.float(v, 64)
	return r.tree.Number(x), ok
}

// fields reads the fields of a Struct.
func (r *reader) fields(fill *swissmap.Builder[*structpb.Value], from map[string]any, depth int) bool {
	return swissmap.FillFrom(fill, from, func(name string, v any) (x *structpb.Value, ok bool) {
		if r.valid(name) {
			x, ok = r.node(v, depth)
		}
		if !ok {
			r.trace = append(r.trace, "["+strconv.Quote(protoerr.Clip(name))+"]")
		}
		return x, ok
	})
}

// values reads the values of a ListValue.
func (r *reader) values(to []*structpb.Value, from []any, depth int) bool {
	for i, v := range from {
		var ok bool
		if to[i], ok = r.node(v, depth); !ok {
			r.trace = append(r.trace, protoerr.Index(i))
			return false
		}
	}
	return true
}
