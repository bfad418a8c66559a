package swissmap

import (
	"fmt"
	"maps"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"
	"unsafe"
)

var mapSizes = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14, 15, 16, 28, 29, 56, 57, 112, 113,
	500, 800, 895, 896, 897, 2000}

// eachWay runs a test with maps that are made by hand, and without.
func eachWay(t *testing.T, test func(*testing.T)) {
	for _, by := range []bool{true, false} {
		t.Run(fmt.Sprint("enabled=", by), func(t *testing.T) {
			if by && !Enabled() {
				t.Skip(reason)
			}
			defer func(before bool) { enabled = before }(enabled)
			enabled = by
			test(t)
		})
	}
}

// mirror does to a map in a SmallMap what it does to an ordinary one, and compares.
func mirror(t *testing.T, m map[string]*int, n int) {
	t.Helper()
	want := map[string]*int{}
	same := func(step string) {
		t.Helper()
		got := map[string]*int{}
		for k, v := range m {
			got[k] = v
		}
		if !maps.Equal(got, want) || len(m) != len(want) || !maps.Equal(read(t, m), want) {
			t.Fatalf("%d entries, %s: %v instead of %v", n, step, got, want)
		}
		for k, v := range want {
			if m[k] != v || *v < 0 {
				t.Fatalf("%d entries, %s: %q is missing", n, step, k)
			}
		}
		if _, ok := m["no such key"]; ok {
			t.Fatalf("%d entries, %s: a key that was never set", n, step)
		}
	}
	set := func(i int) {
		k, v := fmt.Sprint("key", i), &i
		m[k], want[k] = v, v
	}
	same("empty")
	for i := range n {
		set(i)
		set(i / 2) // again
	}
	same("filled")
	for i := range n / 2 {
		delete(m, fmt.Sprint("key", 2*i))
		delete(want, fmt.Sprint("key", 2*i))
	}
	same("thinned out")
	if clone := maps.Clone(m); !maps.Equal(clone, want) {
		t.Fatal("the clone is another map")
	}
	clear(m)
	clear(want)
	same("cleared")
	for i := range 3 * n {
		set(i)
	}
	runtime.GC()
	same("grown")
}

// TestMapsInOneSlab has maps whose memory lies side by side live through all that happens to maps.
func TestMapsInOneSlab(t *testing.T) {
	if !Enabled() {
		t.Skip(reason)
	}
	small := make([]Small[*int], 12)
	large := make([]Large[*int], 1000)
	groups := make([]Group[*int], 60_000)
	var all []map[string]*int
	for i, n := range mapSizes {
		b := NewBuilder[*int](nil, n)
		switch need := Groups(n); {
		case need > 0:
			b = large[i].Build(nil, groups[:need:need])
			groups = groups[need:]
		case IsSmall(n):
			b = small[i].Build(nil)
		}
		all = append(all, b.Map())
	}
	small, large, groups = nil, nil, nil
	runtime.GC()
	for i, m := range all {
		mirror(t, m, mapSizes[i])
	}
	for i, m := range all {
		if len(m) != 3*mapSizes[i] {
			t.Errorf("the map of %d entries has changed with another one", mapSizes[i])
		}
	}
}

// TestMake has maps of all sizes live through all that happens to maps.
func TestMake(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		for _, n := range mapSizes {
			mirror(t, Make[*int](n), n)
			mirror(t, MakeOf[string, *int](n), n)
		}
	})
}

// TestMakeOfAnyType makes maps whose keys and values are of many types, also such as the runtime keeps elsewhere.
func TestMakeOfAnyType(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		fill(t, func(i int) bool { return i%2 == 0 }, 7.5)
		fill(t, func(i int) uint32 { return uint32(i) }, true)
		fill(t, func(i int) uint64 { return uint64(i) << 40 }, []byte("bytes"))
		fill(t, func(i int) string { return fmt.Sprint(i) }, struct{}{})
		fill(t, func(i int) [128]byte { return [128]byte{byte(i)} }, [128]byte{1})
		fill(t, func(i int) [129]byte { return [129]byte{byte(i)} }, [129]byte{1})
		fill(t, func(i int) any { return i }, any("any"))
		fill(t, func(i int) float64 { return float64(i) / 3 }, new(int))
	})
}

