package jsondecode_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/arena"
	"github.com/protean-pb/protean/internal/json/jsondecode"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/editionpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
)

// A form is one way to have messages of a schema: a generated API, or dynamic.
type form struct {
	name string
	new  func() proto.Message
}

// forms returns the ways to have messages with the schema of m, which has the open API.
func forms(m proto.Message) []form {
	md := m.ProtoReflect().Descriptor()
	all := []form{
		{"dynamic", func() proto.Message { return dynamic.NewMessage(md) }},
		{"foreign", func() proto.Message { return dynamicpb.NewMessage(md) }},
	}
	for i, mt := range testpb.APIs(m) {
		all = append(all, form{[]string{"open", "hybrid", "opaque"}[i],
			func() proto.Message { return mt.New().Interface() }})
	}
	return all
}

// unmarshal reads the text into m. The default of Depth is that of the official library.
func unmarshal(text string, m proto.Message, o jsondecode.Options) error {
	if o.Depth == 0 {
		o.Depth = 10_000
	}
	return jsondecode.Unmarshal([]byte(text), m, o)
}

// official reads the text into m with the official library.
func official(text string, m proto.Message, o jsondecode.Options) error {
	return protojson.UnmarshalOptions{
		AllowPartial: true, DiscardUnknown: o.DiscardUnknown, Resolver: o.Resolver, RecursionLimit: o.Depth,
	}.Unmarshal([]byte(text), m)
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

// read are texts, and what is read of them in text format.
var read = []struct {
	name string
	m    proto.Message
	text string
	want string
}{
	{"nothing", &benchpb.Leaf{}, `{}`, ``},
	{"white space everywhere", &benchpb.Leaf{}, " \t\r\n{ \"id\" :\n1\t, \"name\" : \"a\" } \n", `id: 1 name: "a"`},
	{"members in any order", &benchpb.Leaf{}, `{"name":"a","id":1}`, `id: 1 name: "a"`},
	{"names of JSON and of the schema", &benchpb.Optional{}, `{"optInt32":1,"opt_bool":true}`, `opt_int32: 1 opt_bool: true`},
	{"names with escapes", &benchpb.Leaf{}, `{"\u0069d":1,"n\u0061me":"x"}`, `id: 1 name: "x"`},
	{"names of groups", &legacypb.Groups{}, `{"single":{"one":1},"Many":[{}]}`, `Single { one: 1 } Many {}`},
	{"null is absent", &benchpb.Order{}, `{"id":null,"shipping":null,"lines":null,"counters":null,"card":null,"note":null}`, ``},
	{"presence of zeros", &benchpb.Optional{}, `{"optInt32":0,"optString":"","optBytes":"","optBool":false,"optLeaf":{}}`, `opt_int32: 0 opt_string: "" opt_bytes: "" opt_bool: false opt_leaf {}`},
	{"presence in editions", &editionpb.Text{}, `{"checked":"","implicitRaw":""}`, `checked: ""`},

	{"escapes", &benchpb.Leaf{}, `{"name":"\"\\\/\b\f\n\r\t\u00e9\u65e5"}`, `name: "\"\\/\b\f\n\r\té日"`},
	{"surrogates", &benchpb.Leaf{}, `{"name":"\ud83d\ude00"}`, `name: "😀"`},
	{"NUL and long text", &benchpb.Leaf{}, `{"name":"` + strings.Repeat("long ", 50) + `\u0000"}`, `name: "` + strings.Repeat("long ", 50) + `\x00"`},
	{"bytes in any base64", &benchpb.Strings{}, `{"blobs":["","AA==","AA","+/8=","-_8","AQIDBA=="]}`, `blobs: ["", "\x00", "\x00", "\xfb\xff", "\xfb\xff", "\x01\x02\x03\x04"]`},

	{"integers at their ends", &benchpb.Wide{}, `{"f3":-2147483648,"f4":"-9223372036854775808","f5":4294967295,"f6":18446744073709551615}`, `f3: -2147483648 f4: -9223372036854775808 f5: 4294967295 f6: 18446744073709551615`},
	{"integers with fraction and exponent", &benchpb.Wide{}, `{"f3":1.0,"f4":1e3,"f5":"2.50e1","f6":-0}`, `f3: 1 f4: 1000 f5: 25`},
	{"integers with all their digits", &benchpb.Wide{}, `{"f4":9007199254740993,"f6":"18446744073709551614"}`, `f4: 9007199254740993 f6: 18446744073709551614`},
	{"floats at their ends", &benchpb.Wide{}, `{"f1":1.7976931348623157e308,"f2":3.4028235e38,"f16":5e-324,"f17":"1.5"}`, `f1: 1.7976931348623157e308 f2: 3.4028235e38 f16: 5e-324 f17: 1.5`},
	{"floats that are no numbers of JSON", &benchpb.Packed{}, `{"listDouble":["NaN","Infinity","-Infinity",-0.0]}`, `list_double: [nan, inf, -inf, -0.0]`},
	{"bools", &benchpb.Packed{}, `{"listBool":[true,false]}`, `list_bool: [true, false]`},

	{"enums by name and number", &benchpb.Packed{}, `{"listColor":["COLOR_RED",2,-1,"COLOR_FAR",99]}`, `list_color: [COLOR_RED, COLOR_GREEN, COLOR_MINUS, COLOR_FAR, 99]`},
	{"aliases of an enum", &legacypb.Enums{}, `{"aliases":["ALIASED_FIRST","ALIASED_ALSO_FIRST",1]}`, `aliases: [ALIASED_FIRST, ALIASED_FIRST, ALIASED_FIRST]`},

	{"lists", &benchpb.Packed{}, `{"listInt32":[],"listString":["a",""],"listLeaf":[{},{"id":1}]}`, `list_string: ["a", ""] list_leaf {} list_leaf { id: 1 }`},
	{"maps by text, number and bool", &benchpb.KeyMaps{}, `{"byString":{"":"a","k":"b"},"byInt64":{"-5":"c"},"byBool":{"true":"d"},"leafByInt32":{"1":{}}}`, `by_string { key: "" value: "a" } by_string { key: "k" value: "b" } by_int64 { key: -5 value: "c" } by_bool { key: true value: "d" } leaf_by_int32 { key: 1 value {} }`},
	{"oneofs", &benchpb.Choice{}, `{"oneInt32":0,"text":"t","oneString":null}`, `one_int32: 0 text: "t"`},
	{"extension fields", &legacypb.Extendable{}, `{"id":1,"[protean.test.legacy.ext_int32]":2,"[protean.test.legacy.ext_list_leaf]":[{}]}`, `id: 1 [protean.test.legacy.ext_int32]: 2 [protean.test.legacy.ext_list_leaf] {}`},
	{"required fields may be missing", &legacypb.RequiredBelow{}, `{"list":[{}]}`, `list {}`},

	{"a Timestamp", &timestamppb.Timestamp{}, `"2024-02-29T23:59:59.123456789Z"`, `seconds: 1709251199 nanos: 123456789`},
	{"a Timestamp with an offset", &timestamppb.Timestamp{}, `"1970-01-01T01:00:00+01:30"`, `seconds: -1800`},
	{"the first Timestamp", &timestamppb.Timestamp{}, `"0001-01-01T00:00:00Z"`, `seconds: -62135596800`},
	{"the last Timestamp", &timestamppb.Timestamp{}, `"9999-12-31T23:59:59.999999999Z"`, `seconds: 253402300799 nanos: 999999999`},
	{"a Duration", &durationpb.Duration{}, `"-1.5s"`, `seconds: -1 nanos: -500000000`},
	{"the longest Duration", &durationpb.Duration{}, `"315576000000.999999999s"`, `seconds: 315576000000 nanos: 999999999`},
	{"a FieldMask", &fieldmaskpb.FieldMask{}, `"a,fooBar.bazQux"`, `paths: ["a", "foo_bar.baz_qux"]`},
	{"an empty FieldMask", &fieldmaskpb.FieldMask{}, `""`, ``},
	{"an Empty", &emptypb.Empty{}, `{}`, ``},
	{"a DoubleValue", &wrapperspb.DoubleValue{}, `"NaN"`, `value: nan`},
	{"a FloatValue", &wrapperspb.FloatValue{}, `0.5`, `value: 0.5`},
	{"an Int64Value", &wrapperspb.Int64Value{}, `"-1"`, `value: -1`},
	{"a UInt64Value", &wrapperspb.UInt64Value{}, `1`, `value: 1`},
	{"an Int32Value", &wrapperspb.Int32Value{}, `"7"`, `value: 7`},
	{"a UInt32Value", &wrapperspb.UInt32Value{}, `1e1`, `value: 10`},
	{"a BoolValue", &wrapperspb.BoolValue{}, `true`, `value: true`},
	{"a StringValue", &wrapperspb.StringValue{}, `"s"`, `value: "s"`},
	{"a BytesValue", &wrapperspb.BytesValue{}, `"/w=="`, `value: "\xff"`},
	{"wrappers that are null are absent", &wellknownpb.Singular{}, `{"oneInt32":null,"oneString":"","oneTimestamp":null}`, `one_string {}`},
	{"a Value that is null is set", &wellknownpb.Singular{}, `{"oneValue":null,"oneNullValue":null}`, `one_value { null_value: NULL_VALUE }`},
	{"a Struct", &structpb.Struct{}, `{"a":[1,"x",null,{}],"b":true}`, `fields { key: "a" value { list_value { values { number_value: 1 } values { string_value: "x" } values { null_value: NULL_VALUE } values { struct_value {} } } } } fields { key: "b" value { bool_value: true } }`},
	{"a ListValue", &structpb.ListValue{}, `[[],0]`, `values { list_value {} } values { number_value: 0 }`},
	{"a Value that looks like a message", &structpb.Value{}, `{"@type":"x","\u0061":1e2}`, `struct_value { fields { key: "@type" value { string_value: "x" } } fields { key: "a" value { number_value: 100 } } }`},
	{"an Any", &anypb.Any{}, `{"@type":"type.googleapis.com/protean.test.bench.Leaf","id":3}`, `[type.googleapis.com/protean.test.bench.Leaf] { id: 3 }`},
	{"an Any whose type comes last", &anypb.Any{}, `{"name":"n","id":3,"@type":"a/protean.test.bench.Leaf"}`, `type_url: "a/protean.test.bench.Leaf" value: "\x08\x03\x12\x01n"`},
	{"an Any of a well-known type", &anypb.Any{}, `{"@type":"google.protobuf.Duration","value":"1s"}`, `type_url: "google.protobuf.Duration" value: "\x08\x01"`},
	{"an Any in an Any", &anypb.Any{}, `{"@type":"google.protobuf.Any","value":{"@type":"google.protobuf.Empty"}}`, `type_url: "google.protobuf.Any" value: "\n\x15google.protobuf.Empty"`},
	{"an empty Any", &anypb.Any{}, `{}`, ``},
}

func TestUnmarshalReadsText(t *testing.T) {
	for _, c := range read {
		t.Run(c.name, func(t *testing.T) {
			want := c.m.ProtoReflect().New().Interface()
			if err := (prototext.UnmarshalOptions{AllowPartial: true}).Unmarshal([]byte(c.want), want); err != nil {
				t.Fatal(err)
			}
			for _, f := range forms(c.m) {
				if strings.Contains(c.text, "[protean.test.legacy") && (f.name == "hybrid" || f.name == "opaque") {
					continue // they have extension fields of their own
				}
				got, theirs := f.new(), f.new()
				if err := unmarshal(c.text, got, jsondecode.Options{}); err != nil {
					t.Errorf("%s: %v", f.name, err)
				} else if !bytes.Equal(wire(t, got), wire(t, want)) {
					t.Errorf("%s: %v, want %v", f.name, got, want)
				}
				if f.name == "dynamic" {
					continue
				}
				if err := official(c.text, theirs, jsondecode.Options{}); err != nil ||
					!bytes.Equal(wire(t, theirs), wire(t, want)) {
					t.Errorf("the official library, %s: %v, %v", f.name, theirs, err)
				}
			}
		})
	}
}

// TestUnmarshalAgreesWithOfficial reads the official library's text of random messages of all types, into memory of its
// own and into a pool that is reset after each.
func TestUnmarshalAgreesWithOfficial(t *testing.T) {
	var pool arena.Pool
	for _, mt := range testpb.Types() {
		t.Run(string(mt.Descriptor().FullName()), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			pooled := mt.New().Interface()
			for range race.Rounds(4) {
				m := mt.New().Interface()
				testpb.Fill(m.ProtoReflect(), r, 12)
				testpb.Legalize(m.ProtoReflect(), r, 3)
				text, err := protojson.MarshalOptions{AllowPartial: true, Multiline: r.IntN(2) == 0,
					UseProtoNames: r.IntN(2) == 0}.Marshal(m)
				if err != nil {
					continue
				}
				want := mt.New().Interface()
				wantErr := official(string(text), want, jsondecode.Options{})
				pool.Enter()
				pool.ResetMessage(pooled)
				dyn := dynamic.NewMessage(mt.Descriptor())
				for into, o := range map[proto.Message]jsondecode.Options{mt.New().Interface(): {}, dyn: {},
					pooled: {Pool: &pool}} {
					err := unmarshal(string(text), into, o)
					if (err != nil) != (wantErr != nil) || err == nil && !bytes.Equal(wire(t, into), wire(t, want)) {
						t.Errorf("%T, %s:\n%v, %v, official:\n%v, %v", into, text, into, err, want, wantErr)
					}
				}
				pool.Leave()
				pool.Reset(false)
			}
		})
	}
}

