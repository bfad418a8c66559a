package protojson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/protojson"
)

// parsed returns what encoding/json reads a text into.
func parsed(t testing.TB, text []byte, numbers bool) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	if numbers {
		d.UseNumber()
	}
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// withText returns v with 64-bit integers as in text, and how many there were.
func withText(v any) (any, int) {
	switch v := v.(type) {
	case int64, uint64:
		b, _ := json.Marshal(v)
		return string(b), 1
	case map[string]any:
		out, n := map[string]any{}, 0
		for key, e := range v {
			e, k := withText(e)
			out[key], n = e, n+k
		}
		return out, n
	case []any:
		out, n := []any{}, 0
		for _, e := range v {
			e, k := withText(e)
			out, n = append(out, e), n+k
		}
		return out, n
	}
	return v, 0
}

// checkToAny holds the Go values of m against those of the official library's text, and
// reads them again.
func checkToAny(t testing.TB, m proto.Message, o protojson.MarshalOptions) {
	t.Helper()
	text, wantErr := officialMarshal(o).Marshal(asOfficial(m))
	got, err := o.ToAny(m)
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("%+v, ToAny of %T %v: %v, official: %v", o, m, m, err, wantErr)
	}
	if err != nil {
		if got != nil {
			t.Fatalf("%v with %v", got, err)
		}
		checkNowhere(t, err)
		return
	}
	if want := parsed(t, text, false); !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v, ToAny of %T:\n%#v\nofficial:\n%#v", o, m, got, want)
	}
	o.UseInt64Numbers = true
	numbers, err := o.ToAny(m)
	if same, _ := withText(numbers); err != nil || !reflect.DeepEqual(same, got) {
		t.Fatalf("%+v, ToAny of %T with numbers:\n%#v\nwithout:\n%#v\n%v", o, m, numbers, got, err)
	}
	u := protojson.UnmarshalOptions{AllowPartial: o.AllowPartial, Resolver: o.Resolver}
	checkFromAny(t, got, m, u)
	checkFromAny(t, numbers, m, u)
}

// checkFromAny reads v into a message of m's type, and has the official library read its text.
func checkFromAny(t testing.TB, v any, m proto.Message, o protojson.UnmarshalOptions) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("%#v: %v", v, err)
	}
	want, got := emptyOfficial(m), m.ProtoReflect().New().Interface()
	wantErr := unmarshalOfficial(officialUnmarshal(o), text, want)
	err = o.FromAny(v, got)
	if errors.Is(wantErr, errPanic) {
		return // there is nothing to compare with
	}
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("%T %s, %+v, FromAny %.1000s: %v, official: %v", m, m.ProtoReflect().Descriptor().FullName(), o, text,
			err, wantErr)
	}
	if err != nil {
		checkNowhere(t, err)
		return
	}
	// proto.Equal may not compare fields whose types are unlike, but look at the same.
	equal := o.Resolver == resolver(linkedTypes) || proto.Equal(got, want)
	if g, w := wire(t, got), wire(t, want); !equal || !bytes.Equal(g, w) {
		t.Fatalf("%T %s, %+v, FromAny %.1000s:\n%x %v\nofficial:\n%x %v", m, m.ProtoReflect().Descriptor().FullName(),
			o, text, g, got, w, want)
	}
	if after, err := json.Marshal(v); err != nil || !bytes.Equal(after, text) {
		t.Fatalf("FromAny changes %s to %s, %v", text, after, err)
	}
}

// TestToAny turns random messages of all types into Go values and back.
func TestToAny(t *testing.T) {
	eachType(t, func(t *testing.T, k kind, mt protoreflect.MessageType) {
		r := rand.New(rand.NewPCG(1, 2))
		for range race.Rounds(8) {
			m := k.New(mt)
			fill(m.ProtoReflect(), r, r.IntN(32))
			checkToAny(t, m, marshalWay(uint16(r.Uint32())))
		}
	})
}

