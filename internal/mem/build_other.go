//go:build !go1.26 || go1.27 || race || wasm

package mem

// A SmallMap is memory for a map of a few entries, where the layout of maps is known. Here it is
// not, or not to be used.
type SmallMap[V any] struct{}

// A LargeMap is the same for a map of more entries.
type LargeMap[V any] struct{}

// Groups returns how many groups a map of n entries takes beside its [LargeMap].
func Groups(int) int { return 0 }

// A Filler fills a new map with values of keys that are known.
type Filler[V any] struct {
	m    map[string]V
	keys *Keys
}

// Fill makes a map of a few entries.
func (s *SmallMap[V]) Fill(k *Keys) Filler[V] { return NewFiller[V](k, SmallEntries) }

// Keyed makes a map of a few entries.
func (s *SmallMap[V]) Keyed(*Keys) map[string]V { return make(map[string]V, SmallEntries) }

// Put sets m[k.Name(i)] to v.
func (*SmallMap[V]) Put(m map[string]V, k *Keys, i int, v V) { m[k.names[i]] = v }

// Fill is not called, since there are no groups.
func (s *LargeMap[V]) Fill(*Keys, []Group[V]) Filler[V] {
	panic("unreachable: the layout of maps is not known")
}

// NewFiller returns a Filler for a map that is going to have n entries.
func NewFiller[V any](k *Keys, n int) Filler[V] { return Filler[V]{make(map[string]V, n), k} }

// NewMapOf makes a map.
func NewMapOf[K comparable, V any](n int) map[K]V { return make(map[K]V, n) }

// Map returns the map.
func (f *Filler[V]) Map() map[string]V { return f.m }

// Len returns how many entries the map has.
func (f *Filler[V]) Len() int { return len(f.m) }

// Put sets the entry of the key with that number, which the map has not got yet.
func (f *Filler[V]) Put(i int, v V) { f.m[f.keys.names[i]] = v }

// Twin fills the map, which is empty, with the keys of m, and for each the value that convert
// returns. When that says false, so does Twin, and the map has some of the entries.
func Twin[V, W any](f *Filler[V], m map[string]W, convert func(key string, value W) (V, bool)) bool {
	return eachSet(f.m, m, convert)
}

// Keys are keys of which many maps are made, each of some of them.
type Keys struct{ names []string }

// UnsetKeys returns n keys that are to be [Keys.Set] before they are used.
func UnsetKeys(n int) *Keys { return &Keys{make([]string, n)} }

// Set makes name the key with that number, which must be different from the others.
func (k *Keys) Set(i int, name string) { k.names[i] = name }

// Name returns the name of the key with that number.
func (k *Keys) Name(i int) string { return k.names[i] }
