package protojson_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	official "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/editionpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/protojson"
)

// TestCodecAgreesWithOfficial writes random messages of all types in random ways, and reads them again.
func TestCodecAgreesWithOfficial(t *testing.T) {
	eachType(t, func(t *testing.T, k kind, mt protoreflect.MessageType) {
		r := rand.New(rand.NewPCG(1, 2))
		for range race.Rounds(8) {
			m := k.New(mt)
			fill(m.ProtoReflect(), r, r.IntN(32))
			checkMarshal(t, m, marshalWay(uint16(r.Uint32())))
		}
	})
}

// TestUnmarshalOfMutatedText reads text that is almost that of a message.
func TestUnmarshalOfMutatedText(t *testing.T) {
	eachType(t, func(t *testing.T, k kind, mt protoreflect.MessageType) {
		r := rand.New(rand.NewPCG(3, 4))
		for range race.Rounds(2) {
			_, text := random(mt, r, 12)
			_, other := random(mt, r, 6)
			for range race.Rounds(5) {
				checkUnmarshal(t, mutate(mt.Descriptor(), text, other, r), k.New(mt), unmarshalWay(uint16(r.Uint32())))
			}
		}
	})
}

// forms returns copies of m: one like it, a dynamic one, one of dynamicpb, and one of the opaque
// API.
func forms(t testing.TB, m proto.Message) []proto.Message {
	t.Helper()
	b := wire(t, m)
	var all []proto.Message
	add := func(same proto.Message) {
		if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(b, same); err != nil {
			t.Fatal(err)
		}
		all = append(all, same)
	}
	add(m.ProtoReflect().New().Interface()) // a clone of the official library's has no -0
	for _, k := range kinds[1:] {
		add(k.New(m.ProtoReflect().Type()))
	}
	if mt, err := protoregistry.GlobalTypes.FindMessageByName("opaque." +
		m.ProtoReflect().Descriptor().FullName()); err == nil {
		add(mt.New().Interface())
	}
	return all
}

// anyOf packs m.
func anyOf(m proto.Message) *anypb.Any {
	a, err := anypb.New(m)
	if err != nil {
		panic(err)
	}
	return a
}

func extended[M proto.Message](m M, set ...any) M {
	for i := 0; i < len(set); i += 2 {
		proto.SetExtension(m, set[i].(protoreflect.ExtensionType), set[i+1])
	}
	return m
}

func structOf(v map[string]any) *structpb.Struct {
	s, err := structpb.NewStruct(v)
	if err != nil {
		panic(err)
	}
	return s
}

// The options that the table below names.
var (
	plain       = protojson.MarshalOptions{}
	protoNames  = protojson.MarshalOptions{UseProtoNames: true}
	enumNumbers = protojson.MarshalOptions{UseEnumNumbers: true}
	unpopulated = protojson.MarshalOptions{EmitUnpopulated: true}
	defaults    = protojson.MarshalOptions{EmitDefaultValues: true}
	both        = protojson.MarshalOptions{EmitUnpopulated: true, EmitDefaultValues: true}
	partial     = protojson.MarshalOptions{AllowPartial: true}
	multiline   = protojson.MarshalOptions{Multiline: true}
	tabs        = protojson.MarshalOptions{Indent: "\t"}
)

