//lint:file-ignore SA5008 what encoding/json makes of odd tags is what is tested

package value

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/test/allocs"
	"github.com/protean-pb/protean/internal/test/race"
)

func TestMarshalShapes(t *testing.T) {
	for _, s := range shapes(t) {
		compareDynamic(t, s.data)
		o := MarshalOptions{Deterministic: true}
		for _, data := range []any{s.data, typedShape(t, s)} {
			if data == nil {
				continue
			}
			got, err := o.Marshal(data)
			if err != nil || !bytes.Equal(got, s.wire) {
				t.Errorf("%s as %T: not what the official library writes; error %v", s.name, data, err)
			}
		}
	}
}

// TestMarshalDynamic compares with structpb.NewValue.
func TestMarshalDynamic(t *testing.T) {
	for _, v := range []any{
		nil, true, false, "", "naïve 漢字 𝄞", "\xff", "abcdefgh\xff", "\xffabcdefgh", "\xed\xa0\x80", 1.5, math.NaN(),
		math.Inf(-1), math.Copysign(0, -1),
		int(-7), int8(-7), int16(-7), int32(-7), int64(math.MaxInt64), int64(math.MinInt64), uint(7), uint8(7),
		uint16(7), uint32(7), uint64(math.MaxUint64),
		float32(0.1), []byte(nil), []byte{}, []byte{1, 2}, bytes.Repeat([]byte{3}, 1000),
		map[string]any(nil), map[string]any{}, []any(nil), []any{},
		[]any{nil, []any(nil), map[string]any(nil), []byte(nil)},
		map[string]any{"\xff": 1}, []any{map[string]any{"a": "\xff"}}, []string{}, struct{}{},
	} {
		if _, err := structpb.NewValue(v); err != nil && reflect.TypeOf(v).Kind() != reflect.String &&
			reflect.TypeOf(v).Kind() != reflect.Map && !strings.Contains(err.Error(), "UTF-8") {
			continue // of a type that structpb does not take
		}
		compareDynamic(t, v)
	}
	for b := range byte(27) {
		compareDynamic(t, (&choice{[]byte{b}}).number())
	}
	// Lengths at which a header becomes longer.
	for n := range 300 {
		compareDynamic(t, strings.Repeat("x", n))
		compareDynamic(t, map[string]any{strings.Repeat("k", n): strings.Repeat("x", 20)})
		compareDynamic(t, map[string]any{"key": strings.Repeat("é", n)})
		compareDynamic(t, []any{strings.Repeat("x", n)})
		compareDynamic(t, make([]any, n))
	}
	lengths := []int{16370, 16384, 1<<21 - 10, 1 << 21}
	if race.Brief() {
		lengths = lengths[:2]
	}
	for _, n := range lengths {
		compareDynamic(t, map[string]any{strings.Repeat("k", n): []any{strings.Repeat("x", n)}})
	}
}

// TestMarshalRefusesOtherKeys has maps refused whose keys are neither strings nor integers nor text, on every release
// of Go. encoding/json takes some of them since Go 1.27.
func TestMarshalRefusesOtherKeys(t *testing.T) {
	object := wireOf(t, `{"1":1}`)
	for _, v := range []any{
		map[bool]int{true: 1}, map[float64]int{1: 1}, map[float64]int(nil), map[float32]int{}, map[struct{}]int{},
		map[any]int{"1": 1},
		map[*int]int{}, map[[1]int]int{}, map[complex128]int{},
	} {
		for _, v := range []any{v, []any{v}, struct{ M any }{v}, map[string]any{"m": v}} {
			if _, err := Marshal(v); !errors.Is(err, ErrType) {
				t.Errorf("Marshal of %T: %v", v, err)
			}
		}
		to := reflect.New(reflect.TypeOf(v))
		if err := Unmarshal(object, to.Interface()); !errors.Is(err, ErrType) {
			t.Errorf("Unmarshal into %T: %v", v, err)
		}
		if err := Unmarshal(wireOf(t, "null"), to.Interface()); err != nil || !to.Elem().IsNil() {
			t.Errorf("Unmarshal of null into %T: %v", v, err)
		}
	}
}