// TestToAnyRequired has a required field be missing in all the places where a message may be.
func TestToAnyRequired(t *testing.T) {
	for _, text := range []string{
		`{"message":{}}`, `{"list":[{}]}`, `{"list":[` + strings.Repeat("{},", 99) + `{}]}`, `{"map":{"1":{}}}`, `{"one":{}}`,
		`{"self":{"self":{"message":{}}}}`, `{"below":{}}`, `{"below":{"name":"x","message":{}}}`,
		`{"[protean.test.legacy.required_below]":{}}`, `{"[protean.test.legacy.required_list]":[{}]}`,
	} {
		for _, k := range kinds[:2] {
			m := k.New(new(legacypb.RequiredBelow).ProtoReflect().Type())
			if err := (protojson.UnmarshalOptions{AllowPartial: true}).Unmarshal([]byte(text), m); err != nil {
				t.Fatal(err)
			}
			for _, o := range []protojson.MarshalOptions{{}, {EmitUnpopulated: true}, {EmitDefaultValues: true},
				{AllowPartial: true}} {
				checkToAny(t, m, o)
				if _, err := o.ToAny(m); errors.Is(err, protojson.ErrRequired) == o.AllowPartial {
					t.Errorf("%+v, ToAny of %s: %v", o, text, err)
				}
			}
		}
	}
}

// checkFromText reads what encoding/json makes of a text, with its numbers as float64 and as
// json.Number.
func checkFromText(t testing.TB, text []byte, m proto.Message, o protojson.UnmarshalOptions) {
	t.Helper()
	if !json.Valid(text) {
		return
	}
	var v any
	if json.Unmarshal(text, &v) == nil { // no number is too large
		checkFromAny(t, v, m, o)
	}
	checkFromAny(t, parsed(t, text, true), m, o)
}

// TestFromAny reads Go values that are almost those of a message.
func TestFromAny(t *testing.T) {
	eachType(t, func(t *testing.T, k kind, mt protoreflect.MessageType) {
		r := rand.New(rand.NewPCG(3, 4))
		for range race.Rounds(2) {
			_, text := random(mt, r, 12)
			_, other := random(mt, r, 6)
			for range race.Rounds(5) {
				checkFromText(t, mutate(mt.Descriptor(), text, other, r), k.New(mt), unmarshalWay(uint16(r.Uint32())))
			}
		}
	})
}

// FuzzToAny turns random messages into Go values in all ways, and back.
func FuzzToAny(f *testing.F) {
	for which := range seeds() {
		f.Add(which, uint64(which), uint8(which), which*7)
	}
	f.Fuzz(func(t *testing.T, which uint16, seed uint64, size uint8, way uint16) {
		mt, k := choose(which)
		m := k.New(mt)
		fill(m.ProtoReflect(), rand.New(rand.NewPCG(seed, 0)), int(size)/4)
		checkToAny(t, m, marshalWay(way))
	})
}

// FuzzFromAny reads what any text stands for into messages of any type, made in any way.
func FuzzFromAny(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for which := range seeds() {
		mt, _ := choose(which)
		_, text := random(mt, r, 10)
		f.Add(which, which, text)
	}
	for i, token := range oddTokens {
		f.Add(whichOf("google.protobuf.Value"), uint16(i), []byte(token))
		f.Add(whichOf("google.protobuf.Any"), uint16(i), []byte(token))
	}
	f.Fuzz(func(t *testing.T, which, way uint16, text []byte) {
		mt, k := choose(which)
		checkFromText(t, text, k.New(mt), unmarshalWay(way))
	})
}

// TestToAnyNil turns messages that are nil, or hold what is nil, into Go values.
func TestToAnyNil(t *testing.T) {
	for _, m := range nilMessages() {
		for way := range uint16(32) {
			checkToAny(t, m, marshalWay(way))
		}
	}
	if v, err := protojson.ToAny(nil); err != nil || !reflect.DeepEqual(v, map[string]any{}) {
		t.Errorf("%#v, %v", v, err)
	}
}

