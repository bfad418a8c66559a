package jsonencode_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/json/jsonencode"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
)

// appendTo appends the text of m to dst. Types without a layout are the official library's: not ok.
func appendTo(dst []byte, m proto.Message, o jsonencode.Options) (out []byte, ok bool, err error) {
	l, p := layout.Of(m)
	if l.Ready() == layout.Official {
		return nil, false, nil
	}
	out, _, err = jsonencode.Append(dst, l, p, &o)
	return out, true, err
}

// compact returns the official library's text of m without its white space.
func compact(m proto.Message, o jsonencode.Options) (string, error) {
	text, err := protojson.MarshalOptions{
		AllowPartial: true, UseProtoNames: o.UseProtoNames, UseEnumNumbers: o.UseEnumNumbers,
		EmitUnpopulated: o.EmitUnpopulated, EmitDefaultValues: o.EmitDefaultValues, Resolver: o.Resolver,
	}.Marshal(m)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	err = json.Compact(&b, text)
	return b.String(), err
}

// sameIn returns what m is with the other APIs, dynamic, and of another implementation.
func sameIn(t *testing.T, m proto.Message) map[string]proto.Message {
	t.Helper()
	wire, err := proto.MarshalOptions{AllowPartial: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	md := m.ProtoReflect().Descriptor()
	all := map[string]proto.Message{"dynamic": dynamic.NewMessage(md), "foreign": dynamicpb.NewMessage(md)}
	for i, mt := range testpb.APIs(m) {
		all[[]string{"open", "hybrid", "opaque"}[i]] = mt.New().Interface()
	}
	if md.ExtensionRanges().Len() > 0 { // they have extension fields of their own
		delete(all, "hybrid")
		delete(all, "opaque")
	}
	for _, same := range all {
		if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(wire, same); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// packed returns m in an Any.
func packed(m proto.Message) *anypb.Any {
	a, err := anypb.New(m)
	if err != nil {
		panic(err)
	}
	return a
}

// structOf returns the Struct of Go values.
func structOf(v map[string]any) *structpb.Struct {
	s, err := structpb.NewStruct(v)
	if err != nil {
		panic(err)
	}
	return s
}

// The options that the table below names.
var (
	none        = jsonencode.Options{}
	protoNames  = jsonencode.Options{UseProtoNames: true}
	enumNumbers = jsonencode.Options{UseEnumNumbers: true}
	unpopulated = jsonencode.Options{EmitUnpopulated: true}
	defaults    = jsonencode.Options{EmitDefaultValues: true}
	numbers     = jsonencode.Options{UseInt64Numbers: true}
	exact       = jsonencode.Options{UseInt64Numbers: true, OnlyExact: true}
)

// extended returns a message with extension fields.
func extended() proto.Message {
	m := &legacypb.Extendable{Id: proto.Int32(1)}
	proto.SetExtension(m, legacypb.E_ExtString, "s")
	proto.SetExtension(m, legacypb.E_ExtLeaf, &legacypb.Leaf{})
	return m
}

// written are messages and their text. Package protojson has a longer table, of what its options do.
var written = []struct {
	name string
	m    proto.Message
	o    jsonencode.Options
	want string
}{
	{"nothing", &benchpb.Leaf{}, none, `{}`},
	{"members in the order of the schema", &benchpb.Order{Id: 1, State: 1, Customer: "c", Shipping: &benchpb.Order_Address{Zip: "z"}}, none, `{"id":"1","customer":"c","shipping":{"zip":"z"},"state":"COLOR_RED"}`},
	{"names of JSON", &benchpb.Optional{OptInt32: proto.Int32(0)}, none, `{"optInt32":0}`},
	{"names of the schema", &benchpb.Optional{OptInt32: proto.Int32(0)}, protoNames, `{"opt_int32":0}`},
	{"names of groups", &legacypb.Groups{Single: &legacypb.Groups_Single{One: proto.Int32(1)}}, protoNames, `{"Single":{"one":1}}`},
	{"names of extension fields", extended(), none, `{"id":1,"[protean.test.legacy.ext_leaf]":{},"[protean.test.legacy.ext_string]":"s"}`},
	{"oneofs", &benchpb.Choice{Choice: &benchpb.Choice_OneString{}, Other: &benchpb.Choice_Leaf{Leaf: &benchpb.Leaf{Id: 1}}}, none, `{"oneString":"","leaf":{"id":1}}`},
	{"lists", &benchpb.Packed{ListBool: []bool{true, false}, ListLeaf: []*benchpb.Leaf{{}, {Id: 1}}}, none, `{"listBool":[true,false],"listLeaf":[{},{"id":1}]}`},
	{"maps by their keys", &benchpb.KeyMaps{ByInt32: map[int32]string{10: "a", -1: "b", 9: "c"}, ByString: map[string]string{"b": "1", "a": "2", "": "3"}}, none, `{"byInt32":{"-1":"b","9":"c","10":"a"},"byString":{"":"3","a":"2","b":"1"}}`},
	{"enums that have a name and not", &benchpb.Packed{ListColor: []benchpb.Color{2, 99, -1}}, none, `{"listColor":["COLOR_GREEN",99,"COLOR_MINUS"]}`},
	{"enums by number", &benchpb.Packed{ListColor: []benchpb.Color{2, 99}}, enumNumbers, `{"listColor":[2,99]}`},
	{"what is not set, as null with presence", &benchpb.Ping{}, unpopulated, `{"pong":null,"pongs":[],"count":"0"}`},
	{"what is not set, without presence", &benchpb.Ping{}, defaults, `{"pongs":[],"count":"0"}`},
	{"64-bit integers are text", &benchpb.Packed{ListInt64: []int64{math.MinInt64, 0}, ListUint64: []uint64{math.MaxUint64}}, none, `{"listInt64":["-9223372036854775808","0"],"listUint64":["18446744073709551615"]}`},
	{"64-bit integers as numbers", &benchpb.Packed{ListInt64: []int64{math.MinInt64, 0}, ListUint64: []uint64{math.MaxUint64}}, numbers, `{"listInt64":[-9223372036854775808,0],"listUint64":[18446744073709551615]}`},
	{"as numbers where a double has them", &benchpb.Packed{ListInt64: []int64{-1 << 53, 1<<53 + 1}}, exact, `{"listInt64":[-9007199254740992,"9007199254740993"]}`},
	{"floats", &benchpb.Packed{ListDouble: []float64{0, math.Copysign(0, -1), 0.1, 1e21, 1e-7, math.NaN(), math.Inf(-1)}, ListFloat: []float32{0.1, math.MaxFloat32}}, none, `{"listDouble":[0,-0,0.1,1e+21,1e-7,"NaN","-Infinity"],"listFloat":[0.1,3.4028235e+38]}`},
	{"escapes", &benchpb.Leaf{Name: "\"\\/\b\f\n\r\t\x01\x7f\u2028é😀<&>"}, none, "{\"name\":\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\x7f\u2028é😀<&>\"}"},
	{"bytes", &benchpb.Strings{Blobs: [][]byte{{}, {0xfb, 0xff}, []byte("abc")}}, none, `{"blobs":["","+/8=","YWJj"]}`},

	{"Timestamp", &timestamppb.Timestamp{Seconds: 253402300799, Nanos: 120000000}, none, `"9999-12-31T23:59:59.120Z"`},
	{"Duration", &durationpb.Duration{Seconds: -1, Nanos: -500}, none, `"-1.000000500s"`},
	{"FieldMask", &fieldmaskpb.FieldMask{Paths: []string{"foo_bar.b", "c"}}, none, `"fooBar.b,c"`},
	{"Empty", &emptypb.Empty{}, unpopulated, `{}`},
	{"wrappers", &wellknownpb.Singular{OneDouble: wrapperspb.Double(1), OneFloat: wrapperspb.Float(2), OneInt64: wrapperspb.Int64(3), OneUint64: wrapperspb.UInt64(4), OneInt32: wrapperspb.Int32(0), OneUint32: wrapperspb.UInt32(6), OneBool: wrapperspb.Bool(false), OneString: wrapperspb.String(""), OneBytes: wrapperspb.Bytes([]byte("A"))}, none, `{"oneDouble":1,"oneFloat":2,"oneInt64":"3","oneUint64":"4","oneInt32":0,"oneUint32":6,"oneBool":false,"oneString":"","oneBytes":"QQ=="}`},
	{"Struct", structOf(map[string]any{"b": nil, "a": []any{1.5, "x", true, map[string]any{}}}), none, `{"a":[1.5,"x",true,{}],"b":null}`},
	{"ListValue", &structpb.ListValue{}, none, `[]`},
	{"Value", structpb.NewStringValue("é\n"), none, `"é\n"`},
	{"Any", packed(&benchpb.Leaf{Id: 3}), none, `{"@type":"type.googleapis.com/protean.test.bench.Leaf","id":3}`},
	{"Any of a well-known type", packed(&durationpb.Duration{Seconds: 1}), none, `{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1s"}`},
	{"Any with extension fields", packed(extended()), none, `{"@type":"type.googleapis.com/protean.test.legacy.Extendable","id":1,"[protean.test.legacy.ext_leaf]":{},"[protean.test.legacy.ext_string]":"s"}`},
	{"Any whose value has fields twice and in reverse", &anypb.Any{TypeUrl: "a/protean.test.bench.Leaf", Value: []byte("\x12\x01n\x08\x01\x08\x02")}, none, `{"@type":"a/protean.test.bench.Leaf","id":2,"name":"n"}`},
	{"Any that lacks required fields", &anypb.Any{TypeUrl: "protean.test.legacy.Required"}, none, `{"@type":"protean.test.legacy.Required"}`},
	{"Any of nothing", &anypb.Any{}, none, `{}`},
	{"Any in an Any", packed(packed(&emptypb.Empty{})), none, `{"@type":"type.googleapis.com/google.protobuf.Any","value":{"@type":"type.googleapis.com/google.protobuf.Empty"}}`},
	{"Any and what is not set", packed(&benchpb.Leaf{}), unpopulated, `{"@type":"type.googleapis.com/protean.test.bench.Leaf","id":0,"name":""}`},
}

func TestAppendWritesText(t *testing.T) {
	for _, c := range written {
		t.Run(c.name, func(t *testing.T) {
			for api, m := range sameIn(t, c.m) {
				for _, before := range [][]byte{nil, []byte("before"), make([]byte, 0, 1000)} {
					got, ok, err := appendTo(before, m, c.o)
					if ok && (err != nil || string(got) != string(before)+c.want) {
						t.Errorf("%s: %s, %v, want %s", api, got, err, c.want)
					}
				}
				if c.o.UseInt64Numbers || api == "dynamic" {
					continue
				}
				if want, err := compact(m, c.o); err != nil || want != c.want {
					t.Errorf("the official library, %s: %s, %v, want %s", api, want, err, c.want)
				}
			}
		})
	}
}

// TestAppendAgreesWithOfficial writes random messages of all types, with random options.
func TestAppendAgreesWithOfficial(t *testing.T) {
	for _, mt := range testpb.Types() {
		t.Run(string(mt.Descriptor().FullName()), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for range race.Rounds(4) {
				m := mt.New().Interface()
				testpb.Fill(m.ProtoReflect(), r, 12)
				if r.IntN(8) > 0 {
					testpb.Legalize(m.ProtoReflect(), r, 3)
				}
				o := jsonencode.Options{
					UseProtoNames: r.IntN(2) == 0, UseEnumNumbers: r.IntN(2) == 0, EmitUnpopulated: r.IntN(3) == 0,
					EmitDefaultValues: r.IntN(3) == 0,
				}
				want, wantErr := compact(m, o)
				dyn := dynamic.NewMessage(mt.Descriptor())
				proto.Merge(dyn, m)
				for _, m := range []proto.Message{m, dyn} {
					got, ok, err := appendTo(nil, m, o)
					if ok && ((err != nil) != (wantErr != nil) || string(got) != want) {
						t.Fatalf("%T, %+v:\n%.1000s, %v, official:\n%.1000s, %v", m, o, got, err, want, wantErr)
					}
				}
			}
		})
	}
}

// TestAppendSaysWhatCannotBeWritten has messages without a text: the error names the field, and nothing is appended.
func TestAppendSaysWhatCannotBeWritten(t *testing.T) {
	const bad = "bad\xff"
	cycle := &benchpb.Tree{}
	cycle.Children = []*benchpb.Tree{{}, cycle}
	for _, c := range []struct {
		name string
		m    proto.Message
		err  error
		path string
	}{
		{"text", &benchpb.Order{Lines: []*benchpb.Order_Line{{}, {Tags: []string{"a", bad}}}}, protoerr.ErrUTF8, "lines[1].tags[1]"},
		{"text that the wire form may have", &legacypb.Leaf{Name: proto.String(bad)}, protoerr.ErrUTF8, "name"},
		{"a key", &benchpb.KeyMaps{ByString: map[string]string{bad: ""}}, protoerr.ErrUTF8, `by_string["bad\xff"]`},
		{"a value of a map", &benchpb.KeyMaps{LeafByInt32: map[int32]*benchpb.Leaf{7: {Name: bad}}}, protoerr.ErrUTF8, "leaf_by_int32[7].name"},
		{"a Timestamp too late", &wellknownpb.Event{At: &timestamppb.Timestamp{Seconds: 253402300800}}, protoerr.ErrValue, "at"},
		{"a Timestamp with negative nanoseconds", &timestamppb.Timestamp{Nanos: -1}, protoerr.ErrValue, ""},
		{"a Duration of two signs", &durationpb.Duration{Seconds: 1, Nanos: -1}, protoerr.ErrValue, ""},
		{"a FieldMask that does not come back", &fieldmaskpb.FieldMask{Paths: []string{"fooBar"}}, protoerr.ErrValue, ""},
		{"a Value of nothing", &wellknownpb.Singular{OneValue: &structpb.Value{}}, protoerr.ErrValue, "one_value"},
		{"a number that JSON does not have", structOf(map[string]any{"a": []any{0.0, math.NaN()}}), protoerr.ErrValue, `["a"][1]`},
		{"an Any of an unknown type", &wellknownpb.Event{Detail: &anypb.Any{TypeUrl: "acme.Nothing"}}, protoerr.ErrType, "detail"},
		{"an Any without a type", &anypb.Any{Value: []byte("x")}, protoerr.ErrAny, ""},
		{"an Any whose value is no wire form", &anypb.Any{TypeUrl: "protean.test.bench.Leaf", Value: []byte("\x12\x05a")}, protoerr.ErrAny, ""},
		{"bad text in an Any", &anypb.Any{TypeUrl: "protean.test.legacy.Leaf", Value: []byte("\x12\x01\xff")}, protoerr.ErrUTF8, "name"},
		{"a cycle", cycle, protoerr.ErrDepth, "children[1].children[1]."},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok, err := appendTo([]byte("before"), c.m, none)
			var e *protoerr.TextError
			if !errors.As(err, &e) || !ok || e.Err != c.err || e.Offset != -1 || e.Line != 0 ||
				e.Message != string(proto.MessageName(c.m)) ||
				e.Path != c.path && (c.err != protoerr.ErrDepth || !strings.HasPrefix(e.Path, c.path)) {
				t.Errorf("%.300v", err)
			}
			if string(got) != "before" {
				t.Errorf("it returns %s", got)
			}
			if c.m == cycle { // on which the official library overflows the stack
				return
			}
			if _, wantErr := compact(c.m, none); wantErr == nil {
				t.Error("the official library writes it")
			}
		})
	}
}

