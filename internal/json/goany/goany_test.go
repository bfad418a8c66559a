package goany_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"unsafe"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/json/goany"
	"github.com/protean-pb/protean/internal/json/jsondecode"
	"github.com/protean-pb/protean/internal/json/jsonencode"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
)

type (
	object = map[string]any
	list   = []any
)

// packed returns m in an Any.
func packed(m proto.Message) *anypb.Any {
	a, err := anypb.New(m)
	if err != nil {
		panic(err)
	}
	return a
}

// extended returns a message with an extension field.
func extended() proto.Message {
	m := new(legacypb.Extendable)
	proto.SetExtension(m, legacypb.E_ExtListInt32, []int32{1, 2})
	return m
}

// pairs are messages and the values in the shapes of ProtoJSON that stand for them, in both directions.
var pairs = []struct {
	name string
	m    proto.Message
	v    any
}{
	{"nothing", &benchpb.Leaf{}, object{}},
	{"numbers of 32 bits and text", &benchpb.Leaf{Id: -5, Name: "é"}, object{"id": -5.0, "name": "é"}},
	{"numbers of 64 bits are text", &benchpb.Wide{F4: math.MinInt64, F6: math.MaxUint64}, object{"f4": "-9223372036854775808", "f6": "18446744073709551615"}},
	{"floats", &benchpb.Packed{ListDouble: []float64{0.1, math.Inf(-1)}, ListFloat: []float32{0.1}}, object{"listDouble": list{0.1, "-Infinity"}, "listFloat": list{0.1}}},
	{"bools and presence", &benchpb.Optional{OptBool: proto.Bool(false), OptInt32: proto.Int32(0), OptString: proto.String("")}, object{"optBool": false, "optInt32": 0.0, "optString": ""}},
	{"bytes are base64", &benchpb.Strings{Blobs: [][]byte{{}, {0xfb, 0xff}}}, object{"blobs": list{"", "+/8="}}},
	{"enums by name, or number", &benchpb.Packed{ListColor: []benchpb.Color{1, 99}}, object{"listColor": list{"COLOR_RED", 99.0}}},
	{"messages in messages", &benchpb.Tree{Left: &benchpb.Tree{Name: "l"}, Children: []*benchpb.Tree{{}, {Name: "c"}}}, object{"left": object{"name": "l"}, "children": list{object{}, object{"name": "c"}}}},
	{"maps", &benchpb.KeyMaps{ByInt32: map[int32]string{-1: "a"}, ByBool: map[bool]string{true: "b"}, LeafByString: map[string]*benchpb.Leaf{"": {Id: 1}}}, object{"byInt32": object{"-1": "a"}, "byBool": object{"true": "b"}, "leafByString": object{"": object{"id": 1.0}}}},
	{"oneofs", &benchpb.Choice{Choice: &benchpb.Choice_OneInt32{}, Other: &benchpb.Choice_Text{Text: "t"}}, object{"oneInt32": 0.0, "text": "t"}},
	{"groups", &legacypb.Groups{Single: &legacypb.Groups_Single{One: proto.Int32(1)}}, object{"single": object{"one": 1.0}}},
	{"extension fields", extended(), object{"[protean.test.legacy.ext_list_int32]": list{1.0, 2.0}}},
	{"a Timestamp", &timestamppb.Timestamp{Seconds: 1, Nanos: 5e8}, "1970-01-01T00:00:01.500Z"},
	{"a Duration", &durationpb.Duration{Seconds: -1}, "-1s"},
	{"a FieldMask", &fieldmaskpb.FieldMask{Paths: []string{"a_b", "c"}}, "aB,c"},
	{"wrappers", &wellknownpb.Singular{OneInt64: wrapperspb.Int64(1), OneBool: wrapperspb.Bool(false), OneString: wrapperspb.String(""), OneBytes: wrapperspb.Bytes([]byte("A"))}, object{"oneInt64": "1", "oneBool": false, "oneString": "", "oneBytes": "QQ=="}},
	{"a Value that is null", &wellknownpb.Singular{OneValue: structpb.NewNullValue()}, object{"oneValue": nil}},
	{"a Struct", &structpb.Struct{Fields: map[string]*structpb.Value{"a": structpb.NewNumberValue(1), "b": structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{structpb.NewBoolValue(true), structpb.NewNullValue()}})}}, object{"a": 1.0, "b": list{true, nil}}},
	{"an empty ListValue", &structpb.ListValue{}, list{}},
	{"an Any", packed(&benchpb.Leaf{Id: 1}), object{"@type": "type.googleapis.com/protean.test.bench.Leaf", "id": 1.0}},
	{"an Any of a well-known type", packed(&durationpb.Duration{Seconds: 1}), object{"@type": "type.googleapis.com/google.protobuf.Duration", "value": "1s"}},
}

