package native_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/cmd/protean/internal/native"
	"github.com/protean-pb/protean/cmd/protean/internal/native/nativetest"
)

func TestDifference(t *testing.T) {
	long := strings.Repeat("abcdefghij", 20)
	for _, tt := range []struct {
		message         protoreflect.FullName
		a, b            string
		want, backwards string
	}{
		{"fixture.Scalars", `int64_list: [1, 9007199254740993]`, `int64_list: [1, 9007199254740992]`,
			`int64_list[1]: 9007199254740993 became 9007199254740992`,
			`int64_list[1]: 9007199254740992 became 9007199254740993`},
		{"fixture.Scalars", `string_implicit: "a\nb"`, ``, `string_implicit: "a\nb" was lost`,
			`string_implicit: "a\nb" was added`},
		{"fixture.Scalars", `string_optional: ""`, ``, `string_optional: "" was lost`, `string_optional: "" was added`},
		{"fixture.Scalars", `bytes_implicit: "\x01\xff"`, `bytes_implicit: "\x01"`,
			`bytes_implicit: 0x01ff became 0x01`, `bytes_implicit: 0x01 became 0x01ff`},
		{"fixture.Scalars", `string_list: ["a", "b", "c"]`, `string_list: ["x"]`,
			`string_list: 3 elements became 1`, `string_list: 1 element became 3`},
		{"fixture.Scalars", `string_list: ["a", "b"]`, ``, `string_list: 2 elements became 0`,
			`string_list: 0 elements became 2`},
		{"fixture.Scalars", `string_map: {key: "b" value: "1"} string_map: {key: "a" value: "2"}`, ``,
			`string_map["a"]: "2" was lost`, `string_map["a"]: "2" was added`},
		{"fixture.Keys", `by_int32: {key: -2 value: 1} by_int32: {key: 10 value: 1}`, `by_int32: {key: 10 value: 2}`,
			`by_int32[-2]: 1 was lost`, `by_int32[-2]: 1 was added`},
		{"fixture.Keys", `by_bool: {key: false value: 1}`, `by_bool: {key: true value: 1}`,
			`by_bool[false]: 1 was lost`, `by_bool[false]: 1 was added`},
		{"fixture.Shapes", `inner: {} color: COLOR_RED`, `color: 17`, `inner: was lost`, `inner: was added`},
		{"fixture.Shapes", `color: COLOR_RED`, `color: 17`, `color: COLOR_RED became 17`, `color: 17 became COLOR_RED`},
		{"fixture.Shapes", `tree: {children: {named: {key: "k" value: {name: "x"}}}}`,
			`tree: {children: {named: {key: "k" value: {name: "y"}}}}`,
			`tree.children[0].named["k"].name: "x" became "y"`, `tree.children[0].named["k"].name: "y" became "x"`},
		{"fixture.Shapes", `inner_map: {key: "k" value: {}}`, ``, `inner_map["k"]: was lost`,
			`inner_map["k"]: was added`},
		{"fixture.Shapes", `text: "x"`, `flag: true`, `text: "x" was lost`, `text: "x" was added`},
		{"fixture.Legacy", `[fixture.number_extension]: 1`, `[fixture.number_extension]: 2`,
			`[fixture.number_extension]: 1 became 2`, `[fixture.number_extension]: 2 became 1`},
		{"fixture.Scalars", `double_implicit: nan float_list: nan`, `double_implicit: nan float_list: nan`, ``, ``},
		{"fixture.Scalars", `double_implicit: nan`, `double_implicit: 1`, `double_implicit: NaN became 1`,
			`double_implicit: 1 became NaN`},
		{"fixture.Scalars", `double_optional: -0.0`, `double_optional: 0.0`, ``, ``},
		{"fixture.Scalars", `double_implicit: -0.0`, ``, `double_implicit: -0 was lost`,
			`double_implicit: -0 was added`},
		{"fixture.Scalars", `string_implicit: "` + long + `"`, ``,
			`string_implicit: "` + long[:58] + `"… was lost`, `string_implicit: "` + long[:58] + `"… was added`},
		{"fixture.Scalars", `string_implicit: "` + long + `X"`, `string_implicit: "` + long + `Y"`,
			`string_implicit: …"` + long[:20] + `X" became …"` + long[:20] + `Y"`,
			`string_implicit: …"` + long[:20] + `Y" became …"` + long[:20] + `X"`},
		{"fixture.Scalars", `string_implicit: "` + strings.Repeat("ž", 100) + `"`,
			`string_implicit: "` + strings.Repeat("ž", 99) + `š"`,
			`string_implicit: …"` + strings.Repeat("ž", 11) + `" became …"` + strings.Repeat("ž", 10) + `š"`,
			`string_implicit: …"` + strings.Repeat("ž", 10) + `š" became …"` + strings.Repeat("ž", 11) + `"`},
	} {
		a, b := message(t, tt.message, tt.a), message(t, tt.message, tt.b)
		for _, d := range []struct{ got, want string }{
			{native.Difference(a, b), tt.want},
			{native.Difference(b, a), tt.backwards},
			{native.Difference(a, a), ""},
		} {
			if d.got != d.want {
				t.Errorf("%s, %s:\ngot  %s\nwant %s", tt.a, tt.b, d.got, d.want)
			}
		}
		if equal := proto.Equal(a.Interface(), b.Interface()); equal != (tt.want == "") {
			t.Errorf("%s, %s: proto.Equal is %v", tt.a, tt.b, equal)
		}
	}
}

