package gojapb

import (
	"testing"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/encoding/protojson"
	official "google.golang.org/protobuf/proto"
)

// unknownJSON are texts of TestAllTypesProto3 with something in them that the schema has not got.
var unknownJSON = []string{
	`{"nope": {"a": [1, {"b": null}]}, "optionalInt32": 1}`,
	`{"optionalNestedMessage": {"nope": 1, "corecursive": {"": true}}}`,
	`{"repeatedNestedMessage": [{"x": 1}, {"a": 2}], "mapStringNestedMessage": {"k": {"y": 1}}}`,
	`{"[no.such.extension]": 1, "optionalNestedEnum": "NOPE"}`,
	`{"repeatedNestedEnum": ["BAR", "NOPE", 77], "mapStringNestedEnum": {"a": "NOPE", "b": "BAZ"}}`,
	`{"oneofEnum": "NOPE", "optionalBoolWrapper": true}`,
	`{"optionalAny": {"@type": "x/protean.test.bench.Leaf", "id": 3, "z": []}}`,
	`{"optionalAny": {"@type": "x/no.such.Type", "z": []}}`,
	`{"optionalStruct": {"nope": 1}, "optionalTimestamp": "x"}`,
	`{"optionalInt32": "x", "nope": 1}`,
}

// TestFromJSONDiscardsUnknown holds pb.fromJSON with and without discardUnknown against the official library.
func TestFromJSONDiscardsUnknown(t *testing.T) {
	rt, m := newScript(t, false)
	read, _ := goja.AssertFunction(must(t, rt, `(text, discardUnknown) => {
		const All = pb.messageType('protobuf_test_messages.proto3.TestAllTypesProto3');
		return pb.fromJSON(All, JSON.parse(text), { discardUnknown });
	}`))
	for _, text := range unknownJSON {
		for _, discard := range []bool{false, true} {
			want := messageTypeOf(t, "protobuf_test_messages.proto3.TestAllTypesProto3").New().Interface()
			wantErr := protojson.UnmarshalOptions{DiscardUnknown: discard}.Unmarshal([]byte(text), want)
			v, err := read(goja.Undefined(), rt.ToValue(text), rt.ToValue(discard))
			if onlyErrors(t, rt, err) != (wantErr == nil) {
				t.Errorf("%s, %v: %v, want %v", text, discard, err, wantErr)
			}
			if err != nil {
				continue
			}
			if got, err := m.UnwrapMessage(v); err != nil || !official.Equal(got, want) {
				t.Errorf("%s, %v: %v, error %v, want %v", text, discard, got, err, want)
			}
		}
	}
}
