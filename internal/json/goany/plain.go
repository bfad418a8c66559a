package goany

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"strconv"

	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/json/jsonencode"
	"github.com/protean-pb/protean/internal/protoerr"
)

// plain returns v as one of few types: nil, bool, string, float64, int64, uint64,
// json.Number, []byte, map[string]any and []any. As in encoding/json, maps and slices that are
// nil are null.
func (r *reader) plain(v any) (any, bool) {
	switch x := v.(type) {
	case string, float64, bool, nil, json.Number, int64, uint64:
		return v, true
	case map[string]any:
		if x == nil {
			return nil, true
		}
		return v, true
	case []any:
		if x == nil {
			return nil, true
		}
		return v, true
	case []byte:
		if x == nil {
			return nil, true
		}
		return v, true
	}
	return r.convert(v)
}

// convert does what plain does for the types that JSON data does not have.
func (r *reader) convert(v any) (any, bool) {
	switch x := v.(type) {
	case int:
		return int64(x), true
	case float32:
		return widen(x), true
	case proto.Message:
		return r.formOf(x)
	case json.Marshaler, encoding.TextMarshaler:
		return r.marshaled(v)
	}
	switch x := reflect.ValueOf(v); x.Kind() {
	case reflect.Bool:
		return x.Bool(), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return x.Int(), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return x.Uint(), true
	case reflect.Float32:
		return widen(float32(x.Float())), true
	case reflect.Float64:
		return x.Float(), true
	case reflect.String:
		return x.String(), true
	case reflect.Map:
		return r.mapOf(x)
	case reflect.Slice, reflect.Array:
		return r.listOf(x)
	}
	return r.marshaled(v)
}

// mapOf returns a map of any type.
func (r *reader) mapOf(m reflect.Value) (any, bool) {
	if m.IsNil() {
		return nil, true
	}
	key := keyNamer(m.Type().Key())
	if key == nil {
		return r.marshaled(m.Interface())
	}
	out := make(map[string]any, m.Len())
	for i := m.MapRange(); i.Next(); {
		out[key(i.Key())] = i.Value().Interface()
	}
	return out, true
}

// keyNamer returns what gives keys of the type their names; nil if encoding/json alone knows.
func keyNamer(t reflect.Type) func(reflect.Value) string {
	switch k := t.Kind(); {
	case k == reflect.String:
		return reflect.Value.String
	case t.Implements(textMarshaler):
		return nil
	case k == reflect.Bool:
		return func(k reflect.Value) string { return strconv.FormatBool(k.Bool()) }
	case k >= reflect.Int && k <= reflect.Int64:
		return func(k reflect.Value) string { return strconv.FormatInt(k.Int(), 10) }
	case k >= reflect.Uint && k <= reflect.Uintptr:
		return func(k reflect.Value) string { return strconv.FormatUint(k.Uint(), 10) }
	}
	return nil
}

// listOf returns a slice or array of any type.
func (r *reader) listOf(s reflect.Value) (any, bool) {
	if s.Kind() == reflect.Slice {
		if s.IsNil() {
			return nil, true
		}
		if s.Type().Elem().Kind() == reflect.Uint8 {
			return s.Bytes(), true
		}
	}
	out := make([]any, s.Len())
	for i := range out {
		out[i] = s.Index(i).Interface()
	}
	return out, true
}

// formOf returns the form of a message.
func (r *reader) formOf(m proto.Message) (any, bool) {
	if v := reflect.ValueOf(m); v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, true
	}
	v, _, err := ToAny(m, jsonencode.Options{Resolver: r.Resolver})
	if err != nil {
		return nil, r.fail(protoerr.ErrValue, err.Error())
	}
	return v, true
}

// marshaled has encoding/json write v, and reads the text.
func (r *reader) marshaled(v any) (out any, ok bool) {
	b, err := marshalJSON(v)
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(b))
		d.UseNumber() // all digits
		err = d.Decode(&out)
	}
	switch {
	case err == protoerr.ErrDepth:
		return nil, r.fail(err, "")
	case err != nil:
		return nil, r.fail(protoerr.ErrValue, err.Error())
	}
	return out, true
}
