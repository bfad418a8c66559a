//go:build !gc || !go1.26 || go1.28 || purego || race || msan || asan || wasm || goexperiment.mapsplitgroup

package swissmap

import "unsafe"

// available says that the layout of maps is not known in this build, or not to be used.
const available = false

func stringHash(unsafe.Pointer, uintptr) uintptr { return 0 }
