// Package xunsafe holds the conversions of the runtime that Go's type system cannot
// vouch for. Each says what its caller must keep to.
package xunsafe

import "unsafe"

// String returns b as a string without copying it. The caller must not change b as
// long as the string is in use: strings are immutable, and this one shares b's bytes.
func String(b []byte) string {
	// Sound: the pointer and length are those of a live slice, and a string of
	// length 0 may have any pointer.
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// Bytes returns s as a slice without copying it. The caller must not write to it.
func Bytes(s string) []byte {
	// Sound: as for String; the capacity equals the length, so append copies.
	return unsafe.Slice(unsafe.StringData(s), len(s))
}

// SameString reports whether a and b are the same bytes in the same place, and so equal. It does not look at the bytes.
func SameString(a, b string) bool {
	return len(a) == len(b) && unsafe.StringData(a) == unsafe.StringData(b)
}

// Address returns where a string lies, as a number to tell strings apart by. It keeps nothing alive.
func Address(s string) uintptr { return uintptr(unsafe.Pointer(unsafe.StringData(s))) }

// MapAt returns the map of the type whose pointer is p, as package reflect has it.
func MapAt[K comparable, V any](p unsafe.Pointer) map[K]V {
	// Sound: a map is a pointer, and the caller says that it is one to a map of that type.
	return *(*map[K]V)(unsafe.Pointer(&p))
}

// A StringHeader is how a string is laid out: to set one through this type spares the
// checks of unsafe.String.
type StringHeader struct {
	Data unsafe.Pointer
	Len  int
}

// An eface is how the compiler lays out a value of type any whose dynamic type is
// not pointer-shaped: a type word and a pointer to the data, which is read only.
type eface struct {
	typ  unsafe.Pointer
	data unsafe.Pointer
}

var (
	stringWord  = typeWord("")
	float64Word = typeWord(0.0)
	sliceWord   = typeWord([]any(nil))
)

func typeWord(v any) unsafe.Pointer {
	// Sound: v is an any, which is laid out as an eface.
	return (*eface)(unsafe.Pointer(&v)).typ
}

// BoxString returns *s as an any that points to s instead of to a copy on the heap
// of its own. The caller must not change *s afterwards: the value in an interface is
// immutable. Many strings can thus share one allocation, and live as long as any
// of them.
func BoxString(s *string) (v any) {
	// Sound: a string in an interface is a pointer to a string that nobody writes.
	*(*eface)(unsafe.Pointer(&v)) = eface{stringWord, unsafe.Pointer(s)}
	return v
}

// BoxFloat64 returns an any that holds *f without an allocation, under the conditions of [BoxString].
func BoxFloat64(f *float64) (v any) {
	// Sound: as for BoxString.
	*(*eface)(unsafe.Pointer(&v)) = eface{float64Word, unsafe.Pointer(f)}
	return v
}

// BoxSlice returns an any that holds *s without an allocation, under the conditions of [BoxString].
func BoxSlice(s *[]any) (v any) {
	// Sound: as for BoxString; the caller's writes to the elements are another matter.
	*(*eface)(unsafe.Pointer(&v)) = eface{sliceWord, unsafe.Pointer(s)}
	return v
}