// TestGoResolver has resolvers that find all, some or nothing, or the wrong types.
func TestGoResolver(t *testing.T) {
	extendable := extended(&legacypb.Extendable{Id: proto.Int32(1)}, legacypb.E_ExtString, "s", legacypb.E_ExtLeaf,
		&legacypb.Leaf{Id: proto.Int32(2)})
	for name, r := range resolvers(t) {
		t.Run(name, func(t *testing.T) {
			for _, m := range []proto.Message{anyOf(&benchpb.Leaf{Id: 1}), anyOf(durationpb.New(5)), anyOf(extendable),
				anyOf(anyOf(&benchpb.Leaf{})), extendable, &anypb.Any{TypeUrl: "unknown/name"}} {
				theirs := officialMarshal(protojson.MarshalOptions{Resolver: r})
				theirs.Resolver = theirResolver(r)
				text, wantErr := theirs.Marshal(m)
				got, err := protojson.MarshalOptions{Resolver: r}.ToAny(m)
				if (err != nil) != (wantErr != nil) || err == nil && !reflect.DeepEqual(got, parsed(t, text, false)) {
					t.Fatalf("ToAny of %T %v: %v, %v, official: %s, %v", m, m, got, err, text, wantErr)
				}
			}
			for _, text := range []string{
				`{"@type":"protean.test.bench.Leaf","id":1}`, `{"@type":"x/google.protobuf.Duration","value":"1s"}`, `{"@type":"x"}`, `{"name":"n","@type":"x"}`,
				`{"@type":"protean.test.legacy.Extendable","[protean.test.legacy.ext_string]":"x"}`, `{"[protean.test.legacy.ext_leaf]":{"name":"x"},"[protean.test.legacy.ext_int32]":1}`, `{"[no.such]":1}`, `{"[]":1}`,
				`{"[protean.test.legacy.ext_string]":null}`, `{"[protean.test.edition.ext_number]":1}`, `{"[opaque.protean.test.legacy.ext_int32]":1}`,
			} {
				for _, m := range []proto.Message{new(anypb.Any), new(legacypb.Extendable),
					kinds[1].New(extendable.ProtoReflect().Type())} {
					checkFromText(t, []byte(text), m, protojson.UnmarshalOptions{Resolver: r})
					checkFromText(t, []byte(text), m, protojson.UnmarshalOptions{Resolver: r, DiscardUnknown: true})
				}
			}
		})
	}
}

// TestGoValuesByAllNamesOfFields has fields with names of their own, some of which are other fields' names.
func TestGoValuesByAllNamesOfFields(t *testing.T) {
	md := compile(t, namesFile).ByName("Names")
	for _, empty := range []proto.Message{dynamic.NewMessage(md), dynamicpb.NewMessage(md)} {
		for _, text := range []string{
			`{"plainName":1,"Own Name":2,"a":3,"b":4,"c":5,"@kind":6,"x]":7,"é":[{"kind":"ALSO_ONE"}]}`, `{"plain_name":1,"own":2,"quoted":"q","type":1,"bracket":2,"list":[]}`,
			`{"plain_name":1,"plainName":null}`, `{"own":1,"Own Name":2}`, `{"a":1,"b":2}`, `{"a":1,"c":2}`, `{"b":1,"c":2}`, `{"":1,"empty":2}`, `{"":1}`, `{"mygroup":{"inGroup":1}}`, `{"MyGroup":{}}`,
			`{"\"\\\n\u0001\u0085\u2028\ud83d\ude00":"x","quoted":"y"}`, `{"\"\\\n\u0001\u0085\u2028\ud83d\ude00":"x"}`,
		} {
			checkFromText(t, []byte(text), empty, protojson.UnmarshalOptions{})
			m := empty.ProtoReflect().New().Interface()
			if protojson.Unmarshal([]byte(text), m) == nil {
				checkToAny(t, m, protojson.MarshalOptions{})
				checkToAny(t, m, protojson.MarshalOptions{UseProtoNames: true, EmitUnpopulated: true})
			}
		}
	}
}

