package swissmap

import (
	"math/bits"
	"unsafe"
)

// A Builder fills a new map with entries whose keys are known. Other entries can be set in the map itself, before,
// meanwhile or later.
type Builder[V any] struct {
	m      map[string]V
	table  *table    // nil for a small map
	groups *Group[V] // nil if the map is filled in the ordinary way
	mask   uintptr   // how many groups there are, minus one
	keys   *Keys
}

// NewBuilder returns a Builder for a map that is going to have n entries, in memory of its own.
func NewBuilder[V any](k *Keys, n int) Builder[V] {
	switch groups := Groups(n); {
	case unsafe.Sizeof(*new(V)) > maxSize: // the map keeps pointers to its values
	case groups > 0:
		return new(Large[V]).Build(k, make([]Group[V], groups))
	case IsSmall(n):
		return new(Small[V]).Build(k)
	}
	return Builder[V]{m: make(map[string]V, n), keys: k}
}

// Map returns the map.
func (b *Builder[V]) Map() map[string]V { return b.m }

// Put sets the entry of the key with that number, which the map has not got yet. The map must not come to hold more
// entries than it was made for, and none must have been removed.
func (b *Builder[V]) Put(i int, v V) {
	x := &b.keys.all[i]
	if b.groups == nil {
		b.m[x.name] = v
		return
	}
	// Sound: the mask keeps the number of the group below that of all. One has a free slot, since a table is never
	// full, nor a small map before it has all its entries.
	at := x.hash >> hashBits & b.mask
	g := b.group(at)
	for step := uintptr(1); g.control&free == 0; step++ {
		at = (at + step) & b.mask
		g = b.group(at)
	}
	n := bits.TrailingZeros64(g.control&free) &^ 7
	g.slots[n/8&(SmallEntries-1)] = slot[string, V]{x.name, v}
	g.control += (uint64(x.hash&hashMask) - freeSlot) << (n & 63)
	b.added(1)
}

// added counts entries.
func (b *Builder[V]) added(n int) {
	headerOf(b.m).used += uint64(n)
	if t := b.table; t != nil {
		t.used += uint16(n)
		t.left -= uint16(n)
	}
}

func (b *Builder[V]) group(at uintptr) *Group[V] {
	// Sound: the callers keep at below the number of groups.
	return (*Group[V])(unsafe.Add(unsafe.Pointer(b.groups), at*unsafe.Sizeof(*b.groups)))
}

// FillFrom fills b's map, which is empty, with the keys of m, and for each the value that convert returns. When that
// says false, so does FillFrom, and the map has some of the entries or none. If both maps have as many groups, keys
// come into the slots where they are in m and are not hashed again. The maps then have one seed, like a map and its
// clone.
func FillFrom[V, W any](b *Builder[V], m map[string]W, convert func(key string, value W) (V, bool)) bool {
	if !canCopy(b, m) {
		return setEach(b.m, m, convert)
	}
	from := tableAt(m, 0)
	if len(from) != int(b.mask)+1 {
		return setEach(b.m, m, convert)
	}
	headerOf(b.m).seed = headerOf(m).seed
	n, tombstones := 0, false
	for i := range from {
		g, to := &from[i], b.group(uintptr(i))
		control := g.control
		entries := full(control)
		for full := entries; full != 0; full &= full - 1 {
			n := bits.TrailingZeros64(full) / 8 & (SmallEntries - 1)
			key := g.slots[n].key
			v, ok := convert(key, g.slots[n].value)
			if !ok {
				b.clear(i)
				return false
			}
			to.slots[n] = slot[string, V]{key, v}
		}
		to.control = control
		n += bits.OnesCount64(entries)
		bytes := entries | (entries - entries>>7) // all of their bits
		tombstones = tombstones || control|bytes != free|bytes
	}
	// If somebody writes to m meanwhile, which is a mistake that range would report, what has been copied may be no
	// table: one has as many free slots as the count of those left says, and those alone end the search for a key.
	if tombstones || b.table != nil && n > int(b.table.left) {
		b.clear(len(from))
		return setEach(b.m, m, convert)
	}
	b.added(n)
	return true
}

// clear removes the entries of the first n groups, which have not been counted: to find a key in one, the others may
// be needed.
func (b *Builder[V]) clear(n int) {
	for i := range n {
		b.group(uintptr(i)).control = free
	}
}

// canCopy reports whether b's map has as many groups as m, and m has no tombstones.
func canCopy[V, W any](b *Builder[V], m map[string]W) bool {
	if b.groups == nil || unsafe.Sizeof(*new(W)) > maxSize {
		return false
	}
	switch h := headerOf(m); {
	case h == nil || h.used == 0 || h.writing != 0:
		return false
	case h.count == 0:
		return b.table == nil
	case h.count == 1 && b.table != nil && !h.removed:
		// Sound: the directory has one pointer to a table.
		return (*(**table)(h.directory)).mask == b.table.mask
	}
	return false
}

// setEach is [FillFrom] without knowledge of the layout.
func setEach[V, W any](out map[string]V, m map[string]W, convert func(string, W) (V, bool)) bool {
	for key, w := range All(m) {
		v, ok := convert(key, w)
		if !ok {
			return false
		}
		out[key] = v
	}
	return true
}
