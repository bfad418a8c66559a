package arena

import (
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
)

// OneofSlot returns where the value of f is, in a message at p, q being what is at its
// offset, and makes it present.
func (a *Arena) OneofSlot(f *layout.Field, p, q unsafe.Pointer) unsafe.Pointer {
	switch f.Op.Storage() {
	case layout.Member:
		return a.wrapper(f, q)
	case layout.Case:
		selectMember(f, p, q)
		return q
	}
	*(*uint32)(unsafe.Add(p, f.Bits)) |= f.Mask
	return a.scalarAt(f, q)
}

// SliceAt returns the slice of such messages that the pointer at q points to, a new one if it is nil.
func (a *Arena) SliceAt(q unsafe.Pointer, of *layout.Layout) unsafe.Pointer {
	list := (*unsafe.Pointer)(q)
	if *list == nil {
		if a.pool != nil {
			of.Ready()
			*list = a.array(&of.Slices, 1)
		} else {
			*list = unsafe.Pointer(new([]unsafe.Pointer))
		}
	}
	return *list
}

// wrapper returns the value in the wrapper of the oneof whose interface is at q; a new
// one if another member or none is set.
func (a *Arena) wrapper(f *layout.Field, q unsafe.Pointer) unsafe.Pointer {
	// Sound: q points to an interface with methods, and the wrapper is of the type that
	// its first word stands for.
	i := (*[2]unsafe.Pointer)(q)
	if i[0] != f.Wrap.Word || i[1] == nil {
		w := a.AllocBlock(&f.Wrap.Block)
		i[0], i[1] = f.Wrap.Word, w
	}
	return i[1]
}

// selectMember makes f the member that is set in its oneof, and empty if it was another.
func selectMember(f *layout.Field, p, q unsafe.Pointer) {
	which := (*uint32)(unsafe.Add(p, f.Bits))
	if *which == f.Mask {
		return
	}
	*which = f.Mask
	layout.Clear(f.Op.Kind(), q)
}

// scalarAt returns what the pointer at q points to, new memory if it is nil.
func (a *Arena) scalarAt(f *layout.Field, q unsafe.Pointer) unsafe.Pointer {
	to := (*unsafe.Pointer)(q)
	if *to == nil {
		*to = a.AllocScalar(f)
	}
	return *to
}
