//go:build !amd64 || purego

package mem

import "unsafe"

var zeros [1 << 10]byte

// IsZero reports whether the n bytes at p are all 0.
func IsZero(p unsafe.Pointer, n uintptr) bool {
	for n > uintptr(len(zeros)) {
		if *(*[len(zeros)]byte)(p) != zeros {
			return false
		}
		p = unsafe.Add(p, len(zeros))
		n -= uintptr(len(zeros))
	}
	return unsafe.String((*byte)(p), n) == unsafe.String(&zeros[0], n)
}