func fill[K comparable, V any](t *testing.T, key func(int) K, value V) {
	t.Helper()
	for n := range 20 {
		m, want := MakeOf[K, V](n), map[K]V{}
		for i := range n {
			m[key(i)], want[key(i)] = value, value
		}
		runtime.GC()
		if !reflect.DeepEqual(m, want) {
			t.Fatalf("%v instead of %v", m, want)
		}
		delete(m, key(0))
		delete(want, key(0))
		m[key(n)], want[key(n)] = value, value
		if clone := maps.Clone(m); !reflect.DeepEqual(m, want) || !reflect.DeepEqual(clone, want) {
			t.Fatalf("%v instead of %v", m, want)
		}
	}
}

// TestValuesOfManyBytes has the runtime keep values elsewhere.
func TestValuesOfManyBytes(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		type wide [129]byte
		for _, n := range []int{3, 12, 1000} {
			m := map[string]wide{}
			for i := range n {
				m[fmt.Sprint(i)] = wide{byte(i)}
			}
			if !maps.Equal(read(t, m), m) {
				t.Fatal("All has other entries than the map")
			}
			b := NewBuilder[wide](nil, n)
			FillFrom(&b, m, func(_ string, v wide) (wide, bool) { return v, true })
			narrow := NewBuilder[byte](nil, n)
			FillFrom(&narrow, m, func(_ string, v wide) (byte, bool) { return v[0], true })
			if !maps.Equal(b.Map(), m) || len(narrow.Map()) != n || narrow.Map()["2"] != 2 {
				t.Fatal("FillFrom has other entries than the map")
			}
		}
	})
}

// TestMapsDoNotGrow fills maps with as many entries as they were made for, and sees that they have the groups of
// ordinary maps.
func TestMapsDoNotGrow(t *testing.T) {
	if !Enabled() {
		t.Skip(reason)
	}
	for n := range 896 + 1 { // more are in several tables, which grow as chance will have it
		room := make(map[string]int, n)
		m := Make[int](n)
		for i := range n {
			key := fmt.Sprint(i)
			room[key], m[key] = i, i
		}
		if n == 0 {
			continue
		}
		if got, want := tables(m), tables(room); got != want {
			t.Fatalf("%d entries in %d tables instead of %d", n, got, want)
		}
		for i := range tables(m) {
			if got, want := len(tableAt(m, i)), len(tableAt(room, i)); got != want {
				t.Fatalf("%d entries in %d groups instead of %d", n, got, want)
			}
		}
	}
}

// TestSeeds sees that no two maps agree on a seed, by the order that keys are hashed to.
func TestSeeds(t *testing.T) {
	if !Enabled() {
		t.Skip(reason)
	}
	controls := map[string]bool{}
	for i := range 64 {
		m := Make[int](8 + i%2)
		for k := range 8 {
			m[fmt.Sprint(k)] = k
		}
		order := ""
		for _, g := range tableAt(m, 0) {
			order += fmt.Sprintln(g.control)
		}
		controls[order] = true
	}
	if len(controls) != 64 {
		t.Errorf("%d seeds for 64 maps", len(controls))
	}
}

func TestMapsAllocations(t *testing.T) {
	if !Enabled() {
		t.Skip(reason)
	}
	if got, want := unsafe.Sizeof(Small[*int]{}), uintptr(48+8+8*24); got != want && bits.UintSize == 64 {
		t.Errorf("a SmallMap takes %d bytes, a map %d", got, want)
	}
	var keep []map[string]*int
	value := new(int)
	if n := testing.AllocsPerRun(10, func() {
		slab := make([]Small[*int], 10)
		keep = make([]map[string]*int, 0, 10)
		for i := range slab {
			b := slab[i].Build(nil)
			m := b.Map()
			m["a"], m["b"] = value, value
			keep = append(keep, m)
		}
	}); n != 2 {
		t.Errorf("ten maps take %v allocations", n)
	}
}

// TestFillFrom gives maps of all sizes and histories counterparts with other values, and has those live through all
// that happens to maps.
func TestFillFrom(t *testing.T) { eachWay(t, testFillFrom) }

