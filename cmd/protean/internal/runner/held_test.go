package runner

import (
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/typepb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// One sample of many suffices, at any depth.
func TestHeld(t *testing.T) {
	number := structpb.NewNumberValue
	for _, tt := range []struct {
		name    string
		samples []proto.Message
		want    result.Held
	}{
		{"exact integers", []proto.Message{wrapperspb.Int64(1 << 53), wrapperspb.Int64(-1 << 53)}, ""},
		{"an integer", []proto.Message{wrapperspb.Int64(0), wrapperspb.Int64(1<<53 + 1)}, "int64"},
		{"below", []proto.Message{wrapperspb.Int64(-1<<53 - 1)}, "int64"},
		{"without a sign", []proto.Message{wrapperspb.UInt64(math.MaxUint64)}, "int64"},
		{"numbers", []proto.Message{number(1e300)}, ""},
		{"deep", []proto.Message{structpb.NewListValue(&structpb.ListValue{
			Values: []*structpb.Value{number(1), number(math.NaN())},
		})}, "nan"},
		{"infinity in a map", []proto.Message{&structpb.Struct{
			Fields: map[string]*structpb.Value{"x": number(math.Inf(-1))},
		}}, "nan"},
		{"zero in a oneof", []proto.Message{number(0)}, "empty"},
		{"an empty message", []proto.Message{&typepb.Type{Name: "x"}, &typepb.Type{SourceContext: nil}}, ""},
		{"all", []proto.Message{structpb.NewStringValue(""), number(math.NaN())}, "nan empty"},
	} {
		v := doubleVariant(false, func() (func(proto.Message) ([]byte, error), error) { return proto.Marshal, nil })
		var got []result.Held
		for _, e := range play(t, v, verifyRequest(), tt.samples...) {
			if e.Held != nil && e.Held.Payload == "p" {
				got = append(got, e.Held.Risks)
			}
		}
		if len(got) != 1 || got[0] != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A variant that refuses a sample does not apply to the data, whoever else does. A copy with
// one field changed is none of the samples.
func TestRefusedSamples(t *testing.T) {
	for _, tt := range []struct {
		name    string
		sample  int64
		status  result.Status
		refused bool
		reason  string
	}{
		{"a sample", 1<<53 + 1, result.NotApplicable, true, "a double cannot hold the integer"},
		{"the copy alone", 1 << 54, result.OK, false, ""},
		{"neither", 1, result.OK, false, ""},
	} {
		v := verdictOn(t, play(t, variant.Find("value (protean)"), verifyRequest(), wrapperspb.Int64(7),
			wrapperspb.Int64(tt.sample)))
		if v.Status != tt.status || v.Refused != tt.refused || !strings.Contains(v.Reason, tt.reason) ||
			(v.Sample == 1) != tt.refused {
			t.Errorf("%s: %+v", tt.name, v)
		}
	}
	// The sample whose copy is refused comes first, since only that is changed.
	v := verdictOn(t, play(t, variant.Find("value (protean)"), verifyRequest(), wrapperspb.Int64(1<<54)))
	if v.Status != result.OK {
		t.Errorf("the copy of the first sample: %+v", v)
	}
}
