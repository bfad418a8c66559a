package jsonencode

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"unsafe"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/layout"
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

func (e *encoder) bool(x bool, at int) int {
	if x {
		return e.raw("true", at)
	}
	return e.raw("false", at)
}

// Sound, in both: slack bytes are free.

func (e *encoder) int(x int64, at int) int { return at + text.PutInt(unsafe.Add(e.base, at), x) }

func (e *encoder) uint(x uint64, at int) int { return at + text.PutUint(unsafe.Add(e.base, at), x) }

// maxExact is up to which size a double holds every integer.
const maxExact = 1 << 53

func (e *encoder) int64(x int64, at int) int {
	if e.UseInt64Numbers && (!e.OnlyExact || -maxExact <= x && x <= maxExact) {
		return e.int(x, at)
	}
	return e.put('"', e.int(x, e.put('"', at)))
}

func (e *encoder) uint64(x uint64, at int) int {
	if e.UseInt64Numbers && (!e.OnlyExact || x <= maxExact) {
		return e.uint(x, at)
	}
	return e.put('"', e.uint(x, e.put('"', at)))
}

func (e *encoder) double(x float64, at int) int {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return e.special(x, at)
	}
	return len(text.AppendFloat(e.buf[:at], x))
}

func (e *encoder) float(x float32, at int) int {
	if d := float64(x); math.IsNaN(d) || math.IsInf(d, 0) {
		return e.special(d, at)
	}
	return len(text.AppendFloat32(e.buf[:at], x))
}

// special writes a number that JSON does not have.
func (e *encoder) special(x float64, at int) int {
	switch {
	case math.IsInf(x, 1):
		return e.raw(`"Infinity"`, at)
	case math.IsInf(x, -1):
		return e.raw(`"-Infinity"`, at)
	}
	return e.raw(`"NaN"`, at)
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
	default:
		// Sound: all slices are laid out alike, and this one has elements of that size.
		s := *(*[]struct{})(q)
		x, size := unsafe.Pointer(unsafe.SliceData(s)), f.Op.Kind().Size()
		for i := range len(s) {
			e.room(0, at)
			at = e.put(',', e.value(f, f.Form, unsafe.Add(x, uintptr(i)*size), at)) // which cannot fail
		}
	}
	return e.close(']', at)
}

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
