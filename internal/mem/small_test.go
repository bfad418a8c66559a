package mem

import (
	"fmt"
	"maps"
	"math/bits"
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

// TestSmallMap has maps next to each other live through all that happens to maps.
func TestSmallMap(t *testing.T) {
	room := make([]SmallMap[*int], 12)
	var all []map[string]*int
	for n := range room {
		all = append(all, room[n].Map(n))
	}
	room = nil
	runtime.GC()
	for n, m := range all {
		mirror(t, m, n)
	}
	for n, m := range all {
		if len(m) != 3*n {
			t.Errorf("the map of %d entries has changed with another one", n)
		}
	}
}

// TestSmallMapSeeds sees that no two maps agree on a seed, by the order that keys are
// hashed to.
func TestSmallMapSeeds(t *testing.T) {
	if !direct {
		t.Skip("the layout of maps is not known")
	}
	room := make([]SmallMap[int], 64)
	controls := map[string]bool{}
	for i := range room {
		m := room[i].Map(8)
		for k := range 8 {
			m[fmt.Sprint(k)] = k
		}
		g := tableAt(m, 0)[0]
		controls[fmt.Sprint(g.control)] = true
	}
	if len(controls) != len(room) {
		t.Errorf("%d seeds for %d maps", len(controls), len(room))
	}
}

func TestSmallMapAllocations(t *testing.T) {
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
			m := room[i].Map(2)
			m["a"], m["b"] = value, value
			keep = append(keep, m)
		}
	}); n != 2 {
		t.Errorf("ten maps take %v allocations", n)
	}
}
