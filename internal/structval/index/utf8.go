package index

import (
	"encoding/binary"

	"github.com/protean-pb/protean/internal/utf"
)

const highBits = 0x8080808080808080

// valid reports whether the text between start and end is UTF-8. It is utf.Valid for
// short texts, most of which are ASCII: for those it takes no call, and it reads eight
// bytes at once even where fewer are left, since more of the wire follows.
func valid(wire []byte, start, end uint32) bool {
	i := start
	for ; i+8 <= end; i += 8 {
		if binary.LittleEndian.Uint64(wire[i:])&highBits != 0 {
			return utf.Valid(wire[i:end]) // what came before was ASCII
		}
	}
	if i == end {
		return true
	}
	if int(i)+8 <= len(wire) && binary.LittleEndian.Uint64(wire[i:])<<(8*(8-(end-i)))&highBits == 0 {
		return true
	}
	return utf.Valid(wire[i:end])
}
