package value

import (
	"encoding"
	"encoding/json"
	"reflect"
	"time"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/structval/index"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// knownWriter returns the writer of a type that is written without looking at its kind
// and methods, because it has a meaning here or because that is faster; else nil.
func knownWriter(t reflect.Type) writer {
	switch t {
	case reflect.TypeFor[Doc]():
		return exactly((*encoder).doc)
	case reflect.TypeFor[*Doc](): // whose method MarshalJSON loses what JSON has no form for
		return pointerWriter(exactly((*encoder).doc))
	case reflect.TypeFor[*structpb.Value]():
		return unlessNil((*encoder).tree)
	case reflect.TypeFor[*structpb.Struct]():
		return unlessNil((*encoder).treeStruct)
	case reflect.TypeFor[*structpb.ListValue]():
		return unlessNil((*encoder).treeList)
	case reflect.TypeFor[time.Time]():
		return exactly((*encoder).time)
	case reflect.TypeFor[[]string]():
		return sliceOf((*encoder).textOf)
	case reflect.TypeFor[[]float64]():
		return sliceOf((*encoder).numberOf)
	case reflect.TypeFor[[]int]():
		return sliceOf((*encoder).intOf)
	case reflect.TypeFor[[]any]():
		return sliceOf((*encoder).value)
	case reflect.TypeFor[map[string]any]():
		return mapOf((*encoder).anyEntry)
	case reflect.TypeFor[map[string]string]():
		return mapOf((*encoder).textEntry)
	case reflect.TypeFor[map[string]float64]():
		return mapOf((*encoder).numberEntry)
	case reflect.TypeFor[map[string]int]():
		return mapOf((*encoder).intEntry)
	}
	return nil
}

func (e *encoder) textOf(s string, _, at int) int    { return e.text(s, at) }
func (e *encoder) numberOf(f float64, _, at int) int { return e.number(f, at) }
func (e *encoder) intOf(i int, _, at int) int        { return e.integer(int64(i), at) }

// as returns v as a T. That is not allowed for a struct that is embedded by an unexported
// name and has a name in JSON.
func as[T any](e *encoder, v reflect.Value) (x T, ok bool) {
	if !v.CanInterface() {
		e.fail(ErrType, v.Type().String()+" is not exported")
		return x, false
	}
	return reflect.TypeAssert[T](v)
}

func (e *encoder) intEntry(key string, i int, depth, at int) int {
	since := e.since(at)
	if at = e.intOf(i, depth, at); at == failed {
		return failed
	}
	return e.entry(key, at, since)
}

// exactly makes a writer of a function for one type.
func exactly[T any](write func(*encoder, T, int, int) int) writer {
	return func(e *encoder, v reflect.Value, depth, at int) int {
		if x, ok := as[T](e, v); ok {
			return write(e, x, depth, at)
		}
		return failed
	}
}

func unlessNil[T any](write func(*encoder, *T, int, int) int) writer {
	return func(e *encoder, v reflect.Value, depth, at int) int {
		if v.IsNil() {
			return e.null(at)
		}
		if x, ok := as[*T](e, v); ok {
			return write(e, x, depth, at)
		}
		return failed
	}
}

func sliceOf[T any](write func(*encoder, T, int, int) int) writer {
	return func(e *encoder, v reflect.Value, depth, at int) int {
		if v.IsNil() {
			return e.null(at)
		}
		s, _ := reflect.TypeAssert[[]T](v)
		return list(e, s, depth, at, write)
	}
}

func mapOf[T any](entry func(*encoder, string, T, int, int) int) writer {
	return func(e *encoder, v reflect.Value, depth, at int) int {
		if v.IsNil() {
			return e.null(at)
		}
		m, _ := reflect.TypeAssert[map[string]T](v)
		return object(e, m, depth, at, entry)
	}
}

// writeByJSON writes what the method MarshalJSON returns.
func writeByJSON(e *encoder, v reflect.Value, depth, at int) int {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return e.null(at)
	}
	m, ok := as[json.Marshaler](e, v)
	if !ok {
		return failed
	}
	text, err := m.MarshalJSON()
	if err != nil {
		return e.fail(err, "MarshalJSON of "+v.Type().String())
	}
	wire, err := AppendFromJSON(nil, text)
	if err != nil {
		return e.fail(err, "MarshalJSON of "+v.Type().String())
	}
	return e.insert(wire, index.Value, depth, at)
}

