package swissmap

import (
	"math/bits"
	"unsafe"
)

// A header is the runtime's maps.Map.
type header struct {
	used      uint64
	seed      uintptr
	directory unsafe.Pointer // to the only group, or to pointers to tables
	count     int            // of those pointers; 0 if there is but one group
	depth     uint8          // how many bits of the hash select one of them
	shift     uint8          // what shifts these bits down
	writing   uint8
	removed   bool // whether a table may have tombstones
	clears    uint64
}

// A table is the runtime's maps.table.
type table struct {
	used, capacity, left uint16
	depth                uint8
	index                int            // of the first pointer to it in the directory
	groups               unsafe.Pointer // to an array
	mask                 uint64         // the length of that minus one
}

// A group is what the compiler makes of a map's type, if neither its keys nor its values take more than maxSize bytes.
type group[K comparable, V any] struct {
	control uint64 // a byte for each slot; the high bit is clear if the slot has an entry
	slots   [SmallEntries]slot[K, V]
}

type slot[K comparable, V any] struct {
	key   K
	value V
}

const (
	// SmallEntries is how many entries a [Small] holds.
	SmallEntries = 8
	// maxSize is how many bytes a key or a value may take.
	maxSize = 128
	// A table is made for up to 7 entries in each of up to 128 groups.
	groupLoad = SmallEntries - 1
	maxGroups = 1024 / SmallEntries

	// freeSlot is the byte of a control word for a slot without an entry, and free that of a group without any.
	freeSlot = 0x80
	free     = 0x0101010101010101 * freeSlot
	// The low bits of a hash are in the control word, the others select a group.
	hashBits = 7
	hashMask = 1<<hashBits - 1
)

// full returns a control word in which the high bit of a byte is set if that slot has an entry.
func full(control uint64) uint64 { return ^control & free }

// headerOf returns the header of m.
func headerOf[K comparable, V any](m map[K]V) *header {
	return *(**header)(unsafe.Pointer(&m)) // sound: a map is a pointer to its header
}

// mapOf returns the map with the header.
func mapOf[K comparable, V any](h *header) map[K]V {
	return *(*map[K]V)(unsafe.Pointer(&h)) // sound: as in headerOf
}

// tables returns how many tables the map has for tableAt. It returns -1 if the map must be ranged over: if it is being
// written to, which the runtime must get to see, or has tables that cannot be read.
func tables[V any](m map[string]V) int {
	h := headerOf(m)
	switch {
	case h == nil || h.used == 0:
		return 0
	case h.writing != 0 || h.count > 1:
		return h.tables()
	}
	return 1
}

// tables is apart, so that the other one is inlined.
func (h *header) tables() int {
	if h.writing != 0 || !hasTables() {
		return -1
	}
	return h.count
}

// tableAt returns the groups of a table, which must only be read. A change of the map leaves it undefined which entries
// they show.
func tableAt[V any](m map[string]V, i int) []Group[V] {
	// Sound: what the directory points to is a group, or pointers to tables, of which each points to mask+1 groups. The
	// map's type says that they are of type Group[V]. Memory that the map lets go of meanwhile stays while it is
	// referred to from here.
	h := headerOf(m)
	if h.count == 0 {
		return unsafe.Slice((*Group[V])(h.directory), 1)
	}
	if i >= h.count {
		return nil
	}
	t := unsafe.Slice((**table)(h.directory), h.count)[i]
	if t.index != i {
		return nil // the directory has another pointer to it, which came before
	}
	return unsafe.Slice((*Group[V])(t.groups), t.mask+1)
}

// groupsFor returns how many groups a table for n entries has, as the runtime makes it.
func groupsFor(n int) int { return 1 << bits.Len(uint(n-1)/groupLoad) }
