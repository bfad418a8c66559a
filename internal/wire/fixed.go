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
	for number := range slices.Chunk(dst[:n], size) {
		slices.Reverse(number)
	}
}
