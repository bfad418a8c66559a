package value

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/test/allocs"
)

// checkNew compares New with structpb.NewValue, where that accepts v, and with Marshal.
func checkNew(t *testing.T, v any) {
	t.Helper()
	got, err := New(v)
	wire, marshalErr := Marshal(v)
	if (err != nil) != (marshalErr != nil) || err != nil && err.Error() != marshalErr.Error() {
		t.Fatalf("New of %.100v: error %.200v, Marshal's is %.200v", v, err, marshalErr)
	}
	want, officialErr := structpb.NewValue(v)
	if err != nil {
		if officialErr == nil && !errors.Is(err, ErrInexact) && !errors.Is(err, ErrDepth) {
			t.Fatalf("New of %.100v: %.200v", v, err)
		}
		return
	}
	compareTree(t, wire, got)
	if officialErr == nil && !proto.Equal(got, want) {
		t.Fatalf("New of %.100v:\ngot  %.500v\nwant %.500v", v, got, want)
	}
}

func TestNew(t *testing.T) {
	for _, v := range []any{
		nil, true, false, 0, -1, int8(-8), int16(16), int32(-32), int64(64), uint(1), uint8(8), uint16(16),
		uint32(math.MaxUint32), uint64(64),
		float32(0.1), 0.1, math.NaN(), math.Inf(1), float32(math.Inf(-1)), math.Copysign(0, -1),
		int64(math.MinInt64), int64(math.MaxInt64), uint64(math.MaxUint64), uint64(1) << 63,
		float32(1e30),
		json.Number("12"), json.Number("1e400"), json.Number("NaN"), json.Number("0x1p-2"),
		json.Number("9007199254740993"), json.Number("x"), json.Number(""),
		[]any{json.Number("1"), json.Number("2.5"), json.Number("-3")},
		"", "text", "naïve", "\xff", []byte("bytes"), []byte{}, []byte(nil),
		map[string]any{}, map[string]any(nil), []any{}, []any(nil), []any{nil}, []any{[]any{}, map[string]any{}},
		map[string]any{"\xff": 1}, map[string]any{"a": []any{map[string]any{"b": "\xff"}}},
		map[string]any{"a": 1, "b": make(chan int)},
		map[string]any{"a": []any{1, "b", true, nil, 2.5, map[string]any{"c": []byte("d")}}, "": "empty"},
		[]string{"a", "b"}, map[string]string{"a": "b"}, []int{1, 2}, struct{ A int }{1},
		map[string]any{"typed": []string{"x"}}, make(chan int),
	} {
		checkNew(t, v)
	}
	for _, x := range []int64{1<<53 - 1, 1 << 53, 1<<53 + 1, -1<<53 - 1, -1 << 53, 1 << 60} {
		checkNew(t, x)
		checkNew(t, int(x)) // another number on processors of 32 bits
		checkNew(t, uint(x))
	}
	for _, s := range shapes(t) {
		checkNew(t, s.data)
	}
	for _, levels := range []int{3332, 3333, 3334} {
		checkNew(t, deepObjects(levels))
	}
	for _, levels := range []int{4998, 4999, 5000} {
		checkNew(t, deepLists(levels))
	}
}

// TestNewMaps has maps of all sizes, also such as have lost entries, with a fault or none.
func TestNewMaps(t *testing.T) {
	for n := range 2000 {
		if n > 40 && n%111 != 0 {
			continue
		}
		for _, fault := range []any{nil, "\xff", json.Number("x"), int64(1<<53 + 1), make(chan int)} {
			m := map[string]any{}
			for i := range n {
				m[strconv.Itoa(i)] = []any{nil, i, json.Number(strconv.Itoa(i)), strconv.Itoa(i), true, float64(i),
					[]byte("b"), map[string]any{}}[i%8]
			}
			for i := range n / 3 {
				delete(m, strconv.Itoa(3*i))
			}
			m["last"] = fault
			checkNew(t, m)
			if tree, err := New(m); err == nil {
				if got, want := Interface(tree), tree.AsInterface(); !reflect.DeepEqual(got, want) {
					t.Fatalf("got  %v\nwant %v", got, want)
				}
			}
		}
		m := map[string]any{"\xff": 1}
		for i := range n {
			m["a naïve key "+strconv.Itoa(i)] = i
		}
		checkNew(t, m)
	}
}

