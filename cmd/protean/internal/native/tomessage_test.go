package native_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/native"
)

// toMessageTests are what codecs hand back other than what FromMessage gave.
var toMessageTests = []struct {
	message protoreflect.FullName
	v       any
	want    string // as text
}{
	{"fixture.Scalars", object{"int32Implicit": 1, "int64_implicit": 2.0, "uint32_implicit": json.Number("3"),
		"uint64_implicit": "4"},
		`int32_implicit: 1 int64_implicit: 2 uint32_implicit: 3 uint64_implicit: 4`},
	{"fixture.Scalars", object{"int64_implicit": json.Number("9007199254740993"), "uint64_implicit": uint8(5),
		"sint32_implicit": float32(-3)},
		`int64_implicit: 9007199254740993 uint64_implicit: 5 sint32_implicit: -3`},
	{"fixture.Scalars", object{"int64_implicit": json.Number("1.5e3"), "uint64_implicit": "18446744073709551615",
		"int32_implicit": "-2147483648.0"},
		`int64_implicit: 1500 uint64_implicit: 18446744073709551615 int32_implicit: -2147483648`},
	{"fixture.Scalars", object{"int64_implicit": float64(-1 << 63), "uint64_implicit": float64(1 << 63),
		"int32_optional": json.Number("0e999999999999")},
		`int64_implicit: -9223372036854775808 uint64_implicit: 9223372036854775808 int32_optional: 0`},
	{"fixture.Scalars", object{"double_implicit": 3, "float_implicit": 0.1, "double_optional": "2.5",
		"float_optional": json.Number("1e-3")},
		`double_implicit: 3 float_implicit: 0.1 double_optional: 2.5 float_optional: 0.001`},
	{"fixture.Scalars", object{"double_implicit": "NaN", "float_implicit": "-Infinity", "double_optional": "Infinity",
		"float_optional": math.Inf(1)},
		`double_implicit: nan float_implicit: -inf double_optional: inf float_optional: inf`},
	{"fixture.Scalars", object{"bytes_implicit": "+/8=", "bytes_optional": "-_8",
		"bytes_list": []any{"", []byte("x"), "eA==", "eA"}},
		`bytes_implicit: "\xfb\xff" bytes_optional: "\xfb\xff" bytes_list: ["", "x", "x", "x"]`},
	{"fixture.Scalars", object{"string_list": []string{"a", "b"}, "string_map": map[string]string{"k": "v"},
		"int32_list": []int{1}},
		`string_list: ["a", "b"] string_map: {key: "k" value: "v"} int32_list: 1`},
	{"fixture.Scalars", map[any]any{"int32_implicit": nil, "int32_list": nil, "int32_map": map[any]any{"a": 1}},
		`int32_map: {key: "a" value: 1}`},
	{"fixture.Scalars", object{"int32_list": []any{}, "int32_map": object{}}, ``},
	{"fixture.Keys", object{"by_int32": map[int]any{-1: 1}, "by_bool": map[bool]int{false: 2},
		"by_uint64": map[any]any{"3": 4, uint(5): 6}},
		`by_int32: {key: -1 value: 1} by_bool: {key: false value: 2} by_uint64: {key: 3 value: 4} by_uint64: {key: 5 value: 6}`},
	{"fixture.Shapes", object{"color": 1, "color_optional": "-1",
		"color_list": []any{json.Number("17"), "COLOR_RED", 0.0}},
		`color: COLOR_RED color_optional: -1 color_list: [17, COLOR_RED, 0]`},
	{"fixture.Shapes", object{"text": nil, "data": nil, "flag": false, "inner": object{}}, `flag: false inner: {}`},
	{"fixture.Legacy", object{"[fixture.list_extension]": []any{"x"}}, `[fixture.list_extension]: "x"`},
	{"fixture.WellKnown", object{"value": nil, "null_optional": nil, "struct": nil, "value_list": nil,
		"bool_value": nil, "null_list": []any{nil, "NULL_VALUE"}},
		`value: {null_value: NULL_VALUE} null_optional: NULL_VALUE null_list: [0, 0]`},
	{"fixture.WellKnown", object{"value": json.Number("1e2"), "struct": map[any]any{"a": []string{"1"}, "b": int8(2)}},
		`value: {number_value: 100} struct: {fields: {key: "a" value: {list_value: {values: {string_value: "1"}}}} fields: {key: "b" value: {number_value: 2}}}`},
	{"fixture.WellKnown", object{"timestamp": "1970-01-01T01:00:00+01:00", "duration": "1s", "int64_value": "7",
		"string_value": ""},
		`timestamp: {} duration: {seconds: 1} int64_value: {value: 7} string_value: {}`},
	{"fixture.WellKnown", object{"any": map[any]any{"@type": "x.org/google.protobuf.Empty"}, "any_list": []any{
		object{"@type": "google.protobuf.Int32Value", "value": 3},
		object{"@type": "google.protobuf.FileDescriptorSet", "file": []any{object{"message_type": nil, "name": "f"}}}}},
		`any: {type_url: "x.org/google.protobuf.Empty"} any_list: {type_url: "google.protobuf.Int32Value" value: "\x08\x03"}
		any_list: {type_url: "google.protobuf.FileDescriptorSet" value: "\n\x03\n\x01f"}`},
}