// TestUnmarshalDiscardsUnknown skips members of any form and names of enum values, but not what is no JSON.
func TestUnmarshalDiscardsUnknown(t *testing.T) {
	for _, c := range []struct {
		name, text string
		ok         bool
	}{
		{"members", `{"a":1,"id":5,"b":"\u00e9","c":[[],{"d":null}],"":true}`, true},
		{"the same twice", `{"a":1,"a":2,"id":5}`, true},
		{"deep", `{"x":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `,"id":5}`, true},
		{"extension fields", `{"[acme.nothing]":{},"id":5}`, true},
		{"what is no number", `{"a":01,"id":5}`, false},
		{"what is no text", `{"a":"\x","id":5}`, false},
		{"what does not end", `{"a":[1,"id":5}`, false},
		{"what is not UTF-8", "{\"a\":\"\xff\",\"id\":5}", false},
		{"members that are known twice", `{"id":1,"id":5}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, f := range forms(&benchpb.Leaf{}) {
				m, theirs := f.new(), f.new()
				o := jsondecode.Options{DiscardUnknown: true}
				err := unmarshal(c.text, m, o)
				if (err == nil) != c.ok || c.ok && string(wire(t, m)) != "\x08\x05" {
					t.Errorf("%s: %v, %v", f.name, m, err)
				}
				if wantErr := official(c.text, theirs, o); (wantErr == nil) != c.ok {
					t.Errorf("the official library, %s: %v", f.name, wantErr)
				}
				if unmarshal(c.text, f.new(), jsondecode.Options{}) == nil {
					t.Errorf("%s: it is read without the option, too", f.name)
				}
			}
		})
	}
	m := new(benchpb.Packed)
	if err := unmarshal(`{"listColor":["COLOR_RED","NONE",2],"listInt32":[1]}`, m, jsondecode.Options{DiscardUnknown: true}); err != nil ||
		len(m.ListColor) != 2 || len(m.ListInt32) != 1 {
		t.Errorf("names of an enum: %v, %v", m, err)
	}
}