// TestNewTexts has texts of all short lengths, with a fault at each place or none.
func TestNewTexts(t *testing.T) {
	for n := range 40 {
		text := strings.Repeat("x", n)
		checkNew(t, text)
		for i := range n {
			checkNew(t, text[:i]+"\xff"+text[i+1:])
			checkNew(t, map[string]any{text[:i] + "é" + text[i+1:]: text[:i] + "\x80" + text[i+1:]})
		}
	}
}

func deepObjects(levels int) (v any) {
	for range levels {
		v = map[string]any{"k": v}
	}
	return v
}

func deepLists(levels int) (v any) {
	for range levels {
		v = []any{v}
	}
	return v
}

func TestNewCyclic(t *testing.T) {
	m := map[string]any{}
	m["m"] = []any{m}
	if _, err := New(m); !errors.Is(err, ErrDepth) {
		t.Error(err)
	}
}

// TestInterfaceDeep has a tree nested more deeply than wire form may be, and trees that contain themselves.
func TestInterfaceDeep(t *testing.T) {
	deep := structpb.NewNullValue()
	for range 20_000 {
		deep = structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{deep}})
	}
	if got := Interface(deep); !reflect.DeepEqual(got, deep.AsInterface()) {
		t.Error("20,000 levels differ")
	}
	list := &structpb.ListValue{}
	list.Values = []*structpb.Value{structpb.NewListValue(list), structpb.NewListValue(list)}
	fields := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	fields.Fields["a"], fields.Fields["b"] = structpb.NewStructValue(fields), structpb.NewStructValue(fields)
	for _, v := range []*structpb.Value{structpb.NewListValue(list), structpb.NewStructValue(fields)} {
		func() {
			defer func() {
				if err, ok := recover().(error); !ok || !errors.Is(err, ErrDepth) || len(err.Error()) > 1000 {
					t.Errorf("recovered: %.200v", err)
				}
			}()
			t.Errorf("%.100v", Interface(v))
		}()
	}
}

func TestNewStructAndList(t *testing.T) {
	s, err := NewStruct(map[string]any{"a": "b"})
	if want, _ := structpb.NewStruct(map[string]any{"a": "b"}); err != nil || !proto.Equal(s, want) {
		t.Error(s, err)
	}
	l, err := NewList([]string{"a"})
	if want, _ := structpb.NewList([]any{"a"}); err != nil || !proto.Equal(l, want) {
		t.Error(l, err)
	}
	for _, c := range []struct {
		v    any
		want error
		text string
	}{
		{nil, ErrKind, "value: $: another kind of value: null instead of object"},
		{1, ErrKind, "value: $: another kind of value: number instead of object"},
		{"x", ErrKind, "value: $: another kind of value: string instead of object"},
		{true, ErrKind, "value: $: another kind of value: bool instead of object"},
		{[]any{}, ErrKind, "value: $: another kind of value: list instead of object"},
		{"\xff", ErrUTF8, "value: $: invalid UTF-8"},
	} {
		if _, err := NewStruct(c.v); !errors.Is(err, c.want) || err.Error() != c.text {
			t.Errorf("NewStruct(%v): %v", c.v, err)
		}
	}
	if _, err := NewList(map[string]any{}); !errors.Is(err, ErrKind) {
		t.Error(err)
	}
	if _, err := NewList("\xff"); !errors.Is(err, ErrUTF8) {
		t.Error(err)
	}
}

