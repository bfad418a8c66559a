//go:build go1.26 && !go1.27 && !race

package mem

import (
	"math/rand/v2"
	"unsafe"
)

// A SmallMap is memory for one map of up to eight entries, so that the memory of many
// maps can be allocated at once. The zero SmallMap is ready for [SmallMap.Map]. It takes
// no memory where the layout of maps is not known.
//
// A map that comes to hold more entries moves out, as all maps do when they grow.
type SmallMap[V any] struct {
	header seeded
	group  group[V]
}

// A seeded is all of the runtime's internal/runtime/maps.Map.
type seeded struct {
	_       uint64
	seed    uintptr
	group   unsafe.Pointer
	_       int
	_, _, _ uint8
	_       bool
	_       uint64
}

// empty is the control word of a group of which no slot is in use.
const empty = 0x8080808080808080

// Map makes the map that lies in s and is going to have n entries. It must be called once
// at most, and s must lie on the heap and not be used any more.
func (s *SmallMap[V]) Map(n int) map[string]V {
	if n > len(s.group.slots) {
		return make(map[string]V, n)
	}
	return s.start(uintptr(rand.Uint64()))
}

// start makes the map, with that seed.
func (s *SmallMap[V]) start(seed uintptr) map[string]V {
	// Sound: these are the steps by which the compiler makes a map in memory that it has
	// itself, in the releases of Go of the build tag: a seed, and an empty group of slots
	// of the map's types. A map is a pointer to a header, and s keeps both parts alive.
	s.group.control = empty
	s.header.seed, s.header.group = seed, unsafe.Pointer(&s.group)
	h := &s.header
	return *(*map[string]V)(unsafe.Pointer(&h))
}