// writeByText writes what the method MarshalText returns.
func writeByText(e *encoder, v reflect.Value, _, at int) int {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return e.null(at)
	}
	m, ok := as[encoding.TextMarshaler](e, v)
	if !ok {
		return failed
	}
	text, err := m.MarshalText()
	if err != nil {
		return e.fail(err, "MarshalText of "+v.Type().String())
	}
	return e.text(xunsafe.String(text), at)
}

// time writes a time.Time, the type that most often has a method MarshalText.
func (e *encoder) time(t time.Time, _, at int) int {
	var buf [len(time.RFC3339Nano)]byte
	text, err := t.AppendText(buf[:0])
	if err != nil {
		return e.fail(err, "MarshalText of time.Time")
	}
	return e.text(xunsafe.String(text), at)
}

// doc writes a Doc, as its bytes are.
func (e *encoder) doc(d Doc, depth, at int) int {
	switch d.state() {
	case absent:
		return e.null(at)
	case present:
		return e.insert(d.Bytes(), index.Value, depth, at)
	}
	form, tag, since := index.Struct, byte(index.TagStruct), e.since(at)
	if d.Kind() == List {
		form, tag = index.List, index.TagList
	}
	if at = e.insert(d.wire, form, depth+1, at); at == failed {
		return failed
	}
	return e.close(tag, at, since)
}

// insert writes a message, known to be valid, that is the depth-th from the root.
func (e *encoder) insert(wire []byte, form index.Form, depth, at int) int {
	// Every message inside has a tag and a length.
	if depth+len(wire)/2 > e.maxDepth {
		left := e.maxDepth - depth + 1
		none := func([]index.Node, []byte) error { return nil }
		if left < 1 || indexed(wire, form, ParseOptions{MaxDepth: left}, none) != nil {
			return e.fail(ErrDepth, "")
		}
	}
	if at = e.reserve(len(wire), at); at != failed {
		copy(e.buf[at:], wire)
	}
	return at
}

// tree writes a Value of structpb. Unknown fields are left out.
func (e *encoder) tree(v *structpb.Value, depth, at int) int {
	switch k := v.GetKind().(type) { // a nil wrapper is as none for the official library
	case *structpb.Value_NullValue:
		if k != nil {
			return e.null(at)
		}
	case *structpb.Value_NumberValue:
		if k != nil {
			return e.number(k.NumberValue, at)
		}
	case *structpb.Value_StringValue:
		if k != nil {
			return e.text(k.StringValue, at)
		}
	case *structpb.Value_BoolValue:
		if k != nil {
			return e.bool(k.BoolValue, at)
		}
	case *structpb.Value_StructValue:
		if k != nil {
			return e.treeStruct(k.StructValue, depth, at)
		}
	case *structpb.Value_ListValue:
		if k != nil {
			return e.treeList(k.ListValue, depth, at)
		}
	}
	return e.room(at, 0) // nothing is set
}

func (e *encoder) treeStruct(s *structpb.Struct, depth, at int) int {
	return object(e, s.GetFields(), depth, at, (*encoder).treeEntry)
}

func (e *encoder) treeEntry(key string, v *structpb.Value, depth, at int) int {
	since := e.since(at)
	if at = e.tree(v, depth, at); at == failed {
		return failed
	}
	return e.entry(key, at, since)
}

func (e *encoder) treeList(l *structpb.ListValue, depth, at int) int {
	return list(e, l.GetValues(), depth, at, (*encoder).tree)
}
