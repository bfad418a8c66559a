package value

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/test/allocs"
	"github.com/protean-pb/protean/internal/test/corpus"
	"github.com/protean-pb/protean/internal/test/race"
)

func TestUnmarshal(t *testing.T) {
	for _, c := range wireCases() {
		for _, f := range forms() {
			t.Run(c.name+"/"+f.name, func(t *testing.T) { checkUnmarshal(t, f, c.wire) })
		}
	}
	for _, s := range shapes(t) {
		t.Run(s.name, func(t *testing.T) { checkUnmarshal(t, forms()[0], s.wire) })
	}
}

// wireOf is the wire form of JSON text, as the official library makes it.
func wireOf(t testing.TB, text string) []byte {
	t.Helper()
	return corpus.New(t, "", []byte(text)).Wire
}

// TestUnmarshalErrors checks what the errors say.
func TestUnmarshalErrors(t *testing.T) {
	type deep struct{ List []map[string]int8 }
	type withPointer struct{ *unexported }
	var (
		number  int8
		nothing *int
		circle  any
	)
	circle = &circle
	other := &circle
	circle = &other
	for _, c := range []struct {
		text string
		v    any
		want string
		is   error
	}{
		{`1`, nil, "value: $: unsupported type: <nil> is not a pointer, or nil", ErrType},
		{`1`, number, "value: $: unsupported type: int8 is not a pointer, or nil", ErrType},
		{`1`, nothing, "value: $: unsupported type: *int is not a pointer, or nil", ErrType},
		{`"x"`, new(int), "value: $: byte 2: another kind of value: string into Go type int", ErrKind},
		{`[1]`, new(map[string]any), "value: $: byte 2: another kind of value: list into Go type map[string]interface {}", ErrKind},
		{`{"a":[1]}`, new(map[string]string), "value: $.a: byte 11: another kind of value: list into Go type string", ErrKind},
		{`{"List":[{},{"a":1,"b":300}]}`, new(deep), "value: $.List[1].b: byte 46: number out of range: 300 into Go type int8", ErrNumber},
		{`1.5`, new(uint), "value: $: byte 1: number out of range: 1.5 into Go type uint", ErrNumber},
		{`1e300`, new(float32), "value: $: byte 1: number out of range: 1e+300 into Go type float32", ErrNumber},
		{`"x"`, new(json.Number), `value: $: byte 2: syntax error: "x" is not a number`, ErrSyntax},
		{`"!"`, new([]byte), "value: $: byte 2: syntax error: illegal base64 data at input byte 0", ErrSyntax},
		{`{"a":1}`, new(map[bool]int), "value: $: byte 2: unsupported type: map[bool]int", ErrType},
		{`{"a":1}`, new(map[int]int), `value: $.a: byte 10: number out of range: the key "a" into Go type int`, ErrNumber},
		{`1`, new(chan int), "value: $: byte 1: unsupported type: chan int", ErrType},
		{`1`, new(fmt.Stringer), "value: $: byte 1: unsupported type: fmt.Stringer, which is nil", ErrType},
		{`1`, new(pointerToItself), "value: $: byte 1: unsupported type: value.pointerToItself", ErrType},
		{`1`, &circle, "value: $: byte 1: unsupported type: a circle of pointers", ErrType},
		{`{"H1":1}`, new(withPointer), "value: $.H1: byte 11: unsupported type: an embedded pointer on the way to H1 is nil and not exported", ErrType},
		{`{"a":true}`, new(map[string]failing), "value: $.a: byte 10: EOF: UnmarshalJSON of value.failing", io.EOF},
		{`{"Quoted":"1 "}`, new(readAll), `value: $.Quoted: byte 16: syntax error: "1 " into Go type int64 with the option string`, ErrSyntax},
		{`{"Quoted":1}`, new(readAll), `value: $.Quoted: byte 15: another kind of value: number into Go type int64 with the option string`, ErrKind},
		{`1`, new(structpb.Struct), "value: $: byte 1: another kind of value: number into Go type structpb.Struct", ErrKind},
	} {
		err := Unmarshal(wireOf(t, c.text), c.v)
		if err == nil || err.Error() != c.want || !errors.Is(err, c.is) {
			t.Errorf("%s: got %v; want %s", c.text, err, c.want)
		}
	}
	nan := field(6, field(1, field(2, math.NaN())))
	for _, v := range []any{new([]json.Number), new([]json.RawMessage), new([]int), new([]readJSON)} {
		if err := Unmarshal(nan, v); !errors.Is(err, ErrNumber) || !strings.Contains(err.Error(), "$[0]") {
			t.Errorf("NaN into %T: %v", v, err)
		}
	}
	if err := Unmarshal(field(6, field(1, field(6, field(1, "")))), new([]json.RawMessage)); !errors.Is(err,
		ErrUnset) || !strings.Contains(err.Error(), "$[0][0]") {
		t.Errorf("unset into JSON: %v", err)
	}
	// Irregular, so that an offset would not be one of the input.
	if err := Unmarshal(cat(field(9, 1), field(3, "x")), new(int)); err == nil ||
		err.Error() != "value: $: another kind of value: string into Go type int" {
		t.Errorf("an irregular message: %v", err)
	}
	if err := (UnmarshalOptions{MaxDepth: 2}).Unmarshal(wireOf(t, "[[1]]"), new(any)); !errors.Is(err, ErrDepth) {
		t.Errorf("MaxDepth: %v", err)
	}
	if err := (UnmarshalOptions{MaxSize: 2}).Unmarshal(wireOf(t, "[[1]]"), new(any)); !errors.Is(err, ErrSize) {
		t.Errorf("MaxSize: %v", err)
	}
}

