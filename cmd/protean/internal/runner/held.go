package runner

import (
	"math"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// held returns what the samples hold of what some variants lose.
func (l *load) held() (result.Held, error) {
	var h holdings
	for first := 0; first < len(l.samples) && !h.all(); {
		end := l.chunkEnd(first)
		var indexes []int
		for i := first; i < end; i++ {
			indexes = append(indexes, i)
		}
		ms, err := l.messages(indexes)
		if err != nil {
			return "", err
		}
		for _, m := range ms {
			h.message(m.ProtoReflect())
		}
		first = end
	}
	return result.NewHeld(h.int64, h.nan, h.empty), nil
}

// holdings are what messages hold.
type holdings struct{ int64, nan, empty bool }

func (h *holdings) all() bool { return h.int64 && h.nan && h.empty }

func (h *holdings) message(m protoreflect.Message) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsMap():
			v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
				h.value(f.MapKey(), k.Value())
				h.value(f.MapValue(), v)
				return true
			})
		case f.IsList():
			for i := range v.List().Len() {
				h.value(f, v.List().Get(i))
			}
		default:
			h.value(f, v)
			h.empty = h.empty || f.HasPresence() && f.Cardinality() != protoreflect.Required && isEmpty(f, v)
		}
		return true
	})
}

// isEmpty reports whether a field that is present says no more than that.
func isEmpty(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
	if f.Message() == nil {
		return v.Equal(zero(f))
	}
	none := ours(f.Message())
	v.Message().Range(func(protoreflect.FieldDescriptor, protoreflect.Value) bool {
		none = false
		return false
	})
	return none
}

// exact is the largest magnitude up to which a double holds every integer.
const exact = 1 << 53

func (h *holdings) value(f protoreflect.FieldDescriptor, v protoreflect.Value) {
	switch {
	case f.Message() != nil:
		h.message(v.Message())
	case isInt64(f):
		switch x := v.Interface().(type) {
		case int64:
			h.int64 = h.int64 || x > exact || x < -exact
		case uint64:
			h.int64 = h.int64 || x > exact
		}
	case isFloat(f):
		h.nan = h.nan || math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0)
	}
}
