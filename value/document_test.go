package value

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/test/allocs"
	"github.com/protean-pb/protean/internal/test/race"
)

// A form of the three messages, as tests go through them.
type form struct {
	name  string
	parse func([]byte) (Doc, error)
	new   func() proto.Message
	value func(proto.Message) *structpb.Value // the message as a Value
}

func forms() []form {
	return []form{
		{"Value", Parse, func() proto.Message { return new(structpb.Value) },
			func(m proto.Message) *structpb.Value { return m.(*structpb.Value) }},
		{"Struct", ParseStruct, func() proto.Message { return new(structpb.Struct) },
			func(m proto.Message) *structpb.Value { return structpb.NewStructValue(m.(*structpb.Struct)) }},
		{"ListValue", ParseList, func() proto.Message { return new(structpb.ListValue) },
			func(m proto.Message) *structpb.Value { return structpb.NewListValue(m.(*structpb.ListValue)) }},
	}
}

// checkParse holds Parse against the official library, on one input.
func checkParse(t *testing.T, f form, wire []byte) {
	t.Helper()
	m := f.new()
	want := proto.Unmarshal(wire, m)
	before := bytes.Clone(wire)
	d, err := f.parse(wire)
	if !bytes.Equal(wire, before) {
		t.Fatalf("%s: Parse changed its input", f.name)
	}
	if (err == nil) != (want == nil) {
		t.Fatalf("%s of %x: Parse says %v, the official library %v", f.name, cut(wire), err, want)
	}
	if err != nil {
		checkError(t, err, len(wire))
		if d.Kind() != Absent {
			t.Fatalf("%s: a Doc of kind %s with the error %v", f.name, d.Kind(), err)
		}
		return
	}
	tree := f.value(m)
	if diff := difference(d, tree); diff != "" {
		t.Fatalf("%s of %x: %s", f.name, cut(wire), diff)
	}
	// The bytes of the whole are the value again, in regular form.
	again := new(structpb.Value)
	if err := proto.Unmarshal(d.Bytes(), again); err != nil || difference(d, again) != "" {
		t.Fatalf("%s of %x: Bytes are %x: %v", f.name, cut(wire), cut(d.Bytes()), err)
	}
	if e, err := Parse(d.Bytes()); err != nil || len(d.Bytes()) > 0 && &e.wire[0] != &d.Bytes()[0] &&
		d.state() == present {
		t.Fatalf("%s of %x: Bytes are not regular: %v", f.name, cut(wire), err)
	}
}

func checkError(t *testing.T, err error, size int) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Offset < 0 || e.Offset > size || !strings.HasPrefix(e.Path, "$") {
		t.Fatalf("the error %q has no place in %d bytes: %#v", err, size, e)
	}
}

func cut(b []byte) []byte { return b[:min(len(b), 60)] }