func TestDifferenceOfUnknownFields(t *testing.T) {
	varint := func(n protowire.Number, v uint64) []byte {
		return protowire.AppendVarint(protowire.AppendTag(nil, n, protowire.VarintType), v)
	}
	join := func(parts ...[]byte) (b []byte) {
		for _, p := range parts {
			b = append(b, p...)
		}
		return b
	}
	for _, tt := range []struct {
		a, b []byte
		want string
	}{
		{nil, nil, ""},
		{varint(99, 1), nil, "inner: unknown field 99 was lost"},
		{nil, varint(99, 1), "inner: unknown field 99 was added"},
		{varint(99, 1), varint(99, 2), "inner: unknown field 99 changed"},
		{join(varint(98, 1), varint(99, 2)), join(varint(99, 2), varint(98, 1)), ""},
		{join(varint(99, 1), varint(99, 2)), join(varint(99, 2), varint(99, 1)), "inner: unknown field 99 changed"},
		{join(varint(99, 1), []byte{0xff}), varint(99, 1), "inner: unknown field 0 was lost"},
	} {
		a, b := message(t, "fixture.Shapes", `inner: {}`), message(t, "fixture.Shapes", `inner: {}`)
		inner := a.Descriptor().Fields().ByName("inner")
		a.Mutable(inner).Message().SetUnknown(tt.a)
		b.Mutable(inner).Message().SetUnknown(tt.b)
		if got := native.Difference(a, b); got != tt.want {
			t.Errorf("%x, %x: %q, want %q", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestDifferenceOfTypes(t *testing.T) {
	a, b := message(t, "fixture.Same", ""), message(t, "fixture.other.Same", "")
	if got, want := native.Difference(a, b), "message type fixture.Same became fixture.other.Same"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	absent := (*structpb.Struct)(nil).ProtoReflect()
	present := (&structpb.Struct{}).ProtoReflect()
	for _, tt := range []struct {
		a, b protoreflect.Message
		want string
	}{
		{present, absent, "the message was lost"},
		{absent, present, "the message was added"},
		{present, nil, "the message was lost"},
		{absent, absent, ""},
		{nil, nil, ""},
		{dynamicpb.NewMessage(schema(t).Message("google.protobuf.Struct")), present, ""},
	} {
		if got := native.Difference(tt.a, tt.b); got != tt.want {
			t.Errorf("%v, %v: %q, want %q", tt.a, tt.b, got, tt.want)
		}
	}
}

// TestDifferenceAgreesWithEqual compares random messages with what random damage
// to their bytes makes of them.
func TestDifferenceAgreesWithEqual(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, md := range schema(t).Messages() {
		g := nativetest.NewGenerator(3)
		equal, different := 0, 0
		for range 300 {
			a := g.Message(md)
			wire, err := proto.MarshalOptions{AllowPartial: true}.Marshal(a)
			if err != nil {
				t.Fatal(err)
			}
			if len(wire) > 0 && r.IntN(2) == 0 {
				wire[r.IntN(len(wire))] ^= 1 << r.IntN(8)
			}
			b := dynamicpb.NewMessage(md)
			if nativetest.Unmarshal(proto.UnmarshalOptions{AllowPartial: true}, wire, b) != nil {
				continue
			}
			if checkAgreement(t, a, b) {
				equal++
			} else {
				different++
			}
		}
		if equal == 0 || different == 0 && md.Fields().Len() > 0 {
			t.Errorf("%s: %d pairs equal, %d different: the test says nothing", md.FullName(), equal, different)
		}
	}
}

// checkAgreement reports whether the messages are equal.
func checkAgreement(t testing.TB, a, b protoreflect.Message) bool {
	t.Helper()
	equal := proto.Equal(a.Interface(), b.Interface())
	for _, diff := range []string{native.Difference(a, b), native.Difference(b, a)} {
		if (diff == "") != equal {
			t.Fatalf("proto.Equal is %v, Difference is %q\n%v\n%v", equal, diff, a, b)
		}
		if strings.Contains(diff, "\n") {
			t.Fatalf("more than one line: %q", diff)
		}
	}
	return equal
}
