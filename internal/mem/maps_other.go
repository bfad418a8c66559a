//go:build !go1.26 || go1.27 || race

package mem

// DirectMaps says that the layout of maps is not known, or not to be used.
const DirectMaps = false

// Tables is not to be called.
func Tables[V any](map[string]V) int { return -1 }

// Table is not to be called.
func Table[V any](map[string]V, int) []Group[V] { return nil }
