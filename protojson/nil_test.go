package protojson_test

import (
	"testing"

	official "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/dynamic"
	opaquepb "github.com/protean-pb/protean/internal/testpb/gen/opaque/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/protojson"
)

// nilMessages are nil, or hold what is nil.
func nilMessages() []proto.Message {
	opaque := new(opaquepb.Packed)
	opaque.SetListLeaf([]*opaquepb.Leaf{nil, {}})
	list := &structpb.ListValue{Values: []*structpb.Value{nil}}
	return []proto.Message{
		(*benchpb.Leaf)(nil), (*benchpb.Tree)(nil), (*opaquepb.Leaf)(nil), (*legacypb.Required)(nil),
		(*legacypb.MessageSet)(nil), (*wellknownpb.Singular)(nil),
		(*structpb.Value)(nil), (*structpb.Struct)(nil), (*structpb.ListValue)(nil), (*anypb.Any)(nil),
		(*timestamppb.Timestamp)(nil),
		(*durationpb.Duration)(nil), (*fieldmaskpb.FieldMask)(nil), (*emptypb.Empty)(nil),
		(*wrapperspb.Int64Value)(nil), (*wrapperspb.BytesValue)(nil),
		new(benchpb.Leaf), new(opaquepb.Leaf), new(legacypb.MessageSet), new(structpb.Value), new(structpb.Struct),
		new(structpb.ListValue), new(anypb.Any),
		&benchpb.Packed{ListLeaf: []*benchpb.Leaf{nil, {}, nil}, ListBytes: [][]byte{nil, {}}, ListInt32: []int32{},
			ListString: []string{}},
		opaque,
		&benchpb.KeyMaps{LeafByString: map[string]*benchpb.Leaf{"": nil}, ByInt32: map[int32]string{}},
		&benchpb.ValueMaps{ToBytes: map[string][]byte{"a": nil}, ToLeaf: map[string]*benchpb.Leaf{"b": {}, "c": nil},
			ToSelf: map[string]*benchpb.ValueMaps{"d": nil}},
		&benchpb.Choice{Choice: (*benchpb.Choice_OneLeaf)(nil)},
		&benchpb.Choice{Choice: (*benchpb.Choice_OneInt32)(nil), Other: (*benchpb.Choice_Text)(nil)},
		&benchpb.Choice{Choice: &benchpb.Choice_OneLeaf{}, Other: &benchpb.Choice_Strings{}},
		&benchpb.Choice{Choice: &benchpb.Choice_OneBytes{}},
		&benchpb.Optional{OptBytes: []byte{}},
		&benchpb.Tree{Left: (*benchpb.Tree)(nil), Children: []*benchpb.Tree{nil}, Kind: &benchpb.Tree_Inner{}},
		&legacypb.Groups{Many: []*legacypb.Groups_Many{nil, {}}, Choice: &legacypb.Groups_Chosen_{}},
		&legacypb.RequiredBelow{List: []*legacypb.Required{nil}},
		&legacypb.RequiredBelow{Map: map[int32]*legacypb.Required{1: nil}},
		&legacypb.RequiredBelow{Choice: &legacypb.RequiredBelow_One{}},
		&wellknownpb.Event{Arguments: []*structpb.Value{structpb.NewNullValue(), nil}},
		&wellknownpb.Event{Arguments: []*structpb.Value{{}}},
		&wellknownpb.Event{Causes: []*wellknownpb.Event{nil}},
		&wellknownpb.Event{Payload: &structpb.Struct{Fields: map[string]*structpb.Value{"a": nil}}},
		&wellknownpb.Event{Payload: &structpb.Struct{Fields: map[string]*structpb.Value{}}},
		&wellknownpb.Repeated{ListTimestamp: []*timestamppb.Timestamp{nil}, ListDuration: []*durationpb.Duration{nil},
			ListFieldMask: []*fieldmaskpb.FieldMask{nil}, ListEmpty: []*emptypb.Empty{nil}, ListAny: []*anypb.Any{nil}},
		&wellknownpb.Repeated{ListDouble: []*wrapperspb.DoubleValue{nil}, ListInt64: []*wrapperspb.Int64Value{nil},
			ListString: []*wrapperspb.StringValue{nil}, ListBytes: []*wrapperspb.BytesValue{nil, {}},
			ListBool: []*wrapperspb.BoolValue{nil}},
		&wellknownpb.Repeated{ListStruct: []*structpb.Struct{nil}, ListListValue: []*structpb.ListValue{nil, {}}},
		&wellknownpb.Repeated{ListValue: []*structpb.Value{nil}},
		&wellknownpb.Maps{MapTimestamp: map[string]*timestamppb.Timestamp{"a": nil},
			MapString: map[string]*wrapperspb.StringValue{"b": nil}, MapStruct: map[string]*structpb.Struct{"c": nil}},
		&wellknownpb.Maps{MapValue: map[string]*structpb.Value{"a": nil}},
		&wellknownpb.Choice{Choice: &wellknownpb.Choice_TheTimestamp{}},
		&wellknownpb.Choice{Choice: &wellknownpb.Choice_TheValue{}},
		&wellknownpb.Choice{Choice: (*wellknownpb.Choice_TheValue)(nil)},
		&wellknownpb.Choice{Choice: &wellknownpb.Choice_TheStruct{}},
		list, structpb.NewListValue(list), structpb.NewListValue(nil), structpb.NewStructValue(nil),
		&structpb.Struct{Fields: map[string]*structpb.Value{"a": {Kind: (*structpb.Value_NumberValue)(nil)}}},
		&structpb.Value{Kind: (*structpb.Value_StringValue)(nil)},
		&structpb.Value{Kind: &structpb.Value_StructValue{}},
		&structpb.Value{Kind: &structpb.Value_ListValue{ListValue: &structpb.ListValue{}}},
		dynamic.NewMessageType(new(benchpb.Tree).ProtoReflect().Descriptor()).Zero().Interface(),
		dynamic.NewMessageType(new(structpb.Struct).ProtoReflect().Descriptor()).Zero().Interface(),
		dynamic.NewMessageType(new(timestamppb.Timestamp).ProtoReflect().Descriptor()).Zero().Interface(),
		dynamicpb.NewMessageType(new(benchpb.Tree).ProtoReflect().Descriptor()).Zero().Interface(),
	}
}

