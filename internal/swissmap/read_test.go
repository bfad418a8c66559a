package swissmap

import (
	"fmt"
	"maps"
	"testing"
)

// read returns the entries of m as All yields them.
func read[V any](t *testing.T, m map[string]V) map[string]V {
	t.Helper()
	out := map[string]V{}
	for k, v := range All(m) {
		if _, ok := out[k]; ok {
			t.Fatalf("key %q twice", k)
		}
		out[k] = v
	}
	for range All(m) {
		break // which must end it
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

// TestAll reads maps of all sizes and compares with range.
func TestAll(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		compare(t, func(i int) any { return i })
		compare(t, func(i int) string { return fmt.Sprint(i) })
		compare(t, func(i int) float64 { return float64(i) })
		compare(t, func(i int) *int { return &i })
		compare(t, func(i int) bool { return i%2 == 0 })
		compare(t, func(i int) struct{} { return struct{}{} })
	})
}
