//go:build !(amd64 || arm64 || 386 || ppc64le)

package xunsafe

import (
	"encoding/binary"
	"unsafe"
)

// Load64 returns the 8 bytes at p, the first of them lowest. They must be readable; p need
// not be aligned.
func Load64(p unsafe.Pointer) uint64 { return binary.LittleEndian.Uint64((*[8]byte)(p)[:]) }

// Load32 returns the 4 bytes at p, the first one lowest.
func Load32(p unsafe.Pointer) uint32 { return binary.LittleEndian.Uint32((*[4]byte)(p)[:]) }

// Store64 sets the 8 bytes at p, the first of them to the lowest of x. They must be the
// caller's to write; p need not be aligned.
func Store64(p unsafe.Pointer, x uint64) { binary.LittleEndian.PutUint64((*[8]byte)(p)[:], x) }

// Store32 writes 4 bytes to p, the lowest one first.
func Store32(p unsafe.Pointer, x uint32) { binary.LittleEndian.PutUint32((*[4]byte)(p)[:], x) }

// Store16 writes 2 bytes to p, the lowest one first.
func Store16(p unsafe.Pointer, x uint16) { binary.LittleEndian.PutUint16((*[2]byte)(p)[:], x) }
