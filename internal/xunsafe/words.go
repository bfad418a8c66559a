//go:build amd64 || arm64 || 386 || ppc64le

package xunsafe

import "unsafe"

// These processors have the first byte lowest, and read and write words at any address. That
// says the same as words_other.go does, in the compiler's own terms: functions in functions
// that are inlined leave instructions behind that do nothing.

// Load64 returns the 8 bytes at p, the first of them lowest. They must be readable; p need
// not be aligned.
func Load64(p unsafe.Pointer) uint64 { return *(*uint64)(p) }

// Load32 returns the 4 bytes at p, the first one lowest.
func Load32(p unsafe.Pointer) uint32 { return *(*uint32)(p) }

// Store64 sets the 8 bytes at p, the first of them to the lowest of x. They must be the
// caller's to write; p need not be aligned.
func Store64(p unsafe.Pointer, x uint64) { *(*uint64)(p) = x }

// Store32 writes 4 bytes to p, the lowest one first.
func Store32(p unsafe.Pointer, x uint32) { *(*uint32)(p) = x }

// Store16 writes 2 bytes to p, the lowest one first.
func Store16(p unsafe.Pointer, x uint16) { *(*uint16)(p) = x }
