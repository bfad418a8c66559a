package value

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/test/allocs"
	"github.com/protean-pb/protean/internal/test/race"
)

var errEdit = errors.New("the path cannot be set")

// setTree is Set on a tree: the slow twin. It returns the root, which may be another one.
func setTree(root, v *structpb.Value, path []any) (*structpb.Value, error) {
	if len(path) == 0 {
		return v, nil
	}
	var err error
	switch step := path[0].(type) {
	case string:
		if root == nil || root.Kind == nil {
			root = structpb.NewStructValue(&structpb.Struct{})
		}
		s, ok := root.Kind.(*structpb.Value_StructValue)
		if !ok || !utf8.ValidString(step) {
			return nil, errEdit
		}
		if s.StructValue.Fields == nil {
			s.StructValue.Fields = map[string]*structpb.Value{}
		}
		s.StructValue.Fields[step], err = setTree(s.StructValue.Fields[step], v, path[1:])
		return root, err
	case int:
		l, ok := root.GetKind().(*structpb.Value_ListValue)
		if !ok || step < 0 || step > len(l.ListValue.Values) {
			return nil, errEdit
		}
		if step == len(l.ListValue.Values) {
			l.ListValue.Values = append(l.ListValue.Values, nil)
		}
		l.ListValue.Values[step], err = setTree(l.ListValue.Values[step], v, path[1:])
		return root, err
	}
	return nil, errEdit
}

// deleteTree is Delete on a tree.
func deleteTree(root *structpb.Value, path []any) {
	for i, step := range path {
		last := i == len(path)-1
		switch step := step.(type) {
		case string:
			fields := root.GetStructValue().GetFields()
			if last {
				delete(fields, step)
			}
			root = fields[step]
		case int:
			l := root.GetListValue()
			if step < 0 || step >= len(l.GetValues()) {
				return
			}
			if last {
				l.Values = slices.Delete(l.Values, step, step+1)
				return
			}
			root = l.Values[step]
		}
	}
}

// checkEdit compares Set and Delete with the same on the official library's tree.
func checkEdit(t *testing.T, wire []byte, v any, path []any) {
	t.Helper()
	before := bytes.Clone(wire)
	tree, err := unmarshalTree(wire)
	got, gotErr := Set(wire, v, path...)
	if err != nil {
		if gotErr == nil {
			t.Fatalf("Set accepts what is illegal: %v", err)
		}
		if _, err := Delete(wire, append([]any{"x"}, path...)...); err == nil {
			t.Fatal("Delete accepts what is illegal")
		}
		return
	}
	value, err := New(v)
	if err != nil {
		if !errors.Is(gotErr, errors.Unwrap(err)) {
			t.Fatalf("Set: %v instead of %v", gotErr, err)
		}
		return
	}
	want, err := setTree(proto.CloneOf(tree), value, path)
	if (err != nil) != (gotErr != nil) {
		t.Fatalf("Set(%v): error %v instead of %v", path, gotErr, err)
	}
	if err == nil {
		compareTree(t, got, want)
		if again, err := AppendSet([]byte("before"), wire, v, path...); err != nil ||
			string(again) != "before"+string(got) {
			t.Fatalf("AppendSet: % x, %v", again, err)
		}
		d, err := Parse(got)
		if err != nil {
			t.Fatal(err)
		}
		if !proto.Equal(d.Get(path...).Value(), value) {
			t.Fatalf("Get(%v) gives %v", path, d.Get(path...).Value())
		}
	}
	if len(path) > 0 {
		got, err := Delete(wire, path...)
		if err != nil {
			t.Fatalf("Delete(%v): %v", path, err)
		}
		want := proto.CloneOf(tree)
		deleteTree(want, path)
		compareTree(t, got, want)
		again, err := AppendDelete([]byte("before"), wire, path...)
		if err != nil || string(again) != "before"+string(got) {
			t.Fatalf("AppendDelete: % x, %v", again, err)
		}
	}
	if !bytes.Equal(before, wire) {
		t.Fatal("the input was changed")
	}
}

