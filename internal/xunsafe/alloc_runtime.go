//go:build gc && go1.26 && !go1.28 && !purego

package xunsafe

import (
	"reflect"
	"unsafe"
)

// ByReflection reports whether memory is allocated by package reflect, which takes an allocation more for an array.
const ByReflection = false

// A Type is a type for which memory can be allocated.
type Type struct{ word unsafe.Pointer }

// TypeOf returns t for [New] and [NewArray].
func TypeOf(t reflect.Type) Type {
	// Sound: a reflect.Type is an interface that holds a pointer to the type's description.
	return Type{(*eface)(unsafe.Pointer(&t)).data}
}

// New returns memory for one value of the type, all zero. It is what reflect.New does, without the reflect.Value.
func New(t Type) unsafe.Pointer { return unsafeNew(t.word) }

// NewArray returns memory for n values of the type, one after the other, all zero.
func NewArray(t Type, n int) unsafe.Pointer { return unsafeNewArray(t.word, n) }

// AllocUncleared returns memory for n bytes, 1 at least, which may be anything: not for pointers. It is aligned as that
// of make([]byte, n): to 8, 4 or 2 bytes if n is a multiple of that.
func AllocUncleared(n int) unsafe.Pointer { return mallocgc(uintptr(n), nil, false) }

// The runtime keeps these, and their signatures, for packages outside of it that refer to them by linkname: see the
// comments above them in runtime/malloc.go. Other releases of Go are served by alloc_reflect.go.

//go:linkname unsafeNew reflect.unsafe_New
func unsafeNew(unsafe.Pointer) unsafe.Pointer

//go:linkname unsafeNewArray reflect.unsafe_NewArray
func unsafeNewArray(unsafe.Pointer, int) unsafe.Pointer

//go:linkname mallocgc runtime.mallocgc
func mallocgc(size uintptr, typ unsafe.Pointer, needzero bool) unsafe.Pointer
