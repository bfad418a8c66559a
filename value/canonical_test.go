package value

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/test/allocs"
)

// checkCanonical compares Canonical with what the official library writes.
func checkCanonical(t *testing.T, in []byte) {
	t.Helper()
	before := bytes.Clone(in)
	got, err := AppendCanonical(nil, in)
	tree, officialErr := unmarshalTree(in)
	if (err != nil) != (officialErr != nil) {
		t.Fatalf("%v, the official library: %v", err, officialErr)
	}
	if err != nil {
		if got != nil {
			t.Fatal("a result and an error")
		}
		return
	}
	eachValue(tree, func(v *structpb.Value) {
		if n, ok := v.Kind.(*structpb.Value_NumberValue); ok {
			switch {
			case n.NumberValue == 0:
				n.NumberValue = 0
			case math.IsNaN(n.NumberValue):
				n.NumberValue = math.Float64frombits(0x7ff8000000000000)
			}
		}
	})
	want, err := proto.MarshalOptions{Deterministic: true}.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("got  % x\nwant % x", got, want)
	}
	again, err := AppendCanonical([]byte("before"), got)
	if err != nil || string(again) != "before"+string(got) {
		t.Fatalf("% x once more: % x, %v", got, again, err)
	}
	d := mustParse(t, in)
	if b := d.AppendCanonical([]byte("before")); string(b) != "before"+string(got) {
		t.Fatalf("AppendCanonical: % x", b)
	}
	if !bytes.Equal(in, before) {
		t.Fatal("the input was changed")
	}
}

func TestCanonicalAgainstOfficial(t *testing.T) {
	for _, c := range wireCases() {
		t.Run(c.name, func(t *testing.T) { checkCanonical(t, c.wire) })
	}
	for _, s := range shapes(t) {
		t.Run(s.name, func(t *testing.T) {
			checkCanonical(t, s.wire)
			for range 3 { // in other orders
				shuffled, err := proto.Marshal(s.tree)
				if err != nil {
					t.Fatal(err)
				}
				checkCanonical(t, shuffled)
				if got, err := AppendCanonical(nil, shuffled); err != nil || !bytes.Equal(got, s.wire) {
					t.Fatal("not the same bytes for the same value", err)
				}
			}
		})
	}
}

func TestCanonicalEqual(t *testing.T) {
	nan := func(bits uint64) []byte { return field(6, field(1, field(2, math.Float64frombits(bits)))) }
	entry := func(key string, value []byte) []byte { return field(1, cat(field(1, key), field(2, value))) }
	for _, c := range []struct {
		name string
		a, b []byte
		same bool
	}{
		{"zeros", field(2, 0.0), field(2, math.Copysign(0, -1)), true},
		{"NaNs", nan(0x7ff8000000000000), nan(0xfff8000000000001), true},
		{"signaling NaN", nan(0x7ff8000000000000), nan(0x7ff0000000000001), true},
		{"infinities", field(2, math.Inf(1)), field(2, math.Inf(-1)), false},
		{"null and unset", field(1, 0), nil, false},
		{"nulls", field(1, 0), field(1, 9), true},
		{"false and null", field(4, 0), field(1, 0), false},
		{"empty object and empty list", field(5, ""), field(6, ""), false},
		{"order", field(5, cat(entry("a", field(4, 1)), entry("b", field(4, 0)))), field(5, cat(entry("b", field(4, 0)), entry("a", field(4, 1)))), true},
		{"order of elements", field(6, cat(field(1, field(4, 1)), field(1, field(4, 0)))), field(6, cat(field(1, field(4, 0)), field(1, field(4, 1)))), false},
		{"duplicate", field(5, cat(entry("a", field(4, 1)), entry("a", field(4, 0)))), field(5, entry("a", field(4, 0))), true},
		{"duplicate in order", field(5, cat(entry("a", field(4, 1)), entry("a", field(4, 1)))), field(5, entry("a", field(4, 1))), true},
		{"keys with zeros", field(5, cat(entry("a\x00", field(4, 1)), entry("a", field(4, 0)))), field(5, cat(entry("a", field(4, 0)), entry("a\x00", field(4, 1)))), true},
		{"bytes of keys, not letters", field(5, cat(entry("\U00010000", field(4, 1)), entry("\uffff", field(4, 0)))), field(5, cat(entry("\uffff", field(4, 0)), entry("\U00010000", field(4, 1)))), true},
		{"unknown field", cat(field(4, 1), field(9, 1)), field(4, 1), true},
		{"normal forms", field(3, "\u00e9"), field(3, "e\u0301"), false},
	} {
		a, err := AppendCanonical(nil, c.a)
		if err != nil {
			t.Fatal(c.name, err)
		}
		b, err := AppendCanonical(nil, c.b)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if bytes.Equal(a, b) != c.same {
			t.Errorf("%s: % x and % x", c.name, a, b)
		}
		// But for what structpb alone can hold, proto.Equal says the same.
		x, y := mustParse(t, c.a).Value(), mustParse(t, c.b).Value()
		if proto.Equal(x, y) != c.same {
			t.Errorf("%s: proto.Equal says another thing", c.name)
		}
	}
}

func TestCanonicalForms(t *testing.T) {
	a := field(1, cat(field(1, "a"), field(2, field(4, 1))))
	b := field(1, cat(field(1, "b"), field(2, field(6, ""))))
	if got, err := AppendCanonicalStruct(nil, cat(b, a, b)); err != nil || !bytes.Equal(got, cat(a, b)) {
		t.Errorf("% x, %v", got, err)
	}
	if got, err := AppendCanonicalList(nil, cat(field(1, field(1, 3)), field(2, 1))); err != nil ||
		!bytes.Equal(got, field(1, field(1, 0))) {
		t.Errorf("% x, %v", got, err)
	}
	d, err := ParseStruct(cat(b, a))
	if err != nil {
		t.Fatal(err)
	}
	if got := d.AppendCanonical(nil); !bytes.Equal(got, field(5, cat(a, b))) {
		t.Errorf("% x", got)
	}
	if got := d.Get("b").AppendCanonical(nil); !bytes.Equal(got, field(6, "")) {
		t.Errorf("% x", got)
	}
	if got := d.Get("c").AppendCanonical([]byte("x")); string(got) != "x" {
		t.Errorf("% x", got)
	}
	if got, err := AppendCanonicalStruct([]byte("x"), []byte{0x0a}); string(got) != "x" ||
		!errors.Is(err, ErrTruncated) {
		t.Errorf("% x, %v", got, err)
	}
}

func TestCanonicalAllocations(t *testing.T) {
	allocs.NeedExact(t)
	for _, s := range shapes(t) {
		shuffled, err := proto.Marshal(s.tree)
		if err != nil {
			t.Fatal(err)
		}
		for _, wire := range [][]byte{s.wire, shuffled} {
			if n := testing.AllocsPerRun(20, func() { _, _ = AppendCanonical(nil, wire) }); n > 1 {
				t.Errorf("%s: %v allocations", s.name, n)
			}
			dst := slices.Grow([]byte(nil), len(wire))
			if n := testing.AllocsPerRun(20, func() { _, _ = AppendCanonical(dst, wire) }); n > 0 {
				t.Errorf("%s: %v allocations with memory at hand", s.name, n)
			}
		}
	}
}
