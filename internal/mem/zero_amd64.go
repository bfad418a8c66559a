//go:build !purego

package mem

import "unsafe"

// IsZero reports whether the n bytes at p are all 0.
//
//go:noescape
func IsZero(p unsafe.Pointer, n uintptr) bool