type pointerToItself *pointerToItself

type failing bool

func (*failing) UnmarshalJSON([]byte) error { return io.EOF }

// TestUnmarshalBeyondJSON is about what has no equal JSON text, or where the text says less.
func TestUnmarshalBeyondJSON(t *testing.T) {
	type all struct {
		F32   float32
		F64   float64
		Int   int64
		Uint  uint64
		Zero  uint
		Unset int
		Ptr   *int
		Doc   Doc
		Docs  []*Doc
		Value *structpb.Value
		Plain structpb.ListValue
		Bound structpb.Struct
	}
	entry := func(key string, value []byte) []byte { return field(1, cat(field(1, key), field(2, value))) }
	object := field(5, entry("a", field(2, math.NaN())))
	list := field(6, cat(field(1, field(2, math.Inf(1))), field(1, "")))
	wire := field(5, cat(
		entry("F32", field(2, math.Inf(-1))), entry("F64", field(2, math.NaN())), entry("Int", field(2, -0x1p63)),
		entry("Uint", field(2, 0x1p60)), entry("Zero", field(2, math.Copysign(0, -1))), entry("Unset", nil),
		entry("Ptr", nil),
		entry("Doc", object), entry("Docs", list), entry("Value", object), entry("Plain", list),
		entry("Bound", object)))
	one := 1
	got := &all{Zero: 5, Unset: 7, Ptr: &one}
	if err := Unmarshal(wire, got); err != nil {
		t.Fatal(err)
	}
	if !math.IsInf(float64(got.F32), -1) || !math.IsNaN(got.F64) || got.Int != math.MinInt64 || got.Uint != 1<<60 ||
		got.Zero != 0 || got.Unset != 7 || got.Ptr != nil {
		t.Errorf("numbers: %+v", got)
	}
	if !bytes.Equal(got.Doc.Bytes(), object) || got.Doc.Get("a").Path() != "$.a" {
		t.Errorf("a Doc of %x at %s", got.Doc.Bytes(), got.Doc.Get("a").Path())
	}
	if len(got.Docs) != 2 || got.Docs[0].Kind() != Number || got.Docs[1] != nil {
		t.Errorf("Docs: %v", got.Docs)
	}
	for i, m := range []proto.Message{got.Value, &got.Plain, &got.Bound} {
		inner := [][]byte{object, list[2:], object[2:]}[i]
		if b, err := proto.Marshal(m); err != nil || !bytes.Equal(b, inner) {
			t.Errorf("%T: %x, %v", m, b, err)
		}
	}
	var d Doc
	if err := UnmarshalStruct(entry("a", field(4, 1)), &d); err != nil || d.Kind() != Object ||
		d.Get("a").Kind() != Bool {
		t.Errorf("a Struct into a Doc: %v, %v", d.Kind(), err)
	}
	var m structpb.Struct
	if err := UnmarshalStruct(entry("a", field(4, 1)), &m); err != nil || !m.Fields["a"].GetBoolValue() {
		t.Errorf("a Struct into a structpb.Struct: %v, %v", &m, err)
	}
}

