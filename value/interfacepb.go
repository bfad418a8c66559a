package value

import (
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/mem"
)

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
	p := &r.free[0]
	r.free = r.free[1:]
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
	for key, v := range mem.All(fields) {
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
