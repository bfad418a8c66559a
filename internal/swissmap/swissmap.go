package swissmap

import (
	"errors"
	"math/bits"
	"math/rand/v2"
	"os"
	"unsafe"
)

// Both are set by init alone. See doc.go for why it is not a lazy decision.
var (
	enabled bool
	reason  error // why not
)

func init() {
	if !available {
		reason = errors.New("the layout of maps is not known in this build")
		return
	}
	if os.Getenv("PROTEAN_SWISSMAP") == "off" {
		reason = errors.New("PROTEAN_SWISSMAP is off")
		return
	}
	enabled = true // for the self-check, which makes maps by hand
	reason = selfCheck(subject{header: ordinary, build: NewBuilder[any]})
	enabled = reason == nil
}

// Enabled reports whether maps are made and read by hand. It does not change while the program runs.
func Enabled() bool { return available && enabled }

// IsSmall reports whether a map of n entries is made in a [Small].
func IsSmall(n int) bool { return Enabled() && 0 < n && n <= SmallEntries }

// Groups returns how many groups a map of n entries takes beside its [Large]; 0 if it has none, since it is small, or
// has several tables, or [Enabled] is false.
func Groups(n int) int {
	if n <= SmallEntries || n > groupLoad*maxGroups || !Enabled() {
		return 0
	}
	return groupsFor(n)
}

// A Small is memory for one map of up to [SmallEntries] entries. A map that comes to hold more moves out, as all maps
// do when they grow. It is only of use where [IsSmall] says so. Once a map has been made in it, it belongs to that
// map: it must not be copied, and must be on the heap.
type Small[V any] struct {
	header header
	group  Group[V]
}

// A Group is eight slots of a map whose keys are strings.
type Group[V any] group[string, V]

// A Large is memory for one map of more entries, whose [Groups] are elsewhere. Otherwise it is as a [Small].
type Large[V any] struct {
	header    header
	directory *table
	table     table
}

// Map makes the map in s that [Small.Put] fills. It must be called once at most.
func (s *Small[V]) Map(k *Keys) map[string]V {
	s.init(k.seed)
	return mapOf[string, V](&s.header)
}

func (s *Small[V]) init(seed uintptr) {
	if !Enabled() {
		panic("swissmap: a map is made by hand, although that is disabled")
	}
	// Sound, here and in all that makes maps: it is what the compiler and the runtime do, with a group of the map's
	// own type. The map is a pointer to the header, and that keeps all of s alive.
	s.group.control = free
	s.header.seed, s.header.directory = seed, unsafe.Pointer(&s.group)
}

// Put sets the entry of the key with that number in the map that [Small.Map] has made for k. The map must have less
// than 8 entries, not this one, and none must have been removed.
func (s *Small[V]) Put(k *Keys, i int, v V) {
	// Sound: the map is still in s, since it has not grown, and its entries are in the first slots.
	n, x := s.header.used&(SmallEntries-1), &k.all[i]
	s.group.slots[n] = slot[string, V]{x.name, v}
	s.group.control += (uint64(x.hash&hashMask) - freeSlot) << (8 * n)
	s.header.used++
}

// Build makes the map in s, for up to [SmallEntries] entries. It must be called once at most. If k is nil there are no
// keys whose hash is known.
//
// All maps of k have one seed. It is as secret as any other, and keys that were not chosen to collide come first.
func (s *Small[V]) Build(k *Keys) Builder[V] {
	s.init(k.mapSeed())
	return Builder[V]{mapOf[string, V](&s.header), nil, &s.group, 0, k}
}

// Build makes the map in l and the groups, as many as [Groups] has said. Otherwise it is [Small.Build].
func (l *Large[V]) Build(k *Keys, groups []Group[V]) Builder[V] {
	for i := range groups {
		groups[i].control = free
	}
	n := len(groups)
	l.table = table{
		capacity: uint16(n * SmallEntries), left: uint16(n * groupLoad),
		groups: unsafe.Pointer(&groups[0]), mask: uint64(n) - 1,
	}
	l.directory = &l.table
	l.header = header{seed: k.mapSeed(), directory: unsafe.Pointer(&l.directory), count: 1, shift: bits.UintSize}
	return Builder[V]{mapOf[string, V](&l.header), &l.table, &groups[0], uintptr(n) - 1, k}
}

// Make is make(map[string]V, n), in one or two allocations.
func Make[V any](n int) map[string]V {
	b := NewBuilder[V](nil, n)
	return b.m
}

// MakeOf returns an empty map for n entries with keys of any type. It saves an allocation for maps of few entries.
func MakeOf[K comparable, V any](n int) map[K]V {
	if !IsSmall(n) || unsafe.Sizeof(*new(K)) > maxSize || unsafe.Sizeof(*new(V)) > maxSize {
		return make(map[K]V, n)
	}
	// Sound: as in Small.init.
	m := new(struct {
		header header
		group  group[K, V]
	})
	m.group.control = free
	m.header.seed, m.header.directory = uintptr(rand.Uint64()), unsafe.Pointer(&m.group)
	return mapOf[K, V](&m.header)
}
