package goany

import (
	"encoding/json"
	"math"
	"strings"
	"unsafe"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/structval/anybuilder"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// value returns the value at q: that of a field, an element of a list, or the value of an
// entry. If it is a message that has not been counted, so many are to come; else 0.
func (w *writer) value(f *layout.JSONField, q unsafe.Pointer, parts int) (any, bool) {
	// Sound: the caller says that a value of that form lies at q.
	switch f.ValueKind {
	case layout.JSONBool:
		return *(*bool)(q), true
	case layout.JSONInt32:
		return w.Number(float64(*(*int32)(q))), true
	case layout.JSONUint32:
		return w.Number(float64(*(*uint32)(q))), true
	case layout.JSONInt64:
		if w.UseInt64Numbers {
			return *(*int64)(q), true
		}
		return w.Own(jsontext.AppendInt(w.Room(integerRoom), *(*int64)(q))), true
	case layout.JSONUint64:
		if w.UseInt64Numbers {
			return *(*uint64)(q), true
		}
		return w.Own(jsontext.AppendUint(w.Room(integerRoom), *(*uint64)(q))), true
	case layout.JSONFloat:
		return w.float(*(*float32)(q)), true
	case layout.JSONDouble:
		return w.double(*(*float64)(q)), true
	case layout.JSONString:
		return w.Text(*(*string)(q))
	case layout.JSONBytes:
		b := *(*[]byte)(q)
		return w.Own(jsontext.AppendBase64(w.Room(base64Room(len(b))), b)), true
	case layout.JSONEnum:
		return w.enum(f.Enum, *(*int32)(q)), true
	case layout.JSONNull:
		return nil, true
	}
	if parts == 0 {
		return w.message(f.Sub, *(*unsafe.Pointer)(q), "")
	}
	return w.convertCounted(f.Sub, *(*unsafe.Pointer)(q), "", parts)
}

// How much room text needs while it is written: more than it takes in the end.
const (
	integerRoom = 32
	timeRoom    = 64
)

func base64Room(n int) int { return (n+2)/3*4 + 16 }

func (w *writer) double(x float64) any {
	if x-x != 0 { // it is not finite
		return w.String(anybuilder.NotFinite(x))
	}
	return w.Number(x)
}

// float returns x as in text: the double that its shortest decimal stands for.
func (w *writer) float(x float32) any { return w.double(widen(x)) }

// maxWhole is up to which size a float32 holds every integer.
const maxWhole = 1 << 24

// widen returns the double that the shortest decimal of x stands for.
func widen(x float32) float64 {
	d := float64(x)
	if d-d != 0 || -maxWhole <= d && d <= maxWhole && d == math.Trunc(d) {
		return d
	}
	var b [64]byte
	d, _, _ = jsontext.Number(jsontext.AppendFloat32(b[:0], x), 0)
	return d
}

func (w *writer) enum(names *layout.Enum, x int32) any {
	if name := names.Name(x); name.Len() > 0 && !w.UseEnumNumbers {
		return w.String(unquoted(name.String()))
	}
	return w.Number(float64(x))
}

// unquoted returns the name of an enum value without quotes. It has hardly ever escapes.
func unquoted(quoted string) string {
	if strings.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	s, _, _ := jsontext.Unquote(nil, xunsafe.Bytes(quoted), 0)
	return string(s)
}

// list returns the list at q, whose messages may have been counted.
func (w *writer) list(f *layout.JSONField, q unsafe.Pointer, surveyed bool) (any, bool) {
	if !w.Open() {
		return w.inField(f, "")
	}
	// Sound: all slices are laid out alike, and this one has elements of that size.
	s := *(*[]struct{})(q)
	x, size := unsafe.Pointer(unsafe.SliceData(s)), f.Op.Kind().Size()
	list, out := w.List(len(s))
	if f.ValueKind == layout.JSONFloat {
		w.floats(out, *(*[]float32)(q))
		w.Depth--
		return list, true
	}
	for i := range out {
		parts := len(s) - i
		if surveyed {
			parts = 0
		}
		var ok bool
		out[i], ok = w.value(f, unsafe.Add(x, uintptr(i)*size), parts)
		if !ok {
			return w.inField(f, protoerr.Index(i))
		}
	}
	w.Depth--
	return list, true
}

// floats sets the elements of a list, mostly without calls.
func (w *writer) floats(out []any, list []float32) {
	numbers := w.Numbers(len(list))
	for i, x := range list {
		p := &numbers[i]
		if *p = widen(x); *p-*p != 0 { // it is not finite
			out[i] = w.double(*p)
			continue
		}
		out[i] = xunsafe.BoxFloat64(p)
	}
}

// reflectedList returns a list that is known by reflection.
func (w *writer) reflectedList(f *layout.JSONField, l protoreflect.List) (any, bool) {
	if !w.Open() {
		return w.inField(f, "")
	}
	list, out := w.List(l.Len())
	for i := range out {
		var ok bool
		if out[i], ok = w.reflected(f, l.Get(i)); !ok {
			return w.inField(f, protoerr.Index(i))
		}
	}
	w.Depth--
	return list, true
}

// reflected returns a value that is known by reflection.
func (w *writer) reflected(f *layout.JSONField, v protoreflect.Value) (any, bool) {
	switch f.ValueKind {
	case layout.JSONMessage:
		m := v.Message().Interface()
		l, p := layout.Of(m)
		if l.Ready() == layout.Official {
			return w.official(m)
		}
		return w.convertCounted(l, p, "", 1)
	case layout.JSONString:
		return w.Text(v.String())
	case layout.JSONBytes:
		b := v.Bytes()
		return w.value(f, unsafe.Pointer(&b), 1)
	}
	x := layout.Number(v)
	return w.value(f, unsafe.Pointer(&x), 1)
}

// official has the official library write m, and reads the text.
func (w *writer) official(m proto.Message) (any, bool) {
	w.missing = true // for all that is known here
	o := protojson.MarshalOptions{
		AllowPartial: true, UseProtoNames: w.UseProtoNames, UseEnumNumbers: w.UseEnumNumbers,
		EmitUnpopulated: w.EmitUnpopulated, EmitDefaultValues: w.EmitDefaultValues, Resolver: w.Resolver,
	}
	b, err := o.Marshal(m)
	var v any
	if err == nil {
		err = json.Unmarshal(b, &v)
	}
	if err != nil {
		return w.Fail(err, "")
	}
	return v, true
}