// difference compares a node with the official library's tree, through all that a Doc
// offers. It returns what differs.
func difference(d Doc, v *structpb.Value) string {
	differ := func(what string, args ...any) string { return d.Path() + ": " + fmt.Sprintf(what, args...) }
	if d.Err() != nil {
		return differ("%v", d.Err())
	}
	switch k := v.GetKind().(type) {
	case nil:
		if d.Kind() != Unset {
			return differ("%s, want unset", d.Kind())
		}
	case *structpb.Value_NullValue:
		if !d.IsNull() {
			return differ("%s, want null", d.Kind())
		}
	case *structpb.Value_NumberValue:
		f, err := d.Float()
		if err != nil || math.Float64bits(f) != math.Float64bits(k.NumberValue) {
			return differ("%v (%v), want %v", f, err, k.NumberValue)
		}
	case *structpb.Value_StringValue:
		if s, err := d.String(); err != nil || s != k.StringValue {
			return differ("%q (%v), want %q", s, err, k.StringValue)
		}
	case *structpb.Value_BoolValue:
		if b, err := d.Bool(); err != nil || b != k.BoolValue {
			return differ("%v (%v), want %v", b, err, k.BoolValue)
		}
	case *structpb.Value_ListValue:
		if d.Kind() != List || d.Len() != len(k.ListValue.GetValues()) {
			return differ("%s of %d, want a list of %d", d.Kind(), d.Len(), len(k.ListValue.GetValues()))
		}
		for i, e := range d.Elements() {
			if diff := difference(e, k.ListValue.Values[i]); diff != "" {
				return diff
			}
			if i < 20 && d.Get(i).ref != e.ref { // it is linear in the index
				return differ("Get(%d) is another node", i)
			}
		}
		if d.Get(d.Len()).Kind() != Absent || d.Get(-1).Kind() != Absent || d.Get("0").Kind() != Absent {
			return differ("Get finds what is not there")
		}
	case *structpb.Value_StructValue:
		if d.Kind() != Object {
			return differ("%s, want an object", d.Kind())
		}
		last := map[string]Doc{}
		entries := 0
		for key, e := range d.Fields() {
			last[key] = e
			entries++
		}
		if entries != d.Len() || len(last) != len(k.StructValue.GetFields()) {
			return differ("%d entries, %d keys, Len %d, want %d", entries, len(last), d.Len(),
				len(k.StructValue.GetFields()))
		}
		for key, want := range k.StructValue.GetFields() {
			got := d.Get(key)
			if got.ref != last[key].ref {
				return differ("Get(%q) is not the last entry", key)
			}
			if diff := difference(got, want); diff != "" {
				return diff
			}
		}
		if d.Get("no such key").Kind() != Absent || d.Get(0).Kind() != Absent {
			return differ("Get finds what is not there")
		}
	}
	return ""
}

func TestParse(t *testing.T) {
	for _, c := range wireCases() {
		for _, f := range forms() {
			t.Run(c.name+"/"+f.name, func(t *testing.T) { checkParse(t, f, c.wire) })
		}
	}
	for _, s := range shapes(t) {
		t.Run(s.name, func(t *testing.T) { checkParse(t, forms()[0], s.wire) })
	}
}

// TestParseOfTruncatedInput cuts a message at every byte.
func TestParseOfTruncatedInput(t *testing.T) {
	wire := shapes(t)[1].wire
	for i := range wire {
		checkParse(t, forms()[0], wire[:i])
	}
}

func TestParseOfFlippedBits(t *testing.T) {
	wire := bytes.Clone(shapes(t)[1].wire)
	for i := range wire {
		for _, x := range []byte{1, 2, 0x80, 0xff} {
			wire[i] ^= x
			checkParse(t, forms()[0], wire)
			wire[i] ^= x
		}
	}
}

// TestParseLimitsNesting checks that the limits are the official library's.
func TestParseLimitsNesting(t *testing.T) {
	for _, c := range wireCases() {
		for _, limit := range []int{1, 2, 3, 4, 5, 6, 7, 91, 92, 9999} {
			m := new(structpb.Value)
			want := proto.UnmarshalOptions{RecursionLimit: limit}.Unmarshal(c.wire, m)
			_, err := ParseOptions{MaxDepth: limit}.Parse(c.wire)
			if (err == nil) != (want == nil) {
				t.Errorf("%s with a limit of %d: %v; the official library: %v", c.name, limit, err, want)
			}
		}
	}
}

func TestParseErrorsSayWhere(t *testing.T) {
	entry := func(key string, value []byte) []byte { return field(1, cat(field(1, key), field(2, value))) }
	for _, c := range []struct {
		name string
		wire []byte
		want string
	}{
		{"text", field(3, "ab\xff"), "value: $: byte 4: invalid UTF-8"},
		{"deep text", field(5, entry("actor", field(5, entry("tags", field(6, cat(field(1, field(4, 1)), field(1, field(3, "\xff")))))))),
			"value: $.actor.tags[1]: byte 35: invalid UTF-8"},
		{"odd key", field(5, entry("two words", field(3, "\xff"))), `value: $["two words"]: byte 19: invalid UTF-8`},
		{"cut", []byte{0x1a, 5, 'x'}, "value: $: byte 0: the input ends in the middle of a field"},
		{"wire type", []byte{0x1f}, "value: $: byte 0: malformed wire format"},
	} {
		_, err := Parse(c.wire)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v; want %s", c.name, err, c.want)
		}
	}
	_, err := ParseOptions{MaxSize: 3}.Parse(field(3, "abc"))
	if !errors.Is(err, ErrSize) {
		t.Errorf("beyond MaxSize: %v", err)
	}
}