// faults are texts that are wrong at one place, which is at the ‸; the line and column of it are found by counting.
var faults = []struct {
	m    proto.Message
	text string
	err  error
	path string
}{
	{&benchpb.Order{}, "{\n  \"lines\": [\n    {\"price\": 1},\n    {\"price\": ‸\"x\"}\n  ]\n}", protoerr.ErrValue, "lines[1].price"},
	{&benchpb.Order{}, "{\n\"counters\": {\"é\": 1, \"b\":\n\n ‸{}}}", protoerr.ErrValue, `counters["b"]`},
	{&benchpb.Order{}, "{\"id\":1}\n\n‸x", protoerr.ErrSyntax, ""},
	{&benchpb.Order{}, "\r\n{\"shipping\":{\"city\":\"a‸\nb\"}}", protoerr.ErrSyntax, "shipping.city"},
	{&benchpb.Order{}, "{\"customer\":\"é日‸\xff\"}", protoerr.ErrUTF8, "customer"},
	{&benchpb.Order{}, "{\"id\":1,\n\"lines\":[],\n‸\"id\":2}", protoerr.ErrDuplicate, ""},
	{&benchpb.Order{}, "{\"shipping\":{\n‸\"town\":1}}", protoerr.ErrUnknown, "shipping"},
	{&benchpb.Order{}, "{\"card\":\"\",‸\"token\":\"\"}", protoerr.ErrDuplicate, ""},
	{&benchpb.Order{}, "{\"id\":‸18446744073709551616}", protoerr.ErrValue, "id"},
	{&benchpb.Order{}, "{\"id\":‸-1}", protoerr.ErrValue, "id"},
	{&benchpb.Order{}, "{\"id\":‸0.5}", protoerr.ErrValue, "id"},
	{&benchpb.Order{}, "{\"discount\":‸3.5e38}", protoerr.ErrValue, "discount"},
	{&benchpb.Order{}, "{\"state\":‸\"RED\"}", protoerr.ErrValue, "state"},
	{&benchpb.Order{}, "{\"state\":‸1.5}", protoerr.ErrValue, "state"},
	{&benchpb.Order{}, "{\"state\":‸2147483648}", protoerr.ErrValue, "state"},
	{&benchpb.Order{}, "{\"token\":‸\"AAA*\"}", protoerr.ErrValue, "token"},
	{&benchpb.Order{}, "{\"express\":‸\"true\"}", protoerr.ErrValue, "express"},
	{&benchpb.Order{}, "{\"customer\":\"‸\\ud800\"}", protoerr.ErrSyntax, "customer"},
	{&benchpb.Order{}, "{\"lines\":[‸,]}", protoerr.ErrSyntax, "lines[0]"},
	{&benchpb.Order{}, "{\"lines\":[{}‸", protoerr.ErrSyntax, "lines"},
	{&benchpb.KeyMaps{}, "{\"byInt32\":{‸\"1.5\":\"\"}}", protoerr.ErrValue, "by_int32"},
	{&benchpb.KeyMaps{}, "{\"byInt32\":{\"1\":\"\",‸\"1\":\"\"}}", protoerr.ErrDuplicate, ""},
	{&timestamppb.Timestamp{}, "‸\"0000-01-01T00:00:00Z\"", protoerr.ErrValue, ""},
	{&timestamppb.Timestamp{}, "‸\"2023-02-29T00:00:00Z\"", protoerr.ErrValue, ""},
	{&durationpb.Duration{}, "‸\"315576000001s\"", protoerr.ErrValue, ""},
	{&fieldmaskpb.FieldMask{}, "‸\"a_b\"", protoerr.ErrValue, ""},
	{&wellknownpb.Event{}, "{\"payload\":{\"a\":\n[1,‸1e999]}}", protoerr.ErrValue, `payload["a"][1]`},
	{&anypb.Any{}, "{\"@type\":‸\"acme.Nothing\"}", protoerr.ErrType, ""},
	{&anypb.Any{}, "{\"@type\":\"google.protobuf.Empty\",‸\"id\":1}", protoerr.ErrUnknown, ""},
}

