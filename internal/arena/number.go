package arena

import (
	"reflect"
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// A numberSlab is what is left of an allocation of numbers to which pointers point, outside of the
// chunks. They are taken from its end.
type numberSlab struct {
	base unsafe.Pointer
	left int32 // bytes
	last int32 // how many the allocation was for
}

// How many bytes of numbers such an allocation is for, at first and at most.
const (
	minShared = 32
	maxShared = 256
)

var wordType = xunsafe.TypeOf(reflect.TypeFor[uint64]())

// AllocScalar returns memory for the value of f, to which there is a pointer.
func (a *Arena) AllocScalar(f *layout.Field) unsafe.Pointer {
	size := int(f.Value)
	if size == 0 {
		if k := f.Op.Kind(); k != layout.Bool {
			return a.string(f)
		}
		if a.pool != nil {
			return a.array(&boolBlock, 1)
		}
		size = sizeOfBool
	}
	if p := a.Number(size); p != nil {
		return p
	}
	return a.number(f, size)
}

// sizeOfBool is how much memory a bool takes among numbers.
const sizeOfBool = 4

// number returns memory for a number of that size where the chunk has no room: from a slab.
//
//go:noinline
func (a *Arena) number(f *layout.Field, size int) unsafe.Pointer {
	if a.pool != nil {
		a.newChunk(size)
		return a.Number(size)
	}
	s := &a.slabs.numbers
	at := (int(s.left) - size) &^ (size - 1)
	if at < 0 {
		n := max(min(2*int(s.last), maxShared), minShared)
		if a.Run <= 1 { // for this message no more is needed, and no other follows
			n = min(n, int(f.PointeeBytes))
		}
		n = (n + 7) &^ 7
		s.base = xunsafe.NewArray(wordType, n/8)
		s.last = int32(n)
		at = n - size
	}
	s.left = int32(at)
	return unsafe.Add(s.base, at) // Sound: that many bytes are free from there on.
}

// MaxList is how long a list of numbers may be, in bytes, that lies among others.
const MaxList = 256

// AllocNumbers returns memory for a list of n bytes, not 0, of numbers of that size, which may be anything; nil
// if it should have memory of its own.
func (a *Arena) AllocNumbers(n, size int) unsafe.Pointer {
	if a.pool != nil {
		return a.pooledList(n, size)
	}
	if n > MaxList {
		return nil
	}
	p := a.Numbers(n, size)
	if p == nil && a.Run > 1 { // the messages that follow have such a list, too
		a.chunk(n, n*a.Run)
		p = a.Numbers(n, size)
	}
	return p
}

// pooledList returns a list of numbers from the pool, which has memory for lists of any length.
func (a *Arena) pooledList(n, size int) unsafe.Pointer {
	if size == 1 {
		return a.array(&boolBlock, n)
	}
	p := a.Numbers(n, size)
	if p == nil {
		a.newChunk(n + 8)
		p = a.Numbers(n, size)
	}
	return p
}
