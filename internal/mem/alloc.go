package mem

import (
	"reflect"
	"unsafe"
)

// A Type is a type for which memory can be allocated.
type Type struct{ word unsafe.Pointer }

// TypeOf returns t for [New] and [NewArray].
func TypeOf(t reflect.Type) Type {
	// Sound: a reflect.Type is an interface that holds a pointer to the type's description.
	return Type{(*eface)(unsafe.Pointer(&t)).data}
}

// New returns memory for one value of the type, all zero. It is what reflect.New does, less
// what that spends on a reflect.Value.
func New(t Type) unsafe.Pointer { return unsafeNew(t.word) }

// NewArray returns memory for n values of the type, one after the other, all zero.
func NewArray(t Type, n int) unsafe.Pointer { return unsafeNewArray(t.word, n) }

// The runtime keeps these two for packages outside of it, and their signatures too (see
// runtime/malloc.go).

//go:linkname unsafeNew reflect.unsafe_New
func unsafeNew(unsafe.Pointer) unsafe.Pointer

//go:linkname unsafeNewArray reflect.unsafe_NewArray
func unsafeNewArray(unsafe.Pointer, int) unsafe.Pointer
