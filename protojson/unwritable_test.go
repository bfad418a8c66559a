package protojson_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	official "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/editionpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/protojson"
)

// bad is not UTF-8.
const bad = "bad\xff"

// unwritable are messages without a form in JSON: what is wrong with them, and where.
var unwritable = []struct {
	m    proto.Message
	err  error
	path string
}{
	// Text that is not UTF-8, in proto2 and where it is not looked at in the wire format, too.
	{&benchpb.Leaf{Name: bad}, protojson.ErrUTF8, "name"},
	{&legacypb.Leaf{Name: proto.String(bad)}, protojson.ErrUTF8, "name"},
	{&editionpb.Text{Raw: proto.String(bad)}, protojson.ErrUTF8, "raw"},
	{&editionpb.Text{RawList: []string{"a", bad}}, protojson.ErrUTF8, "raw_list[1]"},
	{&editionpb.Text{RawMap: map[string]string{"k": bad}}, protojson.ErrUTF8, `raw_map["k"]`},
	{&legacypb.Maps{Texts: map[string]string{bad: "v"}}, protojson.ErrUTF8, "texts[\"bad\\xff\"]"},
	{&legacypb.Maps{Blobs: map[string][]byte{bad: nil}}, protojson.ErrUTF8, "blobs[\"bad\\xff\"]"},
	{&benchpb.Choice{Choice: &benchpb.Choice_OneString{OneString: bad}}, protojson.ErrUTF8, "one_string"},
	{&benchpb.Order{Lines: []*benchpb.Order_Line{{}, {Attributes: map[string]string{"color": bad}}}}, protojson.ErrUTF8, `lines[1].attributes["color"]`},
	{&benchpb.KeyMaps{LeafByBool: map[bool]*benchpb.Leaf{true: {Name: bad}}}, protojson.ErrUTF8, "leaf_by_bool[true].name"},
	{&benchpb.KeyMaps{ByInt64: map[int64]string{-7: bad}}, protojson.ErrUTF8, "by_int64[-7]"},
	{extended(&legacypb.Extendable{}, legacypb.E_ExtListString, []string{"", bad}), protojson.ErrUTF8, "(protean.test.legacy.ext_list_string)[1]"},
	{extended(&legacypb.Extendable{}, legacypb.E_ExtLeaf, &legacypb.Leaf{Name: proto.String(bad)}), protojson.ErrUTF8, "(protean.test.legacy.ext_leaf).name"},
	{&wellknownpb.Event{Note: wrapperspb.String(bad)}, protojson.ErrUTF8, "note"},
	{wrapperspb.String(bad), protojson.ErrUTF8, ""},
	// Values.
	{&wellknownpb.Event{Arguments: []*structpb.Value{structpb.NewNullValue(), {}}}, protojson.ErrValue, "arguments[1]"},
	{&wellknownpb.Event{Payload: structOf(map[string]any{"a": []any{1, math.NaN()}})}, protojson.ErrValue, `payload["a"][1]`},
	{&wellknownpb.Event{Payload: &structpb.Struct{Fields: map[string]*structpb.Value{bad: structpb.NewNullValue()}}}, protojson.ErrUTF8, "payload[\"bad\\xff\"]"},
	{&wellknownpb.Event{Payload: &structpb.Struct{Fields: map[string]*structpb.Value{"k": structpb.NewStringValue(bad)}}}, protojson.ErrUTF8, `payload["k"]`},
	{&wellknownpb.Maps{MapValue: map[string]*structpb.Value{"k": structpb.NewNumberValue(math.Inf(-1))}}, protojson.ErrValue, `map_value["k"]`},
	{structpb.NewNumberValue(math.Inf(1)), protojson.ErrValue, ""},
	{&structpb.Value{}, protojson.ErrValue, ""},
	// Times.
	{&timestamppb.Timestamp{Seconds: 253402300800}, protojson.ErrValue, ""},
	{&timestamppb.Timestamp{Seconds: -62135596801}, protojson.ErrValue, ""},
	{&timestamppb.Timestamp{Nanos: -1}, protojson.ErrValue, ""},
	{&timestamppb.Timestamp{Nanos: 1_000_000_000}, protojson.ErrValue, ""},
	{&timestamppb.Timestamp{Seconds: math.MinInt64, Nanos: math.MinInt32}, protojson.ErrValue, ""},
	{&durationpb.Duration{Seconds: 315576000001}, protojson.ErrValue, ""},
	{&durationpb.Duration{Seconds: -315576000001}, protojson.ErrValue, ""},
	{&durationpb.Duration{Seconds: 1, Nanos: -1}, protojson.ErrValue, ""},
	{&durationpb.Duration{Seconds: -1, Nanos: 1}, protojson.ErrValue, ""},
	{&durationpb.Duration{Nanos: 1_000_000_000}, protojson.ErrValue, ""},
	{&durationpb.Duration{Seconds: math.MinInt64, Nanos: math.MinInt32}, protojson.ErrValue, ""},
	{&wellknownpb.Event{Causes: []*wellknownpb.Event{{At: &timestamppb.Timestamp{Nanos: -1}}}}, protojson.ErrValue, "causes[0].at"},
	// Paths.
	{&fieldmaskpb.FieldMask{Paths: []string{"a", "fooBar"}}, protojson.ErrValue, ""},
	{&fieldmaskpb.FieldMask{Paths: []string{""}}, protojson.ErrValue, ""},
	{&fieldmaskpb.FieldMask{Paths: []string{"a__b"}}, protojson.ErrValue, ""},
	{&fieldmaskpb.FieldMask{Paths: []string{"a_"}}, protojson.ErrValue, ""},
	{&fieldmaskpb.FieldMask{Paths: []string{"a_1"}}, protojson.ErrValue, ""},
	{&fieldmaskpb.FieldMask{Paths: []string{"a,b"}}, protojson.ErrValue, ""},
	{&fieldmaskpb.FieldMask{Paths: []string{"a..b"}}, protojson.ErrValue, ""},
	{&fieldmaskpb.FieldMask{Paths: []string{bad}}, protojson.ErrValue, ""},
	{&wellknownpb.Singular{OneFieldMask: &fieldmaskpb.FieldMask{Paths: []string{"1"}}}, protojson.ErrValue, "one_field_mask"},
	// Any.
	{&anypb.Any{Value: []byte{8, 1}}, protojson.ErrAny, ""},
	{&anypb.Any{TypeUrl: "type.googleapis.com/no.such.Type"}, protojson.ErrType, ""},
	{&anypb.Any{TypeUrl: "type.googleapis.com/"}, protojson.ErrType, ""},
	{&anypb.Any{TypeUrl: "protean.test.bench.Leaf/"}, protojson.ErrType, ""},
	{&anypb.Any{TypeUrl: "protean.test.bench.Leaf", Value: []byte{8}}, protojson.ErrAny, ""},
	{&anypb.Any{TypeUrl: "protean.test.bench.Leaf", Value: []byte{18, 1, 255}}, protojson.ErrAny, ""},
	{&anypb.Any{TypeUrl: bad + "/protean.test.bench.Leaf"}, protojson.ErrUTF8, ""},
	{&anypb.Any{TypeUrl: bad + "/google.protobuf.Duration"}, protojson.ErrUTF8, ""},
	{&wellknownpb.Event{Causes: []*wellknownpb.Event{{}, {Detail: &anypb.Any{TypeUrl: "x"}}}}, protojson.ErrType, "causes[1].detail"},
	{&wellknownpb.Event{Detail: anyOf(&timestamppb.Timestamp{Nanos: -1})}, protojson.ErrValue, "detail"},
	// Required fields, which are looked for when all is written.
	{&legacypb.RequiredBelow{List: []*legacypb.Required{{}}}, protojson.ErrRequired, "list[0].req_double"},
	{&legacypb.RequiredBelow{Map: map[int32]*legacypb.Required{3: nil}}, protojson.ErrRequired, "map[3].req_double"},
	{&legacypb.RequiredBelow{Choice: &legacypb.RequiredBelow_One{}}, protojson.ErrRequired, "one.req_double"},
	{extended(&legacypb.RequiredBelow{}, legacypb.E_RequiredBelow, &legacypb.Required{}), protojson.ErrRequired, "(protean.test.legacy.required_below).req_double"},
}

