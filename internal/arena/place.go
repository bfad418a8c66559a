package arena

import (
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
)

// Chosen returns where the value of f is, in a message at p, q being what is at its
// offset, and makes it present.
func (a *Arena) Chosen(f *layout.Field, p, q unsafe.Pointer) unsafe.Pointer {
	switch f.Op.Shape() {
	case layout.Member:
		return a.wrapper(f, q)
	case layout.Case:
		choose(f, p, q)
		return q
	}
	*(*uint32)(unsafe.Add(p, f.Bits)) |= f.Mask
	return a.target(f, q)
}

// Indirect returns the slice of such messages that the pointer at q points to, a new one if it is nil.
func (a *Arena) Indirect(q unsafe.Pointer, of *layout.Layout) unsafe.Pointer {
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
		w := a.Block(&f.Wrap.Block)
		i[0], i[1] = f.Wrap.Word, w
	}
	return i[1]
}

// choose makes f the member that is set in its oneof, and empty if it was another.
func choose(f *layout.Field, p, q unsafe.Pointer) {
	which := (*uint32)(unsafe.Add(p, f.Bits))
	if *which == f.Mask {
		return
	}
	*which = f.Mask
	layout.Clear(f.Op.Kind(), q)
}

// target returns what the pointer at q points to, new memory if it is nil.
func (a *Arena) target(f *layout.Field, q unsafe.Pointer) unsafe.Pointer {
	to := (*unsafe.Pointer)(q)
	if *to == nil {
		*to = a.Pointee(f)
	}
	return *to
}
