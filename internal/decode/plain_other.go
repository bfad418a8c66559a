//go:build !amd64 || !go1.26 || go1.27 || race || msan || asan || purego

package decode

import (
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
)

const assembled = false

func plain(*decoder, *layout.ReadStep, unsafe.Pointer, int, int, int, bool) (next int, seen uint64) {
	panic("there is none")
}
