package arena

import (
	"reflect"
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/mem"
)

// Shared is what is left of an allocation of numbers to which pointers point, outside of the
// chunks. They are taken from its end.
type shared struct {
	base unsafe.Pointer
	left int32 // bytes
	last int32 // how many the allocation was for
}

// How many bytes of numbers such an allocation is for, at first and at most.
const (
	minShared = 32
	maxShared = 256
)

var wordType = mem.TypeOf(reflect.TypeFor[uint64]())

// Pointee returns memory for the value of f, to which there is a pointer.
func (a *Arena) Pointee(f *layout.Field) unsafe.Pointer {
	size := int(f.Value)
	if size == 0 {
		return a.string(f)
	}
	if p := a.Number(size); p != nil {
		return p
	}
	return a.number(f)
}

// number is Pointee for a number for which there is no room in the chunk.
//
//go:noinline
func (a *Arena) number(f *layout.Field) unsafe.Pointer {
	size := int(f.Value)
	s := &a.slabs.numbers
	at := (int(s.left) - size) &^ (size - 1)
	if at < 0 {
		n := max(min(2*int(s.last), maxShared), minShared)
		if a.Run <= 1 { // for this message no more is needed, and no other follows
			n = min(n, int(f.After))
		}
		n = (n + 7) &^ 7
		s.base = mem.NewArray(wordType, n/8)
		s.last = int32(n)
		at = n - size
	}
	s.left = int32(at)
	return unsafe.Add(s.base, at) // Sound: that many bytes are free from there on.
}

// MaxList is how long a list of numbers may be, in bytes, that lies among others.
const MaxList = 256

// List returns memory for a list of n bytes, not 0, of numbers of that size, which may be anything; nil
// if it should have memory of its own.
func (a *Arena) List(n, size int) unsafe.Pointer {
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
