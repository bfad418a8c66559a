package encode

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/swissmap"
)

// encodeMap writes the entries of the map at q. Of the types of keys and values only the size, the hash and the
// pointers matter, so that a map of one type is read as one of another that is alike in these.
func (e *encoder) encodeMap(l *layout.Layout, f *layout.Field, q unsafe.Pointer, at int) int {
	if *(*unsafe.Pointer)(q) == nil {
		return at
	}
	switch f.Entry.Key {
	case layout.Bool:
		return mapByValueType[bool](e, l, f, q, at)
	case layout.String, layout.Text:
		return mapByValueType[string](e, l, f, q, at)
	case layout.Varint64, layout.Sint64, layout.Fixed64:
		return mapByValueType[uint64](e, l, f, q, at)
	}
	return mapByValueType[uint32](e, l, f, q, at)
}

// key are the types that stand for all types of keys.
type key interface {
	bool | uint32 | uint64 | string
}

func mapByValueType[K key](e *encoder, l *layout.Layout, f *layout.Field, q unsafe.Pointer, at int) int {
	switch f.Entry.Value {
	case layout.Bool:
		return encodeUnsorted[K, bool](e, l, f, q, at)
	case layout.Int32, layout.Uint32, layout.Sint32, layout.Fixed32:
		return encodeUnsorted[K, uint32](e, l, f, q, at)
	case layout.Varint64, layout.Sint64, layout.Fixed64:
		return encodeUnsorted[K, uint64](e, l, f, q, at)
	case layout.String, layout.Text:
		return encodeUnsorted[K, string](e, l, f, q, at)
	case layout.Bytes:
		return encodeUnsorted[K, []byte](e, l, f, q, at)
	}
	return encodeUnsorted[K, unsafe.Pointer](e, l, f, q, at)
}

func encodeUnsorted[K key, V any](e *encoder, l *layout.Layout, f *layout.Field, q unsafe.Pointer, at int) int {
	// Sound: K and V have the size, the hash and the pointers of the map's own types, and
	// that is all by which the runtime tells one map from another (TestMapsOfOtherTypes).
	m := *(*map[K]V)(q)
	if e.deterministic && len(m) > 1 {
		return encodeSorted(e, l, f, m, at)
	}
	if texts, ok := any(m).(map[string]V); ok {
		for k, v := range swissmap.All(texts) {
			if at = e.encodeEntry(l, f, unsafe.Pointer(&k), unsafe.Pointer(&v), at); at < 0 {
				return failed
			}
		}
		return at
	}
	for k, v := range m {
		if at = e.encodeEntry(l, f, unsafe.Pointer(&k), unsafe.Pointer(&v), at); at < 0 {
			return failed
		}
	}
	return at
}

// encodeSorted writes the entries in the order of their keys.
func encodeSorted[K key, V any](e *encoder, l *layout.Layout, f *layout.Field, m map[K]V, at int) int {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b K) int { return compare(f.Entry.Signed, a, b) })
	for i := len(keys) - 1; i >= 0; i-- {
		k := keys[i]
		v := m[k]
		if at = e.encodeEntry(l, f, unsafe.Pointer(&k), unsafe.Pointer(&v), at); at < 0 {
			return failed
		}
	}
	return at
}

func compare[K key](signed bool, a, b K) int {
	switch a := any(a).(type) {
	case string:
		return cmp.Compare(a, any(b).(string))
	case uint32:
		if b := any(b).(uint32); !signed {
			return cmp.Compare(a, b)
		} else {
			return cmp.Compare(int32(a), int32(b))
		}
	case uint64:
		if b := any(b).(uint64); !signed {
			return cmp.Compare(a, b)
		} else {
			return cmp.Compare(int64(a), int64(b))
		}
	}
	if a == b {
		return 0
	} else if any(a).(bool) {
		return 1
	}
	return -1
}

// encodeEntry writes one entry of a map, a message with the key and the value, or adds its size to at.
func (e *encoder) encodeEntry(l *layout.Layout, f *layout.Field, k, v unsafe.Pointer, at int) int {
	t := f.Entry
	if e.sizing {
		return at + e.sizeEntry(f, k, v)
	}
	end := e.End - at
	if at = e.encodeValue(t.Value, t.Sub, v, e.Room(0, at)); at < 0 {
		return e.inField(l, f, keyIndex(t, k))
	}
	at--
	e.Buf[at] = t.ValTag
	if at = e.encodeValue(t.Key, nil, k, e.Room(0, at)); at < 0 {
		return e.inField(l, f, keyIndex(t, k))
	}
	at--
	e.Buf[at] = t.KeyTag
	return e.tagAndLength(f, e.End-at-end, at)
}

// keyIndex returns how the path names the entry with the key.
func keyIndex(t *layout.Entry, k unsafe.Pointer) string { return "[" + layout.FormatKey(t, k) + "]" }
