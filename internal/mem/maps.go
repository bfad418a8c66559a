package mem

import (
	"iter"
	"math/bits"
)

// A Group is eight slots of a map, as Go 1.26 lays them out if neither the key nor the
// value takes more than 128 bytes.
type Group[V any] struct {
	control uint64 // a byte for each slot; its high bit is set if the slot is not in use
	slots   [SmallEntries]slot[V]
}

// A slot is an entry of a map.
type slot[V any] struct {
	key   string
	value V
}

// SmallEntries is how many entries a [SmallMap] holds.
const SmallEntries = 8

// A PairMap and a QuadMap are a [LargeMap] together with its [Groups], where those are 2 or 4: one
// allocation instead of two.
type (
	PairMap[V any] struct {
		large  LargeMap[V]
		groups [2]Group[V]
	}
	QuadMap[V any] struct {
		large  LargeMap[V]
		groups [4]Group[V]
	}
)

// Fill is [LargeMap.Fill].
func (m *PairMap[V]) Fill(k *Keys) Filler[V] { return m.large.Fill(k, m.groups[:]) }

// Fill is [LargeMap.Fill].
func (m *QuadMap[V]) Fill(k *Keys) Filler[V] { return m.large.Fill(k, m.groups[:]) }

// NewMap returns an empty map that is going to have n entries, in fewer allocations than make
// takes where that is possible.
func NewMap[V any](n int) map[string]V {
	f := NewFiller[V](nil, n)
	return f.Map()
}

// eachSet is [Twin] by the ordinary way.
func eachSet[V, W any](out map[string]V, m map[string]W, convert func(string, W) (V, bool)) bool {
	for key, w := range All(m) {
		v, ok := convert(key, w)
		if !ok {
			return false
		}
		out[key] = v
	}
	return true
}

// HasPositions says that [Positions] and [EntryAt] can be used: that the layout of maps is known.
const HasPositions = direct

// A Position is where an entry lies in its map: the number of a table, of a group in it, and of a slot.
type Position uint32

const (
	slotBits  = 3 // of eight slots
	tableBits = 7 + slotBits
)

// Positions yields the keys of m in no particular order, with the position of each entry. The map must
// not be changed meanwhile, nor before [EntryAt]. It may only be called if [HasPositions].
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
				for full := ^g.control & 0x8080808080808080; full != 0; full &= full - 1 {
					slot := bits.TrailingZeros64(full) / 8
					if !yield(g.slots[slot].key, Position(t<<tableBits|i<<slotBits|slot)) {
						return
					}
				}
			}
		}
	}
}

// EntryAt returns the entry at a position that [Positions] has yielded.
func EntryAt[V any](m map[string]V, p Position) (key string, value V) {
	s := &tableAt(m, int(p>>tableBits))[p>>slotBits&(1<<(tableBits-slotBits)-1)].slots[p&(1<<slotBits-1)]
	return s.key, s.value
}

// All yields the entries of m in no particular order, as range does, only faster where the
// layout of maps is known. The map must not be changed meanwhile. A value may take 128
// bytes at most.
func All[V any](m map[string]V) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		n := -1
		if direct {
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
				// The high bit of each byte says whether that slot is in use.
				for full := ^g.control & 0x8080808080808080; full != 0; full &= full - 1 {
					s := &g.slots[bits.TrailingZeros64(full)/8]
					if !yield(s.key, s.value) {
						return
					}
				}
			}
		}
	}
}
