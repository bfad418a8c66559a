package xunsafe

import (
	"reflect"
	"unsafe"
)

// The conversions here and the layouts of messages rely on how this Go implementation represents interfaces, strings
// and slices. It has not changed since Go 1.4, but no specification promises it: so it is checked before anything
// relies on it, and a program that was built otherwise ends at once, with a reason, instead of corrupting memory later.
func init() {
	if problem := checkRepresentation(); problem != "" {
		panic("protean: cannot run with this Go implementation: " + problem)
	}
}

// checkRepresentation says what is represented in another way than this package knows; nothing if all is as it knows.
func checkRepresentation() string {
	text, number, list := "text", 1.5, []any{nil, 1}
	pointer := &number
	// Sound: what is read are whole words of live variables that are at least as large.
	for _, c := range []struct {
		what string
		ok   bool
	}{
		{"an any", unsafe.Sizeof(any(nil)) == unsafe.Sizeof(eface{})},
		{"a string", unsafe.Sizeof(text) == unsafe.Sizeof(StringHeader{}) &&
			*(*StringHeader)(unsafe.Pointer(&text)) ==
				StringHeader{unsafe.Pointer(unsafe.StringData(text)), len(text)}},
		{"a slice", unsafe.Sizeof(list) == unsafe.Sizeof(sliceHeader{}) &&
			*(*sliceHeader)(unsafe.Pointer(&list)) ==
				sliceHeader{unsafe.Pointer(unsafe.SliceData(list)), len(list), cap(list)}},
		{"a pointer in an any", representsPointer(any(pointer), unsafe.Pointer(pointer))},
		{"a pointer in an interface with methods", representsMethods(&method{}, &method{})},
		{"a string in an any", BoxString(&text) == any(text)},
		{"a float64 in an any", BoxFloat64(&number) == any(number)},
		{"a slice in an any", reflect.DeepEqual(BoxSlice(&list), any(list))},
	} {
		if !c.ok {
			return "it represents " + c.what + " in another way than gc does"
		}
	}
	return ""
}

type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// method is a type with a method.
type method struct{ _ int }

func (*method) m() {}

// representsPointer reports whether the second word of v, which holds p, is p.
func representsPointer(v any, p unsafe.Pointer) bool {
	e := *(*eface)(unsafe.Pointer(&v))
	return e.data == p && e.typ != nil
}

// representsMethods reports whether interfaces with methods are two words: one that is the same for the same types, and
// the pointer that they hold.
func representsMethods(a, b *method) bool {
	x, y := interface{ m() }(a), interface{ m() }(b)
	v, w := *(*eface)(unsafe.Pointer(&x)), *(*eface)(unsafe.Pointer(&y))
	return unsafe.Sizeof(x) == unsafe.Sizeof(v) && v.typ == w.typ && v.typ != nil &&
		v.data == unsafe.Pointer(a) && w.data == unsafe.Pointer(b)
}
