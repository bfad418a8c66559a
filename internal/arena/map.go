package arena

import (
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/swissmap"
)

// A Cell holds a key or a value of a map: the member that its kind says.
type Cell struct {
	number  [8]byte
	Text    string
	Bytes   []byte
	Message unsafe.Pointer
}

// At returns where a value of the kind is in c.
func (c *Cell) At(k layout.Kind) unsafe.Pointer {
	switch k {
	case layout.String, layout.Text:
		return unsafe.Pointer(&c.Text)
	case layout.Bytes:
		return unsafe.Pointer(&c.Bytes)
	case layout.Message:
		return unsafe.Pointer(&c.Message)
	}
	return unsafe.Pointer(&c.number)
}

// PutEntry sets an entry of the map at q, or with a nil key makes that map, for as many entries as hint says.
func (a *Arena) PutEntry(t *layout.Entry, q, key, value unsafe.Pointer, hint int) {
	if a.pool != nil && *(*unsafe.Pointer)(q) == nil {
		*(*unsafe.Pointer)(q) = a.pool.newMap(t, hint)
	}
	put(t, q, key, value, hint)
}

// emptied is the hint with which put, without a key, removes all entries of a map.
const emptied = -1

// put sets an entry of a map, new memory if the map is nil. All types of maps that are alike in size, hash and
// pointers go the same way.
func put(t *layout.Entry, q, key, value unsafe.Pointer, hint int) {
	switch t.Key {
	case layout.Bool:
		putKey[bool](t.Value, q, key, value, hint)
	case layout.String, layout.Text:
		putKey[string](t.Value, q, key, value, hint)
	case layout.Varint64, layout.Sint64, layout.Fixed64:
		putKey[uint64](t.Value, q, key, value, hint)
	default:
		putKey[uint32](t.Value, q, key, value, hint)
	}
}

func putKey[K comparable](k layout.Kind, q, key, value unsafe.Pointer, hint int) {
	switch k {
	case layout.Bool:
		set[K, bool](q, key, value, hint)
	case layout.String, layout.Text:
		set[K, string](q, key, value, hint)
	case layout.Bytes:
		set[K, []byte](q, key, value, hint)
	case layout.Message:
		set[K, unsafe.Pointer](q, key, value, hint)
	case layout.Varint64, layout.Sint64, layout.Fixed64:
		set[K, uint64](q, key, value, hint)
	default:
		set[K, uint32](q, key, value, hint)
	}
}

func set[K comparable, V any](q, key, value unsafe.Pointer, hint int) {
	// Sound: K and V have the size, the hash and the pointers of the map's own types, and
	// that is all by which the runtime tells one map from another (TestMapsOfOtherTypes).
	m := (*map[K]V)(q)
	if *m == nil {
		*m = swissmap.MakeOf[K, V](hint)
	}
	if key == nil {
		if hint == emptied {
			clear(*m)
		}
		return
	}
	(*m)[*(*K)(key)] = *(*V)(value)
}