// TestNil writes them in all ways.
func TestNil(t *testing.T) {
	for _, m := range nilMessages() {
		for way := range uint16(64) {
			checkMarshal(t, m, marshalWay(way))
		}
		if got, want := protojson.Format(m), unspaced([]byte(official.Format(m)), true); got != want {
			t.Errorf("%T: Format: %s, official: %s", m, got, want)
		}
	}
}

// TestNilInterface writes no message at all.
func TestNilInterface(t *testing.T) {
	for _, o := range []protojson.MarshalOptions{{}, {Multiline: true}, {EmitUnpopulated: true}, {Indent: "x"}} {
		got, err := o.MarshalAppend([]byte("a"), nil)
		want, wantErr := officialMarshal(o).MarshalAppend([]byte("a"), nil)
		if string(got) != string(want) || (err != nil) != (wantErr != nil) {
			t.Errorf("%+v: %q, %v; official: %q, %v", o, got, err, want, wantErr)
		}
		if got, want := o.Format(nil), officialMarshal(o).Format(nil); got != want {
			t.Errorf("%+v: Format: %q, official: %q", o, got, want)
		}
	}
}

func caught(f func()) (p any) {
	defer func() { p = recover() }()
	f()
	return nil
}

// TestUnmarshalNil reads into what cannot be read into: it panics where the official library
// does.
func TestUnmarshalNil(t *testing.T) {
	for _, m := range []proto.Message{
		nil, (*benchpb.Leaf)(nil), (*opaquepb.Leaf)(nil), (*structpb.Value)(nil), (*timestamppb.Timestamp)(nil),
		(*anypb.Any)(nil), (*legacypb.MessageSet)(nil),
		dynamic.NewMessageType(new(benchpb.Leaf).ProtoReflect().Descriptor()).Zero().Interface(),
	} {
		for _, text := range []string{``, `{}`, `{"id":1}`, `null`, `"1970-01-01T00:00:00Z"`, `[`} {
			var err, wantErr error
			got := caught(func() { err = protojson.Unmarshal([]byte(text), m) })
			want := caught(func() { wantErr = official.Unmarshal([]byte(text), m) })
			if (got != nil) != (want != nil) || (err != nil) != (wantErr != nil) {
				t.Errorf("%T %q: panic %v, error %v; official %v, %v", m, text, got, err, want, wantErr)
			}
		}
	}
}

