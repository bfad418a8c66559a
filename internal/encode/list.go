package encode

import (
	"strconv"
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/mem"
	"github.com/protean-pb/protean/internal/wire"
)

func index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// messages writes a list of messages.
func (e *encoder) messages(l *layout.Layout, f *layout.Field, list []unsafe.Pointer, at int) int {
	for i := len(list) - 1; i >= 0; i-- {
		end := len(e.buf) - at
		if m := list[i]; m != nil {
			if at = e.body(f.Sub, m, at); at < 0 {
				return e.in(l, f, index(i))
			}
		} else {
			e.empty(f.Sub)
		}
		at = e.room(0, at)
		at = e.head(f, len(e.buf)-at-end, at)
	}
	return at
}

// texts writes a list of strings.
func (e *encoder) texts(l *layout.Layout, f *layout.Field, list []string, at int) int {
	checked := f.Op.Kind() == layout.String
	for i := len(list) - 1; i >= 0; i-- {
		s := list[i]
		if at < slack {
			at = e.grow(0, at)
		}
		// Sound: slack bytes are free.
		if len(s)-1 < mem.MaxShort && len(s) > 0 && mem.CopyShort(unsafe.Add(e.base, at-len(s)), unsafe.Pointer(unsafe.StringData(s)), len(s)) {
			at -= len(s)
		} else if at = e.text(s, checked, at); at < 0 {
			return e.in(l, f, index(i))
		}
		if len(s) < 0x80 && f.TagSize == 1 {
			at -= 2
			// Sound: slack bytes were free, and the text took no more than it said.
			mem.Store16(unsafe.Add(e.base, at), uint16(f.TagBytes)|uint16(len(s))<<8)
			continue
		}
		at = e.head(f, len(s), at)
	}
	return at
}

// list writes a list of any kind, element by element.
func (e *encoder) list(l *layout.Layout, f *layout.Field, q unsafe.Pointer, at int) int {
	k := f.Op.Kind()
	if k == layout.Message {
		return e.messages(l, f, *(*[]unsafe.Pointer)(q), at)
	}
	base, n := elements(q)
	size := int(k.Size())
	for i := n - 1; i >= 0; i-- {
		// Sound: the slice has n elements of the size of the kind.
		x := unsafe.Add(base, i*size)
		if at < slack {
			at = e.grow(0, at)
		}
		switch k {
		case layout.Varint64:
			at = e.tag(f, e.varint(*(*uint64)(x), at))
		case layout.Int32:
			at = e.tag(f, e.varint(uint64(int64(*(*int32)(x))), at))
		default:
			if at = e.single(f, x, at); at < 0 {
				return e.in(l, f, index(i))
			}
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

// packed writes a list of numbers as one field.
func (e *encoder) packed(f *layout.Field, q unsafe.Pointer, at int) int {
	base, n := elements(q)
	if n == 0 {
		return at
	}
	end := len(e.buf) - at
	k := f.Op.Kind()
	// Sound, here and below: the slice has n elements of the size of the kind.
	switch k {
	case layout.Bool, layout.Fixed32, layout.Fixed64:
		b := unsafe.Slice((*byte)(base), uintptr(n)*k.Size())
		at = e.room(len(b), at) - len(b)
		wire.CopyFixed(e.buf[at:], b, int(k.Size()))
	case layout.Varint64:
		for list, i := unsafe.Slice((*uint64)(base), n), n-1; i >= 0; i-- {
			at = e.varint(list[i], e.room(0, at))
		}
	default:
		for i := n - 1; i >= 0; i-- {
			at = e.value(k, nil, unsafe.Add(base, uintptr(i)*k.Size()), e.room(0, at))
		}
	}
	at = e.room(0, at)
	return e.tag(f, e.varint(uint64(len(e.buf)-at-end), at))
}