func testFillFrom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	value := func(key string) *int { n := len(key); return &n }
	for round := range 2000 {
		m := map[string]*int{}
		if round%3 == 0 {
			m = Make[*int](r.IntN(40))
		}
		for n := r.IntN([]int{10, 40, 1200}[round%100/49]); n > 0; n-- {
			key := fmt.Sprint("key", r.IntN(3000))
			m[key] = value(key)
			if r.IntN(5) == 0 && round%2 == 0 {
				for key := range m {
					delete(m, key)
					break
				}
			}
		}
		b := NewBuilder[any](nil, len(m))
		if !FillFrom(&b, m, func(key string, v *int) (any, bool) {
			if *v != len(key) {
				t.Fatalf("%q: %d", key, *v)
			}
			return key, true
		}) {
			t.Fatal("it failed")
		}
		want := map[string]any{}
		for key := range m {
			want[key] = key
		}
		sameMap(t, b.Map(), want)
		for i := range 30 + len(m)/4 {
			key := fmt.Sprint("key", r.IntN(3000))
			if i%3 == 0 {
				delete(b.Map(), key)
				delete(want, key)
			} else {
				b.Map()[key], want[key] = i, i
			}
		}
		sameMap(t, b.Map(), want)
		for key, v := range m {
			if *v != len(key) {
				t.Fatalf("%q has changed with its counterpart", key)
			}
		}
	}
}

// TestFillFromFails has the conversion fail after some entries, and sees that the map is one.
func TestFillFromFails(t *testing.T) { eachWay(t, testFillFromFails) }

func testFillFromFails(t *testing.T) {
	for _, n := range []int{1, 8, 9, 100, 2000} {
		m := map[string]int{}
		for i := range n {
			m[fmt.Sprint(i)] = i
		}
		for _, left := range []int{0, n / 3, n - 1} {
			b := NewBuilder[string](nil, n)
			if FillFrom(&b, m, func(key string, _ int) (string, bool) { left--; return key, left >= 0 }) {
				t.Fatal("it did not fail")
			}
			want := maps.Clone(b.Map())
			for key, v := range want {
				if v != key {
					t.Fatalf("%q: %q", key, v)
				}
			}
			for i := range 2 * n {
				key := fmt.Sprint(i)
				b.Map()[key], want[key] = key, key
			}
			if !maps.Equal(b.Map(), want) || !maps.Equal(want, b.Map()) || len(want) != 2*n {
				t.Fatalf("%d entries: it is no map any more", n)
			}
		}
	}
}

// TestFillFromChangingMap has a map change while its entries are copied, as only a data race could. What comes out may
// have any of the entries, but must count what it has and must not be full.
func TestFillFromChangingMap(t *testing.T) {
	if !Enabled() {
		t.Skip(reason)
	}
	for _, n := range []int{3, 8, 14, 100} {
		for _, change := range []func(m map[string]int, i int){
			func(m map[string]int, i int) { delete(m, fmt.Sprint(i)) },
			func(m map[string]int, i int) { m[fmt.Sprint(-i)] = i },
			func(m map[string]int, i int) { delete(m, fmt.Sprint(i)); m[fmt.Sprint(-i)] = i },
		} {
			m := map[string]int{}
			for i := range n {
				m[fmt.Sprint(i)] = i
			}
			b, i := NewBuilder[int](nil, n), 0
			FillFrom(&b, m, func(string, int) (int, bool) {
				i++
				change(m, i)
				return i, true
			})
			seen := 0
			for range b.Map() {
				seen++
			}
			if len(b.Map()) != seen {
				t.Fatalf("%d entries are counted as %d", seen, len(b.Map()))
			}
			for i := range 3 * n {
				b.Map()[fmt.Sprint("new", i)] = i
			}
			for i := range 3 * n {
				if v, ok := b.Map()[fmt.Sprint("new", i)]; !ok || v != i {
					t.Fatalf("entry %d is lost", i)
				}
			}
			if _, ok := b.Map()["absent"]; ok {
				t.Fatal("an absent key is found")
			}
		}
	}
}
