package xunsafe

import (
	"reflect"
	"runtime"
	"testing"
	"unsafe"
)

// TestAllocatedMemoryIsOfItsType keeps pointers in allocated memory alone: the collector finds them only if it knows
// the type.
func TestAllocatedMemoryIsOfItsType(t *testing.T) {
	type node struct {
		number int
		text   *string
	}
	typ := TypeOf(reflect.TypeFor[node]())
	const n = 100
	one, array := (*node)(New(typ)), unsafe.Slice((*node)(NewArray(typ, n)), n)
	text := func(i int) *string {
		s := string(rune('a' + i%26))
		return &s
	}
	if *one != (node{}) {
		t.Error("not zero")
	}
	one.text = text(0)
	for i := range array {
		if array[i] != (node{}) {
			t.Fatalf("element %d is not zero", i)
		}
		array[i] = node{i, text(i)}
	}
	runtime.GC()
	garbage := make([]*string, 10_000)
	for i := range garbage {
		garbage[i] = text(25)
	}
	if *one.text != "a" {
		t.Errorf("the text has become %q", *one.text)
	}
	for i := range array {
		if array[i].number != i || *array[i].text != *text(i) {
			t.Fatalf("element %d has become %v with %q", i, array[i], *array[i].text)
		}
	}
	runtime.KeepAlive(garbage)
}

func TestUnclearedMemoryIsTheCallers(t *testing.T) {
	pieces := map[uintptr]int{}
	var keep []unsafe.Pointer
	for n := 1; n < 5000; n += 7 {
		p := AllocUncleared(n)
		keep = append(keep, p)
		b := unsafe.Slice((*byte)(p), n)
		for i := range b {
			b[i] = byte(n)
		}
		pieces[uintptr(p)] = n
		for align := 8; align > 1; align /= 2 {
			if n%align == 0 && uintptr(p)%uintptr(align) != 0 {
				t.Fatalf("%d bytes at %p", n, p)
			}
		}
	}
	runtime.GC()
	for _, p := range keep {
		n := pieces[uintptr(p)]
		for i, c := range unsafe.Slice((*byte)(p), n) {
			if c != byte(n) {
				t.Fatalf("byte %d of %d has become %d", i, n, c)
			}
		}
	}
}
