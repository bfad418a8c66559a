package jsontext

import (
	"unsafe"

	"github.com/protean-pb/protean/internal/xunsafe"
)

// boolWords are false and true, the first letter lowest.
var boolWords = [2]uint64{'f' | 'a'<<8 | 'l'<<16 | 's'<<24 | 'e'<<32, 't' | 'r'<<8 | 'u'<<16 | 'e'<<24}

// PutBool writes x to p and returns how many bytes that are. The eight bytes from p on must be
// the caller's to write.
func PutBool(p unsafe.Pointer, x bool) int {
	one := 0
	if x { // without a jump, since which one it is is hard to foresee
		one = 1
	}
	xunsafe.Store64(p, boolWords[one&1]) // Sound: the caller vouches for p.
	return 5 - one
}
