package protojson_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/protojson"
)

// canonicalNode writes n as RFC 8785 has it, in the simplest way.
func canonicalNode(n *node) string {
	var parts []string
	switch n.open {
	case '[':
		for _, k := range n.kids {
			parts = append(parts, canonicalNode(k))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case '{':
		order := make([]int, len(n.kids))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return slices.Compare(units(n.names[a]), units(n.names[b])) })
		for _, i := range order {
			parts = append(parts, canonicalString(n.names[i])+":"+canonicalNode(n.kids[i]))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	switch c := n.raw[0]; {
	case c == '"':
		return canonicalString(n.raw)
	case c == '-' || '0' <= c && c <= '9':
		return canonicalNumber(n.raw)
	}
	return n.raw
}

func decoded(raw string) (s string) {
	if err := json.Unmarshal([]byte(raw), &s); err != nil {
		panic(err)
	}
	return s
}

func units(raw string) []uint16 { return utf16.Encode([]rune(decoded(raw))) }

func canonicalString(raw string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range decoded(raw) {
		if i := strings.IndexRune("\"\\\b\f\n\r\t", c); i >= 0 {
			b.WriteString([]string{`\"`, `\\`, `\b`, `\f`, `\n`, `\r`, `\t`}[i])
		} else if c < ' ' {
			fmt.Fprintf(&b, `\u%04x`, c)
		} else {
			b.WriteRune(c)
		}
	}
	return b.String() + `"`
}

// canonicalNumber writes a number as JavaScript does.
func canonicalNumber(raw string) string {
	x, err := strconv.ParseFloat(raw, 64)
	if err != nil {
		panic(err)
	}
	switch abs := math.Abs(x); {
	case x == 0:
		return "0"
	case abs >= 1e-6 && abs < 1e21:
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	s := strconv.FormatFloat(x, 'e', -1, 64)
	return strings.ReplaceAll(strings.ReplaceAll(s, "e-0", "e-"), "e+0", "e+")
}

// checkCanonical writes m in canonical form and holds that against a simple twin.
func checkCanonical(t testing.TB, m proto.Message, o protojson.MarshalOptions) {
	t.Helper()
	o.Multiline, o.Indent = false, ""
	text, err := o.Marshal(m)
	o.Canonical = true
	got, canonicalErr := o.Marshal(m)
	if (err != nil) != (canonicalErr != nil) || (text == nil) != (got == nil) {
		t.Fatalf("canonical: %s, %v; not: %s, %v", got, canonicalErr, text, err)
	}
	if text == nil {
		return
	}
	if want := canonicalNode(parseNode(text)); string(got) != want {
		t.Fatalf("%T: canonical:\n%s\nwant\n%s", m, got, want)
	}
	o.Multiline, o.Indent = true, "\t" // which have no effect
	if again, _ := o.MarshalAppend([]byte("before"), m); string(again) != "before"+string(got) {
		t.Fatalf("canonical, appended, with white space:\n%s\nwithout:\n%s", again, got)
	}
}

// checkInt64Numbers writes m with 64-bit integers as numbers: quotes are missing, nothing else
// is, and it is read as the same message.
func checkInt64Numbers(t testing.TB, m proto.Message, o protojson.MarshalOptions) {
	t.Helper()
	o.Multiline, o.Indent = false, ""
	text, err := o.Marshal(m)
	o.UseInt64Numbers = true
	got, numbersErr := o.Marshal(m)
	if (err != nil) != (numbersErr != nil) || (text == nil) != (got == nil) {
		t.Fatalf("with numbers: %s, %v; without: %s, %v", got, numbersErr, text, err)
	}
	if err != nil {
		return
	}
	if strip := func(b []byte) string { return strings.ReplaceAll(string(b), `"`, "") }; strip(got) != strip(text) {
		t.Fatalf("with numbers:\n%s\nwithout:\n%s", got, text)
	}
	checkUnmarshal(t, got, m, protojson.UnmarshalOptions{AllowPartial: o.AllowPartial, Resolver: o.Resolver})
	a, b := m.ProtoReflect().New().Interface(), m.ProtoReflect().New().Interface()
	read := protojson.UnmarshalOptions{AllowPartial: true, Resolver: o.Resolver}
	if err, errB := read.Unmarshal(got, a), read.Unmarshal(text, b); err != nil || errB != nil ||
		!bytes.Equal(wire(t, a), wire(t, b)) {
		t.Fatalf("with numbers %s is %v, %v; without %v, %v", got, a, err, b, errB)
	}
}

// TestNewOptions writes random messages with the options that the official library lacks.
func TestNewOptions(t *testing.T) {
	skipIfBrief(t)
	eachType(t, func(t *testing.T, k kind, mt protoreflect.MessageType) {
		r := seeded(11)
		for i := range 4 {
			m := k.New(mt)
			fill(m.ProtoReflect(), r, 6*i)
			o := marshalWay(uint16(r.Uint32()))
			checkCanonical(t, m, o)
			checkInt64Numbers(t, m, o)
		}
	})
}

// TestNewOptionTexts pins what they write.
func TestNewOptionTexts(t *testing.T) {
	numbers := protojson.MarshalOptions{UseInt64Numbers: true}
	canonical := protojson.MarshalOptions{Canonical: true}
	each := protojson.MarshalOptions{Canonical: true, UseInt64Numbers: true}
	for _, c := range []struct {
		m    proto.Message
		o    protojson.MarshalOptions
		want string
	}{
		{&benchpb.Packed{ListInt64: []int64{0, math.MinInt64}, ListUint64: []uint64{math.MaxUint64}, ListSint64: []int64{-1}, ListFixed64: []uint64{7}, ListSfixed64: []int64{8}}, numbers, `{"listInt64":[0,-9223372036854775808],"listUint64":[18446744073709551615],"listSint64":[-1],"listFixed64":[7],"listSfixed64":[8]}`},
		{&benchpb.ValueMaps{ToInt64: map[string]int64{"a": 1}}, numbers, `{"toInt64":{"a":1}}`},
		{&benchpb.KeyMaps{ByInt64: map[int64]string{5: "6"}}, numbers, `{"byInt64":{"5":"6"}}`},
		{&benchpb.Ping{}, protojson.MarshalOptions{UseInt64Numbers: true, EmitUnpopulated: true}, `{"pong":null,"pongs":[],"count":0}`},
		{&wellknownpb.Singular{OneInt64: wrapperspb.Int64(5), OneUint64: wrapperspb.UInt64(6), OneAny: anyOf(wrapperspb.Int64(7))}, numbers, `{"oneAny":{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":7},"oneInt64":5,"oneUint64":6}`},
		{extended(&legacypb.Extendable{}, legacypb.E_ExtInt64, int64(5), legacypb.E_ExtListUint64, []uint64{6}), numbers, `{"[protean.test.legacy.ext_int64]":5,"[protean.test.legacy.ext_list_uint64]":[6]}`},

		{&benchpb.Sparse{Last: "z", One: 1, Second: math.Copysign(0, -1), Sixteen: "16"}, canonical, `{"last":"z","one":1,"second":0,"sixteen":"16"}`},
		{structOf(map[string]any{"b": 1, "a": 2, "\U00010000": 3, "\uffff": 4, "": 5, "é": 6, "A": 7, "a\n": 8}), canonical, "{\"\":5,\"A\":7,\"a\":2,\"a\\n\":8,\"b\":1,\"é\":6,\"\U00010000\":3,\"\uffff\":4}"},
		{&benchpb.KeyMaps{ByInt32: map[int32]string{1: "a", 2: "b", 10: "c", -1: "d"}}, canonical, `{"byInt32":{"-1":"d","1":"a","10":"c","2":"b"}}`},
		{&benchpb.Packed{ListDouble: []float64{1e21, 1e20, 1e-7, 1e-6, 123456789012345680000, 5e-324, 0.1}, ListFloat: []float32{0.1, 1e21, 1e-7, 16777216}}, canonical, `{"listDouble":[1e+21,100000000000000000000,1e-7,0.000001,123456789012345680000,5e-324,0.1],"listFloat":[0.1,1e+21,1e-7,16777216]}`},
		{&anypb.Any{TypeUrl: "x/protean.test.bench.Leaf", Value: []byte{8, 1, 18, 1, 'n'}}, protojson.MarshalOptions{Canonical: true, UseProtoNames: true}, `{"@type":"x/protean.test.bench.Leaf","id":1,"name":"n"}`},
		{&benchpb.Packed{ListInt64: []int64{1 << 53, 1<<53 + 1, -1 << 53, -1<<53 - 1, 5}, ListUint64: []uint64{1 << 53, 1<<53 + 1}}, each, `{"listInt64":[9007199254740992,"9007199254740993",-9007199254740992,"-9007199254740993",5],"listUint64":[9007199254740992,"9007199254740993"]}`},
	} {
		for _, m := range forms(t, c.m) {
			want := c.want
			if m.ProtoReflect().Descriptor().FullName() != c.m.ProtoReflect().Descriptor().FullName() {
				want = strings.ReplaceAll(want, `"[protean.`, `"[opaque.protean.`)
			}
			if _, foreign := m.(*dynamicpb.Message); foreign && c.o.UseInt64Numbers {
				plain := c.o
				plain.UseInt64Numbers = false // which has no effect
				b, err := plain.Marshal(m)
				if want = string(b); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := c.o.Marshal(m); err != nil || string(got) != want {
				t.Errorf("%T, %+v:\n%s, %v; want\n%s", m, c.o, got, err, want)
			}
		}
	}
}

// TestCanonicalTwin checks the twin against the example of RFC 8785.
func TestCanonicalTwin(t *testing.T) {
	text := `{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`
	want := `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`
	if got := canonicalNode(parseNode([]byte(text))); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	v := new(structpb.Value)
	if err := protojson.Unmarshal([]byte(text), v); err != nil {
		t.Fatal(err)
	}
	if got, err := (protojson.MarshalOptions{Canonical: true}).Marshal(v); err != nil || string(got) != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
}