// checkApart changes every message of a tree in turn and sees that no other changes, and
// uses the messages as the official library does.
func checkApart(t *testing.T, tree *structpb.Value) {
	t.Helper()
	var all []*structpb.Value
	eachValue(tree, func(v *structpb.Value) { all = append(all, v) })
	copies := make([]*structpb.Value, len(all))
	for i, v := range all {
		copies[i] = proto.CloneOf(v)
	}
	for i := len(all) - 1; i >= 0; i-- { // from the leaves on, so that what is above differs
		v := all[i]
		switch k := v.Kind.(type) {
		case *structpb.Value_NullValue:
			k.NullValue = 7
		case *structpb.Value_NumberValue:
			k.NumberValue++
		case *structpb.Value_StringValue:
			k.StringValue += "!"
		case *structpb.Value_BoolValue:
			k.BoolValue = !k.BoolValue
		case *structpb.Value_ListValue:
			k.ListValue.Values = append(k.ListValue.Values, structpb.NewNullValue())
		case *structpb.Value_StructValue:
			k.StructValue.Fields["changed"] = structpb.NewNullValue()
		}
		if proto.Equal(v, copies[i]) {
			t.Fatal("a change without effect")
		}
		for j, w := range all[:i] {
			if len(w.GetStructValue().GetFields()) == 0 && len(w.GetListValue().GetValues()) == 0 &&
				!proto.Equal(w, copies[j]) {
				t.Fatalf("a change of %v changed %v", v, w)
			}
		}
		proto.Merge(v, copies[i])
		proto.Reset(v)
		proto.Merge(v, copies[i])
		if !proto.Equal(v, copies[i]) {
			t.Fatalf("%v instead of %v after Reset and Merge", v, copies[i])
		}
	}
	if !proto.Equal(tree, copies[0]) {
		t.Fatal("the tree has changed")
	}
}

func TestListsAreApart(t *testing.T) {
	tree, err := New([]any{[]any{"a"}, []any{"b"}})
	if err != nil {
		t.Fatal(err)
	}
	first, next := tree.GetListValue().Values[0].GetListValue(), tree.GetListValue().Values[1].GetListValue()
	first.Values = append(first.Values, structpb.NewNullValue())
	if got := next.Values[0].GetStringValue(); got != "b" {
		t.Errorf("an append to one list changed the next one: %q", got)
	}
}

func TestTreesAreOrdinary(t *testing.T) {
	v := map[string]any{
		"a": []any{"x", "y", 1.0, 2.0, true, false, nil, nil}, "b": []any{"x", []any{"y"}, map[string]any{"z": "z"}},
		"c": map[string]any{"x": 1.5, "y": "", "z": map[string]any{}}, "d": []any{}, "e": "text",
	}
	tree, err := New(v)
	if err != nil {
		t.Fatal(err)
	}
	checkApart(t, tree)
	wire, err := Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	d := mustParse(t, wire)
	checkApart(t, d.Value())
	// The tree does not alias the wire form.
	tree = d.Value()
	want := proto.CloneOf(tree)
	clear(wire)
	if !proto.Equal(tree, want) {
		t.Error("the tree has changed with the wire form")
	}
	text, err := protojson.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	if err := protojson.Unmarshal(text, tree); err != nil || !proto.Equal(tree, want) {
		t.Error(err)
	}
}

// checkTree compares a Doc's Value, and Interface of it, with the official library.
func checkTree(t *testing.T, wire []byte) {
	t.Helper()
	want, err := unmarshalTree(wire)
	d, parseErr := Parse(wire)
	if (err != nil) != (parseErr != nil) {
		t.Fatalf("%v, %v", err, parseErr)
	}
	if err != nil {
		if d.Value() != nil {
			t.Fatal("a tree of nothing")
		}
		return
	}
	got := d.Value()
	if !proto.Equal(got, want) {
		t.Fatalf("got  %v\nwant %v", got, want)
	}
	if got, want := Interface(want), want.AsInterface(); !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %#v\nwant %#v", got, want)
	}
	for key, c := range d.Fields() {
		if last := d.Get(key); last.at() == c.at() && !proto.Equal(c.Value(), want.GetStructValue().Fields[key]) {
			t.Fatalf("%v instead of %v", c.Value(), want.GetStructValue().Fields[key])
		}
	}
	for i, c := range d.Elements() {
		if !proto.Equal(c.Value(), want.GetListValue().Values[i]) {
			t.Fatalf("%v instead of %v", c.Value(), want.GetListValue().Values[i])
		}
	}
}

