package layout

import (
	"reflect"
	"testing"
	"unsafe"
)

// TestNewKit makes kits of what fits.
func TestNewKit(t *testing.T) {
	small, large, huge := BlockOf(reflect.TypeFor[[25]uint64]()), BlockOf(reflect.TypeFor[[50]uint64]()), BlockOf(reflect.TypeFor[[200]uint64]())
	perString := int(unsafe.Sizeof(""))
	for _, c := range []struct {
		name         string
		parts        []Part
		strings      int
		small, large int // how many there are to be in the kit, and strings
		kept         int
	}{
		{"all", []Part{{Of: &small, N: 1}, {Of: &large, N: 1}}, 2, 1, 1, 2},
		{"one of each first", []Part{{Of: &large, N: 2}, {Of: &small, N: 3}}, 0, 3, 1, 0},
		{"strings before the second", []Part{{Of: &large, N: 2}, {Of: &small, N: 3}}, 320 / perString, 1, 1, 320 / perString},
		{"too many strings", []Part{{Of: &large, N: 1}, {Of: &small, N: 2}}, 480 / perString, 2, 1, 0},
		{"too large by itself", []Part{{Of: &small, N: 6}, {Of: &huge, N: 1}, {Of: &large, N: 2}}, 1, 0, 2, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := NewKit(c.parts, c.strings)
			if k == nil || k.Size > maxKit {
				t.Fatalf("the kit is %+v", k)
			}
			got := map[*Block]int{}
			at := uintptr(0)
			for _, p := range k.Parts {
				if p.Offset < at || p.N < 1 {
					t.Errorf("%d of %v at %d, behind %d", p.N, p.Of.Type, p.Offset, at)
				}
				got[p.Of] = p.N
				at = p.Offset + uintptr(p.N)*p.Of.Size
			}
			if k.Strings > 0 && (k.Offset < at || k.Offset+uintptr(k.Strings)*unsafe.Sizeof("") > k.Size) {
				t.Errorf("the strings are at %d of %d, behind %d", k.Offset, k.Size, at)
			}
			if got[&small] != c.small || got[&large] != c.large || got[&huge] != 0 || k.Strings != c.kept {
				t.Errorf("%d, %d and %d, and %d strings", got[&small], got[&large], got[&huge], k.Strings)
			}
		})
	}
	if k := NewKit([]Part{{Of: &small, N: 1}}, 0); k != nil {
		t.Errorf("a kit of one thing: %+v", k)
	}
}
