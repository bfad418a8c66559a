package wire

import (
	"encoding/binary"
	"slices"
)

// littleEndian says whether numbers lie in memory as they do on the wire.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// CopyFixed copies numbers of fixed size, in bytes, from memory to the wire or back.
func CopyFixed(dst, src []byte, size int) {
	n := copy(dst, src)
	if littleEndian || size == 1 {
		return
	}
	for i := 0; i+size <= n; i += size { // and no iterator, which would have dst escape
		slices.Reverse(dst[i : i+size])
	}
}

// Fixed returns numbers of fixed size, in bytes, as they are on the wire: b itself where they lie in memory so.
func Fixed(b []byte, size int) []byte {
	if littleEndian || size == 1 {
		return b
	}
	swapped := make([]byte, len(b))
	CopyFixed(swapped, b, size)
	return swapped
}
