package mapsort

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// names are such as share prefixes, differ in zeros, and come twice.
func names(n int) []string {
	parts := []string{"", "\x00", "a", "b", "é", "\xff", "prefix00", "prefix0\x00"}
	out := make([]string, n)
	for i := range out {
		for range rand.IntN(4) {
			out[i] += parts[rand.IntN(len(parts))]
		}
	}
	return out
}

func TestSort(t *testing.T) {
	for round := range 3000 {
		all := names(round % 40)
		var marks []Mark
		for i, s := range all {
			marks = append(marks, MarkOf(s, uint32(i)))
		}
		Sort(marks, func(at uint32) string { return all[at] })
		want := slices.Clone(all)
		slices.Sort(want)
		for i, m := range marks {
			if all[m.At] != want[i] {
				t.Fatalf("%q: name %d is %q; want %q", all, i, all[m.At], want[i])
			}
			if i > 0 && all[m.At] == want[i-1] && m.At < marks[i-1].At {
				t.Fatalf("%q: %d comes after %d", all, m.At, marks[i-1].At)
			}
		}
	}
}

func TestPrefix(t *testing.T) {
	all := names(500)
	for _, a := range all {
		for _, b := range all {
			if pa, pb := Prefix(a), Prefix(b); pa < pb && a >= b {
				t.Fatalf("%q comes before %q", a, b)
			}
		}
	}
}

// walk compares the entries of a tree of maps with what range and sorting yield.
func walk(t *testing.T, s *Entries, m map[string]any) {
	from, to := Push(s, m)
	if to-from != len(m) {
		t.Fatalf("%d entries; want %d", to-from, len(m))
	}
	for i, want := range slices.Sorted(maps.Keys(m)) {
		k, v := At(s, m, from+i)
		if k != want {
			t.Fatalf("entry %d is %q; want %q", i, k, want)
		}
		if inner, ok := v.(map[string]any); ok {
			walk(t, s, inner) // pushes and pops, above
		} else if v != strings.ToUpper(k) {
			t.Fatalf("%q has %v", k, v)
		}
	}
	s.Pop(from)
}

// TestEntries sorts maps of all sizes, also after entries have gone, within others.
func TestEntries(t *testing.T) {
	var s Entries
	m := map[string]any{}
	walk(t, &s, nil)
	walk(t, &s, m)
	for i := range 4000 {
		k := fmt.Sprint("key", i)
		m[k] = strings.ToUpper(k)
		if i%97 == 5 {
			m[k] = maps.Clone(m)
		}
		if i%3 == 1 {
			delete(m, fmt.Sprint("key", i/2))
		}
		if i < 40 || i%503 == 0 {
			walk(t, &s, m)
		}
		if len(m) > 300 {
			clear(m)
		}
	}
	big := map[string]any{}
	for range 20_000 {
		k := fmt.Sprint(rand.Uint64())
		big[k] = strings.ToUpper(k)
	}
	walk(t, &s, big)
	if s.Cap() < len(big) {
		t.Errorf("room for %d entries after %d", s.Cap(), len(big))
	}
}
