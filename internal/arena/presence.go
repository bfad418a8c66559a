package arena

import (
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
)

// SetPresence makes f, which is neither list nor map, present in the message at p, and returns
// where its value is.
func (a *Arena) SetPresence(f *layout.Field, p unsafe.Pointer) unsafe.Pointer {
	// Sound: the layout says what lies at which offset of the message at p.
	q := unsafe.Add(p, f.Offset)
	switch f.Addressing {
	case layout.InPlace, layout.NilSlice:
		return q
	case layout.ByBit:
		*(*uint32)(unsafe.Add(p, f.Bits)) |= f.Mask
		return q
	case layout.ByPointer:
		return a.scalarAt(f, q)
	}
	return a.OneofSlot(f, p, q)
}