// unmarshalTree reads a Value with the official library, and makes of it what regular wire
// form can hold.
func unmarshalTree(wire []byte) (*structpb.Value, error) {
	v := new(structpb.Value)
	if err := (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(wire, v); err != nil {
		return nil, err
	}
	eachValue(v, func(v *structpb.Value) {
		if n, ok := v.Kind.(*structpb.Value_NullValue); ok {
			n.NullValue = 0
		}
	})
	return v, nil
}

// eachValue calls f for v and all below it.
func eachValue(v *structpb.Value, f func(*structpb.Value)) {
	f(v)
	for _, c := range v.GetStructValue().GetFields() {
		eachValue(c, f)
	}
	for _, c := range v.GetListValue().GetValues() {
		eachValue(c, f)
	}
}

func compareTree(t *testing.T, wire []byte, want *structpb.Value) {
	t.Helper()
	got := new(structpb.Value)
	if err := proto.Unmarshal(wire, got); err != nil {
		t.Fatalf("illegal: %v", err)
	}
	if !proto.Equal(got, want) {
		t.Fatalf("got  %v\nwant %v", got, want)
	}
}

func TestEditAgainstTree(t *testing.T) {
	paths := [][]any{
		{}, {"a"}, {"new"}, {""}, {0}, {1}, {5}, {-1}, {4, "new"}, {"a", "x"}, {"b", "x", "y"}, {"k"}, {"k", "k"}, {"key3"}, {"k", "z", "new"},
		{3, "k"}, {2, 0}, {2, 1}, {2, 2}, {"a", 0}, {0, "a"}, {4, 0},
	}
	for _, c := range wireCases() {
		t.Run(c.name, func(t *testing.T) {
			paths, values := paths, []any{nil, "text", map[string]any{"m": []any{1.0}}}
			if len(c.wire) > 10000 { // thousands of levels, slow to compare
				paths, values = paths[:3], values[:1]
			}
			for _, p := range paths[:race.Rounds(len(paths))] {
				for _, v := range values[:race.Rounds(len(values))] {
					checkEdit(t, c.wire, v, p)
				}
			}
		})
	}
	for _, s := range shapes(t) {
		t.Run(s.name, func(t *testing.T) {
			paths := somePaths(s.data)
			if len(s.wire) > 10000 { // slow to compare
				paths = paths[:20]
			}
			for _, p := range paths[:race.Rounds(len(paths))] {
				checkEdit(t, s.wire, "text", p)
				checkEdit(t, s.wire, strings.Repeat("longer ", 40), p)
			}
		})
	}
}

// somePaths are paths to what is in v and to what is not.
func somePaths(v any) [][]any {
	var out [][]any
	var walk func(v any, path []any)
	walk = func(v any, path []any) {
		if len(out) > 100 {
			return
		}
		out = append(out, slices.Clone(path))
		switch v := v.(type) {
		case map[string]any:
			for k, e := range v {
				walk(e, append(path, k))
			}
			out = append(out, append(slices.Clone(path), "not there", "at all"))
		case []any:
			for i, e := range v {
				walk(e, append(path, i))
			}
			out = append(out, append(slices.Clone(path), len(v)))
		}
	}
	walk(v, nil)
	return out
}

func TestEditForms(t *testing.T) {
	object, err := MarshalStruct(map[string]any{"a": 1.0})
	if err != nil {
		t.Fatal(err)
	}
	list, err := MarshalList([]any{"x", "y"})
	if err != nil {
		t.Fatal(err)
	}
	of := func(v any) []byte {
		b, err := MarshalOptions{Deterministic: true}.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	do := func(b []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, c := range []struct {
		name      string
		got, want []byte
	}{
		{"set", AppendStructValue(nil, do(SetStruct(object, true, "b", "c"))), of(map[string]any{"a": 1.0, "b": map[string]any{"c": true}})},
		{"replace", AppendStructValue(nil, do(SetStruct(object, map[string]any{"z": nil}))), of(map[string]any{"z": nil})},
		{"delete", AppendStructValue(nil, do(DeleteStruct(object, "a"))), of(map[string]any{})},
		{"delete nothing", AppendStructValue(nil, do(DeleteStruct(object, "b", 1))), of(map[string]any{"a": 1.0})},
		{"set element", AppendListValue(nil, do(SetList(list, 2.0, 1))), of([]any{"x", 2.0})},
		{"append", AppendListValue(nil, do(SetList(list, 2.0, 2))), of([]any{"x", "y", 2.0})},
		{"replace list", AppendListValue(nil, do(SetList(list, []any{nil}))), of([]any{nil})},
		{"delete element", AppendListValue(nil, do(DeleteList(list, 0))), of([]any{"y"})},
		{"a Doc", do(Set(of([]any{nil}), mustParse(t, of("doc")), 0)), of([]any{"doc"})},
	} {
		if !bytes.Equal(c.got, c.want) {
			t.Errorf("%s: % x instead of % x", c.name, c.got, c.want)
		}
	}
}

func mustParse(t testing.TB, b []byte) Doc {
	t.Helper()
	d, err := Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestEditKeepsBytes(t *testing.T) {
	// The order of the entries stays, and a new key comes last.
	text := `{"z":1,"a":{"y":2,"b":3},"m":4}`
	wire, err := AppendFromJSON(nil, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	wire, err = Set(wire, "new", "a", "c")
	if err == nil {
		wire, err = Set(wire, 5, "a", "y")
	}
	if err == nil {
		wire, err = Delete(wire, "z")
	}
	if err != nil {
		t.Fatal(err)
	}
	want, err := AppendFromJSON(nil, []byte(`{"a":{"y":5,"b":3,"c":"new"},"m":4}`))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(wire, want) {
		t.Errorf("% x instead of % x", wire, want)
	}
}

func TestEditErrors(t *testing.T) {
	wire, err := Marshal(map[string]any{"n": 1.0, "l": []any{map[string]any{}}})
	if err != nil {
		t.Fatal(err)
	}
	deep := any("x")
	for range 3000 {
		deep = map[string]any{"k": deep}
	}
	long := make([]any, 400)
	for i := range long {
		long[i] = "k"
	}
	big := slices.Repeat([]any{"k"}, 5000)
	for _, c := range []struct {
		name string
		err  error
		want error
		path string
	}{
		{"key of a number", second(Set(wire, 1, "n", "x")), ErrKind, "$.n"},
		{"index of an object", second(Set(wire, 1, "l", 0, 0)), ErrKind, "$.l[0]"},
		{"key of a list", second(Set(wire, 1, "l", "x")), ErrKind, "$.l"},
		{"index beyond", second(Set(wire, 1, "l", 2)), ErrAbsent, "$.l"},
		{"negative index", second(Set(wire, 1, "l", -1)), ErrAbsent, "$.l"},
		{"index into nothing", second(Set(wire, 1, "x", 0)), ErrAbsent, "$.x"},
		{"index of unset", second(Set(nil, 1, 0)), ErrKind, "$"},
		{"another step", second(Set(wire, 1, "l", int64(0))), ErrType, "$.l"},
		{"another step into nothing", second(Set(wire, 1, "x", 'a')), ErrType, "$.x"},
		{"another step to delete", second(Delete(wire, "x", 1.0)), ErrType, "$.x"},
		{"delete all", second(Delete(wire)), ErrType, "$"},
		{"invalid key", second(Set(wire, 1, "\xff")), ErrUTF8, "$"},
		{"invalid key in a new object", second(Set(wire, 1, "x", "\xff")), ErrUTF8, "$.x"},
		{"invalid value", second(Set(wire, []any{"\xff"}, "x")), ErrUTF8, "$[0]"},
		{"no value", second(Set(wire, make(chan int), "x")), ErrType, "$"},
		{"bad wire", second(Set([]byte{0x1a}, 1)), ErrTruncated, "$"},
		{"bad wire to delete from", second(Delete([]byte{0x1a}, "x")), ErrTruncated, "$"},
		{"too deep", second(Set(wire, deep, long...)), ErrDepth, formatPathOf(long)},
		{"path too deep", second(Set(wire, 1, big...)), ErrDepth, formatPathOf(big)},
		{"no object", second(SetStruct(nil, 1)), ErrKind, "$"},
	} {
		var e *Error
		if !errors.Is(c.err, c.want) || !errors.As(c.err, &e) || e.Path != c.path {
			t.Errorf("%s: %v, want %v at %s", c.name, c.err, c.want, c.path)
		}
	}
	// Up to the limit all is well.
	if b, err := Set(wire, deep, long[:333]...); err != nil {
		t.Error(err)
	} else if _, err := Parse(b); err != nil {
		t.Error(err)
	}
	inner := any([]any{})
	for range 4998 {
		inner = []any{inner}
	}
	if b, err := SetStruct(nil, inner, "k"); err != nil { // 9,998 messages inside two
		t.Error(err)
	} else if _, err := ParseStruct(b); err != nil {
		t.Error(err)
	}
	if _, err := SetStruct(nil, []any{inner}, "k"); !errors.Is(err, ErrDepth) {
		t.Error(err)
	}
	dst := []byte("before")
	if b, err := AppendSet(dst, wire, 1, "n", "x"); err == nil || string(b) != "before" {
		t.Errorf("AppendSet after an error: %q, %v", b, err)
	}
}

func formatPathOf(keys []any) string { return "$" + strings.Repeat(".k", len(keys)) }

func TestEditAllocations(t *testing.T) {
	allocs.NeedExact(t)
	for _, s := range shapes(t) {
		path := editPath(s.data)
		dst := make([]byte, 0, 2*len(s.wire)+100)
		if n := testing.AllocsPerRun(20, func() { _, _ = Set(s.wire, "a", path...) }); n > 1 {
			t.Errorf("%s: Set allocates %v times", s.name, n)
		}
		if n := testing.AllocsPerRun(20, func() { _, _ = AppendDelete(dst, s.wire, path...) }); n > 0 {
			t.Errorf("%s: AppendDelete allocates %v times", s.name, n)
		}
	}
}

// editPath is a path to something in the middle of v.
func editPath(v any) []any {
	var path []any
	for {
		switch x := v.(type) {
		case map[string]any:
			keys := make([]string, 0, len(x))
			for k := range x {
				keys = append(keys, k)
			}
			if len(keys) == 0 {
				return path
			}
			slices.Sort(keys)
			k := keys[len(keys)/2]
			path, v = append(path, k), x[k]
		case []any:
			if len(x) == 0 {
				return path
			}
			path, v = append(path, len(x)/2), x[len(x)/2]
		default:
			return path
		}
	}
}
