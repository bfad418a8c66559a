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

// Uncleared returns memory for n bytes, 1 at least, which may be anything: not for pointers. It is aligned as
// that of make([]byte, n).
func Uncleared(n int) unsafe.Pointer { return mallocgc(uintptr(n), nil, false) }

// NoEscape hides p from escape analysis. It is for a pointer from a variable into the same variable, which would put the
// variable on the heap. Such a pointer is right wherever the variable lies: on the stack the runtime adjusts it when the
// stack moves, and on the heap it keeps alive what contains it. A pointer to any other variable must not be hidden.
//
//go:nosplit
func NoEscape(p unsafe.Pointer) unsafe.Pointer {
	x := uintptr(p)
	return *(*unsafe.Pointer)(unsafe.Pointer(&x)) // Sound: nothing moves meanwhile.
}

// The runtime keeps these for packages outside of it, and their signatures too (see
// runtime/malloc.go).

//go:linkname unsafeNew reflect.unsafe_New
func unsafeNew(unsafe.Pointer) unsafe.Pointer

//go:linkname unsafeNewArray reflect.unsafe_NewArray
func unsafeNewArray(unsafe.Pointer, int) unsafe.Pointer

//go:linkname mallocgc runtime.mallocgc
func mallocgc(size uintptr, typ unsafe.Pointer, needzero bool) unsafe.Pointer
