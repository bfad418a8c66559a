package layout

import "testing"

func TestMapsOfLikeTypesAreAlike(t *testing.T) {
	if !mapsAreAlike {
		t.Error("types with maps are left to the official library")
	}
}

// TestAlikeFindsDifferences uses maps as ones of types that are not like theirs: what is read is not what was written.
func TestAlikeFindsDifferences(t *testing.T) {
	number := func(i int) uint64 { return uint64(i) }
	if alike[uint64, float64, uint64, uint64](number, number, equal) {
		t.Error("keys of another hash are not found to differ")
	}
}
