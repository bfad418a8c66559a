//go:build !amd64 || !go1.26 || go1.27 || race || msan || asan || purego

package mem

import "unsafe"

// Cycle returns nil: the collector is told of everything by the compiler's code.
func Cycle() unsafe.Pointer { return nil }

// Marked returns false, since it is not known.
func Marked(unsafe.Pointer) bool { return false }
