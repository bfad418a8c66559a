package native_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/native"
)

type object = map[string]any

var fromMessageTests = []struct {
	message protoreflect.FullName
	text    string
	want    any
}{
	{"fixture.Scalars", ``, object{}},
	{"fixture.Scalars", `
		double_implicit: 1.5 float_implicit: 0.1 int32_implicit: -1 int64_implicit: 9007199254740993
		uint32_implicit: 4294967295 uint64_implicit: 18446744073709551615 bool_implicit: true
		string_implicit: "x" bytes_implicit: "\xff"`,
		object{
			"double_implicit": 1.5, "float_implicit": float32(0.1), "int32_implicit": int32(-1),
			"int64_implicit": int64(9007199254740993), "uint32_implicit": uint32(math.MaxUint32),
			"uint64_implicit": uint64(math.MaxUint64), "bool_implicit": true,
			"string_implicit": "x", "bytes_implicit": []byte{0xff},
		}},
	{"fixture.Scalars", `int32_optional: 0 string_optional: "" bytes_optional: "" bool_optional: false`,
		object{"int32_optional": int32(0), "string_optional": "", "bytes_optional": []byte{}, "bool_optional": false}},
	{"fixture.Scalars", `sint32_list: [1, 0] fixed64_map: {key: "a" value: 7}`,
		object{"sint32_list": []any{int32(1), int32(0)}, "fixed64_map": object{"a": uint64(7)}}},
	{"fixture.Scalars", `double_implicit: nan float_list: [inf, -inf]`,
		object{"double_implicit": math.NaN(), "float_list": []any{float32(math.Inf(1)), float32(math.Inf(-1))}}},
	{"fixture.Keys", `by_int64: {key: -3 value: 1} by_bool: {key: true value: 2} by_uint64: {key: 18446744073709551615 value: 3}`,
		object{"by_int64": object{"-3": int32(1)}, "by_bool": object{"true": int32(2)},
			"by_uint64": object{"18446744073709551615": int32(3)}}},
	{"fixture.Shapes", `color: 17 color_list: [COLOR_RED, -1] inner: {} inner_list: [{innermost: {name: "n"}}]`,
		object{
			"color": "17", "color_list": []any{"COLOR_RED", "COLOR_NEGATIVE"}, "inner": object{},
			"inner_list": []any{object{"innermost": object{"name": "n"}}},
		}},
	{"fixture.Legacy", `Single: {name: "g"} [fixture.number_extension]: 5 [fixture.Holder.nested_extension]: {on: false}`,
		object{
			"single":                            object{"name": "g"},
			"[fixture.number_extension]":        int64(5),
			"[fixture.Holder.nested_extension]": object{"on": false},
		}},
	{"fixture.WellKnown", `
		timestamp: {seconds: 1 nanos: 500000000} duration: {seconds: -1 nanos: -500000000} field_mask: {paths: ["a.b_c", "d"]}
		empty: {} bool_value: {} int64_value: {value: 9007199254740993} bytes_value: {value: "x"} float_value: {value: 0.5}`,
		object{
			"timestamp": "1970-01-01T00:00:01.500Z", "duration": "-1.500s", "field_mask": "a.bC,d", "empty": object{},
			"bool_value": false, "int64_value": int64(9007199254740993), "bytes_value": []byte("x"),
			"float_value": float32(0.5),
		}},
	{"fixture.WellKnown", `
		struct: {fields: {key: "a" value: {list_value: {values: [{number_value: 1}, {null_value: NULL_VALUE}, {string_value: "s"}, {bool_value: true}]}}}}
		value: {struct_value: {}} list_value: {}`,
		object{
			"struct": object{"a": []any{1.0, nil, "s", true}}, "value": object{}, "list_value": []any{},
		}},
	{"fixture.WellKnown", `value: {null_value: NULL_VALUE} value_list: [{null_value: NULL_VALUE}] null_optional: NULL_VALUE null_list: [NULL_VALUE, 3]`,
		object{"value": nil, "value_list": []any{nil}, "null_optional": nil, "null_list": []any{nil, "3"}}},
	{"fixture.WellKnown", `value: {number_value: inf}`, object{"value": math.Inf(1)}},
	{"fixture.WellKnown", `
		any: {[type.googleapis.com/google.protobuf.Int64Value]: {value: 9007199254740993}} any_list: {}
		any_list: {[type.googleapis.com/google.protobuf.FileDescriptorSet]: {file: {message_type: {name: "M"}}}}`,
		object{
			"any": object{"@type": "type.googleapis.com/google.protobuf.Int64Value", "value": "9007199254740993"},
			"any_list": []any{object{}, object{
				"@type": "type.googleapis.com/google.protobuf.FileDescriptorSet",
				"file":  []any{object{"messageType": []any{object{"name": "M"}}}},
			}},
		}},
	{"google.protobuf.Timestamp", `seconds: 0`, "1970-01-01T00:00:00Z"},
	{"google.protobuf.Value", `null_value: NULL_VALUE`, nil},
	{"google.protobuf.UInt64Value", ``, uint64(0)},
	{"google.protobuf.ListValue", ``, []any{}},
	{"google.protobuf.Any", ``, object{}},
}