// TestUnwritable writes them: an error that says where, and the bytes with it that the
// official library returns.
func TestUnwritable(t *testing.T) {
	for _, c := range unwritable {
		for way := range uint16(64) {
			checkMarshal(t, c.m, marshalWay(way))
		}
		for _, m := range append(dynamicForms(c.m), c.m) {
			got, err := protojson.Marshal(m)
			want, wantErr := official.Marshal(asOfficial(m))
			if wantErr == nil || string(got) != unspaced(want, false) {
				t.Errorf("%T %v: %q, official: %q, %v", m, m, got, want, wantErr)
			}
			var e *protojson.Error
			if !errors.As(err, &e) || !errors.Is(err, c.err) || e.Path != c.path ||
				e.Message != string(m.ProtoReflect().Descriptor().FullName()) {
				t.Errorf("%T %v: %v, want %q at %q", m, m, err, c.err, c.path)
			}
		}
	}
}

// dynamicForms returns a dynamic message like m, if its text is such that it can be read.
func dynamicForms(m proto.Message) []proto.Message {
	b, err := proto.MarshalOptions{AllowPartial: true}.Marshal(m)
	same := kinds[1].New(m.ProtoReflect().Type())
	if err != nil || (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(b, same) != nil {
		return nil
	}
	return []proto.Message{same}
}

// TestMessageSets refuses them, as the official library does.
func TestMessageSets(t *testing.T) {
	set := extended(&legacypb.MessageSet{}, legacypb.E_MessageSetItem_Item,
		&legacypb.MessageSetItem{Id: proto.Int32(1)})
	for _, m := range []proto.Message{
		new(legacypb.MessageSet), set, &legacypb.HoldsMessageSet{}, &legacypb.HoldsMessageSet{Set: set},
		&legacypb.HoldsMessageSet{After: proto.String("a")},
		&legacypb.HoldsMessageSet{Sets: []*legacypb.MessageSet{set}},
		&anypb.Any{TypeUrl: "protean.test.legacy.MessageSet"},
	} {
		for way := range uint16(64) {
			checkMarshal(t, m, marshalWay(way))
		}
		for _, text := range []string{
			`{}`, `{"set":{}}`, `{"set":null}`, `{"sets":[]}`, `{"sets":[{}]}`, `{"[protean.test.legacy.MessageSetItem.item]":{"id":1}}`, `{"set":{"[protean.test.legacy.MessageSetItem.item]":{}}}`,
			`{"@type":"protean.test.legacy.MessageSet"}`, `{"@type":"protean.test.legacy.HoldsMessageSet","set":{}}`, `{"@type":"protean.test.legacy.HoldsMessageSet","after":"x"}`,
		} {
			for _, o := range []protojson.UnmarshalOptions{{}, {DiscardUnknown: true}, {RecursionLimit: 1}} {
				checkUnmarshal(t, []byte(text), m, o)
			}
		}
	}
}

// TestIndent refuses what is not white space.
func TestIndent(t *testing.T) {
	for _, indent := range []string{"x", "\n", " \tx", "\u00a0", "\r", "  ", "\t \t"} {
		o := protojson.MarshalOptions{Indent: indent}
		for _, m := range []proto.Message{nil, new(benchpb.Leaf), &benchpb.Leaf{Id: 1}} {
			got, err := o.MarshalAppend([]byte("a"), m)
			want, wantErr := officialMarshal(o).MarshalAppend([]byte("a"), m)
			if (err != nil) != (wantErr != nil) || string(got) != unspaced(want, true) {
				t.Errorf("%q: %q, %v; official: %q, %v", indent, got, err, want, wantErr)
			}
			if err != nil && !errors.Is(err, proto.Error) {
				t.Errorf("%q: %v is not an error of Protobuf", indent, err)
			}
			if got, want := o.Format(m), officialMarshal(o).Format(m); got != unspaced([]byte(want), true) {
				t.Errorf("%q: Format: %q, official: %q", indent, got, want)
			}
		}
	}
	if text := protojson.Format(&benchpb.Leaf{Name: strings.Repeat(bad, 2)}); text != "" {
		t.Errorf("Format of what cannot be written: %q", text)
	}
}
