package goany

import (
	"strconv"
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/swissmap"
)

// entries returns the map at q as an object. Of the types of keys and values only the size,
// the hash and what the collector must know matter, so that a map of one type is read as
// one of another that is the same in that. The messages may have been counted.
func (w *writer) entries(f *layout.JSONField, q unsafe.Pointer, surveyed bool) (v any, ok bool) {
	if !w.Open() {
		return w.inField(f, "")
	}
	switch f.Entry.Key {
	case layout.String, layout.Text:
		v, ok = w.stringMap(f, q, surveyed)
	case layout.Bool:
		v, ok = numberMapByValueType[bool](w, f, q)
	case layout.Varint64, layout.Sint64, layout.Fixed64:
		v, ok = numberMapByValueType[uint64](w, f, q)
	default:
		v, ok = numberMapByValueType[uint32](w, f, q)
	}
	w.Depth--
	return v, ok
}

// stringMap returns a map whose keys are strings.
func (w *writer) stringMap(f *layout.JSONField, q unsafe.Pointer, surveyed bool) (any, bool) {
	// Sound, here and in byValue: as entries says.
	switch f.Entry.Value {
	case layout.Bool:
		return stringMapOf(w, f, *(*map[string]bool)(q), false)
	case layout.String, layout.Text:
		return stringMapOf(w, f, *(*map[string]string)(q), false)
	case layout.Bytes:
		return stringMapOf(w, f, *(*map[string][]byte)(q), false)
	case layout.Message:
		return stringMapOf(w, f, *(*map[string]unsafe.Pointer)(q), surveyed)
	case layout.Varint64, layout.Sint64, layout.Fixed64:
		return stringMapOf(w, f, *(*map[string]uint64)(q), false)
	}
	return stringMapOf(w, f, *(*map[string]uint32)(q), false)
}

// stringMapOf returns entries whose keys are strings.
func stringMapOf[V any](w *writer, f *layout.JSONField, m map[string]V, surveyed bool) (any, bool) {
	left := len(m)
	out := w.MapBuilder(nil, left)
	if !swissmap.FillFrom(&out, m, func(key string, v V) (x any, ok bool) {
		if w.Valid(key) {
			parts := left
			if surveyed {
				parts = 0
			}
			x, ok = w.value(f, unsafe.Pointer(&v), parts)
		}
		if !ok {
			return w.inField(f, "["+strconv.Quote(protoerr.Clip(key))+"]")
		}
		left--
		return x, true
	}) {
		return nil, false
	}
	return out.Map(), true
}

func numberMapByValueType[K uint32 | uint64 | bool](w *writer, f *layout.JSONField, q unsafe.Pointer) (any, bool) {
	switch f.Entry.Value {
	case layout.Bool:
		return numberMap(w, f, *(*map[K]bool)(q))
	case layout.String, layout.Text:
		return numberMap(w, f, *(*map[K]string)(q))
	case layout.Bytes:
		return numberMap(w, f, *(*map[K][]byte)(q))
	case layout.Message:
		return numberMap(w, f, *(*map[K]unsafe.Pointer)(q))
	case layout.Varint64, layout.Sint64, layout.Fixed64:
		return numberMap(w, f, *(*map[K]uint64)(q))
	}
	return numberMap(w, f, *(*map[K]uint32)(q))
}

// numberMap returns entries whose keys are not strings.
func numberMap[K uint32 | uint64 | bool, V any](w *writer, f *layout.JSONField, m map[K]V) (any, bool) {
	left := len(m)
	out := w.Map(left)
	for k, v := range m {
		key := layout.FormatKey(f.Entry, unsafe.Pointer(&k))
		x, ok := w.value(f, unsafe.Pointer(&v), left)
		if !ok {
			return w.inField(f, "["+key+"]")
		}
		out[key] = x
		left--
	}
	return out, true
}