func TestAccessors(t *testing.T) {
	d, err := Parse(shapes(t)[1].wire)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		err  error
		want string
		is   error
	}{
		{second(d.Get("actor", "id").Float()), "value: $.actor.id: another kind of value: string instead of number", ErrKind},
		{second(d.Get("actor").String()), "value: $.actor: another kind of value: object instead of string", ErrKind},
		{second(d.Get("tags", 1).Bool()), "value: $.tags[1]: another kind of value: string instead of bool", ErrKind},
		{second(d.Get("tags", 7).String()), "value: $.tags[7]: no such value: looked for in list", ErrAbsent},
		{second(d.Get("actor", "nothing", "more").String()), "value: $.actor.nothing: no such value: looked for in object", ErrAbsent},
		{d.Get(3.5).Err(), "value: $: no such value: looked for in object", ErrAbsent},
		{second(Doc{}.Bool()), "value: $: no such value", ErrAbsent},
	} {
		if c.err == nil || c.err.Error() != c.want || !errors.Is(c.err, c.is) {
			t.Errorf("got %v; want %s", c.err, c.want)
		}
	}
	if id, err := d.Get("actor", "id").String(); id != "usr_123456" || err != nil {
		t.Errorf("actor.id is %q, %v", id, err)
	}
}

func second[T any](_ T, err error) error { return err }

// TestAbsentNamesTheStep follows paths that lead nowhere: path and error end with the first step that does.
func TestAbsentNamesTheStep(t *testing.T) {
	d, err := Parse(field(5, field(1, cat(field(1, "list"), field(2, field(6, field(1, field(3, "x"))))))))
	if err != nil {
		t.Fatal(err)
	}
	for want, got := range map[string]Doc{
		"$.nope":              d.Get("nope"),
		`$[""]`:               d.Get(""),
		"$.nope ":             d.Get("nope", "more").Get("still", 3), // the blank tells the keys apart
		"$.list[1]":           d.Get("list", 1),
		"$.list.key":          d.Get("list").Get("key"),
		"$[0]":                d.Get(0),
		"$.list[0].of_a_text": d.Get("list", 0, "of_a_text"),
		"$":                   d.Get(1.5),
		"$ ":                  d.Get(-1),
		"$  ":                 Doc{}.Get("key"),
	} {
		if want = strings.TrimSpace(want); got.Path() != want || got.Kind() != Absent ||
			!strings.HasPrefix(got.Err().Error(), "value: "+want+": no such value") {
			t.Errorf("%s, %v; want %s", got.Path(), got.Err(), want)
		}
	}
	if n := testing.AllocsPerRun(20, func() { d.Get("list", 7) }); n > 0 {
		t.Errorf("%v allocations for a look-up that finds nothing", n)
	}
}

// TestDocPrintsAsJSON prints Docs, also what has no form in JSON.
func TestDocPrintsAsJSON(t *testing.T) {
	d, err := Parse(field(5, cat(field(1, cat(field(1, "a"), field(2, field(6, field(1, field(3, "x")))))),
		field(1, cat(field(1, "nan"), field(2, []byte("\x11\x01\x00\x00\x00\x00\x00\xf8\x7f")))))))
	if err != nil {
		t.Fatal(err)
	}
	for want, got := range map[string]string{
		`["x"]`:                                  fmt.Sprint(d.Get("a")),
		`"x"`:                                    fmt.Sprintf("%s", d.Get("a", 0)),
		"<absent>":                               fmt.Sprintf("%v", d.Get("b")),
		"%!v(value: $.nan: number out of range)": fmt.Sprintf("%v", d),
	} {
		if got != want {
			t.Errorf("printed %s, want %s", got, want)
		}
	}
	if text, err := json.Marshal(map[string]any{"doc": d.Get("a")}); string(text) != `{"doc":["x"]}` || err != nil {
		t.Errorf("json.Marshal: %s, %v", text, err)
	}
	if _, err := json.Marshal(d); !errors.Is(err, ErrNumber) {
		t.Errorf("json.Marshal of NaN: %v", err)
	}
}

