// Package arena is the memory of messages that are read: for those themselves, for what
// they point to and for their text. Much of it is allocated at once where more is
// expected, within limits, so that a part of a message that is kept keeps little more alive.
package arena

import (
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// An Arena is memory for the messages of one call. The zero Arena is ready for use, by one
// goroutine.
type Arena struct {
	Text
	// Run is how many messages of the list that is being read are still to come, the
	// current one included; 0 where that is not known.
	Run   int
	slabs slabs

	pool *Pool // where all memory comes from; nil if it is new

	slots unsafe.Pointer // the first slab of messages; nil if there are none
	mask  uint32         // how many more there are
	types uint32         // how many of them are in use; not counted for a pool
}

// slabs is memory for messages and other things of which more are expected: where one of
// a type was needed, the next is one of two, then of three and so on, and for the messages of
// a list three times as many, as far as that may need them. So at most half of the memory is
// wasted, or two thirds, and one allocation never is much (see [layout.Block.Batch]).
type slabs struct {
	numbers numberSlab // to which pointers point, where the chunk has no room
	strings stringSlab // to which pointers point, and those of short lists
	lists   pointerSlab
}

// Blocks are the slabs of messages and of the wrappers of oneofs, for as many types; with ManyBlocks, for more types
// there are more of them on the heap. They are not in the Arena since they are zeroed each time, and many messages have
// none in them, and few as many as ManyBlocks are for.
type (
	Blocks     [layout.Slots]slab
	ManyBlocks [layout.ManySlots]slab
)

// Use makes b, which must be zero and in the same variable as a, the place for slabs of messages.
func (a *Arena) Use(b *Blocks) {
	a.slots = xunsafe.NoEscape(unsafe.Pointer(b)) // Sound: a pointer from a variable into itself.
	a.mask = uint32(len(b) - 1)
}

// UseMany makes b the place for slabs of messages, as Use does, for messages of more types.
func (a *Arena) UseMany(b *ManyBlocks) {
	a.slots = xunsafe.NoEscape(unsafe.Pointer(b)) // Sound: as in Use.
	a.mask = uint32(len(b) - 1)
}

// slotAt returns the place that a type with that Slot is looked for in first.
func (a *Arena) slotAt(slot uint32) *slab {
	// Sound: there is a power of two of slabs.
	return (*slab)(unsafe.Add(a.slots, uintptr(slot&a.mask)*unsafe.Sizeof(slab{})))
}

// A slab is what is left of an allocation.
type slab struct {
	of   *layout.Block
	next unsafe.Pointer
	left int32 // how many
	last int16 // how many the allocation was for
}

// AllocBlock returns memory for one, all zero.
func (a *Arena) AllocBlock(of *layout.Block) unsafe.Pointer {
	if a.slots == nil {
		return of.New()
	}
	s := a.slotAt(of.Slot)
	if s.of != of || s.left == 0 {
		if s = a.refilledSlab(of); s == nil {
			return of.New()
		}
	}
	p := s.next
	s.left--
	if s.left > 0 { // no pointer beyond the end of an allocation
		// Sound: left says that there is one more in the array.
		s.next = unsafe.Add(p, of.Size)
	}
	return p
}

// refilledSlab returns the slab of the type, with one left at least: of memory for one, for the messages of a run, or
// for more than the last time. It returns nil if there are only those of other types.
//
//go:noinline
func (a *Arena) refilledSlab(of *layout.Block) *slab {
	if a.pool != nil {
		return a.pooled(of, 1)
	}
	s := a.slabOf(of)
	if s != nil && s.left == 0 {
		n := min(max(a.Run, 1), firstRun)
		if s.last > 0 {
			more := int(s.last) + 1
			if a.Run > 1 { // these may be the last
				more = min(more, firstRun)
			}
			n = min(growth*int(s.last), max(a.Run, more))
		}
		a.refill(s, of.Batch(n))
	}
	return s
}

// slabOf returns the slab of the type; nil if there are only those of other types.
func (a *Arena) slabOf(of *layout.Block) *slab {
	for i := range a.mask + 1 {
		s := a.slotAt(of.Slot + i)
		if s.of == nil {
			if a.types++; a.mask >= layout.ManySlots-1 && a.types > a.mask-a.mask/8 {
				a.grow()
				return a.slabOf(of)
			}
			s.of = of
		}
		if s.of == of {
			return s
		}
	}
	return nil
}

// grow makes four times as many places for slabs, on the heap, so that a search stays short. Few messages have so many
// types in them.
//
//go:noinline
func (a *Arena) grow() {
	old := unsafe.Slice((*slab)(a.slots), a.mask+1) // Sound: so many there are.
	slabs := make([]slab, 4*len(old))
	a.slots, a.mask, a.types = unsafe.Pointer(unsafe.SliceData(slabs)), uint32(len(slabs)-1), 0
	for _, s := range old {
		if s.of != nil {
			*a.slabOf(s.of) = s
		}
	}
}

// Reserve has Block need no allocation for one, and for n if that is not too much, and reports whether there is a place
// for that.
func (a *Arena) Reserve(of *layout.Block, n int) bool {
	if a.slots == nil {
		return false
	}
	s := a.slotAt(of.Slot)
	if s.of == of && s.left > 0 {
		return true
	}
	if a.pool != nil {
		a.pooled(of, n)
		return true
	}
	if s.of != of {
		if s = a.slabOf(of); s == nil {
			return false
		}
	}
	if s.left > 0 {
		return true
	}
	last := s.last
	if a.Run > 1 { // the messages that follow have such a list, too
		a.refill(s, of.Batch(max(n, min(n*a.Run, n+int(last)+int(last)/2))))
		return true
	}
	a.refill(s, of.Batch(n))
	s.last = max(last, 1) // those of a list say nothing of others
	return true
}

// growth is how many times as many as the last time are allocated, as far as the messages of a list may need as many.
const growth = 3

// firstRun is how many are expected at first where the messages of a list need one each.
const firstRun = 2

// refill allocates memory for n.
func (a *Arena) refill(s *slab, n int) {
	if n == 1 {
		s.next = s.of.New()
	} else {
		s.next = s.of.NewArray(n)
	}
	s.left, s.last = int32(n), int16(n)
}

// AllocMessage returns a new message.
func (a *Arena) AllocMessage(l *layout.Layout) unsafe.Pointer {
	l.Ready()
	return l.Begin(a.AllocBlock(&l.Block))
}
