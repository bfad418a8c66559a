package goany

import (
	"unsafe"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// list reads a list into the one at q, which is empty.
func (r *reader) list(f *layout.JSONField, q unsafe.Pointer, v any, depth int) bool {
	s, ok := v.([]any)
	if !ok {
		r.wrong(v, "a list")
		return r.inField(f, "")
	}
	if len(s) == 0 {
		return true
	}
	switch k := f.Op.Kind(); {
	case f.ValueKind == layout.JSONMessage:
		return elements[unsafe.Pointer](r, f, q, s, depth)
	case k == layout.String || k == layout.Text:
		return elements[string](r, f, q, s, depth)
	case k == layout.Bytes:
		return elements[[]byte](r, f, q, s, depth)
	case k.Size() == 1:
		return elements[byte](r, f, q, s, depth)
	case k.Size() == 4:
		return elements[uint32](r, f, q, s, depth)
	}
	return elements[uint64](r, f, q, s, depth)
}

// elements reads the elements of a list, which are like a T.
func elements[T any](r *reader, f *layout.JSONField, q unsafe.Pointer, s []any, depth int) bool {
	out := make([]T, len(s))
	outer, n := r.Run, 0
	for i, v := range s {
		r.Run = len(s) - i
		// Sound: out has so many elements of the size and with the pointers that the list's have.
		known, ok := r.element(f, unsafe.Pointer(&out[n]), v, depth)
		if !ok {
			return r.inField(f, protoerr.Index(i))
		}
		if known {
			n++
		}
	}
	r.Run = outer
	if n > 0 {
		*(*[]T)(q) = out[:n:n]
	}
	return true
}

// element reads an element of a list or the value of an entry, given as it is, to q. It may
// be one that is not to be set.
func (r *reader) element(f *layout.JSONField, q unsafe.Pointer, v any, depth int) (known, ok bool) {
	if v, ok = r.plain(v); !ok {
		return false, false
	}
	switch f.ValueKind {
	case layout.JSONMessage:
		m := r.AllocMessage(f.Sub)
		*(*unsafe.Pointer)(q) = m
		return true, r.message(f.Sub, m, v, depth)
	case layout.JSONEnum, layout.JSONNull:
		x, known, ok := r.enum(f, v)
		if known {
			*(*int32)(q) = x
		}
		return known, ok
	}
	return true, r.scalar(f, q, v)
}

// extension reads an extension field.
func (r *reader) extension(l *layout.Layout, p unsafe.Pointer, xt protoreflect.ExtensionType, v any, depth int) bool {
	t := layout.ExtensionTypeOf(xt)
	f := t.JSON()
	v, ok := r.plain(v)
	if !ok {
		return r.inField(f, "")
	}
	if v == nil && !f.TakesNull {
		return true
	}
	x, known := xt.New(), true
	if t.List {
		ok = r.reflectedList(f, x.List(), v, depth)
	} else if x, known, ok = r.reflected(f, x, v, depth); !ok {
		r.inField(f, "")
	}
	if ok && known {
		l.SetExtension(p, t, x)
	}
	return ok
}

// reflectedList reads a list into one that is known by reflection.
func (r *reader) reflectedList(f *layout.JSONField, list protoreflect.List, v any, depth int) bool {
	s, ok := v.([]any)
	if !ok {
		r.wrong(v, "a list")
		return r.inField(f, "")
	}
	for i, v := range s {
		v, ok := r.plain(v)
		var x protoreflect.Value
		known := false
		if ok {
			if f.ValueKind == layout.JSONMessage {
				x = list.NewElement()
			}
			x, known, ok = r.reflected(f, x, v, depth)
		}
		if !ok {
			return r.inField(f, protoerr.Index(i))
		}
		if known {
			list.Append(x)
		}
	}
	return true
}

// reflected reads a value; a message into x. It may be one that is not to be set.
func (r *reader) reflected(
	f *layout.JSONField, x protoreflect.Value, v any, depth int,
) (out protoreflect.Value, known, ok bool) {
	switch f.ValueKind {
	case layout.JSONMessage:
		m := x.Message().Interface()
		l, p := layout.Of(m)
		if l.Ready() == layout.Official {
			return x, true, r.official(m, v, depth)
		}
		return x, true, r.message(l, p, v, depth)
	case layout.JSONEnum, layout.JSONNull:
		n, known, ok := r.enum(f, v)
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(n)), known, ok
	case layout.JSONString:
		s, ok := r.text(v, "a string")
		return protoreflect.ValueOfString(s), true, ok
	case layout.JSONBytes:
		var b []byte
		ok := r.bytes(f, &b, v)
		return protoreflect.ValueOfBytes(b), true, ok
	}
	var b [8]byte
	ok = r.scalar(f, unsafe.Pointer(&b), v)
	return layout.ValueOf(f.Desc, xunsafe.Load64(unsafe.Pointer(&b))), true, ok
}