// TestFromAnyGoesByTheOrderOfKeys has keys with several names, and values that are not to be set: what counts is the
// order of the names.
func TestFromAnyGoesByTheOrderOfKeys(t *testing.T) {
	for _, entries := range []string{
		`"01":"UNKNOWN","1":0`, `"01":0,"1":"UNKNOWN"`, `"1":"UNKNOWN","+1":0`, `"1":"UNKNOWN","01":"NO"`, `"1":0,"01":0`, `"1":0,"2":"UNKNOWN","x":0`,
	} {
		for _, m := range forms(t, new(legacypb.Enums)) {
			checkFromText(t, []byte(`{"map":{`+entries+`}}`), m, protojson.UnmarshalOptions{DiscardUnknown: true})
			checkFromText(t, []byte(`{"map":{`+entries+`}}`), m, protojson.UnmarshalOptions{})
		}
	}
}

// naturals are Go values of other types than encoding/json makes, and what they are in text.
var naturals = []struct {
	v    any
	m    proto.Message
	text string
}{
	{map[string]int{"id": 7}, new(benchpb.Leaf), `{"id":7}`},
	{map[string]string{"name": "n", "id": "8"}, new(benchpb.Leaf), `{"id":8,"name":"n"}`},
	{map[named]any{"id": named("9"), "name": new(named)}, new(benchpb.Leaf), `{"id":9}`},
	{map[string]any{"id": json.Number("1e2")}, new(benchpb.Leaf), `{"id":100}`},
	{map[string]any{"id": json.Number("")}, new(benchpb.Leaf), `{}`},
	{map[string]any{"list": []string{"a", "b"}, "labels": []map[string]any{{"key": "x"}, {"value": named("y")}}}, new(benchpb.Strings), `{"list":["a","b"],"labels":[{"key":"x"},{"value":"y"}]}`},
	{map[string]any{"listInt32": []int8{-1}, "listUint32": []uint16{2}, "listInt64": []any{uint8(3), "4"}, "listBool": []bool{true, false}}, new(benchpb.Packed), `{"listInt32":[-1],"listInt64":["3","4"],"listUint32":[2],"listBool":[true,false]}`},
	{map[string]any{"list": []named{"a"}, "blobs": [][]byte{{1, 2, 3}, {}, nil}[:2], "labels": []any(nil)}, new(benchpb.Strings), `{"list":["a"],"blobs":["AQID",""]}`},
	{map[string]any{"leaf": &benchpb.Leaf{Id: 5}, "children": []proto.Message{&benchpb.Tree{Name: "six"}}}, new(benchpb.Tree), `{"children":[{"name":"six"}],"leaf":{"id":5}}`},
	{map[string]any{"list": [2]string{"c", "d"}, "a": []byte("ab")}, new(benchpb.Strings), `{"a":"YWI=","list":["c","d"]}`},
	{map[string]any{"byInt32": map[int32]string{-1: "x"}, "byBool": map[bool]string{true: "y"}, "byUint64": map[uint64]string{1 << 63: "z"}, "byString": map[string]string(nil)}, new(benchpb.KeyMaps),
		`{"byInt32":{"-1":"x"},"byUint64":{"9223372036854775808":"z"},"byBool":{"true":"y"}}`},
	{map[string]any{"toBytes": map[string][]byte{"a": {0xff}}, "toDouble": map[string]float32{"b": 0.1}, "toInt64": map[string]int64{"c": math.MinInt64}}, new(benchpb.ValueMaps),
		`{"toDouble":{"b":0.1},"toInt64":{"c":"-9223372036854775808"},"toBytes":{"a":"/w=="}}`},
	{map[string]any{"oneFloat": float32(0.1)}, new(benchpb.Choice), `{"oneFloat":0.1}`},
	{map[string]any{"oneDouble": int64(1<<53 + 1)}, new(benchpb.Choice), `{"oneDouble":9007199254740992}`},
	{map[string]any{"oneUint64": uint64(math.MaxUint64)}, new(benchpb.Choice), `{"oneUint64":"18446744073709551615"}`},
	{map[string]any{"oneInt64": uint64(math.MaxInt64)}, new(benchpb.Choice), `{"oneInt64":"9223372036854775807"}`},
	{map[string]any{"oneInt64": float64(1 << 60)}, new(benchpb.Choice), `{"oneInt64":"1152921504606847000"}`},
	{map[string]any{"oneColor": "COLOR_RED", "leaf": (*benchpb.Leaf)(nil), "text": (*string)(nil)}, new(benchpb.Choice), `{"oneColor":"COLOR_RED"}`},
	{map[string]any{"oneTimestamp": time.Unix(0, 1e6).UTC(), "oneDuration": durationpb.New(time.Second), "oneValue": []any{uint8(1), map[string]bool{"a": true}, []byte{1}, nil}}, new(wellknownpb.Singular),
		`{"oneValue":[1,{"a":true},"AQ==",null],"oneTimestamp":"1970-01-01T00:00:00.001Z","oneDuration":"1s"}`},
	{struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
	}{3, "struct"}, new(benchpb.Leaf), `{"id":3,"name":"struct"}`},
	{&map[string]any{"id": 4}, new(benchpb.Leaf), `{"id":4}`},
	{json.RawMessage(`{"id":5}`), new(benchpb.Leaf), `{"id":5}`},
	{&benchpb.Leaf{Id: 6}, new(benchpb.Leaf), `{"id":6}`},
	{map[string]any{"@type": named("protean.test.bench.Leaf"), "id": uint16(7)}, new(anypb.Any), `{"@type":"protean.test.bench.Leaf","id":7}`},
	{map[string]any(nil), new(structpb.Value), `null`},
}