// TestTagsMeanTheSameOnAllReleases has tags mean the same on every release of Go, where encoding/json has changed.
func TestTagsMeanTheSameOnAllReleases(t *testing.T) {
	type tagged struct {
		Bad    string         `json:"bad\"name"`
		Quoted string         `json:"a'b"`
		Embed  map[string]int `json:",embed"`
		Case   int            `json:"CASE,case:strict"`
		Format time.Duration  `json:",format:units"`
	}
	v := tagged{"x", "y", map[string]int{"m": 1}, 2, 3}
	wire, err := Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	want := new(structpb.Value)
	if err := protojson.Unmarshal([]byte(`{"Bad":"x","Quoted":"y","Embed":{"m":1},"CASE":2,"Format":3}`), want); err != nil {
		t.Fatal(err)
	}
	same(t, wire, want)
	var back tagged
	text := `{"Bad":"x","quoted":"y","Embed":{"m":1},"case":2,"Format":3}`
	if err := Unmarshal(wireOf(t, text), &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("%+v, %v", back, err)
	}
}

// TestMarshalTyped compares with encoding/json and protojson.
func TestMarshalTyped(t *testing.T) {
	var (
		seven  = 7
		nilPtr *int
		text   = "<a&b\u2028\">"
		any7   = any(seven)
		iface  fmt.Stringer
	)
	type (
		inner  struct{ A, B int }
		Outer  struct{ B, C string }
		tagged struct {
			A int `json:"x"`
			B int `json:"X"`
		}
		twice struct {
			inner
			Outer
		}
		hidden struct {
			*inner
			A string
		}
		named2 struct {
			inner `json:"in"`
			Outer `json:"-"`
		}
		a1 struct{ Z int }
		A2 struct {
			Z int `json:"Z"`
		}
		A3 struct {
			Z int `json:"Z"`
		}
		byTag struct {
			a1
			A2
		}
		b1      struct{ a1 }
		b2      struct{ a1 }
		diamond struct {
			b1
			b2
		}
		nonEmbd struct {
			*Outer
			named
			blob
		}
		options struct {
			I int             `json:",omitempty,string"`
			F float32         `json:"f,string"`
			S []int           `json:"s,omitempty,string"`
			M map[string]int  `json:",omitempty"`
			A [0]int          `json:",omitempty"`
			T struct{}        `json:",omitempty"`
			P *int            `json:",omitempty"`
			Z struct{ X int } `json:",omitzero"`
			B string          `json:"b b"`
			U string          `json:"ключ,omitempty"`
			D int             `json:"-,"`
		}
		list     []list
		recursor map[string]recursor
	)
	bothTagged := reflect.Zero(reflect.StructOf([]reflect.StructField{
		{Name: "A2", Type: reflect.TypeFor[A2](), Anonymous: true},
		{Name: "A3", Type: reflect.TypeFor[A3](), Anonymous: true},
		{Name: "Other", Type: reflect.TypeFor[int]()},
	})).Interface()
	for _, v := range []any{
		nilPtr, &seven, &any7, &iface, []string(nil), []string{}, []string{text, "x"}, []*int{nil, &seven},
		[2]float64{1, 2}, [0]int{}, [3]byte{1, 2, 3},
		map[string]string(nil), map[string]string{text: text}, map[int]bool{-3: true}, map[uint8]any{3: nil},
		map[named]int{"a": 1}, map[uintptr]int{5: 6},
		map[textKey]int{{1, 2}: 3}, map[*big.Int]int{},
		named(text), blob(nil), blob("bytes"), []blob{nil, []byte("x")}, time.Duration(90), time.Unix(1e9, 5).UTC(),
		new(time.Time), time.Time{}.AddDate(20000, 0, 0),
		json.RawMessage(nil), json.RawMessage(`{"a":[1,2,{"b":null}]}`), json.RawMessage(`{`), json.RawMessage(`{"a":1,"a":2}`), map[string]json.RawMessage{"r": json.RawMessage("1e2")},
		big.NewInt(12345), netip.MustParseAddr("::1"), []netip.Addr{{}},
		map[netip.Addr]int{netip.MustParseAddr("10.0.0.1"): 1},
		textValue{"x"}, &textPointer{"x"}, textPointer{"x"}, jsonValue{"1"}, &jsonPointer{"[2]"}, jsonPointer{"3"},
		map[string]textPointer{"a": {"b"}}, []textPointer{{"b"}}, &[1]jsonPointer{{"1"}}, [1]jsonPointer{{"1"}},
		inner{1, 2}, tagged{1, 2}, twice{inner{1, 2}, Outer{"b", "c"}}, hidden{nil, "a"}, hidden{&inner{1, 2}, "a"},
		named2{inner{1, 2}, Outer{}},
		byTag{a1{1}, A2{2}}, bothTagged, diamond{}, nonEmbd{}, nonEmbd{&Outer{"x", "y"}, "n", blob("b")},
		options{}, options{I: 5, F: 0.5, S: []int{1}, M: map[string]int{"a": 1}, P: &seven, B: "b", U: "u", D: 4},
		&options{},
		list{nil, {}, {{}}}, recursor{"a": nil, "b": {}, "c": {"d": nil}}, &dog{"Rex", &dog{"", nil}},
		struct{ Any any }{inner{1, 2}}, []any{inner{3, 4}, &seven, named("x"), []int{1}}, struct{ M map[string]any }{},
		struct{ L []any }{},
		make(chan int), func() {}, complex(1, 2), struct{ C chan int }{}, []complex64{}, []complex64{1},
		map[string]func(){}, struct{ _ chan int }{},
		struct {
			S string `json:",string"`
		}{text}, struct {
			P *string `json:",string"`
		}{&text}, struct {
			P **int `json:",string"`
		}{}, struct{ N json.Number }{"x"},
	} {
		compareTyped(t, v)
		compareTyped(t, []any{v})
	}
	var z zoo
	compareTyped(t, z)
	(&choice{bytes.Repeat([]byte{1, 3, 7, 2, 250, 9}, 3000)}).fill(reflect.ValueOf(&z).Elem(), 5)
	compareTyped(t, &z)
}

