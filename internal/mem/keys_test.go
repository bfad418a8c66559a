package mem

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

var keyNames = []string{"", "a", "id", "name", "timestamp", "a longer name than most", strings.Repeat("x", 40), strings.Repeat("y", 100), strings.Repeat("z", 300), "é", "\x00", "Name", "b", "c"}

// TestKeys fills maps with some of the keys, in any order, and with others before and after,
// and has them live through all that happens to maps.
func TestKeys(t *testing.T) {
	k := NewKeys(keyNames)
	r := rand.New(rand.NewPCG(1, 2))
	room := make([]SmallMap[any], 500)
	var all, wanted []map[string]any
	for at := range room {
		n := r.IntN(SmallEntries + 1)
		m := room[at].Keyed(k, n)
		want := map[string]any{}
		for _, i := range r.Perm(len(keyNames))[:n] {
			switch {
			case k.Name(i) != keyNames[i]:
				t.Fatalf("%q instead of %q", k.Name(i), keyNames[i])
			case len(m) == 0 && r.IntN(4) == 0:
				m["other"], want["other"] = i, i
			default:
				room[at].Put(m, k, i, i)
				want[keyNames[i]] = i
			}
		}
		all, wanted = append(all, m), append(wanted, want)
	}
	room = nil
	runtime.GC()
	for i, m := range all {
		sameMap(t, m, wanted[i])
		for j := range 30 {
			key := keyNames[r.IntN(len(keyNames))]
			if j > 15 {
				key += fmt.Sprint(j) // it grows
			}
			if r.IntN(3) == 0 {
				delete(m, key)
				delete(wanted[i], key)
			} else {
				m[key], wanted[i][key] = j, j
			}
		}
		sameMap(t, m, wanted[i])
	}
}

func sameMap(t *testing.T, m, want map[string]any) {
	t.Helper()
	if !maps.Equal(m, want) || !maps.Equal(want, m) || !maps.Equal(read(t, m), want) || !maps.Equal(maps.Clone(m), want) || len(m) != len(want) {
		t.Fatalf("%v instead of %v", m, want)
	}
}

func TestKeysAllocations(t *testing.T) {
	if !direct {
		t.Skip("the layout of maps is not known")
	}
	k := NewKeys([]string{"a", "b", "c", "d", "e", "f", "g", "h"})
	var m map[string]any
	if n := testing.AllocsPerRun(10, func() {
		s := new(SmallMap[any])
		m = s.Keyed(k, 8)
		for i := range 8 {
			s.Put(m, k, i, nil)
		}
	}); n != 1 || len(m) != 8 {
		t.Errorf("%v allocations for %v", n, m)
	}
}

func BenchmarkKeys(b *testing.B) {
	names := []string{"id", "timestamp", "eventType", "actor", "tags", "metadata"}
	k := NewKeys(names)
	check := func(b *testing.B, m map[string]any) {
		if len(m) != len(names) {
			b.Fatal(m)
		}
	}
	b.Run("by=assignment", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m := new(SmallMap[any]).Map(len(names))
			for _, name := range names {
				m[name] = nil
			}
			check(b, m)
		}
	})
	b.Run("by=Put", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s := new(SmallMap[any])
			m := s.Keyed(k, len(names))
			for i := range names {
				s.Put(m, k, i, nil)
			}
			check(b, m)
		}
	})
}
