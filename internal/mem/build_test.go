package mem

import (
	"fmt"
	"maps"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"testing"
	"unsafe"
)

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

// TestRooms has maps next to each other live through all that happens to maps.
func TestRooms(t *testing.T) {
	small := make([]SmallMap[*int], 12)
	large := make([]LargeMap[*int], 1000)
	groups := make([]Group[*int], 60_000)
	var all []map[string]*int
	sizes := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14, 15, 16, 28, 29, 56, 57, 112, 113, 500, 800, 895, 896, 897, 2000}
	for i, n := range sizes {
		f := NewFiller[*int](nil, n)
		switch need := Groups(n); {
		case need > 0:
			f = large[i].Fill(nil, groups[:need:need])
			groups = groups[need:]
		case n <= SmallEntries:
			f = small[i].Fill(nil)
		}
		all = append(all, f.Map())
	}
	small, large, groups = nil, nil, nil
	runtime.GC()
	for i, m := range all {
		mirror(t, m, sizes[i])
	}
	for i, m := range all {
		if len(m) != 3*sizes[i] {
			t.Errorf("the map of %d entries has changed with another one", sizes[i])
		}
	}
}

// TestRoomsAreEnough fills maps with as many entries as they were made for, and sees that they
// did not have to grow.
func TestRoomsAreEnough(t *testing.T) {
	if !direct {
		t.Skip("the layout of maps is not known")
	}
	for n := range 896 + 1 { // more are in several tables, which grow as chance will have it
		room := make(map[string]int, n)
		m := NewMap[int](n)
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
	if !direct {
		t.Skip("the layout of maps is not known")
	}
	controls := map[string]bool{}
	for i := range 64 {
		m := NewMap[int](8 + i%2)
		for k := range 8 {
			m[fmt.Sprint(k)] = k
		}
		controls[fmt.Sprint(tableAt(m, 0)[0].control)] = true
	}
	if len(controls) != 64 {
		t.Errorf("%d seeds for 64 maps", len(controls))
	}
}

func TestRoomsAllocations(t *testing.T) {
	if !direct {
		t.Skip("the layout of maps is not known")
	}
	if got, want := unsafe.Sizeof(SmallMap[*int]{}), uintptr(48+8+8*24); got != want && bits.UintSize == 64 {
		t.Errorf("a SmallMap takes %d bytes, a map %d", got, want)
	}
	var keep []map[string]*int
	value := new(int)
	if n := testing.AllocsPerRun(10, func() {
		room := make([]SmallMap[*int], 10)
		keep = make([]map[string]*int, 0, 10)
		for i := range room {
			f := room[i].Fill(nil)
			m := f.Map()
			m["a"], m["b"] = value, value
			keep = append(keep, m)
		}
	}); n != 2 {
		t.Errorf("ten maps take %v allocations", n)
	}
}

// TestTwin gives maps of all sizes and histories twins with other values, and has those live
// through all that happens to maps.
func TestTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	value := func(key string) *int { n := len(key); return &n }
	for round := range 2000 {
		m := map[string]*int{}
		if round%3 == 0 {
			m = NewMap[*int](r.IntN(40))
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
		f := NewFiller[any](nil, len(m))
		if !Twin(&f, m, func(key string, v *int) (any, bool) {
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
		sameMap(t, f.Map(), want)
		for i := range 30 + len(m)/4 {
			key := fmt.Sprint("key", r.IntN(3000))
			if i%3 == 0 {
				delete(f.Map(), key)
				delete(want, key)
			} else {
				f.Map()[key], want[key] = i, i
			}
		}
		sameMap(t, f.Map(), want)
		for key, v := range m {
			if *v != len(key) {
				t.Fatalf("%q has changed with its twin", key)
			}
		}
	}
}

// TestTwinFails has the conversion fail after some entries, and sees that the map is one.
func TestTwinFails(t *testing.T) {
	for _, n := range []int{1, 8, 9, 100, 2000} {
		m := map[string]int{}
		for i := range n {
			m[fmt.Sprint(i)] = i
		}
		for _, left := range []int{0, n / 3, n - 1} {
			f := NewFiller[string](nil, n)
			if Twin(&f, m, func(key string, _ int) (string, bool) { left--; return key, left >= 0 }) {
				t.Fatal("it did not fail")
			}
			want := maps.Clone(f.Map())
			for key, v := range want {
				if v != key {
					t.Fatalf("%q: %q", key, v)
				}
			}
			for i := range 2 * n {
				key := fmt.Sprint(i)
				f.Map()[key], want[key] = key, key
			}
			if !maps.Equal(f.Map(), want) || !maps.Equal(want, f.Map()) || len(want) != 2*n {
				t.Fatalf("%d entries: it is no map any more", n)
			}
		}
	}
}