// TestMarshalOtherThanJSON has the points at which encoding/json has another answer.
func TestMarshalOtherThanJSON(t *testing.T) {
	for _, c := range []struct {
		v    any
		want any
	}{
		{[]float32{0.1}, []any{float64(float32(0.1))}},
		{struct{ F float64 }{math.Inf(1)}, map[string]any{"F": math.Inf(1)}},
		{&[]any{json.Number("0x10p0")}, []any{16.0}},
		{struct{ D Doc }{}, map[string]any{"D": nil}},
		{struct{ A any }{map[string]any(nil)}, map[string]any{"A": map[string]any{}}},
	} {
		tree, err := structpb.NewValue(c.want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Marshal(c.v)
		if err != nil {
			t.Fatalf("%#v: %v", c.v, err)
		}
		same(t, got, tree)
	}
}

func TestMarshalIntegers(t *testing.T) {
	odd := int64(1<<53 + 1) // a variable, since an int may be too short for it
	type number struct {
		v     any
		exact bool
		text  string
	}
	numbers := []number{
		{int64(1 << 53), true, ""}, {int64(-1 << 53), true, ""}, {odd, false, "9007199254740993"},
		{int64(1 << 62), true, ""}, {int64(math.MinInt64), true, ""}, {int64(math.MaxInt64), false, "9223372036854775807"},
		{uint64(1 << 63), true, ""}, {uint64(math.MaxUint64), false, "18446744073709551615"}, {uint64(odd), false, "9007199254740993"},
		{json.Number("9007199254740993"), false, "9007199254740993"}, {json.Number("-9007199254740994"), true, ""}, {json.Number("9007199254740993.0"), true, ""},
		{json.Number("0009007199254740993"), false, "0009007199254740993"}, {json.Number("100000000000000000000"), true, ""}, {json.Number("100000000000000000001"), false, "100000000000000000001"},
		{json.Number("1" + strings.Repeat("0", 400)), false, "1" + strings.Repeat("0", 400)},
		{time.Duration(odd), false, "9007199254740993"},
	}
	if strconv.IntSize == 64 {
		numbers = append(numbers, number{-int(odd), false, "-9007199254740993"},
			number{uint(odd), false, "9007199254740993"}, number{uintptr(odd), false, "9007199254740993"})
	}
	for _, c := range numbers {
		for _, v := range []any{c.v, []any{c.v}, map[string]any{"k": c.v}, &c.v} {
			_, err := Marshal(v)
			if c.exact && err != nil || !c.exact && !errors.Is(err, ErrInexact) {
				t.Errorf("%v: error %v", v, err)
			}
			if _, err := (MarshalOptions{Integers: IntegersRound}).Marshal(v); err != nil && len(c.text) < 400 {
				t.Errorf("%v: error %v", v, err)
			}
		}
		got, err := MarshalOptions{Integers: IntegersAsString}.Marshal(c.v)
		if err != nil {
			t.Fatalf("%v: %v", c.v, err)
		}
		d, err := Parse(got)
		if err != nil {
			t.Fatal(err)
		}
		if s, err := d.String(); err == nil == c.exact || s != c.text {
			t.Errorf("%v: %q, error %v, want %q", c.v, s, err, c.text)
		}
	}
}

func TestMarshalErrors(t *testing.T) {
	deep := any("x")
	for range 4 {
		deep = map[string]any{"k": []any{deep}}
	}
	for _, c := range []struct {
		v    any
		want error
		path string
	}{
		{"\xff", ErrUTF8, "$"},
		{map[string]any{"a": []any{1, "\xff"}}, ErrUTF8, "$.a[1]"},
		{map[string]any{"a": map[string]any{"\xff": 1}}, ErrUTF8, `$.a["\xff"]`},
		{map[string]any{"a": map[string]any{strings.Repeat("x", 200) + "\xff": 1}}, ErrUTF8, `$.a["` + strings.Repeat("x", 200) + `\xff"]`},
		{map[string]any{"a": strings.Repeat("x", 200) + "\xff"}, ErrUTF8, "$.a"},
		{struct{ Tags []named }{[]named{"", "\xc0\x80"}}, ErrUTF8, "$.Tags[1]"},
		{[]textValue{{"\xff"}}, ErrUTF8, "$[0]"},
		{struct {
			S string `json:"s,string"`
		}{"\xff"}, ErrUTF8, "$.s"},
		{struct {
			F float64 `json:"f,string"`
		}{math.NaN()}, ErrNumber, "$.f"},
		{[]any{json.Number("1e400")}, ErrNumber, "$[0]"},
		{[]any{json.Number("abc")}, ErrSyntax, "$[0]"},
		{struct{ N json.Number }{"0x10"}, ErrSyntax, "$.N"},
		{struct {
			N json.Number `json:",string"`
		}{"0x10"}, ErrSyntax, "$.N"},
		{map[string]any{"c": make(chan int)}, ErrType, "$.c"},
		{map[string]any{"m": map[bool]int{}}, ErrType, "$.m"},
		{[]any{durationpb.New(1)}, ErrType, "$[0]"},
		{[]*durationpb.Duration{nil}, ErrType, "$[0]"},
		{[]any{&structpb.Value{Kind: &structpb.Value_StringValue{StringValue: "\xff"}}}, ErrUTF8, "$[0]"},
		{map[string]any{"t": textValue{"no"}}, errText, "$.t"},
		{map[string]any{"t": &jsonPointer{"no"}}, errText, "$.t"},
		{map[string]any{"t": jsonValue{"{"}}, ErrSyntax, "$.t"},
		{map[string]any{"m": map[textFailure]int{{}: 1}}, errText, "$.m"},
	} {
		for _, o := range []MarshalOptions{{}, {Deterministic: true}} {
			b, err := o.Marshal(c.v)
			var e *Error
			if b != nil || !errors.Is(err, c.want) || !errors.As(err, &e) || e.Path != c.path || e.Offset != -1 {
				t.Errorf("%#v: %x, error %v, want %v at %s", c.v, b, err, c.want, c.path)
			}
		}
	}
	for _, v := range []any{nil, 1, "x", []any{}, []int(nil), map[string]string(nil), &structpb.ListValue{}} {
		if _, err := MarshalStruct(v); !errors.Is(err, ErrKind) {
			t.Errorf("MarshalStruct of %#v: %v", v, err)
		}
	}
	for _, v := range []any{nil, 1, "x", []byte{1}, map[string]any{}, []int(nil), struct{}{}, &structpb.Struct{}} {
		if _, err := MarshalList(v); !errors.Is(err, ErrKind) {
			t.Errorf("MarshalList of %#v: %v", v, err)
		}
	}
}

type textFailure struct{}

func (textFailure) MarshalText() ([]byte, error) { return nil, errText }

// TestMarshalMessages has data that holds what is in Protobuf form already.
func TestMarshalMessages(t *testing.T) {
	for _, c := range wireCases() {
		doc, err := Parse(c.wire)
		if err != nil {
			continue
		}
		var tree structpb.Value
		if err := proto.Unmarshal(c.wire, &tree); err != nil {
			t.Fatal(err)
		}
		plain := clearUnknown(&tree)
		if strings.Contains(c.name, "limit") {
			continue // TestMarshalDepth
		}
		for _, v := range []any{doc, &doc, plain} {
			got, err := Marshal(v)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			same(t, got, plain)
			got, err = Marshal(map[string]any{"a": []any{v, v}, "b": struct{ V any }{v}})
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			pair := structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{plain, plain}})
			held := structpb.NewStructValue(&structpb.Struct{Fields: map[string]*structpb.Value{"V": plain}})
			same(t, got,
				structpb.NewStructValue(&structpb.Struct{Fields: map[string]*structpb.Value{"a": pair, "b": held}}))
		}
		for _, f := range forms()[1:] {
			inside := doc.Inside()
			bare, err := f.parse(inside)
			if inside == nil || err != nil || bare.Kind() != doc.Kind() {
				continue
			}
			got, err := Marshal(bare)
			if err != nil {
				t.Fatal(err)
			}
			same(t, got, plain)
		}
	}
	many := &structpb.ListValue{Values: make([]*structpb.Value, 1000)}
	got, err := MarshalList(many)
	if err != nil || len(got) != 2000 {
		t.Errorf("a list of unset values: %d bytes, error %v", len(got), err)
	}
	for _, v := range []any{(*structpb.Value)(nil), (*structpb.Struct)(nil), (*structpb.ListValue)(nil), (*Doc)(nil),
		Doc{}} {
		if got, err := Marshal(v); err != nil || string(got) != "\x08\x00" {
			t.Errorf("%T: %x, error %v", v, got, err)
		}
	}
}