// texts are messages and how they are written.
var texts = []struct {
	m    proto.Message
	o    protojson.MarshalOptions
	want string
}{
	// Order: that of the schema, oneofs last; extension fields by name; maps by key.
	{&benchpb.Leaf{}, plain, `{}`},
	{&benchpb.Leaf{Id: 1, Name: "a"}, plain, `{"id":1,"name":"a"}`},
	{&benchpb.Sparse{Last: "z", One: 1, Fifteen: 15, Second: 2.5, Zero: proto.Int32(0), Strings: []string{"x", "y"}, Choice: &benchpb.Sparse_Yes{Yes: true}}, plain, `{"last":"z","one":1,"fifteen":"15","strings":["x","y"],"yes":true,"zero":0,"second":2.5}`},
	{&benchpb.Choice{Before: "b", After: "a", Choice: &benchpb.Choice_OneLeaf{OneLeaf: &benchpb.Leaf{}}, Other: &benchpb.Choice_Text{}}, plain, `{"before":"b","oneLeaf":{},"text":"","after":"a"}`},
	{&benchpb.KeyMaps{ByInt32: map[int32]string{-1: "c", 2: "b", 10: "a"}}, plain, `{"byInt32":{"-1":"c","2":"b","10":"a"}}`},
	{&benchpb.KeyMaps{ByUint64: map[uint64]string{math.MaxUint64: "c", 2: "b", 10: "a"}}, plain, `{"byUint64":{"2":"b","10":"a","18446744073709551615":"c"}}`},
	{&benchpb.KeyMaps{ByBool: map[bool]string{true: "t", false: "f"}}, plain, `{"byBool":{"false":"f","true":"t"}}`},
	{&benchpb.KeyMaps{ByString: map[string]string{"b": "1", "": "2", "é": "3", "B": "4", "\U00010000": "5", "\uffff": "6", "a\"\\\n\x01\u2028": "7"}}, plain, "{\"byString\":{\"\":\"2\",\"B\":\"4\",\"a\\\"\\\\\\n\\u0001\u2028\":\"7\",\"b\":\"1\",\"é\":\"3\",\"\uffff\":\"6\",\"\U00010000\":\"5\"}}"},
	{extended(&legacypb.Extendable{Id: proto.Int32(1), Name: proto.String("n")}, legacypb.E_ExtString, "s", legacypb.E_ExtInt32, int32(3), legacypb.E_ExtPackedInt32, []int32{1, 2}), plain, `{"id":1,"name":"n","[protean.test.legacy.ext_int32]":3,"[protean.test.legacy.ext_packed_int32]":[1,2],"[protean.test.legacy.ext_string]":"s"}`},
	{extended(&legacypb.Extendable{}, legacypb.E_Scope_Scoped, &legacypb.Scope{Name: proto.String("in")}, legacypb.E_ExtClosed, legacypb.Closed_CLOSED_TEN, legacypb.E_ExtListLeaf, []*legacypb.Leaf{{}}), protoNames, `{"[protean.test.legacy.Scope.scoped]":{"name":"in"},"[protean.test.legacy.ext_closed]":"CLOSED_TEN","[protean.test.legacy.ext_list_leaf]":[{}]}`},

	// Names.
	{&benchpb.Optional{OptInt32: proto.Int32(0), OptLeaf: &benchpb.Leaf{}}, plain, `{"optInt32":0,"optLeaf":{}}`},
	{&benchpb.Optional{OptInt32: proto.Int32(0), OptLeaf: &benchpb.Leaf{}}, protoNames, `{"opt_int32":0,"opt_leaf":{}}`},
	{&legacypb.Groups{Single: &legacypb.Groups_Single{Inner: &legacypb.Groups_Single_Inner{}}, Many: []*legacypb.Groups_Many{{}, {Id: proto.Int32(1)}}, Choice: &legacypb.Groups_Chosen_{Chosen: &legacypb.Groups_Chosen{}}}, plain, `{"single":{"inner":{}},"many":[{},{"id":1}],"chosen":{}}`},
	{&legacypb.Groups{Single: &legacypb.Groups_Single{Inner: &legacypb.Groups_Single_Inner{}}, Many: []*legacypb.Groups_Many{{}}, Choice: &legacypb.Groups_Chosen_{Chosen: &legacypb.Groups_Chosen{}}}, protoNames, `{"Single":{"Inner":{}},"Many":[{}],"Chosen":{}}`},
	{&editionpb.Delimited{One: &editionpb.Leaf{Id: proto.Int32(1)}}, protoNames, `{"one":{"id":1}}`},

	// Enums.
	{&benchpb.Packed{ListColor: []benchpb.Color{0, 1, -1, 7, math.MaxInt32}}, plain, `{"listColor":["COLOR_UNSPECIFIED","COLOR_RED","COLOR_MINUS",7,"COLOR_FAR"]}`},
	{&benchpb.Packed{ListColor: []benchpb.Color{0, 1, -1, 7}}, enumNumbers, `{"listColor":[0,1,-1,7]}`},
	{&legacypb.Enums{Aliases: []legacypb.Aliased{1, 0}, Map: map[int32]legacypb.ClosedZero{1: 7}}, plain, `{"map":{"1":"CLOSED_SEVEN"},"aliases":["ALIASED_FIRST","ALIASED_ZERO"]}`},
	{&wellknownpb.Repeated{ListNullValue: []structpb.NullValue{0, 5}}, enumNumbers, `{"listNullValue":[null,null]}`},

	// What is not set.
	{&benchpb.Leaf{}, unpopulated, `{"id":0,"name":""}`},
	{&benchpb.Leaf{}, defaults, `{"id":0,"name":""}`},
	{&benchpb.Optional{}, defaults, `{}`},
	{&benchpb.Ping{}, unpopulated, `{"pong":null,"pongs":[],"count":"0"}`},
	{&benchpb.Ping{}, defaults, `{"pongs":[],"count":"0"}`},
	{&benchpb.Ping{}, both, `{"pong":null,"pongs":[],"count":"0"}`},
	{&benchpb.Ping{Pong: &benchpb.Pong{}}, defaults, `{"pong":{"pings":{},"text":""},"pongs":[],"count":"0"}`},
	{&benchpb.Tree{}, unpopulated, `{"name":"","left":null,"right":null,"children":[],"byName":{}}`},
	{&benchpb.Sparse{}, unpopulated, `{"last":"","one":0,"fifteen":"0","sixteen":"","twoBytes":null,"threeBytes":0,"far":[],"map":{},"strings":[],"second":0}`},
	{&legacypb.Defaults{}, unpopulated, `{"defDouble":null,"defFloat":null,"defInt32":null,"defInt64":null,"defUint32":null,"defUint64":null,"defSint32":null,"defSint64":null,"defFixed32":null,"defFixed64":null,"defSfixed32":null,"defSfixed64":null,"defBool":null,"defString":null,"defBytes":null,"defClosed":null,"firstClosed":null,"inf":null,"minusInf":null,"nan":null}`},
	{&legacypb.Defaults{}, defaults, `{}`},
	{extended(&legacypb.Extendable{}, legacypb.E_ExtLeaf, &legacypb.Leaf{}), unpopulated, `{"id":null,"name":null,"[protean.test.legacy.ext_leaf]":{"id":null,"name":null}}`},
	{anyOf(&benchpb.Leaf{}), unpopulated, `{"@type":"type.googleapis.com/protean.test.bench.Leaf","id":0,"name":""}`},
	{&wellknownpb.Singular{}, defaults, `{"oneNullValue":null}`},
	{&structpb.Struct{}, unpopulated, `{}`},
	{&structpb.ListValue{}, unpopulated, `[]`},
	{&emptypb.Empty{}, unpopulated, `{}`},
	{&anypb.Any{}, unpopulated, `{}`},

	// Several lines.
	{&benchpb.Leaf{}, multiline, `{}`},
	{&benchpb.Leaf{Id: 1, Name: "a: b, c"}, multiline, "{\n  \"id\": 1,\n  \"name\": \"a: b, c\"\n}"},
	{&benchpb.Strings{List: []string{"a", "b"}, Labels: []*benchpb.Label{{}, {Key: "k"}}}, tabs, "{\n\t\"list\": [\n\t\t\"a\",\n\t\t\"b\"\n\t],\n\t\"labels\": [\n\t\t{},\n\t\t{\n\t\t\t\"key\": \"k\"\n\t\t}\n\t]\n}"},
	{&structpb.ListValue{Values: []*structpb.Value{structpb.NewListValue(&structpb.ListValue{}), structpb.NewStructValue(structOf(nil))}}, multiline, "[\n  [],\n  {}\n]"},
	{&benchpb.Ping{}, protojson.MarshalOptions{EmitUnpopulated: true, Indent: " ", Multiline: true}, "{\n \"pong\": null,\n \"pongs\": [],\n \"count\": \"0\"\n}"},
	{wrapperspb.String("[{\"a\": 1,\n\"b\"}]"), multiline, `"[{\"a\": 1,\n\"b\"}]"`},

	// Numbers.
	{&benchpb.Packed{ListInt64: []int64{0, math.MinInt64, math.MaxInt64}, ListUint64: []uint64{math.MaxUint64}, ListInt32: []int32{math.MinInt32}, ListUint32: []uint32{math.MaxUint32}}, plain, `{"listInt32":[-2147483648],"listInt64":["0","-9223372036854775808","9223372036854775807"],"listUint32":[4294967295],"listUint64":["18446744073709551615"]}`},
	{&benchpb.Packed{ListDouble: []float64{0, math.Copysign(0, -1), 1, 0.1, 1e20, 1e21, 123456789e13, 1e-6, 1e-7, 1.5e-9, 1e-10, 1e100, math.MaxFloat64, 5e-324, math.NaN(), math.Inf(1), math.Inf(-1)}}, plain, `{"listDouble":[0,-0,1,0.1,100000000000000000000,1e+21,1.23456789e+21,0.000001,1e-7,1.5e-9,1e-10,1e+100,1.7976931348623157e+308,5e-324,"NaN","Infinity","-Infinity"]}`},
	{&benchpb.Packed{ListFloat: []float32{0.1, 16777216, 1e20, 1e21, 1e-6, 9.999999e-7, 1e-7, math.MaxFloat32, math.SmallestNonzeroFloat32, float32(math.NaN()), float32(math.Inf(-1))}}, plain, `{"listFloat":[0.1,16777216,100000000000000000000,1e+21,0.000001,9.999999e-7,1e-7,3.4028235e+38,1e-45,"NaN","-Infinity"]}`},

	// Text and bytes.
	{&benchpb.Leaf{Name: "\"\\/\b\f\n\r\t\x00\x1f\x7f\u0080\u2028\ufffd\U0001f600<&>'"}, plain, "{\"name\":\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7f\u0080\u2028\ufffd\U0001f600<&>'\"}"},
	{&benchpb.Strings{Blobs: [][]byte{nil, {}, {0}, {0xfb, 0xff}, {0xfb, 0xff, 0xfe}, {1, 2, 3, 4}}}, plain, `{"blobs":["","","AA==","+/8=","+//+","AQIDBA=="]}`},

	// Well-known types.
	{&timestamppb.Timestamp{}, plain, `"1970-01-01T00:00:00Z"`},
	{&timestamppb.Timestamp{Seconds: 1, Nanos: 1}, plain, `"1970-01-01T00:00:01.000000001Z"`},
	{&timestamppb.Timestamp{Seconds: -1, Nanos: 1000}, plain, `"1969-12-31T23:59:59.000001Z"`},
	{&timestamppb.Timestamp{Nanos: 120000000}, plain, `"1970-01-01T00:00:00.120Z"`},
	{&timestamppb.Timestamp{Seconds: -62135596800}, plain, `"0001-01-01T00:00:00Z"`},
	{&timestamppb.Timestamp{Seconds: 253402300799, Nanos: 999999999}, plain, `"9999-12-31T23:59:59.999999999Z"`},
	{&durationpb.Duration{}, plain, `"0s"`},
	{&durationpb.Duration{Nanos: -1}, plain, `"-0.000000001s"`},
	{&durationpb.Duration{Seconds: -1, Nanos: -500000000}, plain, `"-1.500s"`},
	{&durationpb.Duration{Seconds: 315576000000, Nanos: 999999000}, plain, `"315576000000.999999s"`},
	{&fieldmaskpb.FieldMask{}, plain, `""`},
	{&fieldmaskpb.FieldMask{Paths: []string{"a", "foo_bar.baz_qux", "a"}}, plain, `"a,fooBar.bazQux,a"`},
	{wrapperspb.Double(math.Inf(1)), plain, `"Infinity"`},
	{wrapperspb.Float(0.1), plain, `0.1`},
	{wrapperspb.Int64(-1), plain, `"-1"`},
	{wrapperspb.UInt64(1), plain, `"1"`},
	{wrapperspb.Int32(-1), plain, `-1`},
	{wrapperspb.UInt32(1), plain, `1`},
	{wrapperspb.Bool(false), plain, `false`},
	{wrapperspb.String(""), plain, `""`},
	{wrapperspb.Bytes([]byte{0xff}), plain, `"/w=="`},
	{structpb.NewNullValue(), plain, `null`},
	{structpb.NewNumberValue(-0.5), plain, `-0.5`},
	{structpb.NewStringValue("NaN"), plain, `"NaN"`},
	{structpb.NewStructValue(structOf(map[string]any{"b": nil, "a": []any{true, 1.0, "x", map[string]any{}}})), plain, `{"a":[true,1,"x",{}],"b":null}`},
	{&wellknownpb.Choice{Choice: &wellknownpb.Choice_TheNullValue{}}, plain, `{"theNullValue":null}`},
	{&wellknownpb.Choice{Choice: &wellknownpb.Choice_TheValue{TheValue: structpb.NewNullValue()}}, plain, `{"theValue":null}`},
	{&wellknownpb.Maps{StructByBool: map[bool]*structpb.Struct{true: structOf(map[string]any{"a": 1})}, ValueByNumber: map[int64]*structpb.Value{-5: structpb.NewBoolValue(true)}}, plain, `{"valueByNumber":{"-5":true},"structByBool":{"true":{"a":1}}}`},

	// Any.
	{anyOf(&benchpb.Leaf{Id: 3}), plain, `{"@type":"type.googleapis.com/protean.test.bench.Leaf","id":3}`},
	{anyOf(&emptypb.Empty{}), plain, `{"@type":"type.googleapis.com/google.protobuf.Empty"}`},
	{anyOf(wrapperspb.String("x")), plain, `{"@type":"type.googleapis.com/google.protobuf.StringValue","value":"x"}`},
	{anyOf(structpb.NewNullValue()), plain, `{"@type":"type.googleapis.com/google.protobuf.Value","value":null}`},
	{anyOf(anyOf(durationpb.New(5))), plain, `{"@type":"type.googleapis.com/google.protobuf.Any","value":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"0.000000005s"}}`},
	{anyOf(&anypb.Any{}), plain, `{"@type":"type.googleapis.com/google.protobuf.Any","value":{}}`},
	{&anypb.Any{TypeUrl: "a/b/protean.test.bench.Optional", Value: []byte{3 << 3, 0}}, protoNames, `{"@type":"a/b/protean.test.bench.Optional","opt_int32":0}`},
	{&anypb.Any{TypeUrl: "protean.test.legacy.Required"}, plain, `{"@type":"protean.test.legacy.Required"}`}, // what is required in an Any is not looked for
	{&wellknownpb.Repeated{ListAny: []*anypb.Any{{}, anyOf(&benchpb.Leaf{})}}, tabs, "{\n\t\"listAny\": [\n\t\t{},\n\t\t{\n\t\t\t\"@type\": \"type.googleapis.com/protean.test.bench.Leaf\"\n\t\t}\n\t]\n}"},
	{anyOf(extended(&legacypb.Extendable{}, legacypb.E_ExtBool, true)), plain, `{"@type":"type.googleapis.com/protean.test.legacy.Extendable","[protean.test.legacy.ext_bool]":true}`},

	// Required fields.
	{&legacypb.RequiredBelow{List: []*legacypb.Required{{}}}, partial, `{"list":[{}]}`},
}

// TestMarshalWritesText pins the texts of messages of every form, to the byte, and reads them again.
func TestMarshalWritesText(t *testing.T) {
	for _, c := range texts {
		for _, m := range forms(t, c.m) {
			want := c.want
			if m.ProtoReflect().Descriptor().FullName() != c.m.ProtoReflect().Descriptor().FullName() {
				want = strings.ReplaceAll(want, `"[protean.`, `"[opaque.protean.`)
			}
			checkMarshal(t, m, c.o)
			if got, err := c.o.Marshal(m); err != nil || string(got) != want {
				t.Errorf("%T, %+v:\n%s, %v; want\n%s", m, c.o, got, err, want)
			}
			// Format writes the same, and white space if it is the function.
			if got := c.o.Format(m); got != want {
				t.Errorf("%T: Format: %s, want\n%s", m, got, want)
			}
			if got, want := protojson.Format(m), unspaced([]byte(official.Format(asOfficial(m))), true); got != want {
				t.Errorf("%T: Format: %s, want\n%s", m, got, want)
			}
		}
	}
}
