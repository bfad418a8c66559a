package variant

import (
	"encoding/json"
	"math"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// Go values of other types than encoding/json's are another job, and do not pass.
func TestAnyMessage(t *testing.T) {
	read := func([]byte) (proto.Message, error) { return new(structpb.Value), nil }
	for _, tt := range []struct {
		name string
		v    any
		ok   bool
	}{
		{"all types", map[string]any{"a": 1.5, "b": []any{"<&>", true, nil}, "c": map[string]any{}}, true},
		{"no object", "3.5s", true},
		{"integer", map[string]any{"a": int64(1)}, false},
		{"number as text", map[string]any{"a": json.Number("1")}, false},
		{"list of strings", map[string]any{"a": []string{"b"}}, false},
		{"map of strings", map[string]string{"a": "b"}, false},
		{"no list", []any(nil), false},
		{"not a number", math.NaN(), false},
		{"invalid UTF-8", "\xff", false},
	} {
		if m, err := anyMessage(tt.v, read); (err == nil) != tt.ok || (m == nil) == tt.ok {
			t.Errorf("%s: %v, %v", tt.name, m, err)
		}
	}
}

// JSON's null is a value: every operation of the variants that hold Go data keeps it.
func TestNull(t *testing.T) {
	typ := &Type{New: func() proto.Message { return new(structpb.Value) }}
	for _, name := range []string{"Map (JSON)", "google.protobuf.Value (proto)", "value (protean)",
		"Concrete (JSONProto)", "Concrete (JSONProto, protean)"} {
		c, err := Find(name).Open(typ)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Load([]proto.Message{structpb.NewNullValue()}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, o := range c.Ops() {
			if err := o.Run(0); err != nil {
				t.Errorf("%s, %s: %v", name, o.Name, err)
				continue
			}
			m, err := o.Message(o.Result())
			if err != nil || mustJSON(t, m) != "null" {
				t.Errorf("%s, %s: %v, %v", name, o.Name, m, err)
			}
		}
	}
}

func mustJSON(t *testing.T, m proto.Message) string {
	t.Helper()
	text, err := protojson.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