func TestToMessage(t *testing.T) {
	for _, tt := range toMessageTests {
		want := message(t, tt.message, tt.want)
		got := want.New()
		if err := native.ToMessage(tt.v, got); err != nil {
			t.Errorf("%v: %v", tt.v, err)
		} else if diff := native.Difference(want, got); diff != "" {
			t.Errorf("%v: %s", tt.v, diff)
		}
	}
}

func TestToMessageErrors(t *testing.T) {
	long := strings.Repeat("x", 1000)
	for _, tt := range []struct {
		message protoreflect.FullName
		v       any
		want    string
	}{
		{"fixture.Shapes", nil, `expected object, found null`},
		{"fixture.Shapes", []any{}, `expected object, found []interface {}`},
		{"fixture.Shapes", object{"nope": 1}, `nope: fixture.Shapes has no such field`},
		{"fixture.Shapes", map[any]any{3: 1}, `3: expected a field name, found int`},
		{"fixture.Shapes", object{"inner_list": []any{object{}, object{"innermost": object{"x": 1}}}},
			`inner_list[1].innermost.x: fixture.Shapes.Inner.Innermost has no such field`},
		{"fixture.Shapes", object{"inner_map": object{`a"b`: object{"innermost": object{"name": 1.0}}}},
			`inner_map["a\"b"].innermost.name: expected string, found float64`},
		{"fixture.Shapes", object{"inner_list": []any{nil}}, `inner_list[0]: expected object, found null`},
		{"fixture.Shapes", object{"text": "a", "flag": true}, `text: fixture.Shapes.kind is set twice`},
		{"fixture.Shapes", object{"inner_list": []any{}, "innerList": []any{}},
			`inner_list: fixture.Shapes.inner_list is set twice`},
		{"fixture.Shapes", object{"color": "COLOR_BLUE"}, `color: "COLOR_BLUE" is not a value of fixture.Color`},
		{"fixture.Shapes", object{"color": 1.5}, `color: 1.5 is not an integer`},
		{"fixture.Shapes", object{"color": 1 << 31}, `color: 2147483648 does not fit int32`},
		{"fixture.Shapes", object{"[fixture.nope]": 1}, `[fixture.nope]: no such extension of fixture.Shapes is known`},
		{"fixture.Shapes", object{"[fixture.number_extension]": 1},
			`[fixture.number_extension]: no such extension of fixture.Shapes is known`},
		{"fixture.Holder", object{"[fixture.number_extension]": 1},
			`[fixture.number_extension]: no such extension of fixture.Holder is known`},
		{"fixture.Scalars", object{"string_list": []any{"a", "b", 1.0}},
			`string_list[2]: expected string, found float64`},
		{"fixture.Scalars", object{"string_list": "a"}, `string_list: expected list, found string`},
		{"fixture.Scalars", object{"uint32_list": []byte{1}}, `uint32_list: expected list, found []uint8`},
		{"fixture.Scalars", object{"string_implicit": json.Number("1")},
			`string_implicit: expected string, found json.Number`},
		{"fixture.Scalars", object{"bool_implicit": "true"}, `bool_implicit: expected bool, found string`},
		{"fixture.Scalars", object{"bytes_implicit": "*"}, `bytes_implicit: "*" is not base64`},
		{"fixture.Scalars", object{"int32_implicit": 1.5}, `int32_implicit: 1.5 is not an integer`},
		{"fixture.Scalars", object{"int32_implicit": math.NaN()}, `int32_implicit: NaN is not an integer`},
		{"fixture.Scalars", object{"int32_implicit": true}, `int32_implicit: expected a number, found bool`},
		{"fixture.Scalars", object{"int32_implicit": ""}, `int32_implicit: "" is not a number`},
		{"fixture.Scalars", object{"int32_implicit": "1e+-2"}, `int32_implicit: "1e+-2" is not a number`},
		{"fixture.Scalars", object{"int32_implicit": json.Number("1e999999999999")},
			`int32_implicit: "1e999999999999" is not a 64-bit integer`},
		{"fixture.Scalars", object{"int32_implicit": long}, `int32_implicit: "` + long[:60] + `…" is not a number`},
		{"fixture.Scalars", object{"uint32_implicit": -1}, `uint32_implicit: -1 does not fit uint32`},
		{"fixture.Scalars", object{"int64_implicit": float64(1 << 63)},
			`int64_implicit: 9.223372036854776e+18 does not fit int64`},
		{"fixture.Scalars", object{"uint64_implicit": float64(1 << 63 * 2)},
			`uint64_implicit: 1.8446744073709552e+19 does not fit uint64`},
		{"fixture.Scalars", object{"double_implicit": int64(1<<53 + 1)},
			`double_implicit: 9007199254740993 has no exact form in float64`},
		{"fixture.Scalars", object{"float_implicit": 1<<24 + 1},
			`float_implicit: 16777217 has no exact form in float32`},
		{"fixture.Scalars", object{"float_implicit": 1e39}, `float_implicit: 1e+39 does not fit float32`},
		{"fixture.Scalars", object{"double_implicit": "inf"}, `double_implicit: "inf" is not a number`},
		{"fixture.Scalars", object{"double_implicit": json.Number("1e400")},
			`double_implicit: 1e400 does not fit float64`},
		{"fixture.Keys", object{"by_int32": object{"x": 1}}, `by_int32[x]: "x" is not a number`},
		{"fixture.Keys", object{"by_bool": object{"yes": 1}}, `by_bool[yes]: expected bool, found string`},
		{"fixture.Keys", object{"by_int32": object{"1": 1, "1.0": 1}}, `by_int32[1.0]: key is given twice`},
		{"fixture.Keys", object{"by_int32": object{"1": nil}}, `by_int32[1]: expected a number, found null`},
		{"fixture.WellKnown", object{"timestamp": "soon"}, `timestamp: "soon" is not a google.protobuf.Timestamp`},
		{"fixture.WellKnown", object{"timestamp": 1}, `timestamp: expected string, found int`},
		{"fixture.WellKnown", object{"empty": object{"a": 1}}, `empty.a: google.protobuf.Empty has no such field`},
		{"fixture.WellKnown", object{"struct": object{"a": []any{1, []byte("x")}}},
			`struct["a"][1]: expected a JSON value, found []uint8`},
		{"fixture.WellKnown", object{"value": int64(1<<53 + 1)},
			`value: 9007199254740993 has no exact form in float64`},
		{"fixture.WellKnown", object{"any": object{"a": 1}}, `any: google.protobuf.Any without "@type"`},
		{"fixture.WellKnown", object{"any": object{"@type": 1}}, `any.@type: expected string, found int`},
		{"fixture.WellKnown", object{"any": object{"@type": "no.Such"}}, `any: unknown type "no.Such"`},
		{"fixture.WellKnown", object{"any": object{"@type": "x/google.protobuf.Int32Value", "x": 1}},
			`any: expected only "value" beside "@type" google.protobuf.Int32Value`},
		{"fixture.WellKnown", object{"any": object{"@type": "x/google.protobuf.Int32Value", "value": true}},
			`any.value: expected a number, found bool`},
	} {
		m := message(t, tt.message, "")
		err := native.ToMessage(tt.v, m)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%v: error is %v, want %s", tt.v, err, tt.want)
		}
	}
}
