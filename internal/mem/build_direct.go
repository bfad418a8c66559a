//go:build go1.26 && !go1.27 && !race && !wasm

package mem

import (
	"math/bits"
	"math/rand/v2"
	"unsafe"
)

// A SmallMap is memory for one map of up to [SmallEntries] entries, so that the memory of
// many maps can be allocated at once. It takes no memory where the layout of maps is not
// known.
//
// A map that comes to hold more entries moves out, as all maps do when they grow.
type SmallMap[V any] struct {
	header header
	group  Group[V]
}

// A LargeMap is the same for one map of more entries, with [Groups] that are elsewhere.
type LargeMap[V any] struct {
	header    header
	directory *table
	table     table
}

// A header is all of the runtime's internal/runtime/maps.Map.
type header struct {
	used      uint64
	seed      uintptr
	directory unsafe.Pointer // to the only group, or to pointers to tables
	count     int            // of tables in the directory; 0 if there is but one group
	_         uint8
	shift     uint8
	writing   uint8
	removed   bool // whether a table may have slots that are marked as such
	_         uint64
}

// A table is all of the runtime's internal/runtime/maps.table.
type table struct {
	used, capacity, left uint16
	_                    uint8
	index                int            // where in the directory it is first found
	groups               unsafe.Pointer // to an array
	mask                 uint64         // the length of that minus one
}

// What the runtime says of tables: each of eight slots but one may be in use, and when there are
// more slots it makes several.
const (
	mostOfGroup = SmallEntries - 1
	mostGroups  = 1024 / SmallEntries
)

// Groups returns how many groups a map of n entries takes beside its [LargeMap]; 0 if it has none,
// since it is small, or so large that it is the runtime's alone.
func Groups(n int) int {
	if n <= SmallEntries || n > mostOfGroup*mostGroups {
		return 0
	}
	return 1 << bits.Len(uint(n-1)/mostOfGroup)
}

// A Filler fills a new map with values of keys that are known. Others can be set in the map
// itself, meanwhile or later.
type Filler[V any] struct {
	header *header // which the map is a pointer to
	table  *table  // nil for a small map
	groups *Group[V]
	mask   uintptr // how many there are minus one
	keys   *Keys
}

// Fill makes the map that lies in s, for as many entries as it has room for. It must be called
// once at most, and s must lie on the heap and not be used any more. If k is nil there are no
// keys that are known.
//
// All maps of k have one seed. It is as secret as any other, and keys that nobody chose to collide
// come first.
func (s *SmallMap[V]) Fill(k *Keys) Filler[V] {
	// Sound, here and in LargeMap.Fill: these are the steps by which the compiler and the runtime
	// make a map, in the releases of Go of the build tag, with groups of the map's types. A map
	// is a pointer to a header, and refers to all other parts.
	s.start(k.mapSeed())
	return Filler[V]{&s.header, nil, &s.group, 0, k}
}

// Keyed is Fill for those who go by [SmallMap.Put], which is faster than the Filler's.
func (s *SmallMap[V]) Keyed(k *Keys) map[string]V {
	s.start(k.seed)
	h := &s.header
	return *(*map[string]V)(unsafe.Pointer(&h))
}

func (s *SmallMap[V]) start(seed uintptr) {
	s.group.control = empty
	s.header.seed, s.header.directory = seed, unsafe.Pointer(&s.group)
}

// Put sets m[k.Name(i)] to v, where m is the map that s.Keyed has made for k, which has fewer
// than 8 entries and not this one, and of which none has been removed.
func (s *SmallMap[V]) Put(m map[string]V, k *Keys, i int, v V) {
	// Sound: the map is still in s, and its entries are in the first slots.
	n, x := s.header.used&(SmallEntries-1), &k.all[i]
	s.group.slots[n] = slot[V]{x.name, v}
	s.group.control += (uint64(x.hash&hashMask) - emptySlot) << (8 * n)
	s.header.used++
}

// Fill makes the map that lies in s and the groups, as many as [Groups] has said; otherwise it is
// [SmallMap.Fill].
func (s *LargeMap[V]) Fill(k *Keys, groups []Group[V]) Filler[V] {
	for i := range groups {
		groups[i].control = empty
	}
	n := len(groups)
	s.table = table{
		capacity: uint16(n * SmallEntries), left: uint16(n * mostOfGroup),
		groups: unsafe.Pointer(&groups[0]), mask: uint64(n) - 1,
	}
	s.directory = &s.table
	s.header = header{seed: k.mapSeed(), directory: unsafe.Pointer(&s.directory), count: 1, shift: bits.UintSize}
	return Filler[V]{&s.header, &s.table, &groups[0], uintptr(n) - 1, k}
}

// NewFiller returns a Filler for a map that is going to have n entries, in memory of its own.
func NewFiller[V any](k *Keys, n int) Filler[V] {
	switch groups := Groups(n); {
	case groups == 2:
		return new(PairMap[V]).Fill(k)
	case groups == 4:
		return new(QuadMap[V]).Fill(k)
	case groups > 0:
		return new(LargeMap[V]).Fill(k, make([]Group[V], groups))
	case 0 < n && n <= SmallEntries:
		return new(SmallMap[V]).Fill(k)
	}
	m := make(map[string]V, n)
	return Filler[V]{header: *(**header)(unsafe.Pointer(&m)), keys: k} // sound: as Fill says
}

// A keyedMap is a [SmallMap] for keys of any type.
type keyedMap[K comparable, V any] struct {
	header  header
	control uint64
	_       [SmallEntries]struct { // slots, which the map alone uses
		key   K
		value V
	}
}

