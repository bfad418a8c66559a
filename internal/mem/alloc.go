package mem

import (
	"reflect"
	"runtime"
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

// NoEscape returns p, and the compiler does not see that. It is for a pointer from a variable to another part of the
// same variable, which is right wherever that is; known to the compiler it would put the variable on the heap.
//
//go:nosplit
func NoEscape(p unsafe.Pointer) unsafe.Pointer {
	x := uintptr(p)
	return *(*unsafe.Pointer)(unsafe.Pointer(&x)) // Sound: nothing moves meanwhile.
}

// SetLocal stores p at to, which must be in a variable on the goroutine's stack: of pointers there the collector need not
// be told, and the compiler does not do that either where it sees that this is one. What p points to must be of New,
// NewArray or Uncleared, part of that variable, or in use for longer: to the compiler p is not stored.
func SetLocal(to *unsafe.Pointer, p unsafe.Pointer) {
	*(*uintptr)(unsafe.Pointer(to)) = uintptr(p)
	runtime.KeepAlive(p) // until it is there
}

// The runtime keeps these for packages outside of it, and their signatures too (see
// runtime/malloc.go).

//go:linkname unsafeNew reflect.unsafe_New
func unsafeNew(unsafe.Pointer) unsafe.Pointer

//go:linkname unsafeNewArray reflect.unsafe_NewArray
func unsafeNewArray(unsafe.Pointer, int) unsafe.Pointer

//go:linkname mallocgc runtime.mallocgc
func mallocgc(size uintptr, typ unsafe.Pointer, needzero bool) unsafe.Pointer