// TestUnmarshalResets reads into messages that hold something: it is gone, even if the text is broken.
func TestUnmarshalResets(t *testing.T) {
	eachType(t, func(t *testing.T, k kind, mt protoreflect.MessageType) {
		got, want := k.New(mt), k.New(mt)
		for _, m := range []proto.Message{got, want} {
			fill(m.ProtoReflect(), seeded(5), 8)
		}
		for _, text := range []string{`{}`, `[]`, `x`} {
			err, wantErr := protojson.UnmarshalOptions{AllowPartial: true}.Unmarshal([]byte(text), got),
				official.UnmarshalOptions{AllowPartial: true}.Unmarshal([]byte(text), want)
			if (err != nil) != (wantErr != nil) || err == nil && !proto.Equal(got, want) {
				t.Errorf("%q: %v, %v; official: %v, %v", text, got, err, want, wantErr)
			}
			if err != nil && fields(got) > 1 {
				t.Errorf("%q: %v is left", text, got)
			}
		}
	})
}

// fields returns how many fields of m are set.
func fields(m proto.Message) (n int) {
	m.ProtoReflect().Range(func(protoreflect.FieldDescriptor, protoreflect.Value) bool {
		n++
		return true
	})
	return n
}

// TestEmptyLists checks that lists, maps and bytes are nil or empty as the official library's.
func TestEmptyLists(t *testing.T) {
	for _, text := range []string{
		`{"listInt32":[],"listBytes":[""],"listLeaf":[],"listString":[]}`, `{"listInt32":null,"listBytes":[]}`,
	} {
		got, want := new(benchpb.Packed), new(benchpb.Packed)
		if err, wantErr := protojson.Unmarshal([]byte(text), got), official.Unmarshal([]byte(text), want); err != nil ||
			wantErr != nil {
			t.Fatal(err, wantErr)
		}
		if (got.ListInt32 == nil) != (want.ListInt32 == nil) || (got.ListLeaf == nil) != (want.ListLeaf == nil) ||
			(got.ListBytes == nil) != (want.ListBytes == nil) ||
			len(got.ListBytes) > 0 && (got.ListBytes[0] == nil) != (want.ListBytes[0] == nil) {
			t.Errorf("%s: %#v, official %#v", text, got, want)
		}
	}
	got, want := new(benchpb.ValueMaps), new(benchpb.ValueMaps)
	text := []byte(`{"toInt32":{},"toBytes":{"a":""},"toLeaf":null}`)
	if err, wantErr := protojson.Unmarshal(text, got), official.Unmarshal(text, want); err != nil || wantErr != nil {
		t.Fatal(err, wantErr)
	}
	if (got.ToInt32 == nil) != (want.ToInt32 == nil) || (got.ToBytes["a"] == nil) != (want.ToBytes["a"] == nil) ||
		(got.ToLeaf == nil) != (want.ToLeaf == nil) {
		t.Errorf("%#v, official %#v", got, want)
	}
	bytesOf, wantBytes := new(wrapperspb.BytesValue), new(wrapperspb.BytesValue)
	if err, wantErr := protojson.Unmarshal([]byte(`""`), bytesOf), official.Unmarshal([]byte(`""`), wantBytes); err != nil || wantErr != nil {
		t.Fatal(err, wantErr)
	}
	if (bytesOf.Value == nil) != (wantBytes.Value == nil) {
		t.Errorf("%#v, official %#v", bytesOf.Value, wantBytes.Value)
	}
}
