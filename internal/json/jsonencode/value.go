package jsonencode

import (
	"cmp"
	"slices"
	"unsafe"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
)

// encodeValue writes the value at q, whose form is that of f, its elements or the values of its
// entries.
func (e *encoder) encodeValue(f *layout.JSONField, form layout.JSONKind, q unsafe.Pointer, at int) int {
	// Sound: the caller says that a value of that form lies at q.
	switch form {
	case layout.JSONBool:
		return e.bool(*(*bool)(q), at)
	case layout.JSONInt32:
		return e.int(int64(*(*int32)(q)), at)
	case layout.JSONUint32:
		return e.uint(uint64(*(*uint32)(q)), at)
	case layout.JSONInt64:
		return e.int64(*(*int64)(q), at)
	case layout.JSONUint64:
		return e.uint64(*(*uint64)(q), at)
	case layout.JSONFloat:
		return e.float(*(*float32)(q), at)
	case layout.JSONDouble:
		return e.double(*(*float64)(q), at)
	case layout.JSONString:
		return e.string(*(*string)(q), at)
	case layout.JSONBytes:
		return e.bytes(*(*[]byte)(q), at)
	case layout.JSONEnum:
		return e.enum(f.Enum, *(*int32)(q), at)
	case layout.JSONNull:
		return e.raw("null", at)
	case layout.JSONList:
		return e.encodeList(f, q, at)
	case layout.JSONMap:
		return e.encodeMap(f, q, at)
	}
	return e.encodeMessage(f.Sub, *(*unsafe.Pointer)(q), at)
}

// Sound, here and below: slack bytes are free.

func (e *encoder) bool(x bool, at int) int { return at + jsontext.PutBool(unsafe.Add(e.base, at), x) }

func (e *encoder) int(x int64, at int) int { return at + jsontext.PutInt(unsafe.Add(e.base, at), x) }

func (e *encoder) uint(x uint64, at int) int { return at + jsontext.PutUint(unsafe.Add(e.base, at), x) }

func (e *encoder) float(x float32, at int) int {
	return at + jsontext.PutFloat32(unsafe.Add(e.base, at), x)
}

func (e *encoder) double(x float64, at int) int {
	return at + jsontext.PutFloat(unsafe.Add(e.base, at), x)
}

// maxExact is up to which size a double holds every integer.
const maxExact = 1 << 53

func (e *encoder) int64(x int64, at int) int {
	if e.UseInt64Numbers && (!e.OnlyExact || -maxExact <= x && x <= maxExact) {
		return e.int(x, at)
	}
	return e.quoted(jsontext.PutInt(unsafe.Add(e.base, at+1), x), at)
}

func (e *encoder) uint64(x uint64, at int) int {
	if e.UseInt64Numbers && (!e.OnlyExact || x <= maxExact) {
		return e.uint(x, at)
	}
	return e.quoted(jsontext.PutUint(unsafe.Add(e.base, at+1), x), at)
}

// quoted puts the n bytes that have been written behind at in quotes.
func (e *encoder) quoted(n, at int) int {
	e.put('"', at)
	return e.put('"', at+1+n)
}

func (e *encoder) bytes(b []byte, at int) int {
	size := jsontext.Base64Len(len(b))
	e.room(size, at)
	jsontext.PutBase64(unsafe.Add(e.base, at+1), b) // Sound: so many bytes are free, and slack.
	return e.quoted(size, at)
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

// encodeList writes the list at q.
func (e *encoder) encodeList(f *layout.JSONField, q unsafe.Pointer, at int) int {
	at = e.put('[', at)
	switch f.ValueKind {
	case layout.JSONMessage:
		for i, m := range *(*[]unsafe.Pointer)(q) {
			if at = e.encodeMessage(f.Sub, m, at); at < 0 {
				return e.inField(f, protoerr.Index(i))
			}
			at = e.put(',', at)
		}
	case layout.JSONString:
		for i, s := range *(*[]string)(q) {
			if at = e.string(s, at); at < 0 {
				return e.inField(f, protoerr.Index(i))
			}
			at = e.put(',', at)
		}
	// Sound, here and below: all slices are laid out alike, and this one has such elements.
	case layout.JSONFloat:
		for _, x := range *(*[]float32)(q) {
			e.room(0, at)
			at = e.put(',', e.float(x, at))
		}
	case layout.JSONDouble:
		for _, x := range *(*[]float64)(q) {
			e.room(0, at)
			at = e.put(',', e.double(x, at))
		}
	case layout.JSONInt32:
		for _, x := range *(*[]int32)(q) {
			e.room(0, at)
			at = e.put(',', e.int(int64(x), at))
		}
	case layout.JSONUint32:
		for _, x := range *(*[]uint32)(q) {
			e.room(0, at)
			at = e.put(',', e.uint(uint64(x), at))
		}
	default:
		s := *(*[]struct{})(q)
		x, size := unsafe.Pointer(unsafe.SliceData(s)), f.Op.Kind().Size()
		for i := range len(s) {
			e.room(0, at)
			at = e.put(',', e.encodeValue(f, f.ValueKind, unsafe.Add(x, uintptr(i)*size), at)) // which cannot fail
		}
	}
	return e.close(']', at)
}

// encodeOfficial has the official library write m.
func (e *encoder) encodeOfficial(m proto.Message, at int) int {
	o := protojson.MarshalOptions{
		AllowPartial: true, UseProtoNames: e.UseProtoNames, UseEnumNumbers: e.UseEnumNumbers,
		EmitUnpopulated: e.EmitUnpopulated, EmitDefaultValues: e.EmitDefaultValues, Resolver: e.Resolver,
	}
	e.missing = true // for all that is known here
	b, err := o.Marshal(m)
	if err != nil {
		return e.fail(err, "")
	}
	return e.wrote(jsontext.AppendCompact(e.buf[:at], b))
}

// byName sorts extension fields by their full names.
func byName(list []layout.Extension) []layout.Extension {
	slices.SortFunc(list, func(a, b layout.Extension) int {
		return cmp.Compare(a.Type.Desc.FullName(), b.Type.Desc.FullName())
	})
	return list
}
