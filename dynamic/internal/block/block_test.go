package block

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/layout"
)

func TestIdentity(t *testing.T) {
	x, y := new(int), new(int)
	if Identity(x) == Identity(y) || Identity(x) != uintptr(unsafe.Pointer(x)) {
		t.Error("the identity of a pointer is not its value")
	}
}

// check grows, reads and shortens a slice of a kind.
func check[T any](t *testing.T, k layout.Kind, values ...T) {
	t.Helper()
	q, v := NewSlice(), VectorOf(k)
	for i, x := range values {
		*(*T)(v.Extend(q)) = x
		if Len(q) != i+1 || !reflect.DeepEqual(*(*T)(Element(k, q, i)), x) {
			t.Fatalf("%v: element %d of %d", values, i, Len(q))
		}
	}
	twice := NewSlice()
	v.Concat(twice, q, nil)
	v.Concat(twice, twice, nil)
	if got := *(*[]T)(twice); !reflect.DeepEqual(got, slices.Concat(values, values)) {
		t.Errorf("%v twice: %v", values, got)
	}
	before := *(*[]T)(q)
	v.Truncate(q, 1)
	if Len(q) != 1 || !reflect.ValueOf(before[len(before)-1]).IsZero() {
		t.Errorf("%v is kept after Truncate", before)
	}
	for _, i := range []int{-1, 1, math.MaxInt} {
		if !panics(func() { Element(k, q, i) }) {
			t.Errorf("%v: element %d", values, i)
		}
	}
	for _, n := range []int{-1, 2, math.MaxInt} {
		if !panics(func() { v.Truncate(q, n) }) {
			t.Errorf("%v: Truncate to %d", values, n)
		}
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

func TestLists(t *testing.T) {
	check(t, layout.Bool, true, false, true)
	check(t, layout.Int32, int32(-1), 5)
	check(t, layout.Fixed32, float32(1), 2.5)
	check(t, layout.Varint64, uint64(1), 1<<63)
	check(t, layout.Fixed64, -0.5, 3)
	check(t, layout.String, "a", "", "c")
	check(t, layout.Bytes, []byte("a"), []byte("b"))
	one, two := 1, 2
	check(t, layout.Message, unsafe.Pointer(&one), unsafe.Pointer(&two))
}

// TestMaps uses the maps of structpb and of entries of other types.
func TestMaps(t *testing.T) {
	md := (&structpb.Struct{}).ProtoReflect().Descriptor()
	fields := TableOf(md.Fields().ByName("fields"))
	if _, ok := fields.(table[string, Address]); !ok {
		t.Errorf("%T", fields)
	}
	for _, c := range []struct {
		table Table
		k     protoreflect.Value
		v     protoreflect.Value
	}{
		{table[bool, string]{protoreflect.BoolKind, protoreflect.StringKind}, protoreflect.ValueOfBool(true), protoreflect.ValueOfString("x")},
		{table[uint32, uint64]{protoreflect.Sint32Kind, protoreflect.DoubleKind}, protoreflect.ValueOfInt32(-4), protoreflect.ValueOfFloat64(2)},
		{table[uint64, uint32]{protoreflect.Fixed64Kind, protoreflect.FloatKind}, protoreflect.ValueOfUint64(1 << 63), protoreflect.ValueOfFloat32(2)},
		{table[string, []byte]{protoreflect.StringKind, protoreflect.BytesKind}, protoreflect.ValueOfString("k"), protoreflect.ValueOfBytes([]byte("v"))},
		{table[string, bool]{protoreflect.StringKind, protoreflect.BoolKind}, protoreflect.ValueOfString(""), protoreflect.ValueOfBool(true)},
	} {
		q, k := NewMap(), c.k.MapKey()
		if c.table.Get(q, k).IsValid() || MapLen(q) != 0 {
			t.Errorf("%v in no map", c.k)
		}
		c.table.Delete(q, k)
		c.table.Set(q, k, c.v)
		merged := NewMap()
		c.table.Merge(merged, q, nil)
		c.table.Range(merged, func(k protoreflect.MapKey, v protoreflect.Value) bool {
			if !k.Value().Equal(c.k) || !v.Equal(c.v) {
				t.Errorf("%v: %v, want %v: %v", k, v, c.k, c.v)
			}
			return true
		})
		c.table.Delete(q, k)
		if MapLen(q) != 0 || MapLen(merged) != 1 {
			t.Errorf("%d entries, and %d in a copy", MapLen(q), MapLen(merged))
		}
	}
}
