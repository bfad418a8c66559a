package xunsafe

import "unsafe"

// NoEscape hides p from escape analysis. It is for a pointer from a variable into the same variable, which would put
// the variable on the heap. Such a pointer is right wherever the variable lies: on the stack the runtime adjusts it
// when the stack moves, and on the heap it keeps alive what contains it. A pointer to any other variable must not be
// hidden.
//
//go:nosplit
func NoEscape(p unsafe.Pointer) unsafe.Pointer {
	x := uintptr(p)
	return *(*unsafe.Pointer)(unsafe.Pointer(&x)) // Sound: nothing moves meanwhile.
}
