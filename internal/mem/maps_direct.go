//go:build go1.26 && !go1.27 && !race && !wasm

package mem

import "unsafe"

// direct says that tables and tableAt know the layout of maps: in the release of Go that
// they were written for. They are of use because the runtime's iterator keeps its pointers
// in memory, with a write barrier for each while garbage is collected, and draws random
// numbers.
//
// With the race detector on maps are read in the ordinary way, so that it sees that.
const direct = true

// tables returns how many tables the map has for tableAt; -1 if the map is being written
// to, which the runtime must get to see.
func tables[V any](m map[string]V) int {
	// Sound: a map is a pointer to a header, in the releases of Go of the build tag.
	h := *(**header)(unsafe.Pointer(&m))
	switch {
	case h == nil || h.used == 0:
		return 0
	case h.writing != 0:
		return -1
	}
	return max(h.count, 1)
}

// tableAt returns the groups of a table. They must only be read, and a change of the map
// leaves undefined which entries they show.
func tableAt[V any](m map[string]V, i int) []Group[V] {
	// Sound: as in tables. What the directory refers to is a group or tables, of which
	// the groups are an array of mask+1; that they are of the type Group[V] follows
	// from the map's type. Memory that the map has let go of meanwhile stays as it is
	// while these pointers refer to it.
	h := *(**header)(unsafe.Pointer(&m))
	if h.count == 0 {
		return unsafe.Slice((*Group[V])(h.directory), 1)
	}
	if i >= h.count {
		return nil
	}
	t := unsafe.Slice((**table)(h.directory), h.count)[i]
	if t.index != i {
		return nil // it has been there already
	}
	return unsafe.Slice((*Group[V])(t.groups), t.mask+1)
}
