package swissmap

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

// FuzzMaps does the same to a map that is made by hand, to one that this package makes without knowledge of the layout,
// and to an ordinary one, and compares.
func FuzzMaps(f *testing.F) {
	f.Add([]byte("\x05put some entries"))
	f.Add([]byte("\x08\x00\x10\x20\x30\x40\x50\x60\x70\x80\x90\xa0\xb0\xc0\xd0\xe0\xf0"))
	f.Add([]byte("\x0ea table of fourteen entries, and what goes beyond it when it grows, and grows, and grows"))
	f.Add([]byte("\x1c\x01\x11\x21\x06\x02\x12\x22\x32\x05\x03\x13\x07\x0f\x04"))
	names := fuzzNames()
	f.Fuzz(func(t *testing.T, steps []byte) {
		if len(steps) == 0 || len(steps) > 500 {
			return
		}
		want := fuzzed(nil, names, int(steps[0]), steps[1:])
		for _, by := range []bool{true, false} {
			if by && !available {
				continue
			}
			before := enabled
			enabled = by
			got := fuzzed(NewKeys(names), names, int(steps[0]), steps[1:])
			if len(got) != len(want) || !maps.Equal(got, want) || !maps.Equal(maps.Clone(got), want) ||
				!maps.Equal(read(t, got), want) {
				t.Errorf("by hand: %t: %v instead of %v", by, got, want)
			}
			if HasPositions() {
				for key, p := range Positions(got) {
					if k, v := EntryAt(got, p); k != key || v != want[key] {
						t.Errorf("%q: %q, %v instead of %v", key, k, v, want[key])
					}
				}
			}
			enabled = before
		}
	})
}

func fuzzNames() (names []string) {
	for i := range 64 {
		names = append(names, fmt.Sprint(keyNames[i%len(keyNames)], i))
	}
	return names
}

// fuzzed returns the map that results from the steps: an ordinary one if k is nil.
func fuzzed(k *Keys, names []string, n int, steps []byte) map[string]any {
	b := Builder[any]{m: make(map[string]any, n)}
	if k != nil {
		b = NewBuilder[any](k, n)
	}
	m := b.Map()
	filling := true // while the Builder may be used
	for at, step := range steps {
		i := int(step >> 2)
		_, there := m[names[i]]
		switch step & 3 {
		case 0, 1:
			if filling = filling && !there && len(m) < n; k != nil && filling && step&1 == 0 {
				b.Put(i, at)
			} else {
				m[names[i]] = at
			}
		case 2:
			delete(m, names[i])
			filling = false
		case 3:
			switch i % 8 {
			case 0:
				clear(m)
			case 1:
				m = maps.Clone(m)
			case 2, 3:
				next := Builder[any]{m: make(map[string]any, len(m))}
				if k != nil {
					next = NewBuilder[any](k, len(m)+i/8)
				}
				fails := len(m) > 0 && i%8 == 3 // at the greatest key, so that it does not depend on the order
				last := slices.Max(append(slices.Collect(maps.Keys(m)), ""))
				if FillFrom(&next, m, func(key string, v any) (any, bool) { return v, !fails || key != last }) {
					m = next.Map()
				} else if clear(next.Map()); len(m) > 0 {
					next.Map()[last] = at
					m = next.Map()
				}
			default:
				for _, name := range names[:i] { // which may make it grow
					m[name] = at
				}
			}
			filling = false
		}
	}
	return m
}

// TestPositions reads the entries of maps where they lie.
func TestPositions(t *testing.T) {
	if !HasPositions() {
		t.Skip(reason)
	}
	for _, n := range append(mapSizes, 5000) {
		m := map[string]int{}
		for i := range n {
			m[fmt.Sprint(i)] = i
			if i%5 == 4 {
				delete(m, fmt.Sprint(i/2))
			}
		}
		found := map[string]int{}
		for key, p := range Positions(m) {
			k, v := EntryAt(m, p)
			if k != key {
				t.Fatalf("%q is where %q should be", k, key)
			}
			found[k] = v
		}
		if !maps.Equal(found, m) {
			t.Fatalf("%v instead of %v", found, m)
		}
	}
}
