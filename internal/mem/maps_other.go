//go:build !go1.26 || go1.27 || race || wasm

package mem

// direct says that the layout of maps is not known, or not to be used.
const direct = false

func tables[V any](map[string]V) int { panic("unreachable: the layout of maps is not known") }

func tableAt[V any](map[string]V, int) []Group[V] {
	panic("unreachable: the layout of maps is not known")
}
