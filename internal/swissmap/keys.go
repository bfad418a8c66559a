package swissmap

import (
	"math/rand/v2"
	"unsafe"
)

// Keys are names from which the keys of many maps are taken. Each is hashed once, so that maps are filled without
// hashing.
type Keys struct {
	all  []hashed
	seed uintptr // of all the maps
}

type hashed struct {
	name string
	hash uintptr
}

// NewKeys returns the keys of those names, which must be different.
func NewKeys(names []string) *Keys {
	k := UnsetKeys(len(names))
	for i, name := range names {
		k.Set(i, name)
	}
	return k
}

// UnsetKeys returns n keys, each of which must be [Keys.Set] before it is used.
func UnsetKeys(n int) *Keys {
	return &Keys{make([]hashed, n), uintptr(rand.Uint64())}
}

// Set makes name the key with that number. It must be different from the others. Maps that have been made with k do not
// change. k must not be used concurrently.
func (k *Keys) Set(i int, name string) {
	x := hashed{name: name}
	if Enabled() {
		// Sound: it is a pointer to a string, which is what the function takes.
		x.hash = stringHash(unsafe.Pointer(&name), k.seed)
	}
	k.all[i] = x
}

// Name returns the name of the key with that number.
func (k *Keys) Name(i int) string { return k.all[i].name }

// mapSeed returns the seed of a new map.
func (k *Keys) mapSeed() uintptr {
	if k == nil {
		return uintptr(rand.Uint64())
	}
	return k.seed
}
