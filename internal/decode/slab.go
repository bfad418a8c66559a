package decode

import (
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
)

// Slabs are memory for messages and other things of which more are expected: where one of
// a type was needed, the next is one of two, then of four and so on. So at most half of
// the memory is wasted, and one allocation never is much (see [layout.Block.Batch]).
type slabs struct {
	blocks  [6]slab  // for as many types; there are no slabs for more
	words   []uint64 // for the numbers that pointers point to
	strings []string // for the strings that pointers point to
}

// A slab is what is left of an allocation.
type slab struct {
	of   *layout.Block
	next unsafe.Pointer
	left int32 // how many
	last int32 // how many the allocation was for
}

// block returns memory for one, all zero.
func (d *decoder) block(of *layout.Block) unsafe.Pointer {
	for i := range d.slabs.blocks {
		s := &d.slabs.blocks[i]
		if s.of != of {
			if s.of != nil {
				continue
			}
			s.of = of
		}
		if s.left == 0 {
			s.refill(d.run)
		}
		p := s.next
		s.left--
		if s.left > 0 { // no pointer beyond the end of an allocation
			// Sound: left says that there is one more in the array.
			s.next = unsafe.Add(p, of.Size)
		}
		return p
	}
	return of.New()
}

// firstRun is how many are expected at first where the messages of a list need one each.
const firstRun = 8

// refill allocates memory for one, for the messages of a run, or for twice as many as the
// last time.
func (s *slab) refill(run int) {
	n := min(max(run, 1), firstRun)
	if s.last > 0 {
		n = min(2*int(s.last), max(run, int(s.last)+1))
	}
	n = s.of.Batch(n)
	if n == 1 {
		s.next = s.of.New()
	} else {
		s.next = s.of.NewArray(n)
	}
	s.left, s.last = int32(n), int32(n)
}

// message returns a new message.
func (d *decoder) message(l *layout.Layout) unsafe.Pointer {
	l.Ready()
	p := d.block(&l.Block)
	if l.Dynamic {
		// Sound: dynamic messages begin with a Header.
		(*layout.Header)(p).Layout = l
	}
	return p
}

// maxWords is how many numbers or strings share an allocation at most.
const maxWords = 32

// word returns memory for a number.
func (d *decoder) word() unsafe.Pointer { return unsafe.Pointer(take(&d.slabs.words)) }

// string returns memory for a string.
func (d *decoder) string() unsafe.Pointer { return unsafe.Pointer(take(&d.slabs.strings)) }

// take returns the next of the slab, whose capacity is that of the last allocation.
func take[T any](slab *[]T) *T {
	s := *slab
	if len(s) == cap(s) {
		s = make([]T, 0, min(max(2*cap(s), 1), maxWords))
	}
	s = s[:len(s)+1]
	*slab = s
	return &s[len(s)-1]
}
