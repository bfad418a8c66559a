package swissmap

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

var keyNames = []string{"", "a", "id", "name", "timestamp", "a longer name than most", strings.Repeat("x", 40),
	strings.Repeat("y", 100), strings.Repeat("z", 300), "é", "\x00", "Name", "b", "c"}

// TestKeys fills maps of many sizes with some of the keys, in any order, and with others before
// and meanwhile, and has them live through all that happens to maps.
func TestKeys(t *testing.T) { eachWay(t, testKeys) }

func testKeys(t *testing.T) {
	names := keyNames
	for i := range 1100 {
		names = append(names, fmt.Sprint("key", i))
	}
	k := NewKeys(names)
	r := rand.New(rand.NewPCG(1, 2))
	small := make([]Small[any], 500)
	var all, wanted []map[string]any
	for at := range small {
		n := []int{r.IntN(SmallEntries + 1), 9 + r.IntN(20), r.IntN(len(names))}[at%3]
		b := NewBuilder[any](k, n)
		if IsSmall(n) {
			b = small[at].Build(k)
		}
		want := map[string]any{}
		for _, i := range r.Perm(len(names))[:n] {
			switch {
			case k.Name(i) != names[i]:
				t.Fatalf("%q instead of %q", k.Name(i), names[i])
			case r.IntN(4) == 0:
				b.Map()["other "+names[i]], want["other "+names[i]] = i, i
			default:
				b.Put(i, i)
				want[names[i]] = i
			}
			if len(b.Map()) != len(want) {
				t.Fatalf("%d entries instead of %d", len(b.Map()), len(want))
			}
		}
		all, wanted = append(all, b.Map()), append(wanted, want)
	}
	small = nil
	runtime.GC()
	for i, m := range all {
		sameMap(t, m, wanted[i])
		for j := range 30 + len(m)/4 {
			key := names[r.IntN(len(names))]
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
	if !maps.Equal(m, want) || !maps.Equal(want, m) || !maps.Equal(read(t, m), want) ||
		!maps.Equal(maps.Clone(m), want) ||
		len(m) != len(want) {
		t.Fatalf("%v instead of %v", m, want)
	}
}

func TestKeysAllocations(t *testing.T) {
	if !Enabled() {
		t.Skip(reason)
	}
	k := NewKeys([]string{"a", "b", "c", "d", "e", "f", "g", "h"})
	var m map[string]any
	if n := testing.AllocsPerRun(10, func() {
		b := NewBuilder[any](k, 8)
		for i := range 8 {
			b.Put(i, nil)
		}
		m = b.Map()
	}); n != 1 || len(m) != 8 {
		t.Errorf("%v allocations for %v", n, m)
	}
}

func BenchmarkKeys(b *testing.B) {
	for _, n := range []int{6, 12, 60} {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprint("name", i))
		}
		k := NewKeys(names)
		assigned := func(m map[string]any) map[string]any {
			for _, name := range names {
				m[name] = nil
			}
			return m
		}
		for _, way := range []struct {
			name string
			fill func() map[string]any
		}{
			{"make", func() map[string]any { return assigned(make(map[string]any, n)) }},
			{"Make", func() map[string]any { return assigned(Make[any](n)) }},
			{"Put", func() map[string]any {
				b := NewBuilder[any](k, n)
				for i := range names {
					b.Put(i, nil)
				}
				return b.Map()
			}},
		} {
			b.Run(fmt.Sprintf("n=%d/by=%s", n, way.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if m := way.fill(); len(m) != n {
						b.Fatal(m)
					}
				}
			})
		}
	}
}
