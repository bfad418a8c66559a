package swissmap

import (
	"iter"
	"math/bits"
	"unsafe"
)

// All yields the entries of m in no particular order, as range does: the runtime's iterator keeps its pointers in
// memory, with a write barrier for each while garbage is collected, and draws random numbers. The map must not be
// changed meanwhile.
func All[V any](m map[string]V) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		n := -1
		if Enabled() && unsafe.Sizeof(*new(V)) <= maxSize {
			n = tables(m)
		}
		if n < 0 {
			for k, v := range m {
				if !yield(k, v) {
					return
				}
			}
		}
		for i := range n {
			groups := tableAt(m, i)
			for i := range groups {
				g := &groups[i]
				for full := full(g.control); full != 0; full &= full - 1 {
					s := &g.slots[bits.TrailingZeros64(full)/8]
					if !yield(s.key, s.value) {
						return
					}
				}
			}
		}
	}
}

// A Position is where an entry lies in its map: the number of a table, of a group in it, and of a slot.
type Position uint32

const (
	slotBits  = 3 // of eight slots
	tableBits = 7 + slotBits
)

// HasPositions reports whether [Positions] and [EntryAt] can be used. It does not change while the program runs.
func HasPositions() bool { return Enabled() && hasTables() }

// Positions yields the keys of m in no particular order, with the position of each entry. The map must not be changed
// meanwhile, nor before [EntryAt]. It may only be called if [HasPositions]. A value may take 128 bytes at most.
func Positions[V any](m map[string]V) iter.Seq2[string, Position] {
	return func(yield func(string, Position) bool) {
		n := tables(m)
		for ; n < 0; n = tables(m) {
			for range m { // which ends the program: the map is being written to
			}
		}
		for t := range n {
			groups := tableAt(m, t)
			for i := range groups {
				g := &groups[i]
				for full := full(g.control); full != 0; full &= full - 1 {
					slot := bits.TrailingZeros64(full) / 8
					if !yield(g.slots[slot].key, positionOf(t, i, slot)) {
						return
					}
				}
			}
		}
	}
}

func positionOf(table, group, slot int) Position {
	return Position(table<<tableBits | group<<slotBits | slot)
}

// EntryAt returns the entry at a position that [Positions] has yielded.
func EntryAt[V any](m map[string]V, p Position) (key string, value V) {
	s := &tableAt(m, int(p>>tableBits))[p>>slotBits&(1<<(tableBits-slotBits)-1)].slots[p&(1<<slotBits-1)]
	return s.key, s.value
}
