package swissmap

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"runtime/debug"
	"sync"
	"unsafe"
)

// A subject is what the self-check looks at. Tests have it look at other layouts and at maps that are wrong.
type subject struct {
	// header returns where the header of a map is said to lie, given where it lies, and the sizes of a key and a value.
	header func(h *header, key, value uintptr) *header
	// build returns what fills a map by hand.
	build func(k *Keys, n int) Builder[any]
}

func ordinary(h *header, _, _ uintptr) *header { return h }

// selfCheck returns what in the runtime is not as this package assumes, or nil. It gives maps made by hand to the
// runtime only once ordinary maps have shown that they have the same layout, since what the runtime does with others
// cannot be recovered from.
func selfCheck(s subject) (err error) {
	defer recovered(&err)()
	names := checkNames()
	var small, large, full pair
	for _, check := range []func() error{
		func() error { return checkSizes(s) },
		func() error { return checkGroup(s, names[:5], struct{}{}) },
		func() error { return checkGroup(s, names[:1], [maxSize]byte{1}) },
		func() error { return checkGroup(s, []uint64{1, 1 << 63, 3}, []byte{1}) },
		func() error { return checkGroup(s, []uint32{7, 0}, "value") },
		func() error { return checkGroup(s, []bool{true, false}, true) },
		func() error { return small.check(s, names[:SmallEntries]) },
		func() error { return large.check(s, names[:2*groupLoad]) },
		func() error { return full.check(s, names[:4*groupLoad]) },
		// From here on maps made by hand are used as any other.
		func() error { return small.use(s, names[:SmallEntries+2]) },
		func() error { return large.use(s, names[:2*groupLoad+2]) },
		func() error { return checkMapOf[uint32, bool]() },
		func() error { return checkMapOf[uint64, []byte]() },
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// recovered starts a check that reads memory whose layout is not certain: there may be numbers where pointers are
// expected. What it returns must be deferred, and turns a panic into an error. Functions that use such a pointer are
// nocheckptr, since a failure of checkptr cannot be recovered from.
func recovered(err *error) func() {
	before := debug.SetPanicOnFault(true) // else it ends the program
	return func() {
		debug.SetPanicOnFault(before)
		if r := recover(); r != nil {
			*err = fmt.Errorf("reading maps: %v", r)
		}
	}
}

// checkNames returns keys of all lengths that hash functions treat differently.
func checkNames() []string {
	const text = "The quick brown fox jumps over the lazy dog. " +
		"Sphinx of black quartz, judge my vow. Pack my box with five dozen liquor jugs. How vexingly quick daft " +
		"zebras jump!"
	var names []string
	for _, n := range []int{5, 0, 1, 40, 8, 2, 100, 16} { // for small maps
		names = append(names, text[:n])
	}
	for _, n := range []int{
		3, 4, 6, 7, 9, 12, 15, 17, 24, 31, 32, 33, 48, 63, 64, 65, 80, 96, 127, 128, 129, 140, 150, len(text),
	} {
		names = append(names, text[:n])
	}
	return names
}

// checkSizes compares the sizes of headers and tables with the distances at which the runtime allocates them: if a
// header were larger than this package makes it, the runtime would reach beyond it.
//
//go:nocheckptr
func checkSizes(s subject) error {
	const n = 6
	var made [n]map[string]any
	for i := range made {
		made[i] = make(map[string]any, groupLoad*2)
	}
	var headers, tables [n]uintptr
	for i, m := range made {
		h := s.header(headerOf(m), unsafe.Sizeof(""), unsafe.Sizeof(any(nil)))
		if h.used != 0 || h.count != 1 {
			return errors.New("the header of an empty map is not as expected")
		}
		headers[i], tables[i] = uintptr(unsafe.Pointer(h)), uintptr(unsafe.Pointer(*(**table)(h.directory)))
	}
	if !areApart(headers[:], unsafe.Sizeof(header{})) {
		return errors.New("headers are of another size")
	}
	if !areApart(tables[:], unsafe.Sizeof(table{})) {
		return errors.New("tables are of another size")
	}
	return nil
}

// areApart reports whether things of that size may lie at the addresses. The allocator has places of one size in a page
// of 8 KB.
func areApart(at []uintptr, size uintptr) bool {
	for i, a := range at[1:] {
		if b := at[i]; a>>13 == b>>13 && (max(a, b)-min(a, b))%size != 0 {
			return false
		}
	}
	return true
}

// checkGroup looks into the group of an ordinary small map.
//
//go:nocheckptr
func checkGroup[K comparable, V any](s subject, keys []K, value V) error {
	m := make(map[K]V, len(keys))
	for _, key := range keys {
		m[key] = value
	}
	h := s.header(headerOf(m), unsafe.Sizeof(keys[0]), unsafe.Sizeof(value))
	if err := compareHeaders(h, &header{used: uint64(len(keys)), seed: h.seed}); err != nil {
		return err
	}
	g := (*group[K, V])(h.directory)
	for i := range SmallEntries {
		inUse, slot := byte(g.control>>(8*i))&freeSlot == 0, &g.slots[i]
		switch {
		case inUse != (i < len(keys)):
			return errors.New("the control word of a group is not as expected")
		case inUse && !(sameBytes(&slot.key, &keys[i]) && sameBytes(&slot.value, &value)):
			return fmt.Errorf("the slots of %T are not as expected", m)
		}
	}
	return nil
}

// A pair is two maps of the same entries: one that is made by hand, and an ordinary one.
type pair struct{ made, want map[string]any }

// check makes the two, with one seed, and compares them byte by byte.
//
//go:nocheckptr
func (p *pair) check(s subject, names []string) error {
	m := make(map[string]any, len(names))
	h := s.header(headerOf(m), unsafe.Sizeof(""), unsafe.Sizeof(any(nil)))
	k := UnsetKeys(len(names))
	k.seed = h.seed
	for i, name := range names {
		k.Set(i, name)
	}
	b := s.build(k, len(names))
	for i, name := range names {
		m[name] = i
		b.Put(i, m[name])
	}
	p.made, p.want = b.m, m
	h = s.header(headerOf(m), unsafe.Sizeof(""), unsafe.Sizeof(any(nil)))
	if err := compareHeaders(h, headerOf(b.m)); err != nil {
		return err
	}
	var groups unsafe.Pointer
	if b.table == nil {
		groups = h.directory
	} else {
		t := *(**table)(h.directory)
		want := *b.table
		if want.groups = t.groups; *t != want {
			return fmt.Errorf("a table is %v instead of %v", *t, want)
		}
		groups = t.groups
	}
	for i := range b.mask + 1 {
		g, want := (*group[string, any])(unsafe.Add(groups, i*unsafe.Sizeof(*b.groups))), b.group(i)
		if g.control != want.control {
			return fmt.Errorf("a control word is %x instead of %x", g.control, want.control)
		}
		for i := range SmallEntries {
			if !sameBytes(&g.slots[i], &want.slots[i]) {
				return errors.New("the slots of a group are not as expected")
			}
		}
	}
	return nil
}

// compareHeaders compares all but where the directories are.
func compareHeaders(h, want *header) error {
	// What points to the directory is looked at last, when it is certain to be a pointer.
	if h.used != want.used || h.seed != want.seed || h.count != want.count || h.depth != want.depth ||
		h.shift != want.shift || h.writing != want.writing || h.removed != want.removed || h.clears != want.clears ||
		h.directory == nil {
		return errors.New("the header of a map is not as expected")
	}
	return nil
}

// sameBytes reports whether a and b, which have no padding, lie in memory the same way.
func sameBytes[T any](a, b *T) bool {
	n := unsafe.Sizeof(*a)
	// Sound: both have n bytes.
	return bytes.Equal(unsafe.Slice((*byte)(unsafe.Pointer(a)), n), unsafe.Slice((*byte)(unsafe.Pointer(b)), n))
}

// hasTables reports whether maps of several tables are read by hand. The check waits for the first one, since it
// takes 25 KB.
var hasTables = sync.OnceValue(func() bool { return checkDirectory(subject{header: ordinary}) == nil })

// checkDirectory reads an ordinary map of several tables.
func checkDirectory(s subject) (err error) {
	defer recovered(&err)()
	names := checkNames()
	m := make(map[string]bool, groupLoad*maxGroups+1)
	for _, name := range names {
		m[name] = true
	}
	h := s.header(headerOf(m), unsafe.Sizeof(""), unsafe.Sizeof(true))
	if h.count != 2 || h.depth != 1 {
		return errors.New("a map of many entries has no two tables")
	}
	m = mapOf[string, bool](h)
	found := 0
	for t := range h.count {
		groups := tableAt(m, t)
		if len(groups) != maxGroups/2 {
			return errors.New("a table has another number of groups")
		}
		for i := range groups {
			for full := full(groups[i].control); full != 0; full &= full - 1 {
				name, v := EntryAt(m, positionOf(t, i, bits.TrailingZeros64(full)/8))
				if hash := stringHash(unsafe.Pointer(&name), h.seed); int(hash>>h.shift) != t || !v {
					return errors.New("an entry is not in the table that its hash says")
				}
				found++
			}
		}
	}
	if found != len(names) {
		return errors.New("entries of a large map are not found")
	}
	return nil
}

// use does to both maps all that can be done to a map. The names are those of the entries, and others.
func (p *pair) use(s subject, names []string) error {
	m, want, n := p.made, p.want, len(p.want)
	if !agree(m, want, names) {
		return errors.New("a map is not what was put into it")
	}
	like := s.build(nil, n)
	if !FillFrom(&like, m, func(_ string, v any) (any, bool) { return v, true }) || !agree(like.m, want, names) {
		return errors.New("a map with the keys of another has other entries")
	}
	delete(m, names[0])
	delete(want, names[0])
	clone := maps.Clone(m)
	if !agree(m, want, names) || !agree(clone, want, names) {
		return errors.New("a map or its clone is wrong after a deletion")
	}
	for i, name := range names { // which makes it grow
		m[name], want[name] = n+i, n+i
	}
	if !agree(m, want, names) || len(clone) != n-1 {
		return errors.New("a map is wrong after it has grown")
	}
	for _, m := range []map[string]any{m, clone, like.m, want} {
		clear(m)
		m[names[1]] = 1
	}
	if !agree(m, want, names) || !agree(clone, want, names) || !agree(like.m, want, names) {
		return errors.New("a map is wrong after it has been cleared")
	}
	return nil
}

// agree reports whether m has the entries of want, whatever way one looks. All keys are of names.
func agree(m, want map[string]any, names []string) bool {
	for _, name := range names {
		v, ok := m[name]
		w, wanted := want[name]
		if ok != wanted || v != w {
			return false
		}
	}
	if _, ok := m["absent"]; ok || len(m) != len(want) {
		return false
	}
	n, all := 0, 0
	for name, v := range m {
		if v != want[name] {
			return false
		}
		n++
	}
	for name, v := range All(m) {
		if v != want[name] {
			return false
		}
		all++
	}
	return n == len(want) && all == n
}

// checkMapOf uses a map that is made by hand and whose keys are not strings.
func checkMapOf[K uint32 | uint64, V any]() error {
	var zero V
	m := MakeOf[K, V](SmallEntries)
	for n := K(1); n <= 2*SmallEntries; n++ {
		m[n] = zero
		if _, ok := m[n]; !ok || len(m) != int(n) {
			return fmt.Errorf("%T does not keep its entries", m)
		}
		if _, ok := m[n+1]; ok {
			return fmt.Errorf("%T has what was not put into it", m)
		}
	}
	for n := K(2); n <= 2*SmallEntries; n += 2 {
		delete(m, n)
	}
	n := 0
	for key := range m {
		if key%2 == 0 {
			return fmt.Errorf("%T has what was deleted", m)
		}
		n++
	}
	if clear(m); n != SmallEntries || len(m) != 0 {
		return fmt.Errorf("%T loses entries", m)
	}
	return nil
}
