//go:build gc && go1.26 && !go1.28 && !purego && !race && !msan && !asan && !wasm && !goexperiment.mapsplitgroup

package swissmap

import "unsafe"

// available says that the layout of maps is known in this release of Go. Whether it is used is [Enabled].
const available = true

// stringHash is the hash of maps whose keys are strings. The runtime exports it to packages outside by a linkname, and
// keeps its signature (runtime/alg.go).
//
//go:linkname stringHash runtime.strhash
//go:noescape
func stringHash(s unsafe.Pointer, seed uintptr) uintptr
