package jsonencode

import (
	"cmp"
	"slices"
	"strconv"
	"unsafe"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/mem"
	"github.com/protean-pb/protean/internal/text"
)

func index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// value writes the value at q, whose form is that of f, its elements or the values of its
// entries.
func (e *encoder) value(f *layout.JSONField, form layout.Form, q unsafe.Pointer, at int) int {
	// Sound: the caller says that a value of that form lies at q.
	switch form {
	case layout.BoolForm:
		return e.bool(*(*bool)(q), at)
	case layout.Int32Form:
		return e.int(int64(*(*int32)(q)), at)
	case layout.Uint32Form:
		return e.uint(uint64(*(*uint32)(q)), at)
	case layout.Int64Form:
		return e.int64(*(*int64)(q), at)
	case layout.Uint64Form:
		return e.uint64(*(*uint64)(q), at)
	case layout.FloatForm:
		return e.float(*(*float32)(q), at)
	case layout.DoubleForm:
		return e.double(*(*float64)(q), at)
	case layout.StringForm:
		return e.string(*(*string)(q), at)
	case layout.BytesForm:
		out := text.AppendBase64(append(e.buf[:at], '"'), *(*[]byte)(q))
		return e.put('"', e.wrote(out))
	case layout.EnumForm:
		return e.enum(f.Enum, *(*int32)(q), at)
	case layout.NullForm:
		return e.raw("null", at)
	case layout.ListForm:
		return e.list(f, q, at)
	case layout.MapForm:
		return e.entries(f, q, at)
	}
	return e.message(f.Sub, *(*unsafe.Pointer)(q), at)
}

var falseName, trueName = mem.Pad("false"), mem.Pad("true")

// Sound, here and below: slack bytes are free.

func (e *encoder) bool(x bool, at int) int {
	name := &falseName
	if x {
		name = &trueName
	}
	name.CopyStart(unsafe.Add(e.base, at))
	return at + name.Len()
}

func (e *encoder) int(x int64, at int) int { return at + text.PutInt(unsafe.Add(e.base, at), x) }

func (e *encoder) uint(x uint64, at int) int { return at + text.PutUint(unsafe.Add(e.base, at), x) }

func (e *encoder) float(x float32, at int) int {
	return at + text.PutFloat32(unsafe.Add(e.base, at), x)
}

func (e *encoder) double(x float64, at int) int { return at + text.PutFloat(unsafe.Add(e.base, at), x) }

// maxExact is up to which size a double holds every integer.
const maxExact = 1 << 53

func (e *encoder) int64(x int64, at int) int {
	if e.UseInt64Numbers && (!e.OnlyExact || -maxExact <= x && x <= maxExact) {
		return e.int(x, at)
	}
	at = e.put('"', at)
	return e.put('"', at+text.PutInt(unsafe.Add(e.base, at), x))
}

func (e *encoder) uint64(x uint64, at int) int {
	if e.UseInt64Numbers && (!e.OnlyExact || x <= maxExact) {
		return e.uint(x, at)
	}
	return e.put('"', e.uint(x, e.put('"', at)))
}

func (e *encoder) enum(names *layout.Enum, x int32, at int) int {
	name := names.Name(x)
	if e.UseEnumNumbers || name.Len() == 0 {
		return e.int(int64(x), at)
	}
	e.room(name.Len(), at)
	name.CopyTo(unsafe.Add(e.base, at)) // Sound: so many bytes are free, and slack.
	at += name.Len()
	e.room(0, at)
	return at
}

// list writes the list at q.
func (e *encoder) list(f *layout.JSONField, q unsafe.Pointer, at int) int {
	at = e.put('[', at)
	switch f.Form {
	case layout.MessageForm:
		for i, m := range *(*[]unsafe.Pointer)(q) {
			if at = e.message(f.Sub, m, at); at < 0 {
				return e.in(f, index(i))
			}
			at = e.put(',', at)
		}
	case layout.StringForm:
		for i, s := range *(*[]string)(q) {
			if at = e.string(s, at); at < 0 {
				return e.in(f, index(i))
			}
			at = e.put(',', at)
		}
	// Sound, here and below: all slices are laid out alike, and this one has such elements.
	case layout.FloatForm:
		at = numbers(e, *(*[]float32)(q), at, text.PutFloat32)
	case layout.DoubleForm:
		at = numbers(e, *(*[]float64)(q), at, text.PutFloat)
	case layout.Int32Form:
		at = numbers(e, *(*[]int32)(q), at, putInt32)
	case layout.Uint32Form:
		at = numbers(e, *(*[]uint32)(q), at, putUint32)
	default:
		s := *(*[]struct{})(q)
		x, size := unsafe.Pointer(unsafe.SliceData(s)), f.Op.Kind().Size()
		for i := range len(s) {
			e.room(0, at)
			at = e.put(',', e.value(f, f.Form, unsafe.Add(x, uintptr(i)*size), at)) // which cannot fail
		}
	}
	return e.close(']', at)
}

// numbers writes the elements of a list, each with a comma after it.
func numbers[T any](e *encoder, list []T, at int, put func(unsafe.Pointer, T) int) int {
	for _, x := range list {
		e.room(0, at)
		at += put(unsafe.Add(e.base, at), x)
		at = e.put(',', at)
	}
	return at
}

func putInt32(p unsafe.Pointer, x int32) int { return text.PutInt(p, int64(x)) }

func putUint32(p unsafe.Pointer, x uint32) int { return text.PutUint(p, uint64(x)) }

// official has the official library write m.
func (e *encoder) official(m proto.Message, at int) int {
	o := protojson.MarshalOptions{
		AllowPartial: true, UseProtoNames: e.UseProtoNames, UseEnumNumbers: e.UseEnumNumbers,
		EmitUnpopulated: e.EmitUnpopulated, EmitDefaultValues: e.EmitDefaultValues, Resolver: e.Resolver,
	}
	e.missing = true // for all that is known here
	b, err := o.Marshal(m)
	if err != nil {
		return e.fail(err, "")
	}
	return e.wrote(text.AppendCompact(e.buf[:at], b))
}

// byName sorts extension fields by their full names.
func byName(list []layout.Extension) []layout.Extension {
	slices.SortFunc(list, func(a, b layout.Extension) int {
		return cmp.Compare(a.Type.Desc.FullName(), b.Type.Desc.FullName())
	})
	return list
}