func TestUnmarshalSaysWhatIsWrongWhere(t *testing.T) {
	for _, c := range faults {
		before, after, ok := strings.Cut(c.text, "‸")
		if !ok {
			t.Fatal(c.text)
		}
		line := strings.Count(before, "\n") + 1
		column := len(before) - strings.LastIndex(before, "\n")
		t.Run(c.text, func(t *testing.T) {
			for _, f := range forms(c.m) {
				if official(before+after, c.m.ProtoReflect().New().Interface(), jsondecode.Options{}) == nil {
					t.Fatal("the official library reads it")
				}
				m := f.new()
				err := unmarshal(before+after, m, jsondecode.Options{})
				var e *protoerr.TextError
				if !errors.As(err, &e) || e.Message != string(proto.MessageName(m)) {
					t.Fatalf("%s: %#v", f.name, err)
				}
				if f.name == "foreign" {
					continue // the official library's words, and position
				}
				if e.Err != c.err || e.Offset != len(before) || e.Line != line || e.Column != column ||
					e.Path != c.path && c.path != "" {
					t.Errorf("%s: %v", f.name, err)
				}
			}
		})
	}
}

// TestUnmarshalOfTruncatedText cuts texts off at every length: nothing of them is read, and the error lies within.
func TestUnmarshalOfTruncatedText(t *testing.T) {
	for m, text := range map[proto.Message]string{
		&benchpb.Order{}: `{"id":"1","customer":"é\n\u00e9\ud83d\ude00","shipping":{"city":"c"},"lines":[{"price":-1.5e3,"tags":["a","b"],` +
			`"attributes":{"k":"v"}}],"state":"COLOR_RED","counters":{"a":"5"},"token":"AA==","express":true,"note":null}`,
		&wellknownpb.Event{}: `{"id":"x","at":"1970-01-01T00:00:00Z","payload":{"a":[1,null,true,"s",{}]},"detail":` +
			`{"@type":"google.protobuf.Duration","value":"1s"},"arguments":[{},[]],"note":"n"}`,
	} {
		for _, f := range forms(m) {
			if err := unmarshal(text, f.new(), jsondecode.Options{}); err != nil {
				t.Fatalf("%s: %v", f.name, err)
			}
			for end := range text {
				err := unmarshal(text[:end], f.new(), jsondecode.Options{})
				var e *protoerr.TextError
				if !errors.As(err, &e) || e.Offset < 0 || e.Offset > end || e.Line != 1 || e.Column != e.Offset+1 {
					t.Errorf("%s: %s: %v", f.name, text[:end], err)
				}
			}
		}
	}
}

