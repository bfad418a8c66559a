package tree

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"google.golang.org/protobuf/types/known/structpb"
)

// TestSlab takes runs of all lengths, sees that none overlaps another one, and that next
// to nothing is wasted.
func TestSlab(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var lengths []int
		total, short := 0, 0
		for range r.IntN(100) {
			n := r.IntN(1 << r.IntN(13))
			lengths = append(lengths, n)
			if total += n; !isLong[uint64](n) {
				short += n
			}
		}
		s := slab[uint64]{left: short}
		allocated := map[*uint64]int{}
		var runs [][]uint64
		for i, n := range lengths {
			p := s.run(n)
			if len(p) != n || cap(p) != n {
				t.Fatalf("a run of %d, with capacity %d, instead of %d", len(p), cap(p), n)
			}
			if len(s.items) > max(slabSize/8, n) {
				t.Fatalf("a slab of %d", len(s.items))
			}
			allocated[unsafe.SliceData(s.items)] = len(s.items)
			if n > 0 && (len(s.items) == 0 ||
				uintptr(unsafe.Pointer(&p[0]))-uintptr(unsafe.Pointer(&s.items[0])) >= uintptr(8*len(s.items))) {
				allocated[&p[0]] = n // by itself
			}
			for j := range p {
				p[j] = uint64(i)
			}
			runs = append(runs, p)
		}
		for i, p := range runs {
			for _, x := range p {
				if x != uint64(i) {
					t.Fatal("two runs overlap")
				}
			}
		}
		sum := 0
		for _, n := range allocated {
			sum += n
		}
		if sum > total+short/7 {
			t.Fatalf("%d allocated for %d", sum, total)
		}
	}
}

// TestSlabUnforeseen takes more than has been asked for.
func TestSlabUnforeseen(t *testing.T) {
	var b Builder
	for i := range 2000 {
		if v := b.Number(float64(i)); v.GetNumberValue() != float64(i) {
			t.Fatal(v)
		}
	}
	o, fill := b.Object(1)
	fields := fill.Map()
	fields["k"] = b.Bool(true)
	if _, values := b.List(2); len(values) != 2 || !o.GetStructValue().Fields["k"].GetBoolValue() ||
		b.Own([]byte("text")) != "text" {
		t.Error(o, values)
	}
}

// TestSlabSize sees that no slab takes more than it may.
func TestSlabSize(t *testing.T) {
	for name, size := range map[string]int{
		"leaves":   capacity[leaf]() * int(unsafe.Sizeof(leaf{})),
		"objects":  capacity[object]() * int(unsafe.Sizeof(object{})),
		"lists":    capacity[list]() * int(unsafe.Sizeof(list{})),
		"elements": capacity[*structpb.Value]() * int(unsafe.Sizeof(uintptr(0))),
	} {
		if size > slabSize || size < slabSize*9/10 {
			t.Errorf("the slabs of %s take %d bytes", name, size)
		}
	}
	if n := capacity[byte](); n != textSize {
		t.Errorf("the slabs of text take %d bytes", n)
	}
}

// TestScalar sees that a number lies where the garbage collector expects no pointer.
func TestScalar(t *testing.T) {
	l := new(leaf)
	*(*uint64)(l.scalar()) = 1 << 40
	if unsafe.StringData(l.text.StringValue) != nil || l.value.Kind != nil {
		t.Error("it has changed a pointer")
	}
	if end := uintptr(l.scalar()) + 8; end > uintptr(unsafe.Pointer(&l.value)) {
		t.Error("it reaches beyond its memory")
	}
}
