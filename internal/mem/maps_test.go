package mem

import (
	"fmt"
	"maps"
	"math/bits"
	"testing"
)

// read returns the entries of m as Tables and Table show them.
func read[V any](t *testing.T, m map[string]V) map[string]V {
	t.Helper()
	out := map[string]V{}
	for i := range Tables(m) {
		groups := Table(m, i)
		for j := range groups {
			for full := groups[j].Full(); full != 0; full &= full - 1 {
				s := &groups[j].Slots[bits.TrailingZeros64(full)/8]
				if _, ok := out[s.Key]; ok {
					t.Fatalf("key %q twice", s.Key)
				}
				out[s.Key] = s.Value
			}
		}
	}
	return out
}

func compare[V comparable](t *testing.T, value func(int) V) {
	t.Helper()
	if got := read(t, map[string]V(nil)); len(got) != 0 {
		t.Fatalf("the nil map: %v", got)
	}
	m := map[string]V{}
	for i := range 5000 {
		m[fmt.Sprint("key", i)] = value(i)
		if i%3 == 1 {
			delete(m, fmt.Sprint("key", i/2))
		}
		if i < 100 || i%101 == 0 {
			if got := read(t, m); !maps.Equal(got, m) {
				t.Fatalf("after %d steps: %d entries, want %d", i, len(got), len(m))
			}
		}
	}
	clear(m)
	if got := read(t, m); len(got) != 0 {
		t.Fatalf("the cleared map: %v", got)
	}
}

// TestMaps reads maps of all sizes and compares with range.
func TestMaps(t *testing.T) {
	if !DirectMaps {
		t.Skip("not for this release of Go, or not under the race detector")
	}
	compare(t, func(i int) any { return i })
	compare(t, func(i int) string { return fmt.Sprint(i) })
	compare(t, func(i int) float64 { return float64(i) })
	compare(t, func(i int) *int { return &i })
	compare(t, func(i int) struct{} { return struct{}{} })
}
