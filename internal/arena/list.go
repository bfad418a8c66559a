package arena

import (
	"slices"
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
)

// Room returns the list of f, whose elements are like a T, with room for n more.
func Room[T any](a *Arena, f *layout.Field, list []T, n int) []T {
	switch {
	case cap(list)-len(list) >= n:
		return list
	case a.pool != nil:
		return pooledRoom(a, f, list, n)
	case list == nil:
		return make([]T, 0, n)
	}
	return slices.Grow(list, n)
}

// pooledRoom moves a list that has too little room to larger memory of the pool.
func pooledRoom[T any](a *Arena, f *layout.Field, list []T, n int) []T {
	if list != nil {
		n = max(len(list)+n, 2*cap(list))
	}
	var p unsafe.Pointer
	switch k := f.Op.Kind(); k {
	case layout.Message, layout.Group:
		f.Sub.Ready()
		p = a.array(&f.Sub.Pointers, n)
	case layout.String, layout.Text:
		p = a.array(&stringBlock, n)
	case layout.Bytes:
		p = a.array(&bytesBlock, n)
	default:
		p = a.pooledList(n*int(k.Size()), int(k.Size()))
	}
	// Sound: there is room for n.
	all := unsafe.Slice((*T)(p), n)[:len(list)]
	copy(all, list)
	return all
}