// TestUnmarshalLimitsNesting reads messages, structs and Anys that are nested as deeply as the limit allows, and one
// level more.
func TestUnmarshalLimitsNesting(t *testing.T) {
	const levels = 20
	for _, c := range []struct {
		name          string
		m             proto.Message
		before, after string
		inner         string
	}{
		{"messages", &benchpb.Tree{}, `{"left":`, `}`, `{}`},
		{"lists", &benchpb.Tree{}, `{"children":[`, `]}`, `{}`},
		{"maps", &benchpb.Tree{}, `{"byName":{"k":`, `}}`, `{}`},
		{"structs", &structpb.Struct{}, `{"a":`, `}`, `{}`},
		{"lists of values", &structpb.ListValue{}, `[`, `]`, `[]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Repeat(c.before, levels) + c.inner + strings.Repeat(c.after, levels)
			for _, f := range forms(c.m) {
				least := 0 // the limit that is enough
				for limit := 1; limit < 4*levels && least == 0; limit++ {
					o := jsondecode.Options{Depth: limit}
					err, wantErr := unmarshal(text, f.new(), o), error(nil)
					if f.name != "dynamic" {
						wantErr = official(text, f.new(), o)
						if (err != nil) != (wantErr != nil) {
							t.Fatalf("%s, limit %d: %v, official: %v", f.name, limit, err, wantErr)
						}
					}
					if err == nil {
						least = limit
					} else if f.name != "foreign" && !errors.Is(err, protoerr.ErrDepth) {
						t.Fatalf("%s, limit %d: %v", f.name, limit, err)
					}
				}
				if least <= levels {
					t.Errorf("%s: limit %d is enough for %d levels", f.name, least, levels)
				}
			}
		})
	}
}

// TestUnmarshalKeepsNothingOfTheText overwrites the text once it is read.
func TestUnmarshalKeepsNothingOfTheText(t *testing.T) {
	text := []byte(`{"a":"short","b":"` + strings.Repeat("long ", 100) + `","list":["é","\n"],"blobs":["QUJD"]}`)
	m, want := new(benchpb.Strings), new(benchpb.Strings)
	if err := jsondecode.Unmarshal(text, m, jsondecode.Options{Depth: 10}); err != nil {
		t.Fatal(err)
	}
	if err := protojson.Unmarshal(text, want); err != nil {
		t.Fatal(err)
	}
	for i := range text {
		text[i] = 'x'
	}
	if !proto.Equal(m, want) {
		t.Errorf("%v, want %v", m, want)
	}
}

// TestUnmarshalAnyReturnsTheMessage reads an Any into a message that is given, and into one of the type that the text
// has.
func TestUnmarshalAnyReturnsTheMessage(t *testing.T) {
	const text = ` {"name":"n","@type":"x/protean.test.bench.Leaf","id":1} `
	want := &benchpb.Leaf{Id: 1, Name: "n"}
	leaf := new(benchpb.Leaf)
	for _, into := range []proto.Message{nil, leaf} {
		m, err := jsondecode.UnmarshalAny([]byte(text), into, jsondecode.Options{Depth: 10})
		if err != nil || !proto.Equal(m, want) || into != nil && m != into {
			t.Errorf("%v, %v", m, err)
		}
	}
	for _, c := range []struct {
		text string
		into proto.Message
		err  error
	}{
		{`{}`, nil, protoerr.ErrAny},
		{`[]`, nil, protoerr.ErrValue},
		{`{"@type":"acme.Nothing"}`, nil, protoerr.ErrType},
		{`{"@type":"protean.test.bench.Leaf"}`, new(benchpb.Order), protoerr.ErrAny},
		{`{"@type":"protean.test.bench.Leaf","nme":1}`, nil, protoerr.ErrUnknown},
		{`{"@type":"protean.test.bench.Leaf"} x`, nil, protoerr.ErrSyntax},
	} {
		if m, err := jsondecode.UnmarshalAny([]byte(c.text), c.into, jsondecode.Options{Depth: 10}); !errors.Is(err,
			c.err) {
			t.Errorf("%s: %v, %v, want %v", c.text, m, err, c.err)
		}
	}
}
