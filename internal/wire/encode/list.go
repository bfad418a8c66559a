package encode

import (
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/wire"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// encodeMessages writes a list of messages.
func (e *encoder) encodeMessages(l *layout.Layout, f *layout.Field, list []unsafe.Pointer, at int) int {
	for i := len(list) - 1; i >= 0; i-- {
		end := e.End - at
		if m := list[i]; m != nil {
			if at = e.encodeNested(f.Sub, m, at); at < 0 {
				return e.inField(l, f, protoerr.Index(i))
			}
		} else {
			e.noteEmptyMessage(f.Sub)
		}
		at = e.Room(0, at)
		at = e.tagAndLength(f, e.End-at-end, at)
	}
	return at
}

// encodeStrings writes a list of strings that plain has left.
func (e *encoder) encodeStrings(l *layout.Layout, f *layout.Field, list []string, at int) int {
	checked := f.Op.Kind() == layout.String
	for i := len(list) - 1; i >= 0; i-- {
		if at = e.text(list[i], checked, e.Room(0, at)); at < 0 {
			return e.inField(l, f, protoerr.Index(i))
		}
		at = e.tagAndLength(f, len(list[i]), at)
	}
	return at
}

// encodeList writes a list of any kind, element by element.
func (e *encoder) encodeList(l *layout.Layout, f *layout.Field, q unsafe.Pointer, at int) int {
	k := f.Op.Kind()
	if k == layout.Message {
		return e.encodeMessages(l, f, *(*[]unsafe.Pointer)(q), at)
	}
	base, n := elements(q)
	size := int(k.Size())
	for i := n - 1; i >= 0; i-- {
		// Sound: the slice has n elements of the size of the kind.
		x := unsafe.Add(base, i*size)
		if at = e.encodeScalar(f, x, e.Room(0, at)); at < 0 {
			return e.inField(l, f, protoerr.Index(i))
		}
	}
	return at
}

// elements returns the first element of the slice at q, whatever its type, and their
// number.
func elements(q unsafe.Pointer) (unsafe.Pointer, int) {
	// Sound: all slices are laid out alike, and the elements are not touched here.
	s := *(*[]struct{})(q)
	return unsafe.Pointer(unsafe.SliceData(s)), len(s)
}

// encodePacked writes a list of numbers as one field.
func (e *encoder) encodePacked(f *layout.Field, q unsafe.Pointer, at int) int {
	base, n := elements(q)
	if n == 0 {
		return at
	}
	end := e.End - at
	k := f.Op.Kind()
	// Sound, here and below: the slice has n elements of the size of the kind.
	switch k {
	case layout.Bool, layout.Fixed32, layout.Fixed64:
		b := unsafe.Slice((*byte)(base), uintptr(n)*k.Size())
		at = e.Raw(xunsafe.String(wire.Fixed(b, int(k.Size()))), at)
	default:
		for list := unsafe.Slice((*byte)(base), n); n > 0; list = list[:n] { // of whatever type: plain knows
			_, at, n = encodeFast(&f.ElementInstr[1], unsafe.Pointer(&list), e.Base, e.Room(0, at))
		}
	}
	at = e.Room(0, at)
	return e.tagAndLength(f, e.End-at-end, at)
}