// TestAppendReportsWhatMayBeMissing looks at what Append says of required fields, which it does not look for itself.
func TestAppendReportsWhatMayBeMissing(t *testing.T) {
	for _, c := range []struct {
		m       proto.Message
		missing bool
	}{
		{&benchpb.Order{Shipping: &benchpb.Order_Address{}}, false},
		{&legacypb.RequiredBelow{}, false},
		{&legacypb.RequiredBelow{List: []*legacypb.Required{{}}}, true},
		{&legacypb.RequiredBelow{Below: &legacypb.RequiredBelow_Below{}}, true},
		{packed(&benchpb.Leaf{}), false},
	} {
		l, p := layout.Of(c.m)
		l.Ready()
		out, missing, err := jsonencode.Append(nil, l, p, &jsonencode.Options{})
		if err != nil || c.missing && !missing || !c.missing && !l.NeedsRequiredCheck && missing {
			t.Errorf("%s: %v, %v", out, missing, err)
		}
	}
}

// TestAppendAsksTheResolver writes an Any whose type one resolver has and another has not.
func TestAppendAsksTheResolver(t *testing.T) {
	own := new(protoregistry.Types)
	if err := own.RegisterMessage((&benchpb.Leaf{}).ProtoReflect().Type()); err != nil {
		t.Fatal(err)
	}
	for m, known := range map[protoreflect.ProtoMessage]bool{packed(&benchpb.Leaf{Id: 1}): true,
		packed(&benchpb.Order{}): false} {
		got, _, err := appendTo(nil, m, jsonencode.Options{Resolver: own})
		if _, wantErr := compact(m, jsonencode.Options{Resolver: own}); (err == nil) != known ||
			(wantErr == nil) != known {
			t.Errorf("%v: %s, %v, official: %v", m, got, err, wantErr)
		}
	}
}

// TestAppendAnyWritesTheMessageInIt compares with the Any that holds the message.
func TestAppendAnyWritesTheMessageInIt(t *testing.T) {
	for _, m := range []proto.Message{
		&benchpb.Leaf{}, &benchpb.Order{Id: 1, Lines: []*benchpb.Order_Line{{}}}, &emptypb.Empty{},
		structpb.NewNullValue(),
		wrapperspb.Bool(false), packed(&benchpb.Leaf{}), &anypb.Any{}, (*benchpb.Leaf)(nil), extended(),
	} {
		l, p := layout.Of(m)
		l.Ready()
		a := packed(m)
		got, _, err := jsonencode.AppendAny([]byte("before"), a.TypeUrl, l, p, &jsonencode.Options{})
		want, wantErr := compact(a, none)
		if err != nil || wantErr != nil || string(got) != "before"+want {
			t.Errorf("%s, %v, official: %s, %v", got, err, want, wantErr)
		}
	}
}
