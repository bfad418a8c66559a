package arena

import (
	"reflect"
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// A stringSlab is what is left of an allocation of strings.
type stringSlab struct {
	next unsafe.Pointer
	left int32
	last int32 // how many the allocation was for
}

// How many strings to which pointers point share an allocation, at first and at most.
const (
	minStrings = 4
	maxStrings = 32
)

// stringSize is how many bytes a string takes, without its text.
const stringSize = int(unsafe.Sizeof(""))

var stringType = xunsafe.TypeOf(reflect.TypeFor[string]())

// refillStrings allocates memory for n.
func (a *Arena) refillStrings(n int) {
	s := &a.slabs.strings
	s.next = xunsafe.NewArray(stringType, n)
	s.left, s.last = int32(n), int32(n)
}

// take returns memory for n, one at least. There must be that many left.
func (s *stringSlab) take(n int) unsafe.Pointer {
	p := s.next
	if s.left -= int32(n); s.left > 0 { // no pointer beyond the end of an allocation
		s.next = unsafe.Add(p, n*stringSize) // Sound: left says that there is one more.
	}
	return p
}

// string returns memory for a string, which is empty.
func (a *Arena) string(f *layout.Field) unsafe.Pointer {
	if a.pool != nil {
		return a.array(&stringBlock, 1)
	}
	s := &a.slabs.strings
	if s.left == 0 {
		n := min(max(2*int(s.last), minStrings), maxStrings)
		if a.Run <= 1 { // for this message no more are needed, and no other follows
			n = min(n, int(f.PointeeBytes)/stringSize)
		}
		a.refillStrings(n)
	}
	return s.take(1)
}

// How many strings a list may be for that shares an allocation, and how many that is for at most.
const (
	MaxShortList  = 32
	maxShortLists = 8 << 10 / stringSize
)

// AllocStrings returns an empty list with room for n strings, one at least. The short lists of the messages of a list
// share an allocation; it returns nil for others, unless there is room left.
func (a *Arena) AllocStrings(n int) []string {
	if a.pool != nil {
		// Sound: there is room for n.
		return unsafe.Slice((*string)(a.array(&stringBlock, n)), n)[:0]
	}
	s := &a.slabs.strings
	if n > MaxShortList {
		return nil
	}
	if int(s.left) < n {
		if a.Run <= 1 {
			return nil
		}
		all := n * min(a.Run, firstRun)
		if s.last > 0 {
			all = max(n, min(growth*int(s.last), n*a.Run, maxShortLists))
		}
		a.refillStrings(all)
	}
	// Sound: n strings are free there.
	return unsafe.Slice((*string)(s.take(n)), n)[:0]
}
