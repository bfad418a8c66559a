package decode

import (
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
)

// Slabs are memory for messages and other things of which more are expected: where one of
// a type was needed, the next is one of two, then of four and so on. So at most half of
// the memory is wasted, and one allocation never is much (see [layout.Block.Batch]).
type slabs struct {
	blocks  [4]slab
	words   []uint64 // for the numbers that pointers point to
	strings []string // for the strings that pointers point to
}

// A slab is what is left of an allocation.
type slab struct {
	of   *layout.Block
	next unsafe.Pointer
	left int // how many
	last int // how many the allocation was for
}

// block returns memory for one, all zero.
func (d *decoder) block(of *layout.Block) unsafe.Pointer {
	s := &d.slabs.blocks[uintptr(unsafe.Pointer(of))>>6%uintptr(len(d.slabs.blocks))]
	if s.of != of || s.left == 0 {
		s.refill(of, d.run)
	}
	p := s.next
	s.left--
	if s.left > 0 { // no pointer beyond the end of an allocation
		// Sound: left says that there is one more in the array.
		s.next = unsafe.Add(p, of.Size)
	}
	return p
}

// firstRun is how many are expected at first where the messages of a list need one each.
const firstRun = 8

func (s *slab) refill(of *layout.Block, run int) {
	n := min(max(run, 1), firstRun)
	if s.of == of {
		n = min(2*s.last, max(run, s.last+1))
	}
	n = of.Batch(n)
	*s = slab{of: of, next: of.NewArray(n), left: n, last: n}
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
