package layout

import "unsafe"

// A map of a generated message is read and written as one of a few types with keys and values of the same size, hash
// and pointers: map[string]*M as map[string]unsafe.Pointer, map[int64]float64 as map[uint64]uint64. Otherwise the
// codecs would need reflection, which allocates for each entry. That is right as long as the runtime tells maps apart
// by nothing else. It is checked before the first layout is compiled; if it does not hold, types with maps are left to
// the official library.
var mapsAreAlike = alike[string, string, *int, unsafe.Pointer](letter, pointerTo,
	func(a, b *int) bool { return *a == *b }) &&
	alike[int32, uint32, string, string](small, letter, equal) &&
	alike[int64, uint64, float64, uint64](large, func(i int) float64 { return float64(i) / 3 }, equal) &&
	alike[int32, uint32, int32, uint32](small, small, equal)

func letter(i int) string  { return string(rune('a' + i)) }
func pointerTo(i int) *int { return &i }
func small(i int) int32    { return int32(i - 20) }
func large(i int) int64    { return int64(i-20) << 40 }

func equal[T comparable](a, b T) bool { return a == b }

// alike reports whether a map[K]V can be used as a map[L]W: filled, grown, read, ranged over and deleted from as both
// in turn. L and W must have the sizes of K and V.
func alike[K, L comparable, V, W any](key func(i int) K, value func(i int) V, same func(a, b V) bool) bool {
	const n = 40 // more than one group, and grown on the way
	m := map[K]V{}
	// Sound: a map is a pointer, and whether it may be used so is the question.
	as := *(*map[L]W)(unsafe.Pointer(&m))
	for i := range n {
		k, v := key(i), value(i)
		if i%2 == 0 {
			m[k] = v
		} else {
			as[*(*L)(unsafe.Pointer(&k))] = *(*W)(unsafe.Pointer(&v))
		}
	}
	found := 0
	for l, w := range as {
		if v, ok := m[*(*K)(unsafe.Pointer(&l))]; !ok || !same(v, *(*V)(unsafe.Pointer(&w))) {
			return false
		}
		found++
	}
	for i := range n {
		k := key(i)
		w, ok := as[*(*L)(unsafe.Pointer(&k))]
		if !ok || !same(*(*V)(unsafe.Pointer(&w)), value(i)) {
			return false
		}
		if i%4 == 0 {
			delete(as, *(*L)(unsafe.Pointer(&k)))
		} else if i%4 == 1 {
			delete(m, k)
		}
	}
	return found == n && len(m) == n/2 && len(as) == n/2
}