type named string

// TestFromNatural reads values of the types that Go programs have.
func TestFromNatural(t *testing.T) {
	for _, n := range naturals {
		for _, m := range forms(t, n.m) {
			if err := protojson.FromAny(n.v, m); err != nil {
				t.Errorf("%#v: %v", n.v, err)
			} else if got := string(compactText(t, asOfficial(m))); got != n.text {
				t.Errorf("%#v:\n%s, want\n%s", n.v, got, n.text)
			}
		}
	}
}

// refusals are Go values that cannot be read, with what is wrong and where.
var refusals = []struct {
	v    any
	m    proto.Message
	err  error
	path string
}{
	{nil, new(benchpb.Leaf), protojson.ErrValue, ""},
	{[]any{}, new(benchpb.Leaf), protojson.ErrValue, ""},
	{map[string]any{"id": 1.5}, new(benchpb.Leaf), protojson.ErrValue, "id"},
	{map[string]any{"id": float64(1 << 31)}, new(benchpb.Leaf), protojson.ErrValue, "id"},
	{map[string]any{"id": int64(-1<<31 - 1)}, new(benchpb.Leaf), protojson.ErrValue, "id"},
	{map[string]any{"id": json.Number("1e")}, new(benchpb.Leaf), protojson.ErrValue, "id"},
	{map[string]any{"id": json.Number("NaN")}, new(benchpb.Leaf), protojson.ErrValue, "id"},
	{map[string]any{"id": []byte("1")}, new(benchpb.Leaf), protojson.ErrValue, "id"},
	{map[string]any{"name": 1}, new(benchpb.Leaf), protojson.ErrValue, "name"},
	{map[string]any{"name": "\xff"}, new(benchpb.Leaf), protojson.ErrUTF8, "name"},
	{map[string]any{"name": func() {}}, new(benchpb.Leaf), protojson.ErrValue, "name"},
	{map[string]any{"no": nil}, new(benchpb.Leaf), protojson.ErrUnknown, ""},
	{map[string]any{"opt_int32": nil, "optInt32": 1}, new(benchpb.Optional), protojson.ErrDuplicate, ""},
	{map[string]any{"oneInt32": 1, "oneInt64": 1}, new(benchpb.Choice), protojson.ErrDuplicate, ""},
	{map[string]any{"oneDouble": math.NaN()}, new(benchpb.Choice), protojson.ErrValue, "one_double"},
	{map[string]any{"oneDouble": math.Inf(-1)}, new(benchpb.Choice), protojson.ErrValue, "one_double"},
	{map[string]any{"oneFloat": 1e39}, new(benchpb.Choice), protojson.ErrValue, "one_float"},
	{map[string]any{"oneUint64": -1}, new(benchpb.Choice), protojson.ErrValue, "one_uint64"},
	{map[string]any{"oneBool": "true"}, new(benchpb.Choice), protojson.ErrValue, "one_bool"},
	{map[string]any{"oneBytes": "?"}, new(benchpb.Choice), protojson.ErrValue, "one_bytes"},
	{map[string]any{"oneColor": "RED"}, new(benchpb.Choice), protojson.ErrValue, "one_color"},
	{map[string]any{"list": []any{"a", nil}}, new(benchpb.Strings), protojson.ErrValue, "list[1]"},
	{map[string]any{"list": "a"}, new(benchpb.Strings), protojson.ErrValue, "list"},
	{map[string]any{"children": []map[string]map[string]string{{}, {"leaf": {"id": "x"}}}}, new(benchpb.Tree), protojson.ErrValue, "children[1].leaf.id"},
	{map[string]any{"byInt32": map[string]any{"a": ""}}, new(benchpb.KeyMaps), protojson.ErrValue, `by_int32["a"]`},
	{map[string]any{"byInt32": map[string]any{"1": "", "01": ""}}, new(benchpb.KeyMaps), protojson.ErrDuplicate, ""},
	{map[string]any{"byString": map[string]any{"\xff": ""}}, new(benchpb.KeyMaps), protojson.ErrUTF8, `by_string["\xff"]`},
	{map[string]any{"oneTimestamp": 0}, new(wellknownpb.Singular), protojson.ErrValue, "one_timestamp"},
	{map[string]any{"oneValue": map[string]any{"a": []any{math.NaN()}}}, new(wellknownpb.Singular), protojson.ErrValue, `one_value["a"][0]`},
	{map[string]any{"oneStruct": map[string]any{"\xff": 1}}, new(wellknownpb.Singular), protojson.ErrUTF8, `one_struct["\xff"]`},
	{map[string]any{"a": 1}, new(anypb.Any), protojson.ErrAny, ""},
	{map[string]any{"@type": ""}, new(anypb.Any), protojson.ErrAny, ""},
	{map[string]any{"@type": "no.such.Type"}, new(anypb.Any), protojson.ErrType, ""},
	{map[string]any{"@type": "google.protobuf.Duration"}, new(anypb.Any), protojson.ErrAny, ""},
	{map[string]any{}, new(legacypb.Required), protojson.ErrRequired, ""},
}

func TestFromAnyErrors(t *testing.T) {
	for _, r := range refusals {
		for _, m := range forms(t, r.m) {
			err := protojson.FromAny(r.v, m)
			e := (*protojson.Error)(nil)
			if !errors.As(err, &e) {
				t.Errorf("%T %#v: %v", m, r.v, err)
				continue
			}
			checkNowhere(t, err)
			_, foreign := m.(*dynamicpb.Message)
			if nowhere := r.path == "" && r.err != protojson.ErrValue; !foreign &&
				(!errors.Is(err, r.err) || e.Path != r.path && !nowhere) {
				t.Errorf("%T %#v: %v", m, r.v, err)
			}
		}
	}
	if err := protojson.FromAny(map[string]any{}, new(legacypb.MessageSet)); err == nil {
		t.Error("a message set can be read")
	}
}
