package layout

import (
	"testing"
	"unsafe"
)

// TestIsFresh looks at memory that is 0 but for one byte, before, in or behind the message.
func TestIsFresh(t *testing.T) {
	const most, from = 300, 8
	var around [from + most + 8]byte
	for n := range most {
		l := &Layout{Block: Block{Size: uintptr(n)}}
		for at := range around {
			around[at] = 0x80
			if fresh := l.IsFresh(unsafe.Pointer(&around[from])); fresh != (at < from || at >= from+n) {
				t.Fatalf("a message of %d bytes at %d is fresh: %v, and not 0 is the byte at %d", n, from, fresh, at)
			}
			around[at] = 0
		}
	}
}
