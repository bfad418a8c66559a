package block

import (
	"slices"
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
)

// A Vector changes slices whose elements are of one kind.
type Vector interface {
	// Extend adds an element to the slice at q, all zero, and returns where it is.
	Extend(q Address) Address
	// Grow makes room for n more elements in the slice at q.
	Grow(q Address, n int)
	// Truncate makes the slice at q one of n elements. It panics if there are fewer.
	Truncate(q Address, n int)
	// Concat adds the elements of the slice at src to that at dst: copies of bytes, and
	// messages as clone returns them, or themselves if it is nil.
	Concat(dst, src Address, clone func(Address) Address)
}

// VectorOf returns the Vector for elements of the kind.
func VectorOf(k layout.Kind) Vector {
	switch k {
	case layout.Bool:
		return vector[bool]{}
	case layout.String, layout.Text:
		return vector[string]{}
	case layout.Bytes:
		return vector[[]byte]{}
	case layout.Message, layout.Group:
		return vector[Address]{}
	}
	if k.Size() == layout.Fixed32.Size() {
		return vector[uint32]{}
	}
	return vector[uint64]{}
}

// A vector changes slices whose elements have the size and the pointers of a T.
type vector[T any] struct{}

func (vector[T]) Extend(q Address) Address {
	// Sound, here and below: the elements at q are like a T.
	s := (*[]T)(q)
	var zero T
	*s = append(*s, zero)
	return Address(&(*s)[len(*s)-1])
}

func (vector[T]) Grow(q Address, n int) {
	s := (*[]T)(q)
	*s = slices.Grow(*s, n)
}

func (vector[T]) Truncate(q Address, n int) {
	s := (*[]T)(q)
	clear((*s)[n:]) // so that they are not kept alive
	*s = (*s)[:n]
}

func (vector[T]) Concat(dst, src Address, clone func(Address) Address) {
	d, s := (*[]T)(dst), *(*[]T)(src)
	n := len(*d)
	*d = append(*d, s...)
	switch added := any((*d)[n:]).(type) {
	case [][]byte:
		for i, b := range added {
			added[i] = append([]byte{}, b...)
		}
	case []Address:
		for i := range added {
			if clone != nil {
				added[i] = clone(added[i])
			}
		}
	}
}

// Strings returns the slice at q, whose elements are strings.
func Strings(q Address) *[]string {
	// Sound: strings are the only elements that VectorOf takes for strings.
	return (*[]string)(q)
}

// NewSlice returns where an empty slice is, of elements of any kind.
func NewSlice() Address { return Address(new([]Address)) }

// ShareSlice makes the slice at dst the one at src.
func ShareSlice(dst, src Address) {
	// Sound: all slices are laid out alike: a pointer and two numbers.
	*(*[]Address)(dst) = *(*[]Address)(src)
}

// Len returns how many elements the slice at q has, whatever its type.
func Len(q Address) int {
	// Sound: as in ShareSlice, and the elements are not touched.
	return len(*(*[]struct{})(q))
}

// Element returns where element i is of the slice at q, whose elements are of the kind. It
// panics if there is none.
func Element(k layout.Kind, q Address, i int) Address {
	s := *(*[]struct{})(q)
	_ = s[i]
	// Sound: the slice has more than i elements of that size.
	return unsafe.Add(Address(unsafe.SliceData(s)), uintptr(i)*k.Size())
}