// TestParseOfAnotherForm parses the bytes of a Struct and of a ListValue as those of a Value, which is legal: they are
// unknown fields there. What goes wrong then says so.
func TestParseOfAnotherForm(t *testing.T) {
	entry := field(1, cat(field(1, "id"), field(2, field(3, "x"))))
	for _, c := range []struct {
		wire []byte
		want string
	}{
		{entry, "the bytes are a google.protobuf.Struct: see ParseStruct"},
		{field(1, field(3, "x")), "the bytes are a google.protobuf.ListValue: see ParseList"},
		{nil, ""},
		{field(9, "unknown"), ""},
	} {
		d, err := Parse(c.wire)
		if err != nil || d.Kind() != Unset || len(d.Bytes()) > 0 {
			t.Fatalf("%x: %v, %x, %v", c.wire, d.Kind(), d.Bytes(), err)
		}
		for _, err := range []error{second(d.String()), d.Get("id").Err()} {
			if c.want != "" && !strings.HasSuffix(err.Error(), "; "+c.want) ||
				c.want == "" && strings.Contains(err.Error(), "the bytes") {
				t.Errorf("%x: %v; want %s", c.wire, err, c.want)
			}
		}
	}
}

// TestZeroDoc calls everything on a Doc that stands for nothing.
func TestZeroDoc(t *testing.T) {
	var d Doc
	if d.Kind() != Absent || d.Len() != 0 || d.Bytes() != nil || d.Inside() != nil || d.IsNull() || d.Err() == nil ||
		d.Path() != "$" ||
		d.Get("x", 1).Kind() != Absent {
		t.Errorf("the zero Doc is %+v", d)
	}
	for range d.Fields() {
		t.Error("it has a field")
	}
	for range d.Elements() {
		t.Error("it has an element")
	}
	if got := fmt.Sprint(Absent, Object, Kind(99)); got != "absent object unknown" {
		t.Error(got)
	}
}

// TestDocAliasesItsInput checks what the documentation says of the input.
func TestDocAliasesItsInput(t *testing.T) {
	s := shapes(t)[1]
	input := bytes.Clone(s.wire)
	alias, err := Parse(input)
	if err != nil {
		t.Fatal(err)
	}
	own, err := ParseOptions{Copy: true}.Parse(input)
	if err != nil {
		t.Fatal(err)
	}
	clear(input)
	if diff := difference(own, s.tree); diff != "" {
		t.Errorf("a copy changed with the input: %s", diff)
	}
	if id, _ := alias.Get("actor", "id").String(); id == "usr_123456" {
		t.Error("Parse does not alias its input")
	}
	// A write through an append to what Bytes returns must not reach the input.
	if b := own.Get("actor").Bytes(); cap(b) != len(b) {
		t.Error("Bytes can be appended to in place")
	}
}

// TestParseIntoTheSameDoc parses one message after the other into the same Doc.
func TestParseIntoTheSameDoc(t *testing.T) {
	var d Doc
	for range 2 {
		for _, s := range shapes(t) {
			if err := d.Parse(s.wire); err != nil {
				t.Fatal(err)
			}
			if diff := difference(d, s.tree); diff != "" {
				t.Errorf("%s: %s", s.name, diff)
			}
		}
		if err := d.Parse([]byte{0x1a}); err == nil || d.Kind() != Absent {
			t.Errorf("after an error: %v, %s", err, d.Kind())
		}
	}
	if err := d.ParseStruct(nil); err != nil || d.Kind() != Object {
		t.Errorf("an empty Struct: %s, %v", d.Kind(), err)
	}
	if err := d.ParseList(nil); err != nil || d.Kind() != List {
		t.Errorf("an empty ListValue: %s, %v", d.Kind(), err)
	}
}

