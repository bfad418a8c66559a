//lint:file-ignore U1000 constants are for the assembly

//go:build !race && !msan && !asan && !purego

package encode

import (
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
)

// What the assembly knows of a WriteStep, and of its StepCode.
const (
	step       = unsafe.Sizeof(layout.WriteStep{})
	stepTag    = unsafe.Offsetof(layout.WriteStep{}.Tag)
	stepOffset = unsafe.Offsetof(layout.WriteStep{}.Offset)
	stepBits   = unsafe.Offsetof(layout.WriteStep{}.Bits)
	stepCode   = unsafe.Offsetof(layout.WriteStep{}.Code)
	stepBit    = unsafe.Offsetof(layout.WriteStep{}.Bit)
	stepSize   = unsafe.Offsetof(layout.WriteStep{}.Size)

	stepRequired = layout.StepRequired
	stepKind     = layout.StepKind
)

// The assembly copies texts of up to 64 bytes, of all of which the slack has room: this does not compile if not.
const _ = uint(slack - 64 - 2*16)

// unpreempted is how many bytes plain writes at most, or some more: collections wait for it.
const unpreempted = 64 << 10

// plain does what plain_other.go says.
//
//go:noescape
func plain(s *layout.WriteStep, p, base unsafe.Pointer, at int) (stop *layout.WriteStep, next, rest int)