func TestFromMessage(t *testing.T) {
	for _, tt := range fromMessageTests {
		m := message(t, tt.message, tt.text)
		got, err := native.FromMessage(m)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if diff := cmp.Diff(tt.want, got, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.text, diff)
		}
		checkRoundTrip(t, m)
	}
}

func TestFromMessageErrors(t *testing.T) {
	for _, tt := range []struct {
		message    protoreflect.FullName
		text, want string
	}{
		{"google.protobuf.Value", ``, `google.protobuf.Value has no kind set`},
		{"google.protobuf.Value", `null_value: 12`, `google.protobuf.Value has the unknown null_value 12`},
		{"fixture.WellKnown", `value_list: [{bool_value: true}, {}]`,
			`value_list[1]: google.protobuf.Value has no kind set`},
		{"fixture.WellKnown", `struct_map: {key: "k" value: {fields: {key: "a.b" value: {}}}}`,
			`struct_map["k"]["a.b"]: google.protobuf.Value has no kind set`},
		{"fixture.WellKnown", `timestamp: {seconds: 253402300800}`,
			`timestamp: google.protobuf.Timestamp: seconds out of range 253402300800`},
		{"fixture.WellKnown", `duration_map: {key: "x" value: {seconds: 1 nanos: -1}}`,
			`duration_map["x"]: google.protobuf.Duration: signs of seconds and nanos do not match`},
		{"fixture.WellKnown", `field_mask: {paths: "fooBar"}`,
			`field_mask: google.protobuf.FieldMask.paths contains irreversible value "fooBar"`},
		{"fixture.WellKnown", `any: {value: "x"}`, `any: google.protobuf.Any: type_url is not set`},
		{"fixture.WellKnown", `any: {type_url: "example.com/no.such.Type"}`,
			`any: google.protobuf.Any: unable to resolve "example.com/no.such.Type": not found`},
	} {
		_, err := native.FromMessage(message(t, tt.message, tt.text))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: error is %v, want %s", tt.text, err, tt.want)
		}
	}
}

func TestFromMessageLeavesOutUnknownFields(t *testing.T) {
	m := message(t, "fixture.Shapes", `flag: true`)
	m.SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 99, protowire.VarintType), 1))
	v, err := native.FromMessage(m)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(object{"flag": true}, v); diff != "" {
		t.Error(diff)
	}
	back := m.New()
	if err := native.ToMessage(v, back); err != nil {
		t.Fatal(err)
	}
	if got, want := native.Difference(m, back), "unknown field 99 was lost"; got != want {
		t.Errorf("Difference is %q, want %q", got, want)
	}
}
