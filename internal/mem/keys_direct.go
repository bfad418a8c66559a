//go:build go1.26 && !go1.27 && !race

package mem

import (
	"math/bits"
	"math/rand/v2"
	"unsafe"
)

// Keys are keys of which many maps are made, each of some of them: for each key, what the
// runtime notes of its hash. So a [SmallMap] is filled without computing any.
type Keys struct {
	names []string
	seed  uintptr // of all the maps
	marks []uint8
}

// NewKeys returns the keys of those names, which must be different.
func NewKeys(names []string) *Keys {
	k := UnsetKeys(len(names))
	for i, name := range names {
		k.Set(i, name)
	}
	return k
}

// UnsetKeys returns n keys that are to be [Keys.Set] before they are used.
func UnsetKeys(n int) *Keys {
	return &Keys{make([]string, n), uintptr(rand.Uint64()), make([]uint8, n)}
}

// Set makes name the key with that number, which must be different from the others. Maps
// that have been made of k do not change. Nobody else may use k meanwhile.
func (k *Keys) Set(i int, name string) {
	s := new(SmallMap[struct{}])
	s.Keyed(k, 1)[name] = struct{}{}
	full := ^s.group.control & empty // the slot that has got the key
	k.names[i], k.marks[i] = name, uint8(s.group.control>>(bits.TrailingZeros64(full)&^7))
}

// Keyed is [SmallMap.Map] for a map that is going to have keys of k, and perhaps others; n
// must be 8 at most.
//
// All such maps have one seed. It is as secret as any other, and the maps begin with keys
// that nobody chose to collide.
func (s *SmallMap[V]) Keyed(k *Keys, _ int) map[string]V { return s.start(k.seed) }

// Put sets m[k.Name(i)] to v, where m is the map that s.Keyed has made for k, which has fewer
// than 8 entries and not this one.
func (s *SmallMap[V]) Put(m map[string]V, k *Keys, i int, v V) {
	// Sound: s begins with what a header begins with. As Keyed is called for 8 entries at
	// most and none is ever removed meanwhile, the map is still in s, and its entries are in
	// the first slots.
	h := (*header)(unsafe.Pointer(&s.header))
	n := h.used & 7
	s.group.slots[n] = slot[V]{k.names[i], v}
	s.group.control += (uint64(k.marks[i]) - emptySlot) << (8 * n)
	h.used++
}

// emptySlot is the byte of a control word for a slot that is not in use.
const emptySlot = empty & 0xff