// TestUnmarshalDuplicates checks that only the last of the entries with a key is decoded.
func TestUnmarshalDuplicates(t *testing.T) {
	entry := func(key string, value []byte) []byte { return field(1, cat(field(1, key), field(2, value))) }
	bad, good := field(3, "x"), field(2, 3.0)
	list := func(n int) []byte { return field(6, bytes.Repeat(field(1, field(2, float64(n))), n)) }
	var s struct {
		A int
		M map[string]int
		B []int
	}
	wire := field(5, cat(
		entry("A", bad),
		entry("M", field(5, cat(entry("k", bad), entry("k", bad), entry("l", good), entry("k", good)))),
		entry("B", list(5)), entry("M",
			field(5, cat(entry("k", bad), entry("k", bad), entry("l", good), entry("k", good)))), entry("A", good),
		entry("B", list(2)), entry("a", field(2, 4.0))))
	if err := Unmarshal(wire, &s); err != nil {
		t.Fatal(err)
	}
	if s.A != 4 || !reflect.DeepEqual(s.M, map[string]int{"k": 3, "l": 3}) || !reflect.DeepEqual(s.B, []int{2, 2}) ||
		cap(s.B) > 4 {
		t.Errorf("%+v", s)
	}
	for _, v := range []any{new(map[string]int), new(map[string]string), new(struct{ A int })} {
		err := Unmarshal(field(5, cat(entry("A", field(4, 1)), entry("A", field(4, 1)))), v)
		if !errors.Is(err, ErrKind) {
			t.Errorf("a wrong kind twice into %T: %v", v, err)
		}
	}
	text := map[string]string{"b": "old"}
	if err := Unmarshal(field(5, cat(entry("a", good), entry("a", bad), entry("b", field(1, 0)))), &text); err != nil ||
		!reflect.DeepEqual(text, map[string]string{"a": "x", "b": ""}) {
		t.Errorf("%v, %v", text, err)
	}
}

// TestUnmarshalManyFields is for structs that are too large for the notes on which fields
// have been seen.
func TestUnmarshalManyFields(t *testing.T) {
	var fields []reflect.StructField
	data := map[string]any{}
	for i := range 300 {
		name := fmt.Sprint("F", i)
		fields = append(fields, reflect.StructField{Name: name, Type: reflect.TypeFor[int]()})
		data[name] = float64(i)
	}
	tree, err := structpb.NewValue(data)
	if err != nil {
		t.Fatal(err)
	}
	wire, err := proto.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	v := reflect.New(reflect.StructOf(fields))
	if err := Unmarshal(wire, v.Interface()); err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		if got := v.Elem().Field(i).Int(); got != int64(i) {
			t.Errorf("field %d is %d", i, got)
		}
	}
}

