package proto_test

import (
	"bytes"
	"testing"

	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	opaquepb "github.com/protean-pb/protean/internal/testpb/gen/opaque/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/proto"
)

// TestMarshalOfNil writes messages that are nil or hold what is nil: the same bytes as the official
// library's, nil where its are nil, and an error where it has one.
func TestMarshalOfNil(t *testing.T) {
	opaque := new(opaquepb.Packed)
	opaque.SetListLeaf([]*opaquepb.Leaf{nil, {}})
	for _, m := range []proto.Message{
		nil,
		(*benchpb.Leaf)(nil), (*opaquepb.Leaf)(nil), (*legacypb.Required)(nil), (*legacypb.MessageSet)(nil),
		(*structpb.Value)(nil), (*structpb.Struct)(nil), (*structpb.ListValue)(nil),
		new(benchpb.Leaf), new(opaquepb.Leaf), new(legacypb.MessageSet), new(structpb.Struct), new(structpb.ListValue),
		&benchpb.Packed{ListLeaf: []*benchpb.Leaf{nil, {}, nil}, ListBytes: [][]byte{nil, {}}, ListInt32: []int32{},
			ListString: []string{}},
		opaque,
		&benchpb.KeyMaps{LeafByString: map[string]*benchpb.Leaf{"": nil}, ByInt32: map[int32]string{}},
		&benchpb.ValueMaps{ToBytes: map[string][]byte{"a": nil}, ToLeaf: map[string]*benchpb.Leaf{"b": {}}},
		&benchpb.Choice{Choice: (*benchpb.Choice_OneLeaf)(nil)},
		&benchpb.Choice{Choice: (*benchpb.Choice_OneInt32)(nil), Other: (*benchpb.Choice_Text)(nil)},
		&benchpb.Choice{Choice: &benchpb.Choice_OneLeaf{}, Other: &benchpb.Choice_Strings{}},
		&benchpb.Choice{Choice: &benchpb.Choice_OneBytes{}},
		&benchpb.Optional{OptBytes: []byte{}},
		&legacypb.Groups{Many: []*legacypb.Groups_Many{nil, {}}, Choice: &legacypb.Groups_Chosen_{}},
		&legacypb.RequiredBelow{List: []*legacypb.Required{nil}},
		&legacypb.RequiredBelow{Map: map[int32]*legacypb.Required{1: nil}},
		&legacypb.RequiredBelow{Choice: &legacypb.RequiredBelow_One{}},
		&wellknownpb.Event{Arguments: []*structpb.Value{nil, {}}, Causes: []*wellknownpb.Event{nil}},
		&wellknownpb.Event{Payload: &structpb.Struct{Fields: map[string]*structpb.Value{"a": nil}}},
		&structpb.ListValue{Values: []*structpb.Value{nil}},
		&structpb.Value{Kind: (*structpb.Value_StringValue)(nil)},
		&structpb.Value{Kind: &structpb.Value_StructValue{}},
	} {
		o, want := proto.MarshalOptions{Deterministic: true}, official.MarshalOptions{Deterministic: true}
		b, err := o.Marshal(m)
		wantBytes, wantErr := want.Marshal(m)
		if (err != nil) != (wantErr != nil) || err == nil &&
			(!bytes.Equal(b, wantBytes) || (b == nil) != (wantBytes == nil)) {
			t.Errorf("%T %v: Marshal: %#v %v, official %#v %v", m, m, b, err, wantBytes, wantErr)
		}
		if b, err := proto.Marshal(m); (err != nil) != (wantErr != nil) || err == nil && len(b) != len(wantBytes) {
			t.Errorf("%T %v: Marshal: %#v %v, official %#v %v", m, m, b, err, wantBytes, wantErr)
		}
		b, err = o.MarshalAppend([]byte("before"), m)
		wantBytes, wantErr = want.MarshalAppend([]byte("before"), m)
		if (err != nil) != (wantErr != nil) || err == nil && !bytes.Equal(b, wantBytes) {
			t.Errorf("%T %v: MarshalAppend: %q %v, official %q %v", m, m, b, err, wantBytes, wantErr)
		}
		if b, err := o.MarshalAppend(nil, m); err == nil {
			if want, _ := want.MarshalAppend(nil, m); (b == nil) != (want == nil) {
				t.Errorf("%T %v: MarshalAppend to nil: %#v, official %#v", m, m, b, want)
			}
		}
		if got, want := proto.Size(m), official.Size(m); got != want {
			t.Errorf("%T: Size %d, official %d", m, got, want)
		}
		if got, want := proto.CheckInitialized(m), official.CheckInitialized(m); (got != nil) != (want != nil) {
			t.Errorf("%T: CheckInitialized %v, official %v", m, got, want)
		}
	}
}

// TestUnmarshalNil reads into what cannot be read into: it panics where the official library
// does.
func TestUnmarshalNil(t *testing.T) {
	panics := func(f func()) (p any) {
		defer func() { p = recover() }()
		f()
		return nil
	}
	for _, m := range []proto.Message{nil, (*benchpb.Leaf)(nil), (*opaquepb.Leaf)(nil), (*structpb.Value)(nil),
		(*legacypb.MessageSet)(nil)} {
		for _, wire := range []string{"", "\x08\x01"} {
			for _, merge := range []bool{false, true} {
				var err, wantErr error
				got := panics(func() { err = proto.UnmarshalOptions{Merge: merge}.Unmarshal([]byte(wire), m) })
				want := panics(func() { wantErr = official.UnmarshalOptions{Merge: merge}.Unmarshal([]byte(wire), m) })
				if (got != nil) != (want != nil) || (err != nil) != (wantErr != nil) {
					t.Errorf("%T %q, merge %v: panic %v, error %v; official %v, %v", m, wire, merge, got, err, want,
						wantErr)
				}
			}
		}
	}
}

// TestUnmarshalEmpty checks that lists and what is in them are nil or empty as the official library's.
func TestUnmarshalEmpty(t *testing.T) {
	got, want := new(benchpb.Packed), new(benchpb.Packed)
	wire := []byte(sub(3) + sub(15) + sub(14) + sub(17))
	if err := proto.Unmarshal(wire, got); err != nil {
		t.Fatal(err)
	}
	if err := official.Unmarshal(wire, want); err != nil {
		t.Fatal(err)
	}
	if (got.ListInt32 == nil) != (want.ListInt32 == nil) || (got.ListBytes[0] == nil) != (want.ListBytes[0] == nil) ||
		!official.Equal(got, want) {
		t.Errorf("%#v, official %#v", got, want)
	}
}
