package block

import (
	"unsafe"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/layout"
)

// A Table reads and changes Go maps of one type of keys and one of values. A map is given
// by where the pointer to it lies, which is nil for a map without entries.
type Table interface {
	// Make makes sure that there is a map at q.
	Make(q Address)
	// Get returns the value for the key, an invalid one if there is none.
	Get(q Address, k protoreflect.MapKey) protoreflect.Value
	// Set sets the value for the key, as [Store] does.
	Set(q Address, k protoreflect.MapKey, v protoreflect.Value)
	// Delete removes the entry with the key.
	Delete(q Address, k protoreflect.MapKey)
	// Range calls f for all entries until it returns false. They may be changed meanwhile.
	Range(q Address, f func(protoreflect.MapKey, protoreflect.Value) bool)
	// Merge adds the entries of the map at src to that at dst, with copies of bytes, and
	// messages as clone returns them.
	Merge(dst, src Address, clone func(Address) Address)
}

// TableOf returns the Table for maps of the field.
func TableOf(fd protoreflect.FieldDescriptor) Table {
	switch k := layout.KindOf(fd.MapKey()); {
	case k == layout.Bool:
		return byValue[bool](fd)
	case k == layout.String || k == layout.Text:
		return byValue[string](fd)
	case k.Size() == layout.Fixed32.Size():
		return byValue[uint32](fd)
	}
	return byValue[uint64](fd)
}

func byValue[K comparable](fd protoreflect.FieldDescriptor) Table {
	k, v := fd.MapKey().Kind(), fd.MapValue().Kind()
	mem := layout.KindOf(fd.MapValue())
	switch mem {
	case layout.Bool:
		return table[K, bool]{k, v}
	case layout.String, layout.Text:
		return table[K, string]{k, v}
	case layout.Bytes:
		return table[K, []byte]{k, v}
	case layout.Message:
		return table[K, Address]{k, v}
	}
	if mem.Size() == layout.Fixed32.Size() {
		return table[K, uint32]{k, v}
	}
	return table[K, uint64]{k, v}
}

// A table is for maps whose keys and values have the size, and the pointers, of a K and a V:
// the types that the decoder makes the maps of dynamic messages with.
type table[K comparable, V any] struct{ key, value protoreflect.Kind }

// entries returns the map at q.
func (table[K, V]) entries(q Address) map[K]V {
	// Sound: the decoder and Make make the maps of a field of this very type.
	return *(*map[K]V)(q)
}

func (t table[K, V]) keyOf(k protoreflect.MapKey) (key K) {
	Store(t.key, Address(&key), k.Value())
	return key
}

func (table[K, V]) Make(q Address) {
	if m := (*map[K]V)(q); *m == nil {
		*m = map[K]V{}
	}
}

func (t table[K, V]) Get(q Address, k protoreflect.MapKey) protoreflect.Value {
	v, ok := t.entries(q)[t.keyOf(k)]
	if !ok {
		return protoreflect.Value{}
	}
	return Load(t.value, unsafe.Pointer(&v))
}

func (t table[K, V]) Set(q Address, k protoreflect.MapKey, v protoreflect.Value) {
	var value V
	Store(t.value, Address(&value), v)
	t.Make(q)
	t.entries(q)[t.keyOf(k)] = value
}

func (t table[K, V]) Delete(q Address, k protoreflect.MapKey) { delete(t.entries(q), t.keyOf(k)) }

func (t table[K, V]) Range(q Address, f func(protoreflect.MapKey, protoreflect.Value) bool) {
	for k, v := range t.entries(q) {
		if !f(Load(t.key, Address(&k)).MapKey(), Load(t.value, Address(&v))) {
			return
		}
	}
}

func (t table[K, V]) Merge(dst, src Address, clone func(Address) Address) {
	if len(t.entries(src)) == 0 {
		return
	}
	t.Make(dst)
	to := t.entries(dst)
	for k, v := range t.entries(src) {
		switch p := any(&v).(type) {
		case *[]byte:
			*p = append([]byte{}, *p...)
		case *Address:
			*p = clone(*p)
		}
		to[k] = v
	}
}

// StringMap returns the map at q, whose keys and values are strings.
func StringMap(q Address) *map[string]string {
	// Sound: as in entries; strings are the only keys and values that TableOf takes for them.
	return (*map[string]string)(q)
}

// NewMap returns where a map without entries is, of any type.
func NewMap() Address { return Address(new(Address)) }

// MapLen returns how many entries the map at q has, whatever its type.
func MapLen(q Address) int {
	// Sound: all maps keep the number of their entries in the same place, and nothing else
	// is read.
	return len(*(*map[int32]struct{})(q))
}