func TestDisallowUnknownFields(t *testing.T) {
	o := UnmarshalOptions{DisallowUnknownFields: true}
	wire := wireOf(t, `{"A":"x","more":[1]}`)
	var v struct{ A string }
	if err := o.Unmarshal(wire, &v); !errors.Is(err, ErrAbsent) ||
		err.Error() != "value: $.more: byte 24: no such value: no field has this name" {
		t.Errorf("got %v", err)
	}
	if err := Unmarshal(wire, &v); err != nil || v.A != "x" {
		t.Errorf("without the option: %v, %v", v, err)
	}
	var m map[string]any
	if err := o.Unmarshal(wire, &m); err != nil || len(m) != 2 {
		t.Errorf("into a map: %v, %v", m, err)
	}
}

func TestDecode(t *testing.T) {
	d, err := Parse(shapes(t)[1].wire)
	if err != nil {
		t.Fatal(err)
	}
	var actor struct{ ID, Email string }
	if err := d.Get("actor").Decode(&actor); err != nil || actor.ID != "usr_123456" ||
		actor.Email != "user@example.com" {
		t.Errorf("%+v, %v", actor, err)
	}
	if unsafe.StringData(actor.ID) != &d.Get("actor", "id").Bytes()[2] {
		t.Error("Decode copies strings")
	}
	var sub Doc
	if err := d.Get("actor").Decode(&sub); err != nil || sub.Get("id").Path() != "$.id" {
		t.Errorf("%s, %v", sub.Path(), err)
	}
	for want, err := range map[string]error{
		"value: $.actor.id: another kind of value: string into Go type int": d.Get("actor").Decode(&struct{ ID int }{}),
		"value: $.actor.none: no such value: looked for in object":          d.Get("actor", "none").Decode(&actor),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("got %v; want %s", err, want)
		}
	}
	if (Doc{}).Interface() != nil {
		t.Error("the zero Doc is something")
	}
}

// TestUnmarshalMemory checks what the results share.
func TestUnmarshalMemory(t *testing.T) {
	input := wireOf(t, `{"a":["one","two"],"b":[1,2],"c":"three"}`)
	type into struct {
		A []string
		C string
	}
	for _, alias := range []bool{false, true} {
		wire := bytes.Clone(input)
		o := UnmarshalOptions{AliasInput: alias}
		var v any
		var s into
		if err := errors.Join(o.Unmarshal(wire, &v), o.Unmarshal(wire, &s)); err != nil {
			t.Fatal(err)
		}
		for i := range wire {
			wire[i] = 'x'
		}
		m, _ := v.(map[string]any)
		if got := m["c"] == "three" && s.C == "three" && s.A[1] == "two"; got == alias {
			t.Errorf("with AliasInput %v: %v, %v", alias, m, s)
		}
		if alias {
			continue
		}
		_ = append(m["a"].([]any), "more")
		m["a"].([]any)[0] = 5
		if got, want := fmt.Sprint(v), "map[a:[5 two] b:[1 2] c:three]"; got != want {
			t.Errorf("after an append: %s; want %s", got, want)
		}
	}
	// A map and a slice are used again.
	m, s := map[string]any{"old": true}, make([]any, 0, 3)
	if err := errors.Join(Unmarshal(wireOf(t, `{"new":1}`), &m), Unmarshal(wireOf(t, `[1,2]`), &s)); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(m, map[string]any{"old": true, "new": 1.0}) || !reflect.DeepEqual(s, []any{1.0, 2.0}) ||
		cap(s) != 3 {
		t.Errorf("%v, %v", m, s)
	}
}

// wideObjects counts the objects with more than 8 entries, whose maps take two
// allocations more.
func wideObjects(d Doc) (n int) {
	if d.Kind() == Object && d.Len() > 8 {
		n = 1
	}
	for _, e := range d.Fields() {
		n += wideObjects(e)
	}
	for _, e := range d.Elements() {
		n += wideObjects(e)
	}
	return n
}

