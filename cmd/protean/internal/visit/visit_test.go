package visit

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/typepb"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// data has a value of each kind that JSON has; what reading it adds up to is total.
var data = map[string]any{
	"text": "12345", "number": 40.5, "negative": -3.0, "yes": true, "no": false, "null": nil,
	"list": []any{"1", 2.0, map[string]any{"k": "v"}}, "empty": map[string]any{},
}

const total = 4 + 5 + 6 + 40 + 8 - 3 + 3 + 1 + 2 + 4 + 4 + 1 + 2 + 2 + 5

// Whoever holds the same data reads the same.
func TestValues(t *testing.T) {
	tree, err := structpb.NewValue(data)
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]uint64{
		"Go data": Any(data), "a map": Map(data), "a tree": Value(tree), "a message": Message(tree),
		"a struct": Message(tree.GetStructValue()),
		"a list":   Message(structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{tree}}).GetListValue()),
	} {
		if got != total {
			t.Errorf("%s: %d, want %d", name, got, total)
		}
	}
}

// Every field of a message counts.
func TestMessage(t *testing.T) {
	for _, tt := range []struct {
		name string
		m    proto.Message
		want uint64
	}{
		{"none", nil, 0},
		{"a time", &timestamppb.Timestamp{Seconds: 70, Nanos: 5}, 75},
		{"a duration", &durationpb.Duration{Seconds: 70, Nanos: 5}, 75},
		{"an Any", &anypb.Any{TypeUrl: "abc", Value: []byte("de")}, 5},
		{"a wrapper", wrapperspb.Bool(true), 1},
		{"a list of text", &fieldmaskpb.FieldMask{Paths: []string{"ab", "c"}}, 3},
		{"messages", &typepb.Type{Name: "ab",
			Fields: []*typepb.Field{{Kind: typepb.Field_TYPE_BOOL, Number: 7, Packed: true}}}, 2 + 8 + 7 + 1},
		{"a float", wrapperspb.Float(9.5), 9},
		{"bytes", wrapperspb.Bytes([]byte("abc")), 3},
		{"an unsigned integer", wrapperspb.UInt64(1 << 63), 1 << 63},
	} {
		if got := Message(tt.m); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}
