package anybuilder

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/swissmap"
)

// TestMaker makes values of all kinds, foreseen and not, and sees that each is its own.
func TestMaker(t *testing.T) {
	for _, need := range []SizeHint{{}, {Strings: 10, Numbers: 1, Lists: 3, Elements: 40, small: 2, Text: 5},
		{Strings: 5000, Numbers: 5000, Lists: 5000, Elements: 5000, small: 5000, large: 10, groups: 5000, Text: 1 << 20}} {
		var m Builder
		var got, want []any
		for i := range 3000 {
			if i%100 == 0 {
				m.Reserve(&need, i%7)
			}
			list, elements := m.List(i % 5)
			for j := range elements {
				elements[j] = m.Number(float64(i + j))
			}
			object := m.Map(i % 50)
			for j := range i % 50 {
				object[fmt.Sprint(j)] = m.Own(fmt.Append(m.Room(20), i*j))
			}
			got = append(got, m.String(fmt.Sprint(i)), list, object)
			if s := list.([]any); len(s) != i%5 || cap(s) != i%5 || s == nil {
				t.Fatalf("a list of %d with room for %d", len(s), cap(s))
			}
		}
		runtime.GC()
		for i := range 3000 {
			list, object := []any{}, map[string]any{}
			for j := range i % 5 {
				list = append(list, float64(i+j))
			}
			for j := range i % 50 {
				object[fmt.Sprint(j)] = fmt.Sprint(i * j)
			}
			want = append(want, fmt.Sprint(i), list, object)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v: other values", need)
		}
	}
}

// TestRoom sees how much is allocated at once.
func TestRoom(t *testing.T) {
	var r slab[uint64]
	count := func(n int) (allocated int) {
		for last := unsafe.SliceData(r.items); n > 0; n-- {
			r.one()
			if now := unsafe.SliceData(r.items); now != last {
				allocated += len(r.items)
				last = now
			}
			if size := 8 * len(r.items); size > maxRoom {
				t.Fatalf("%d bytes at once", size)
			}
		}
		return allocated
	}
	r.expect(10, 1)
	if n := count(10); n != 10 {
		t.Errorf("%d for 10 that were expected", n)
	}
	if n := count(100); n > 200 {
		t.Errorf("%d for 100 that were not", n)
	}
	r = slab[uint64]{}
	r.expect(3, 100)
	if n := count(300); n != 300 {
		t.Errorf("%d for 3 in each of 100 parts", n)
	}
	if long := r.run(5000); len(long) != 5000 || cap(long) != 5000 || len(r.items) == 5000 {
		t.Errorf("a long run of %d", len(long))
	}
}

// TestTree has values with no form in JSON, and says where; or takes them.
func TestTree(t *testing.T) {
	in := func(v *structpb.Value) *structpb.Value {
		return structpb.NewStructValue(
			&structpb.Struct{Fields: map[string]*structpb.Value{"a": structpb.NewListValue(
				&structpb.ListValue{Values: []*structpb.Value{structpb.NewNullValue(), v}})}})
	}
	deep := structpb.NewNullValue()
	for range MaxDepth + 1 {
		deep = structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{deep}})
	}
	for _, test := range []struct {
		v    *structpb.Value
		err  error
		path string
	}{
		{nil, protoerr.ErrValue, ""},
		{in(nil), protoerr.ErrValue, `["a"][1]`},
		{in(&structpb.Value{}), protoerr.ErrValue, `["a"][1]`},
		{in(&structpb.Value{Kind: (*structpb.Value_NumberValue)(nil)}), protoerr.ErrValue, `["a"][1]`},
		{in(structpb.NewNumberValue(math.NaN())), protoerr.ErrValue, `["a"][1]`},
		{in(structpb.NewNumberValue(math.Inf(-1))), protoerr.ErrValue, `["a"][1]`},
		{in(structpb.NewStringValue("\xff")), protoerr.ErrUTF8, `["a"][1]`},
		{structpb.NewStructValue(&structpb.Struct{Fields: map[string]*structpb.Value{"\xff": structpb.NewBoolValue(true)}}), protoerr.ErrUTF8, `["\xff"]`},
		{deep, protoerr.ErrDepth, strings.Repeat("[0]", MaxDepth)},
		{in(structpb.NewStringValue("é")), nil, ""},
	} {
		var tree Tree
		got, ok := tree.Value(test.v)
		if ok != (test.err == nil) || !errors.Is(tree.Err, test.err) || tree.Trace.String() != test.path ||
			ok != (got != nil) {
			t.Errorf("%.100v: %v, %.100v at %.100s", test.v, got, tree.Err, tree.Trace)
		}
		lenient := Tree{Lenient: true}
		if got, ok := lenient.Value(test.v); !ok || !reflect.DeepEqual(got, test.v.AsInterface()) {
			t.Errorf("%.100v: %v", test.v, got)
		}
	}
}

// TestNeed counts what trees consist of, and gives up on large ones.
func TestNeed(t *testing.T) {
	v, err := structpb.NewValue(map[string]any{"a": []any{1.0, "b", true, nil, []any{}, map[string]any{}}})
	if err != nil {
		t.Fatal(err)
	}
	var n SizeHint
	n.Value(v)
	want := SizeHint{Strings: 1, Numbers: 1, Lists: 2, Elements: 6, nodes: 8}
	if swissmap.Enabled() {
		want.small = 1
	}
	if n != want {
		t.Errorf("%+v, want %+v", n, want)
	}
	list := &structpb.ListValue{}
	list.Values = []*structpb.Value{structpb.NewListValue(list), structpb.NewListValue(list)}
	n = SizeHint{}
	if n.ListValue(list); n.nodes > maxNodes+1 {
		t.Errorf("%d messages were counted", n.nodes)
	}
}
