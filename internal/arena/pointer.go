package arena

import (
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
)

// A pointerSlab is what is left of an allocation of pointers to messages, for short lists of those.
type pointerSlab struct {
	next unsafe.Pointer
	left int32
	last int32 // how many the allocation was for
}

// How many pointers a list may be for that shares an allocation, and how many that is for at most.
const (
	maxShortPointers = 32
	maxPointers      = 1 << 10 / unsafe.Sizeof(uintptr(0))
)

// AllocPointers returns an empty list with room for n pointers to such messages, one at least. The short lists of the
// messages of a list share an allocation, which is for twice as many as the last one, as far as the messages that are
// still to come may need them.
func (a *Arena) AllocPointers(of *layout.Layout, n int) []unsafe.Pointer {
	if a.pool != nil {
		// Sound: there is room for n.
		return unsafe.Slice((*unsafe.Pointer)(a.array(&of.Pointers, n)), n)[:0]
	}
	s := &a.slabs.lists
	if n > maxShortPointers || int(s.left) < n && a.Run <= 1 {
		return make([]unsafe.Pointer, 0, n)
	}
	if int(s.left) < n {
		all := make([]unsafe.Pointer, max(n, min(n*a.Run, 2*max(n, int(s.last)), int(maxPointers))))
		s.next = unsafe.Pointer(unsafe.SliceData(all))
		s.left, s.last = int32(len(all)), int32(len(all))
	}
	p := s.next
	if s.left -= int32(n); s.left > 0 { // no pointer beyond the end of an allocation
		s.next = unsafe.Add(p, n*int(unsafe.Sizeof(uintptr(0)))) // Sound: left says that there is one more.
	}
	// Sound: n pointers are free there.
	return unsafe.Slice((*unsafe.Pointer)(p), n)[:0]
}
