package goany

import (
	"encoding"
	"encoding/json"
	"reflect"

	"github.com/protean-pb/protean/internal/protoerr"
)

// maxLevels is how many pointers, interfaces, maps, lists and structs may be nested in what encoding/json is to write:
// as many levels as it reads.
const maxLevels = 10_000

// marshalJSON calls json.Marshal, and returns an error for values that contain themselves. With Go 1.26 it is one
// of json.Marshal, too; with Go 1.27 a pointer to itself ends the process there, by a stack overflow, which cannot be
// recovered.
func marshalJSON(v any) ([]byte, error) {
	if isDeep(reflect.ValueOf(v), maxLevels) {
		return nil, protoerr.ErrDepth
	}
	return json.Marshal(v)
}

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// isDeep reports whether more levels are nested in v. What is behind methods of the caller's types is their business.
func isDeep(v reflect.Value, levels int) bool {
	if !v.IsValid() {
		return false
	}
	if t := v.Type(); t.Implements(jsonMarshaler) || t.Implements(textMarshaler) {
		return false
	}
	if levels == 0 {
		return true
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return isDeep(v.Elem(), levels-1)
	case reflect.Map:
		for i := v.MapRange(); i.Next(); {
			if isDeep(i.Value(), levels-1) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		if k := v.Type().Elem().Kind(); k <= reflect.Complex128 || k == reflect.String {
			return false
		}
		for i := range v.Len() {
			if isDeep(v.Index(i), levels-1) {
				return true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if isDeep(v.Field(i), levels-1) {
				return true
			}
		}
	}
	return false
}