// sameIn returns what m is with the other APIs, and dynamic.
func sameIn(t *testing.T, m proto.Message) []proto.Message {
	t.Helper()
	wire, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	all := []proto.Message{dynamic.NewMessage(m.ProtoReflect().Descriptor())}
	for i, mt := range testpb.APIs(m) {
		if i == 0 || mt.Descriptor().ExtensionRanges().Len() == 0 { // with an extension field of its own
			all = append(all, mt.New().Interface())
		}
	}
	for _, same := range all {
		if err := proto.Unmarshal(wire, same); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func TestToAnyAndFromAnyAreInverse(t *testing.T) {
	for _, c := range pairs {
		t.Run(c.name, func(t *testing.T) {
			text, err := protojson.Marshal(c.m)
			var want any
			if err != nil || json.Unmarshal(text, &want) != nil || !reflect.DeepEqual(want, c.v) {
				t.Fatalf("the official library writes %s, %v", text, err)
			}
			for _, m := range sameIn(t, c.m) {
				v, _, err := goany.ToAny(m, jsonencode.Options{})
				if err != nil || !reflect.DeepEqual(v, c.v) {
					t.Errorf("ToAny of %T: %#v, %v", m, v, err)
				}
				got := m.ProtoReflect().New().Interface()
				if err := goany.FromAny(c.v, got, jsondecode.Options{Depth: 100}); err != nil ||
					!bytes.Equal(wire(t, got), wire(t, c.m)) {
					t.Errorf("FromAny into %T: %v, %v", m, got, err)
				}
			}
		})
	}
}

// wire returns what is in m.
func wire(t *testing.T, m proto.Message) []byte {
	t.Helper()
	b, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestToAnyAgreesWithOfficialText compares the values of random messages of all types with what encoding/json reads of
// the official library's text, and reads them again.
func TestToAnyAgreesWithOfficialText(t *testing.T) {
	for _, mt := range testpb.Types() {
		t.Run(string(mt.Descriptor().FullName()), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for range race.Rounds(4) {
				m := mt.New().Interface()
				testpb.Fill(m.ProtoReflect(), r, 12)
				testpb.Legalize(m.ProtoReflect(), r, 3)
				unpopulated := r.IntN(3) == 0
				text, wantErr := protojson.MarshalOptions{AllowPartial: true, EmitUnpopulated: unpopulated}.Marshal(m)
				v, _, err := goany.ToAny(m, jsonencode.Options{EmitUnpopulated: unpopulated})
				if (err != nil) != (wantErr != nil) {
					t.Fatalf("%v: %v, official: %v", m, err, wantErr)
				}
				if err != nil {
					continue
				}
				var want any
				if err := json.Unmarshal(text, &want); err != nil || !reflect.DeepEqual(v, want) {
					t.Fatalf("%#v, official:\n%#v, %v", v, want, err)
				}
				got, theirs := mt.New().Interface(), mt.New().Interface()
				err = goany.FromAny(v, got, jsondecode.Options{Depth: 10_000})
				wantErr = protojson.UnmarshalOptions{AllowPartial: true}.Unmarshal(text, theirs)
				if (err != nil) != (wantErr != nil) || err == nil && !bytes.Equal(wire(t, got), wire(t, theirs)) {
					t.Fatalf("%s: %v, %v, official: %v, %v", text, got, err, theirs, wantErr)
				}
			}
		})
	}
}

// TestToAnyKeepsAllDigitsIfAsked has 64-bit integers of their own types, alone, in lists and in maps.
func TestToAnyKeepsAllDigitsIfAsked(t *testing.T) {
	m := &benchpb.Packed{ListInt64: []int64{math.MinInt64, 1<<53 + 1}, ListUint64: []uint64{math.MaxUint64},
		ListInt32: []int32{1}}
	want := object{"listInt64": list{int64(math.MinInt64), int64(1<<53 + 1)},
		"listUint64": list{uint64(math.MaxUint64)}, "listInt32": list{1.0}}
	v, _, err := goany.ToAny(m, jsonencode.Options{UseInt64Numbers: true})
	if err != nil || !reflect.DeepEqual(v, want) {
		t.Fatalf("%#v, %v", v, err)
	}
	got := new(benchpb.Packed)
	if err := goany.FromAny(v, got, jsondecode.Options{Depth: 5}); err != nil || !proto.Equal(got, m) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestToAnyGivesMapsAndListsAway changes what ToAny returns: neither the message nor its neighbours change.
func TestToAnyGivesMapsAndListsAway(t *testing.T) {
	m := &benchpb.Order{Lines: []*benchpb.Order_Line{{Tags: []string{"a", "b"}}, {Tags: []string{"c"}}},
		Counters: map[string]int64{"k": 1}}
	before := wire(t, m)
	v, _, err := goany.ToAny(m, jsonencode.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lines := v.(object)["lines"].(list)
	first := lines[0].(object)
	first["tags"] = append(first["tags"].(list), "x", "y", "z")
	first["new"] = 1
	v.(object)["counters"].(object)["k"] = nil
	if want := (object{"tags": list{"c"}}); !reflect.DeepEqual(lines[1], want) || !bytes.Equal(wire(t, m), before) {
		t.Errorf("%#v, %v", v, m)
	}
}

// TestFromAnyTakesNumbersOfAllKinds has numbers of the types that encoding/json does not make; a float32 stands for the
// shortest decimal that it is written as.
func TestFromAnyTakesNumbersOfAllKinds(t *testing.T) {
	type own float32
	for _, v := range []any{
		list{float32(0.1), int8(-1), uint16(2), json.Number("3e0"), "4"}, []float32{0.1, -1, 2, 3, 4},
		[]own{0.1, -1, 2, 3, 4},
		[5]float64{0.1, -1, 2, 3, 4}, json.RawMessage("[0.1,-1,2,3,4]"),
	} {
		m, want := new(benchpb.Packed), []float64{0.1, -1, 2, 3, 4}
		if err := goany.FromAny(object{"listDouble": v}, m, jsondecode.Options{Depth: 5}); err != nil ||
			!reflect.DeepEqual(m.ListDouble, want) {
			t.Errorf("%#v: %v, %v", v, m.ListDouble, err)
		}
	}
}

// TestFromAnySharesTextAndCopiesBytes looks at what memory the message has.
func TestFromAnySharesTextAndCopiesBytes(t *testing.T) {
	text, blob := "a text of some length", []byte("bytes")
	m := new(benchpb.Strings)
	if err := goany.FromAny(object{"a": text, "blobs": list{blob}}, m, jsondecode.Options{Depth: 5}); err != nil {
		t.Fatal(err)
	}
	if unsafe.StringData(m.A) != unsafe.StringData(text) {
		t.Error("the text is copied")
	}
	if blob[0] = 'B'; string(m.Blobs[0]) != "bytes" {
		t.Error("the bytes are shared")
	}
}

// TestErrorsSayWhatIsWrongWhere has values that no message has, and messages that have no value.
func TestErrorsSayWhatIsWrongWhere(t *testing.T) {
	self := object{}
	self["left"] = self
	cycle := new(benchpb.Tree)
	cycle.Left = cycle
	for _, c := range []struct {
		name string
		v    any // into m; or a message, for ToAny
		m    proto.Message
		err  error
		path string
	}{
		{"a number for text", object{"lines": list{object{}, object{"tags": list{"a", 1.0}}}}, &benchpb.Order{}, protoerr.ErrValue, "lines[1].tags[1]"},
		{"a number out of range", object{"lines": list{object{"quantity": 1e10}}}, &benchpb.Order{}, protoerr.ErrValue, "lines[0].quantity"},
		{"null in a list", object{"lines": list{nil}}, &benchpb.Order{}, protoerr.ErrValue, "lines[0]"},
		{"a value of a map", object{"counters": object{"a": "x"}}, &benchpb.Order{}, protoerr.ErrValue, `counters["a"]`},
		{"an unknown field", object{"shipping": object{"town": ""}}, &benchpb.Order{}, protoerr.ErrUnknown, "shipping"},
		{"two names of one field", object{"optInt32": 1.0, "opt_int32": 1.0}, &benchpb.Optional{}, protoerr.ErrDuplicate, ""},
		{"text that is not UTF-8", object{"customer": "\xff"}, &benchpb.Order{}, protoerr.ErrUTF8, "customer"},
		{"a value that contains itself", self, &benchpb.Tree{}, protoerr.ErrDepth, "left.left.left.left.left"},
		{"an Any of an unknown type", object{"@type": "acme.Nothing"}, &anypb.Any{}, protoerr.ErrType, ""},
		{"a channel", object{"id": make(chan int)}, &benchpb.Leaf{}, protoerr.ErrValue, "id"},
		{"a Timestamp too late", nil, &wellknownpb.Event{At: &timestamppb.Timestamp{Seconds: 1 << 40}}, protoerr.ErrValue, "at"},
		{"text of a message that is not UTF-8", nil, &benchpb.Strings{List: []string{"", "\xff"}}, protoerr.ErrUTF8, "list[1]"},
		{"NaN in a Struct", nil, structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{structpb.NewNumberValue(math.NaN())}}), protoerr.ErrValue, "[0]"},
		{"a message that contains itself", nil, cycle, protoerr.ErrDepth, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var err error
			if c.v == nil {
				var v any
				if v, _, err = goany.ToAny(c.m, jsonencode.Options{}); v != nil {
					t.Errorf("with an error it returns %v", v)
				}
			} else {
				err = goany.FromAny(c.v, c.m, jsondecode.Options{Depth: 5})
			}
			var e *protoerr.TextError
			if !errors.As(err, &e) || e.Err != c.err || e.Offset != -1 || e.Line != 0 ||
				e.Path != c.path && c.m != cycle {
				t.Errorf("%.300v", err)
			}
		})
	}
}
