package jsonencode

import (
	"slices"
	"strconv"
	"unsafe"

	"github.com/protean-pb/protean/internal/fault"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/order"
)

// entries writes the map at q as an object, in the order of its keys. Of the types of keys and
// values only the size, the hash and what the collector must know matter, so that a map
// of one type is read as one of another that is the same in that.
func (e *encoder) entries(f *layout.JSONField, q unsafe.Pointer, at int) int {
	e.room(0, at)
	at = e.put('{', at)
	switch f.Entry.Key {
	case layout.String, layout.Text:
		at = e.texted(f, q, at)
	case layout.Bool:
		at = byValue[bool](e, f, q, at)
	case layout.Varint64, layout.Sint64, layout.Fixed64:
		at = byValue[uint64](e, f, q, at)
	default:
		at = byValue[uint32](e, f, q, at)
	}
	if at < 0 {
		return failed
	}
	return e.close('}', at)
}

// texted writes the entries of a map whose keys are strings.
func (e *encoder) texted(f *layout.JSONField, q unsafe.Pointer, at int) int {
	// Sound, here and in byValue: as entries says.
	switch f.Entry.Value {
	case layout.String, layout.Text:
		return sorted(e, f, *(*map[string]string)(q), at)
	case layout.Message:
		return sorted(e, f, *(*map[string]unsafe.Pointer)(q), at)
	case layout.Bytes:
		return sorted(e, f, *(*map[string][]byte)(q), at)
	case layout.Bool:
		return sorted(e, f, *(*map[string]bool)(q), at)
	case layout.Varint64, layout.Sint64, layout.Fixed64:
		return sorted(e, f, *(*map[string]uint64)(q), at)
	}
	return sorted(e, f, *(*map[string]uint32)(q), at)
}

// sorted writes the entries in the order of their keys.
func sorted[V any](e *encoder, f *layout.JSONField, m map[string]V, at int) int {
	from, to := order.Push(&e.entered, m)
	for i := from; i < to; i++ {
		key, v := order.At(&e.entered, m, i)
		if at = e.entry(f, key, unsafe.Pointer(&v), at); at < 0 {
			return e.in(f, "["+strconv.Quote(fault.Clip(key))+"]")
		}
	}
	e.entered.Pop(from)
	return at
}

// entry writes an entry whose key is a string, and a comma.
func (e *encoder) entry(f *layout.JSONField, key string, v unsafe.Pointer, at int) int {
	if at = e.string(key, at); at < 0 {
		return failed
	}
	if at = e.value(f, f.Form, v, e.put(':', at)); at < 0 {
		return failed
	}
	e.room(0, at)
	return e.put(',', at)
}

func byValue[K uint32 | uint64 | bool](e *encoder, f *layout.JSONField, q unsafe.Pointer, at int) int {
	switch f.Entry.Value {
	case layout.Bool:
		return numbered(e, f, *(*map[K]bool)(q), at)
	case layout.String, layout.Text:
		return numbered(e, f, *(*map[K]string)(q), at)
	case layout.Bytes:
		return numbered(e, f, *(*map[K][]byte)(q), at)
	case layout.Message:
		return numbered(e, f, *(*map[K]unsafe.Pointer)(q), at)
	case layout.Varint64, layout.Sint64, layout.Fixed64:
		return numbered(e, f, *(*map[K]uint64)(q), at)
	}
	return numbered(e, f, *(*map[K]uint32)(q), at)
}

// numbered writes entries whose keys are not strings.
func numbered[K uint32 | uint64 | bool, V any](e *encoder, f *layout.JSONField, m map[K]V, at int) int {
	from := len(e.numbers)
	for k := range m {
		e.numbers = append(e.numbers, ordinal(f.Key, unsafe.Pointer(&k)))
	}
	slices.Sort(e.numbers[from:])
	for i := from; i < from+len(m); i++ {
		n := e.numbers[i] // maps within this one may move the stack
		k := keyOf[K](f.Key, n)
		v := m[k]
		e.room(0, at)
		at = e.put('"', e.key(f.Key, unsafe.Pointer(&k), e.put('"', at)))
		if at = e.value(f, f.Form, unsafe.Pointer(&v), e.put(':', at)); at < 0 {
			return e.in(f, "["+layout.FormatKey(f.Entry, unsafe.Pointer(&k))+"]")
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
func ordinal(form layout.Form, k unsafe.Pointer) uint64 {
	switch form {
	case layout.BoolForm:
		return uint64(*(*byte)(k))
	case layout.Int32Form:
		return uint64(int64(*(*int32)(k))) + signBit
	case layout.Uint32Form:
		return uint64(*(*uint32)(k))
	case layout.Int64Form:
		return *(*uint64)(k) + signBit
	}
	return *(*uint64)(k)
}

// keyOf returns the key that has the ordinal.
func keyOf[K uint32 | uint64 | bool](form layout.Form, n uint64) (k K) {
	switch form {
	case layout.Int32Form, layout.Int64Form:
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
func (e *encoder) key(form layout.Form, k unsafe.Pointer, at int) int {
	switch form {
	case layout.BoolForm:
		return e.bool(*(*bool)(k), at)
	case layout.Int32Form:
		return e.int(int64(*(*int32)(k)), at)
	case layout.Uint32Form:
		return e.uint(uint64(*(*uint32)(k)), at)
	case layout.Int64Form:
		return e.int(*(*int64)(k), at)
	}
	return e.uint(*(*uint64)(k), at)
}
