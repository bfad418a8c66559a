//go:build !gc || !go1.26 || go1.28 || purego

package xunsafe

import (
	"reflect"
	"unsafe"
)

// ByReflection reports whether memory is allocated by package reflect, which takes an allocation more for an array.
const ByReflection = true

// A Type is a type for which memory can be allocated.
type Type struct{ one, list reflect.Type }

// TypeOf returns t for [New] and [NewArray].
func TypeOf(t reflect.Type) Type { return Type{t, reflect.SliceOf(t)} }

// New returns memory for one value of the type, all zero.
func New(t Type) unsafe.Pointer { return reflect.New(t.one).UnsafePointer() }

// NewArray returns memory for n values of the type, one after the other, all zero.
func NewArray(t Type, n int) unsafe.Pointer { return reflect.MakeSlice(t.list, n, n).UnsafePointer() }

// AllocUncleared returns memory for n bytes, 1 at least: not for pointers. It is for what is filled anyway, and cleared
// here all the same.
func AllocUncleared(n int) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(make([]byte, n))) }