func TestUnmarshalAllocations(t *testing.T) {
	allocs.NeedExact(t)
	for _, s := range shapes(t) {
		var c census
		d, err := Parse(s.wire)
		if err != nil {
			t.Fatal(err)
		}
		c.count(d.nodes, 0)
		want := 2*c.objects + 2 // a map of up to 8 entries takes two; the text
		for _, size := range []int{16 * c.Strings, 8 * c.Numbers, 16 * c.Elements, 24 * c.Lists} {
			want += (size + 4<<10 - 1) / (4 << 10) // allocations of 8 KB, at least half of which is used
		}
		want += 2 * wideObjects(d)
		if got := testing.AllocsPerRun(100, func() { var v any; _ = Unmarshal(s.wire, &v) }); got > float64(want) {
			t.Errorf("%s: %v allocations, want %d", s.name, got, want)
		}
	}
	var v smallObject
	wire := shapes(t)[0].wire
	for _, c := range []struct {
		o    UnmarshalOptions
		want float64
	}{{UnmarshalOptions{}, 1}, {UnmarshalOptions{AliasInput: true}, 0}} {
		if got := testing.AllocsPerRun(100, func() { _ = c.o.Unmarshal(wire, &v) }); got > c.want {
			t.Errorf("a struct with %+v: %v allocations, want %v", c.o, got, c.want)
		}
	}
}

// TestUnmarshalHostile checks that memory stays within a small multiple of the input, and
// that time does not grow with its square.
func TestUnmarshalHostile(t *testing.T) {
	if race.Enabled {
		t.Skip("what memory it takes means nothing under the race detector")
	}
	const n = 1 << 20
	repeat := func(b []byte) []byte { return bytes.Repeat(b, n/len(b)) }
	bad := field(1, cat(field(1, "A"), field(2, field(4, 1))))
	last := field(1, cat(field(1, "A"), field(2, field(1, 0))))
	for _, c := range []struct {
		name      string
		unmarshal func([]byte, any) error
		wire      []byte
	}{
		{"empty elements", UnmarshalList, repeat([]byte{0x0a, 0})},
		{"empty objects", UnmarshalList, repeat([]byte{0x0a, 2, 0x2a, 0})},
		{"empty lists", UnmarshalList, repeat([]byte{0x0a, 2, 0x32, 0})},
		{"empty strings", UnmarshalList, repeat([]byte{0x0a, 2, 0x1a, 0})},
		{"empty entries", UnmarshalStruct, repeat([]byte{0x0a, 0})},
		{"same key", UnmarshalStruct, append(repeat(bad), last...)},
		{"keys of one bucket", UnmarshalStruct, sameBucket(n)},
	} {
		for _, v := range []any{new(any), new(struct{ A string }), new(map[string]*int), new(map[string]string),
			new([]*string), new([]json.RawMessage)} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := c.unmarshal(c.wire, v)
			runtime.ReadMemStats(&after)
			if err != nil && !errors.Is(err, ErrKind) && !errors.Is(err, ErrUnset) {
				t.Errorf("%s into %T: %v", c.name, v, err)
			}
			// garbage included, and two bytes may be an entry
			if used := after.TotalAlloc - before.TotalAlloc; used > 150*uint64(len(c.wire)) {
				t.Errorf("%s into %T: %d bytes allocated for an input of %d", c.name, v, used, len(c.wire))
			}
		}
	}
}

// TestUnmarshalConcurrent is for the race detector.
func TestUnmarshalConcurrent(t *testing.T) {
	wire := shapes(t)[1].wire
	d, err := Parse(wire)
	if err != nil {
		t.Fatal(err)
	}
	type fresh struct {
		Actor struct{ ID string }
		Tags  []string
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 50 {
				var a, b fresh
				if err := errors.Join(Unmarshal(wire, &a), d.Decode(&b)); err != nil || a.Actor.ID != "usr_123456" ||
					b.Tags[1] != "beta_user" {
					t.Errorf("%+v, %+v, %v", a, b, err)
				}
			}
		})
	}
	all.Wait()
}
