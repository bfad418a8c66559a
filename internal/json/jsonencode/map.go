package jsonencode

import (
	"slices"
	"strconv"
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/mapsort"
	"github.com/protean-pb/protean/internal/protoerr"
)

// encodeMap writes the map at q as an object, in the order of its keys. Of the types of keys and
// values only the size, the hash and what the collector must know matter, so that a map
// of one type is read as one of another that is the same in that.
func (e *encoder) encodeMap(f *layout.JSONField, q unsafe.Pointer, at int) int {
	e.room(0, at)
	at = e.put('{', at)
	switch f.Entry.Key {
	case layout.String, layout.Text:
		at = e.encodeStringMap(f, q, at)
	case layout.Bool:
		at = numberMapByValueType[bool](e, f, q, at)
	case layout.Varint64, layout.Sint64, layout.Fixed64:
		at = numberMapByValueType[uint64](e, f, q, at)
	default:
		at = numberMapByValueType[uint32](e, f, q, at)
	}
	if at < 0 {
		return failed
	}
	return e.close('}', at)
}

// encodeStringMap writes the entries of a map whose keys are strings.
func (e *encoder) encodeStringMap(f *layout.JSONField, q unsafe.Pointer, at int) int {
	// Sound, here and in byValue: as entries says.
	switch f.Entry.Value {
	case layout.String, layout.Text:
		return encodeSorted(e, f, *(*map[string]string)(q), at)
	case layout.Message:
		return encodeSorted(e, f, *(*map[string]unsafe.Pointer)(q), at)
	case layout.Bytes:
		return encodeSorted(e, f, *(*map[string][]byte)(q), at)
	case layout.Bool:
		return encodeSorted(e, f, *(*map[string]bool)(q), at)
	case layout.Varint64, layout.Sint64, layout.Fixed64:
		return encodeSorted(e, f, *(*map[string]uint64)(q), at)
	}
	return encodeSorted(e, f, *(*map[string]uint32)(q), at)
}

// encodeSorted writes the entries in the order of their keys.
func encodeSorted[V any](e *encoder, f *layout.JSONField, m map[string]V, at int) int {
	from, to := mapsort.Push(&e.entered, m)
	for i := from; i < to; i++ {
		key, v := mapsort.At(&e.entered, m, i)
		if at = e.encodeEntry(f, key, unsafe.Pointer(&v), at); at < 0 {
			return e.inField(f, "["+strconv.Quote(protoerr.Clip(key))+"]")
		}
	}
	e.entered.Pop(from)
	return at
}

// encodeEntry writes an entry whose key is a string, and a comma.
func (e *encoder) encodeEntry(f *layout.JSONField, key string, v unsafe.Pointer, at int) int {
	if at = e.string(key, at); at < 0 {
		return failed
	}
	if at = e.encodeValue(f, f.ValueKind, v, e.put(':', at)); at < 0 {
		return failed
	}
	e.room(0, at)
	return e.put(',', at)
}

func numberMapByValueType[K uint32 | uint64 | bool](e *encoder, f *layout.JSONField, q unsafe.Pointer, at int) int {
	switch f.Entry.Value {
	case layout.Bool:
		return encodeNumberMap(e, f, *(*map[K]bool)(q), at)
	case layout.String, layout.Text:
		return encodeNumberMap(e, f, *(*map[K]string)(q), at)
	case layout.Bytes:
		return encodeNumberMap(e, f, *(*map[K][]byte)(q), at)
	case layout.Message:
		return encodeNumberMap(e, f, *(*map[K]unsafe.Pointer)(q), at)
	case layout.Varint64, layout.Sint64, layout.Fixed64:
		return encodeNumberMap(e, f, *(*map[K]uint64)(q), at)
	}
	return encodeNumberMap(e, f, *(*map[K]uint32)(q), at)
}

// encodeNumberMap writes entries whose keys are not strings.
func encodeNumberMap[K uint32 | uint64 | bool, V any](e *encoder, f *layout.JSONField, m map[K]V, at int) int {
	from := len(e.numbers)
	for k := range m {
		e.numbers = append(e.numbers, ordinal(f.KeyKind, unsafe.Pointer(&k)))
	}
	slices.Sort(e.numbers[from:])
	for i := from; i < from+len(m); i++ {
		n := e.numbers[i] // maps within this one may move the stack
		k := keyOf[K](f.KeyKind, n)
		v := m[k]
		e.room(0, at)
		at = e.put('"', e.key(f.KeyKind, unsafe.Pointer(&k), e.put('"', at)))
		if at = e.encodeValue(f, f.ValueKind, unsafe.Pointer(&v), e.put(':', at)); at < 0 {
			return e.inField(f, "["+layout.FormatKey(f.Entry, unsafe.Pointer(&k))+"]")
		}
		e.room(0, at)
		at = e.put(',', at)
	}
	e.numbers = e.numbers[:from]
	return at
}

// signBit is added to signed numbers so that they compare like unsigned ones.
const signBit = 1 << 63

// ordinal returns a number that compares like the key at k.
func ordinal(form layout.JSONKind, k unsafe.Pointer) uint64 {
	switch form {
	case layout.JSONBool:
		return uint64(*(*byte)(k))
	case layout.JSONInt32:
		return uint64(int64(*(*int32)(k))) + signBit
	case layout.JSONUint32:
		return uint64(*(*uint32)(k))
	case layout.JSONInt64:
		return *(*uint64)(k) + signBit
	}
	return *(*uint64)(k)
}

// keyOf returns the key that has the ordinal.
func keyOf[K uint32 | uint64 | bool](form layout.JSONKind, n uint64) (k K) {
	switch form {
	case layout.JSONInt32, layout.JSONInt64:
		n -= signBit
	}
	switch p := any(&k).(type) {
	case *bool:
		*p = n != 0
	case *uint32:
		*p = uint32(n)
	case *uint64:
		*p = n
	}
	return k
}

// key writes a key that is not a string.
func (e *encoder) key(form layout.JSONKind, k unsafe.Pointer, at int) int {
	switch form {
	case layout.JSONBool:
		return e.bool(*(*bool)(k), at)
	case layout.JSONInt32:
		return e.int(int64(*(*int32)(k)), at)
	case layout.JSONUint32:
		return e.uint(uint64(*(*uint32)(k)), at)
	case layout.JSONInt64:
		return e.int(*(*int64)(k), at)
	}
	return e.uint(*(*uint64)(k), at)
}