func TestDocValue(t *testing.T) {
	for _, c := range wireCases() {
		t.Run(c.name, func(t *testing.T) { checkTree(t, c.wire) })
	}
	for _, s := range shapes(t) {
		t.Run(s.name, func(t *testing.T) { checkTree(t, s.wire) })
	}
	d, err := ParseList(field(1, field(3, "x")))
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Value(); len(got.GetListValue().GetValues()) != 1 {
		t.Error(got)
	}
	if (Doc{}).Value() != nil {
		t.Error("a tree of nothing")
	}
}

func TestInterfaceOfNil(t *testing.T) {
	for _, v := range []*structpb.Value{
		nil, {}, {Kind: (*structpb.Value_NullValue)(nil)}, {Kind: (*structpb.Value_NumberValue)(nil)},
		{Kind: (*structpb.Value_StringValue)(nil)},
		{Kind: (*structpb.Value_BoolValue)(nil)}, {Kind: (*structpb.Value_StructValue)(nil)}, {Kind: (*structpb.Value_ListValue)(nil)},
		{Kind: &structpb.Value_StructValue{}}, {Kind: &structpb.Value_ListValue{}},
		structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{nil}}),
		structpb.NewNumberValue(math.NaN()), structpb.NewNumberValue(math.Inf(1)),
		structpb.NewNumberValue(math.Inf(-1)),
	} {
		if got, want := Interface(v), v.AsInterface(); !reflect.DeepEqual(got, want) {
			t.Errorf("%#v instead of %#v", got, want)
		}
	}
}

func TestInterfaceDoesNotAlias(t *testing.T) {
	tree := structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{structpb.NewStringValue("x"),
		structpb.NewNumberValue(1)}})
	got := Interface(tree)
	tree.GetListValue().Values[0].Kind.(*structpb.Value_StringValue).StringValue = "y"
	tree.GetListValue().Values[1].Kind.(*structpb.Value_NumberValue).NumberValue = 2
	if !reflect.DeepEqual(got, []any{"x", 1.0}) {
		t.Errorf("%v", got)
	}
}

func TestTreeAllocations(t *testing.T) {
	allocs.NeedExact(t)
	for _, s := range shapes(t) {
		official := testing.AllocsPerRun(5, func() { _, _ = structpb.NewValue(s.data) })
		if n := testing.AllocsPerRun(5, func() { _, _ = New(s.data) }); n > official/2 {
			t.Errorf("%s: New allocates %v times, structpb.NewValue %v times", s.name, n, official)
		}
	}
	list := make([]any, 1000)
	for i := range list {
		list[i] = float64(i)
	}
	boxed := any(list)
	// The list, its elements, and five slabs of 227 numbers each.
	if n := testing.AllocsPerRun(5, func() { _, _ = New(boxed) }); n != 7 {
		t.Errorf("New of numbers allocates %v times", n)
	}
	tree, err := New(list)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(5, func() { Interface(tree) }); n != 3 {
		t.Errorf("Interface of numbers allocates %v times", n)
	}
}

// TestNilWrappers gives Marshal and Interface trees in which the kind is a nil pointer.
func TestNilWrappers(t *testing.T) {
	for _, v := range []*structpb.Value{
		{Kind: (*structpb.Value_NullValue)(nil)}, {Kind: (*structpb.Value_NumberValue)(nil)}, {Kind: (*structpb.Value_StringValue)(nil)},
		{Kind: (*structpb.Value_BoolValue)(nil)}, {Kind: (*structpb.Value_StructValue)(nil)}, {Kind: (*structpb.Value_ListValue)(nil)},
	} {
		want, err := proto.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Marshal(v); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%T: %x, %v, want %x", v.Kind, got, err, want)
		}
		if got := Interface(v); got != v.AsInterface() {
			t.Errorf("%T: %v, want %v", v.Kind, got, v.AsInterface())
		}
	}
}
