//go:build !go1.26 || go1.27 || race

package mem

// Keys are keys of which many maps are made, each of some of them.
type Keys struct{ names []string }

// NewKeys returns the keys of those names, which must be different.
func NewKeys(names []string) *Keys { return &Keys{names} }

// UnsetKeys returns n keys that are to be [Keys.Set] before they are used.
func UnsetKeys(n int) *Keys { return &Keys{make([]string, n)} }

// Set makes name the key with that number, which must be different from the others.
func (k *Keys) Set(i int, name string) { k.names[i] = name }

// Keyed makes a map that is going to have n entries.
func (*SmallMap[V]) Keyed(_ *Keys, n int) map[string]V { return make(map[string]V, n) }

// Put sets m[k.Name(i)] to v.
func (*SmallMap[V]) Put(m map[string]V, k *Keys, i int, v V) { m[k.names[i]] = v }