// NewMapOf is [NewMap] for keys of any type: in one allocation where there are few. Neither keys nor values may take more
// than 128 bytes.
func NewMapOf[K comparable, V any](n int) map[K]V {
	if n == 0 || n > SmallEntries {
		return make(map[K]V, n)
	}
	// Sound: as Fill says.
	m := new(keyedMap[K, V])
	m.control = empty
	m.header.seed, m.header.directory = uintptr(rand.Uint64()), unsafe.Pointer(&m.control)
	h := &m.header
	return *(*map[K]V)(unsafe.Pointer(&h))
}

// Map returns the map.
func (f *Filler[V]) Map() map[string]V {
	return *(*map[string]V)(unsafe.Pointer(&f.header)) // sound: as Fill says
}

// Len returns how many entries the map has.
func (f *Filler[V]) Len() int { return int(f.header.used) }

// Put sets the entry of the key with that number, which the map has not got yet. It must not come
// to hold more than it was made for, and nothing may have been removed.
func (f *Filler[V]) Put(i int, v V) {
	if f.groups == nil {
		f.Map()[f.keys.Name(i)] = v
		return
	}
	x := &f.keys.all[i]
	// Sound: the mask keeps the number of the group below that of all. One has a slot that is
	// not in use, since a table is never full, nor a small map before it has all its entries.
	at := x.hash >> hashBits & f.mask
	g := f.group(at)
	for step := uintptr(1); g.control&empty == 0; step++ {
		at = (at + step) & f.mask
		g = f.group(at)
	}
	n := bits.TrailingZeros64(g.control&empty) &^ 7
	g.slots[n/8&(SmallEntries-1)] = slot[V]{x.name, v}
	g.control += (uint64(x.hash&hashMask) - emptySlot) << (n & 63)
	f.header.used++
	if t := f.table; t != nil {
		t.used++
		t.left--
	}
}

func (f *Filler[V]) group(at uintptr) *Group[V] {
	return (*Group[V])(unsafe.Add(unsafe.Pointer(f.groups), at*unsafe.Sizeof(*f.groups)))
}

// Twin fills the map, which is empty, with the keys of m, and for each the value that convert
// returns. When that says false, so does Twin, and the map has some of the entries or none. If there
// is room for as many in the one as in the other, keys come where they are in m, and are not
// hashed again; the maps then have one seed, like a map and its clone.
func Twin[V, W any](f *Filler[V], m map[string]W, convert func(key string, value W) (V, bool)) bool {
	h := *(**header)(unsafe.Pointer(&m)) // sound: as for Fill
	if !f.isLike(h) {
		return eachSet(f.Map(), m, convert)
	}
	f.header.seed = h.seed
	from := tableAt(m, 0)
	for i := range from {
		g, to := &from[i], f.group(uintptr(i))
		control := g.control
		for full := ^control & empty; full != 0; full &= full - 1 {
			n := bits.TrailingZeros64(full) / 8 & (SmallEntries - 1)
			key := g.slots[n].key
			v, ok := convert(key, g.slots[n].value)
			if !ok {
				f.clear(i)
				return false
			}
			to.slots[n] = slot[V]{key, v}
		}
		to.control = control
	}
	f.header.used = h.used
	if t := f.table; t != nil {
		t.used += uint16(h.used)
		t.left -= uint16(h.used)
	}
	return true
}

// clear takes back what the first n groups have: to find a key in one may take another one.
func (f *Filler[V]) clear(n int) {
	for i := range n {
		f.group(uintptr(i)).control = empty
	}
}

// isLike reports whether the map has as many groups as that with the header, of which none has
// slots that are marked as removed.
func (f *Filler[V]) isLike(h *header) bool {
	switch {
	case f.groups == nil || h == nil || h.used == 0 || h.writing != 0:
		return false
	case h.count == 0:
		return f.table == nil
	case h.count == 1 && f.table != nil && !h.removed:
		// Sound: the directory has one pointer to a table.
		return (*(**table)(h.directory)).mask == f.table.mask
	}
	return false
}

const (
	// emptySlot is the byte of a control word for a slot that is not in use, and empty that of
	// a group of which none is.
	emptySlot = 0x80
	empty     = 0x0101010101010101 * emptySlot
	// hashBits is how many bits of a hash are noted there, the lowest; the others say in which
	// group a key is.
	hashBits = 7
	hashMask = 1<<hashBits - 1
)

// Keys are keys of which many maps are made, each of some of them: for each key its hash. So
// maps are filled without computing any.
type Keys struct {
	all  []hashed
	seed uintptr // of all the maps
}

type hashed struct {
	name string
	hash uintptr
}

// UnsetKeys returns n keys that are to be [Keys.Set] before they are used.
func UnsetKeys(n int) *Keys {
	return &Keys{make([]hashed, n), uintptr(rand.Uint64())}
}

// Set makes name the key with that number, which must be different from the others. Maps
// that have been made of k do not change. Nobody else may use k meanwhile.
func (k *Keys) Set(i int, name string) {
	k.all[i] = hashed{name, stringHash(unsafe.Pointer(&name), k.seed)}
}

// Name returns the name of the key with that number.
func (k *Keys) Name(i int) string { return k.all[i].name }

// mapSeed returns the seed of a new map.
func (k *Keys) mapSeed() uintptr {
	if k == nil {
		return uintptr(rand.Uint64())
	}
	return k.seed
}

// The runtime keeps this, the hash of maps whose keys are strings, for packages outside of it,
// and its signature too (see runtime/alg.go).
//
//go:linkname stringHash runtime.strhash
//go:noescape
func stringHash(s unsafe.Pointer, seed uintptr) uintptr
