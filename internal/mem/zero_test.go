package mem

import (
	"testing"
	"unsafe"
)

// TestIsZero looks at memory that is 0 but for one byte, before, in or behind what is asked about.
func TestIsZero(t *testing.T) {
	const most = 300
	var around [most + 64]byte
	for n := range most {
		for _, from := range []int{8, 16, 24} {
			for at := range from + n + 9 {
				around[at] = 0x80
				if zero := IsZero(unsafe.Pointer(&around[from]), uintptr(n)); zero != (at < from || at >= from+n) {
					t.Fatalf("%d bytes from %d on are zero: %v, and not 0 is the one at %d", n, from, zero, at)
				}
				around[at] = 0
			}
		}
	}
	long := make([]byte, 5000)
	if !IsZero(unsafe.Pointer(&long[0]), 5000) {
		t.Error("5000 bytes that are 0 are not")
	}
	long[4999] = 1
	if IsZero(unsafe.Pointer(&long[0]), 5000) {
		t.Error("5000 bytes of which the last is 1 are 0")
	}
}
