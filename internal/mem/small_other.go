//go:build !go1.26 || go1.27 || race

package mem

// A SmallMap is memory for a map, where the layout of maps is known. Here it is not, or
// not to be used.
type SmallMap[V any] struct{}

// Map makes a map that is going to have n entries.
func (*SmallMap[V]) Map(n int) map[string]V { return make(map[string]V, n) }