func TestParseAllocations(t *testing.T) {
	allocs.NeedExact(t)
	for _, s := range shapes(t) {
		var reused Doc
		for _, c := range []struct {
			name string
			want float64
			run  func() error
		}{
			{"Parse", 1, func() error { _, err := Parse(s.wire); return err }},
			{"Doc.Parse", 0, func() error { return reused.Parse(s.wire) }},
			{"Copy", 2, func() error { _, err := ParseOptions{Copy: true}.Parse(s.wire); return err }},
		} {
			if err := c.run(); err != nil {
				t.Fatal(err)
			}
			if got := testing.AllocsPerRun(100, func() { _ = c.run() }); got > c.want {
				t.Errorf("%s of %s: %v allocations, want %v", c.name, s.name, got, c.want)
			}
		}
	}
	d, err := Parse(shapes(t)[1].wire)
	if err != nil {
		t.Fatal(err)
	}
	if got := testing.AllocsPerRun(100, func() {
		_, _ = d.Get("actor", "id").String()
		_, _ = d.Get("tags", 2).String()
	}); got != 0 {
		t.Errorf("Get: %v allocations", got)
	}
}

// TestDocIsReadConcurrently reads one Doc from several goroutines, for the race detector.
func TestDocIsReadConcurrently(t *testing.T) {
	for _, s := range shapes(t) {
		d, err := Parse(s.wire)
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if diff := difference(d, s.tree); diff != "" {
					t.Errorf("%s: %s", s.name, diff)
				}
			})
		}
		all.Wait()
	}
}

// TestParseOfHostileInputIsBounded checks that memory stays within a small multiple of the input.
func TestParseOfHostileInputIsBounded(t *testing.T) {
	if race.Enabled {
		t.Skip("what memory it takes means nothing under the race detector")
	}
	const n = 1 << 20
	repeat := func(b []byte) []byte { return bytes.Repeat(b, n/len(b)) }
	for _, c := range []struct {
		name string
		form form
		wire []byte
	}{
		{"empty elements", forms()[2], repeat([]byte{0x0a, 0})},
		{"null elements", forms()[2], repeat([]byte{0x0a, 2, 8, 0})},
		{"empty entries", forms()[1], repeat([]byte{0x0a, 0})},
		{"regular empty entries", forms()[1], repeat([]byte{0x0a, 4, 0x0a, 0, 0x12, 0})},
		{"unknown fields", forms()[0], repeat([]byte{0x38, 1})},
		{"merged objects", forms()[0], repeat([]byte{0x2a, 2, 0x0a, 0})},
		{"kinds in turn", forms()[0], repeat([]byte{0x2a, 2, 0x0a, 0, 0x32, 2, 0x0a, 0})},
		{"keys of one bucket", forms()[1], sameBucket(n)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			d, err := c.form.parse(c.wire)
			runtime.ReadMemStats(&after)
			if err != nil || d.Kind() == Absent {
				t.Fatal(d.Kind(), err)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 100*uint64(len(c.wire)) { // garbage included
				t.Errorf("%d bytes allocated for an input of %d", used, len(c.wire))
			}
			if held := 12 * uint64(cap(d.nodes)); held > 7*uint64(len(c.wire)) {
				t.Errorf("an index of %d bytes for an input of %d", held, len(c.wire))
			}
			d.Get("no such key")
		})
	}
}

// sameBucket makes a Struct whose keys have the same length and ends, so that they
// hash alike.
func sameBucket(n int) []byte {
	var b []byte
	for i := 0; len(b) < n; i++ {
		b = append(b, field(1, cat(field(1, fmt.Sprintf("12345678%08d12345678", i)), field(2, "")))...)
	}
	return b
}

// TestGetInObjectsOfAllSizes goes through objects of all sizes around those that have a table.
func TestGetInObjectsOfAllSizes(t *testing.T) {
	for n := range 200 {
		data := map[string]any{}
		for i := range n {
			data[strings.Repeat("k", i%13)+fmt.Sprint(i)] = float64(i)
		}
		tree, err := structpb.NewValue(data)
		if err != nil {
			t.Fatal(err)
		}
		wire, err := proto.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		d, err := Parse(wire)
		if err != nil {
			t.Fatal(err)
		}
		if diff := difference(d, tree); diff != "" {
			t.Fatal(diff)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range wireCases() {
		if len(c.wire) < 1000 {
			f.Add(c.wire)
		}
	}
	for _, s := range shapes(f)[:2] {
		f.Add(s.wire)
	}
	f.Fuzz(func(t *testing.T, wire []byte) {
		for _, form := range forms() {
			checkParse(t, form, wire)
		}
	})
}
