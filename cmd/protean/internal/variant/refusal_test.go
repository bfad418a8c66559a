package variant

import (
	"errors"
	"math"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// A variant that has no form for a sample refuses it. One that cannot read what is right
// fails.
func TestRefusals(t *testing.T) {
	float := &Type{New: func() proto.Message { return new(wrapperspb.DoubleValue) }}
	integer := &Type{New: func() proto.Message { return new(wrapperspb.Int64Value) }}
	any := &Type{New: func() proto.Message { return new(structpb.Value) }}
	infinity := wrapperspb.Double(math.Inf(1))
	for _, tt := range []struct {
		variant string
		typ     *Type
		sample  proto.Message
		refuses bool
	}{
		{"Map (JSON)", float, infinity, true},
		{"Map (JSONv2)", float, infinity, true},
		{"Map (JSON)", float, wrapperspb.Double(1), false},
		{"Concrete (proto)", float, infinity, false},
		{"Concrete (JSONProto)", float, infinity, false},
		{"google.protobuf.Value (proto)", float, infinity, false},
		{"value (protean)", integer, wrapperspb.Int64(1<<53 + 1), true},
		{"value (protean)", integer, wrapperspb.Int64(1 << 53), false},
		{"Concrete (JSONProto)", any, structpb.NewNumberValue(math.NaN()), true},
		{"Concrete (JSONProto, protean)", any, structpb.NewNumberValue(math.NaN()), true},
		{"dynamicpb (JSONProto)", any, structpb.NewNumberValue(math.NaN()), true},
	} {
		c, err := Find(tt.variant).Open(tt.typ)
		if err != nil {
			t.Fatal(err)
		}
		err = c.Load([]proto.Message{tt.sample})
		if refuses := errors.As(err, new(*RefusalError)); refuses != tt.refuses || !refuses && err != nil {
			t.Errorf("%s, %v: %v, want a refusal: %v", tt.variant, tt.sample, err, tt.refuses)
		}
	}
	broken := errors.New("cannot read it")
	c := openDynamic(any, newDynamic, proto.Marshal, func([]byte, proto.Message) error { return broken })
	for _, text := range []bool{false, true} {
		if text {
			c = inText(c, any.New)
		}
		if err := c.Load([]proto.Message{structpb.NewNullValue()}); !errors.Is(err, broken) ||
			errors.As(err, new(*RefusalError)) {
			t.Errorf("in text %v: %v, want no refusal", text, err)
		}
	}
}