// clearUnknown returns a message without unknown fields, and with 0 as null.
func clearUnknown(v *structpb.Value) *structpb.Value {
	v.ProtoReflect().SetUnknown(nil)
	if _, ok := v.GetKind().(*structpb.Value_NullValue); ok {
		return structpb.NewNullValue()
	}
	if s := v.GetStructValue(); s != nil {
		s.ProtoReflect().SetUnknown(nil)
		for k, v := range s.Fields {
			s.Fields[k] = clearUnknown(v)
		}
	}
	if l := v.GetListValue(); l != nil {
		l.ProtoReflect().SetUnknown(nil)
		for i, v := range l.Values {
			l.Values[i] = clearUnknown(v)
		}
	}
	return v
}

type chain struct {
	Next *chain `json:",omitempty"`
}

// TestMarshalDepth goes to the limit: what is within it, the official library reads.
func TestMarshalDepth(t *testing.T) {
	if race.Brief() {
		t.Skip("deep recursion takes long, and shows nothing about races")
	}
	objects := func(n int, inmost any) any {
		for range n {
			inmost = map[string]any{"k": inmost}
		}
		return inmost
	}
	lists := func(n int, inmost any) any {
		for range n {
			inmost = []any{inmost}
		}
		return inmost
	}
	doc := func(v any) any {
		wire, err := MarshalOptions{MaxDepth: 1 << 20}.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		d, err := ParseOptions{MaxDepth: 1 << 20}.Parse(wire)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	chained := func(n int) any {
		c := new(chain)
		for range n {
			c = &chain{c}
		}
		return c
	}
	for name, make := range map[string]func(n int) any{
		"objects":           func(n int) any { return objects(n, "x") },
		"objects, empty":    func(n int) any { return objects(n, map[string]any{}) },
		"lists":             func(n int) any { return lists(n, nil) },
		"lists, empty":      func(n int) any { return lists(n, []any{}) },
		"structs":           chained,
		"Doc":               func(n int) any { return doc(objects(n, 1)) },
		"Doc in list":       func(n int) any { return []any{doc(lists(n, 1))} },
		"typed":             func(n int) any { return []map[int]any{{1: lists(n, "x")}} },
		"RawMessage":        func(n int) any { return json.RawMessage(strings.Repeat("[", n) + strings.Repeat("]", n)) },
		"bare Doc in lists": func(n int) any { d, _ := ParseStruct(nil); return lists(n, d) },
	} {
		reached, refused := false, false
		for n := 3330; n < 5003; n++ {
			if n == 3336 {
				n = 4997
			}
			v := make(n)
			_, err := Marshal(v)
			wire, err2 := MarshalOptions{MaxDepth: 1 << 20}.Marshal(v)
			if err2 != nil {
				t.Fatal(err2)
			}
			if want := proto.Unmarshal(wire, new(structpb.Value)); (err == nil) != (want == nil) ||
				err != nil && !errors.Is(err, ErrDepth) {
				t.Fatalf("%s, %d levels: error %v, of the official library %v", name, n, err, want)
			}
			reached, refused = reached || err == nil, refused || err != nil
			_, err = MarshalStruct(v)
			if wire, err2 = (MarshalOptions{MaxDepth: 1 << 20}).MarshalStruct(v); err2 != nil {
				continue // not an object
			}
			if want := proto.Unmarshal(wire, new(structpb.Struct)); (err == nil) != (want == nil) {
				t.Fatalf("%s, %d levels, MarshalStruct: error %v, of the official library %v", name, n, err, want)
			}
		}
		if !reached || !refused {
			t.Errorf("%s: the limit is not among what was tried", name)
		}
	}
}

func TestMarshalCycles(t *testing.T) {
	m := map[string]any{}
	m["self"] = m
	l := []any{nil}
	l[0] = l
	c := new(chain)
	c.Next = c
	var a any
	a = &a
	type pointer *pointer
	var p pointer
	p = &p
	type slice []slice
	s := slice{nil}
	s[0] = s
	for _, v := range []any{m, l, c, a, p, s} {
		for _, o := range []MarshalOptions{{}, {Deterministic: true}, {MaxDepth: 10}} {
			if _, err := o.Marshal(v); !errors.Is(err, ErrDepth) {
				t.Errorf("%T: %v", v, err)
			}
		}
	}
}

func TestMarshalMaxSize(t *testing.T) {
	for _, s := range shapes(t) {
		for _, data := range []any{s.data, typedShape(t, s)} {
			if data == nil {
				continue
			}
			if _, err := (MarshalOptions{MaxSize: len(s.wire)}).Marshal(data); err != nil {
				t.Errorf("%s: %v", s.name, err)
			}
			if _, err := (MarshalOptions{MaxSize: len(s.wire) - 1}).Marshal(data); !errors.Is(err, ErrSize) {
				t.Errorf("%s: %v, want ErrSize", s.name, err)
			}
		}
	}
	// Little data that would be much on the wire.
	bomb := any(strings.Repeat("x", 1000))
	for range 60 {
		bomb = []any{bomb, bomb}
	}
	long, raw := strings.Repeat("x", 1<<20), make([]byte, 1<<20)
	wide, blobs := make([]any, 1<<20), make([][]byte, 1<<20)
	for i := range wide {
		wide[i], blobs[i] = long, raw
	}
	for _, v := range []any{bomb, wide, blobs} {
		if _, err := (MarshalOptions{MaxSize: 1 << 22}).Marshal(v); !errors.Is(err, ErrSize) {
			t.Errorf("%v, want ErrSize", err)
		}
	}
}

func TestMarshalAppend(t *testing.T) {
	for _, s := range shapes(t) {
		o := MarshalOptions{Deterministic: true}
		got, err := o.MarshalAppend([]byte("before"), s.data)
		if err != nil || string(got) != "before"+string(s.wire) {
			t.Errorf("%s: error %v", s.name, err)
		}
	}
	v := map[string]any{"a": []any{"x"}}
	object, err := MarshalOptions{}.MarshalStructAppend([]byte("before"), v)
	if want := "before" +
		string(cat(field(1, cat(field(1, "a"), field(2, field(6, field(1, field(3, "x")))))))); err != nil ||
		string(object) != want {
		t.Errorf("MarshalStructAppend: %q, error %v", object, err)
	}
	list, err := MarshalOptions{}.MarshalListAppend([]byte("before"), v["a"])
	if want := "before" + string(field(1, field(3, "x"))); err != nil || string(list) != want {
		t.Errorf("MarshalListAppend: %q, error %v", list, err)
	}
	dst := []byte("before")
	if got, err := (MarshalOptions{}).MarshalAppend(dst, "\xff"); err == nil || string(got) != "before" {
		t.Errorf("after an error: %q, error %v", got, err)
	}
}

func TestMarshalAllocations(t *testing.T) {
	allocs.NeedExact(t)
	for _, s := range shapes(t) {
		buf := make([]byte, 0, len(s.wire))
		for _, data := range []any{s.data, typedShape(t, s)} {
			if data == nil {
				continue
			}
			for _, o := range []MarshalOptions{{}, {Deterministic: true}} {
				if got := testing.AllocsPerRun(50, func() { _, _ = o.Marshal(data) }); got != 1 {
					t.Errorf("%s as %T, %+v: %v allocations, want 1", s.name, data, o, got)
				}
				if got := testing.AllocsPerRun(50, func() { _, _ = o.MarshalAppend(buf, data) }); got != 0 {
					t.Errorf("%s as %T, %+v: %v allocations to append, want 0", s.name, data, o, got)
				}
			}
		}
	}
}

// TestMarshalConcurrently makes the writers of types in several goroutines, for the race
// detector.
func TestMarshalConcurrently(t *testing.T) {
	type node struct {
		Name  string
		Left  *node           `json:",omitempty"`
		More  []node          `json:",omitempty"`
		Index map[string]node `json:",omitempty"`
	}
	v := &node{"a", &node{Name: "b"}, []node{{Name: "c"}}, map[string]node{"d": {Name: "e"}}}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				if !compareTyped(t, v) {
					t.Error("no message")
				}
			}
		})
	}
	group.Wait()
}

func TestStructFind(t *testing.T) {
	s := structOf(reflect.TypeFor[struct {
		Name   string
		NAME   string `json:"NAME"`
		Kelvin int    `json:"\u212a"` // folds to k
	}]())
	for name, want := range map[string]int{"Name": 0, "NAME": 1, "name": 0, "k": 2, "K": 2, "none": -1, "": -1} {
		if got := s.find(name); got != want {
			t.Errorf("%q: %d, want %d", name, got, want)
		}
	}
}
