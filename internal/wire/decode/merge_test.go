package decode_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/editionpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/internal/wire/decode"
)

// merges are inputs and what is read of them: in text format, and unknown fields of the message itself.
var merges = []struct {
	name    string
	m       proto.Message
	in      string
	want    string
	unknown string
}{
	{"the last value of a field wins", &benchpb.Leaf{}, "\x08\x01" + sub(2, "a") + "\x08\x02" + sub(2, "b"), `id: 2 name: "b"`, ""},
	{"a zero after a value wins", &benchpb.Leaf{}, "\x08\x01" + sub(2, "a") + "\x08\x00" + sub(2), ``, ""},
	{"sub-messages merge", &benchpb.Order{}, sub(3, sub(2, "c")) + "\x08\x01" + sub(3, sub(3, "z")), `id: 1 shipping { city: "c" zip: "z" }`, ""},
	{"an empty sub-message is set", &benchpb.Order{}, sub(3), `shipping {}`, ""},
	{"fields come in any order", &benchpb.Leaf{}, sub(2, "a") + "\x08\x01", `id: 1 name: "a"`, ""},
	{"well-known types are messages", &wellknownpb.Singular{}, sub(6, "\x08\x05") + sub(6, "\x10\x07") + sub(17, sub(1, "s")), `one_timestamp { seconds: 5 nanos: 7 } one_string { value: "s" }`, ""},
	{"a Struct merges", &wellknownpb.Singular{}, sub(1, sub(1, sub(1, "a"), sub(2, "\x20\x01"))) + sub(1, sub(1, sub(1, "b"), sub(2, "\x08\x00"))), `one_struct { fields { key: "a" value { bool_value: true } } fields { key: "b" value { null_value: NULL_VALUE } } }`, ""},

	{"lists concatenate", &benchpb.Strings{}, sub(5, "a") + sub(1, "x") + sub(5) + sub(5, "b"), `a: "x" list: ["a", "", "b"]`, ""},
	{"messages in a list do not merge", &benchpb.Packed{}, sub(17, "\x08\x01") + sub(17, sub(2, "n")), `list_leaf { id: 1 } list_leaf { name: "n" }`, ""},
	{"a packed list is read where it is not packed", &benchpb.Packed{}, "\x18\x01\x18\x02" + sub(3, "\x03\x04"), `list_int32: [1, 2, 3, 4]`, ""},
	{"a list that is not packed is read where it is", &benchpb.Expanded{}, sub(3, "\x01\x02") + "\x18\x03", `list_int32: [1, 2, 3]`, ""},
	{"a packed list of fixed width", &benchpb.Expanded{}, sub(9, "\x01\x00\x00\x00\x02\x00\x00\x00") + "\x4d\x03\x00\x00\x00", `list_fixed32: [1, 2, 3]`, ""},
	{"a packed list of nothing", &benchpb.Packed{}, sub(3) + sub(1) + sub(13), ``, ""},
	{"packed bools and zigzag", &legacypb.Lists{}, sub(13, "\x00\x01\x80\x01") + sub(27, "\x01\x02\x03") + sub(8, "\x03\x04"), `list_bool: [false, true, true] packed_sint32: [-1, 1, -2] list_sint64: [-2, 2]`, ""},

	{"groups nest", &legacypb.Groups{}, group(1, "\x08\x01", group(2, sub(3, "b"))), `Single { one: 1 Inner { blob: "b" } }`, ""},
	{"groups merge", &legacypb.Groups{}, group(1, "\x08\x01") + group(1, sub(100000, "f")), `Single { one: 1 far: "f" }`, ""},
	{"groups of a list do not merge", &legacypb.Groups{}, group(2, "\x08\x01") + group(2), `Many { id: 1 } Many {}`, ""},
	{"delimited fields of editions are groups", &editionpb.Delimited{}, group(1, "\x08\x01") + group(2) + group(100000), `one { id: 1 } list {} far {}`, ""},
	{"a group is unknown where a message is expected", &editionpb.Delimited{}, group(3, "\x08\x01"), ``, group(3, "\x08\x01")},
	{"a message is unknown where a group is expected", &legacypb.Groups{}, sub(1, "\x08\x01"), ``, sub(1, "\x08\x01")},

	{"unknown fields are kept as they are", &benchpb.Leaf{}, "\xa0\x06\x81\x00" + "\x08\x01" + group(101, sub(1, "x")), `id: 1`, "\xa0\x06\x81\x00" + group(101, sub(1, "x"))},
	{"a field of another wire type is unknown", &benchpb.Leaf{}, sub(1, "x") + "\x10\x01" + "\x0d1234" + "\x1112345678", ``, sub(1, "x") + "\x10\x01" + "\x0d1234" + "\x1112345678"},
	{"a list of text is not packed", &benchpb.Strings{}, "\x28\x01", ``, "\x28\x01"},
	{"a closed enum keeps numbers that it does not have, as in all of Go", &legacypb.Enums{}, "\x08\x63" + sub(3, "\x01\x63\x02") + sub(4, "\x08\x02\x10\x63"), `closed: 99 packed: [CLOSED_ONE, 99, CLOSED_TWO] map { key: 2 value: 99 }`, ""},
	{"an open enum has any number", &benchpb.Optional{}, "\x80\x01\x63", `opt_color: 99`, ""},

	{"the last member of a oneof wins", &benchpb.Choice{}, "\x20\x01" + sub(30, "t") + sub(15, "s"), `one_string: "s" text: "t"`, ""},
	{"a zero sets a oneof", &benchpb.Choice{}, sub(15, "s") + "\x20\x00", `one_int32: 0`, ""},
	{"the message of a oneof merges", &benchpb.Choice{}, sub(18, "\x08\x01") + sub(18, sub(2, "n")), `one_leaf { id: 1 name: "n" }`, ""},
	{"but not over another member", &benchpb.Choice{}, sub(18, "\x08\x01") + "\x20\x01" + sub(18, sub(2, "n")), `one_leaf { name: "n" }`, ""},

	{"explicit presence keeps zeros", &benchpb.Optional{}, "\x18\x00\x68\x00" + sub(14) + sub(15), `opt_int32: 0 opt_bool: false opt_string: "" opt_bytes: ""`, ""},
	{"implicit presence does not", &benchpb.Wide{}, "\x18\x00\x68\x00" + sub(14) + sub(15), ``, ""},
	{"presence in editions is a feature", &editionpb.Text{}, sub(1) + sub(9), `checked: ""`, ""},

	{"of the entries of a map with one key the last wins", &benchpb.Order{}, sub(9, sub(1, "k"), "\x10\x01") + sub(9, sub(1, "k"), "\x10\x02"), `counters { key: "k" value: 2 }`, ""},
	{"messages in a map do not merge", &benchpb.KeyMaps{}, sub(21, "\x08\x01", sub(2, "\x08\x05")) + sub(21, "\x08\x01", sub(2, sub(2, "n"))), `leaf_by_int32 { key: 1 value { name: "n" } }`, ""},
	{"but they do in one entry", &benchpb.KeyMaps{}, sub(21, "\x08\x01", sub(2, "\x08\x05"), sub(2, sub(2, "n"))), `leaf_by_int32 { key: 1 value { id: 5 name: "n" } }`, ""},
	{"an entry without a key has the zero key", &benchpb.KeyMaps{}, sub(1, sub(2, "v")) + sub(12, sub(2, "w")), `by_int32 { key: 0 value: "v" } by_string { key: "" value: "w" }`, ""},
	{"an entry without a value has the zero value", &benchpb.KeyMaps{}, sub(1, "\x08\x01") + sub(31, "\x08\x01"), `by_int32 { key: 1 value: "" } leaf_by_bool { key: true value {} }`, ""},
	{"an empty entry has both", &benchpb.KeyMaps{}, sub(1) + sub(32), `by_int32 { key: 0 value: "" } leaf_by_string { key: "" value {} }`, ""},
	{"the key may come last", &benchpb.KeyMaps{}, sub(1, sub(2, "v"), "\x08\x07"), `by_int32 { key: 7 value: "v" }`, ""},
	{"unknown fields of an entry are dropped", &benchpb.KeyMaps{}, sub(1, "\x08\x07\x18\x01", sub(2, "v")), `by_int32 { key: 7 value: "v" }`, ""},

	{"varints may be longer than they must be", &benchpb.Leaf{}, "\x88\x00\x81\x80\x80\x00" + "\x12\x81\x80\x00x", `id: 1 name: "x"`, ""},
	{"negative numbers have ten bytes", &benchpb.Leaf{}, "\x08" + strings.Repeat("\xff", 9) + "\x01", `id: -1`, ""},
	{"an int32 has the lower half of its varint", &benchpb.Leaf{}, "\x08\x85\x80\x80\x80\x10", `id: 5`, ""},
	{"a bool is any number but zero", &benchpb.Optional{}, "\x68\x80\x80\x04", `opt_bool: true`, ""},
	{"numbers of fields up to the last", &benchpb.Sparse{}, sub(536870911, "z") + sub(2047, "\x08\x01"), `last: "z" two_bytes { id: 1 }`, ""},
	{"nothing", &benchpb.Leaf{}, "", "", ""},
}

func TestMerge(t *testing.T) {
	for _, c := range merges {
		t.Run(c.name, func(t *testing.T) {
			want := c.m.ProtoReflect().New()
			if err := prototext.Unmarshal([]byte(c.want), want.Interface()); err != nil {
				t.Fatal(err)
			}
			known := sorted(t, want.Interface())
			want.SetUnknown([]byte(c.unknown))
			eachForm(t, c.m, func(t *testing.T, empty func() proto.Message) {
				got, err := check(t, c.in, empty, decode.Options{})
				if err != nil || !bytes.Equal(sorted(t, got), sorted(t, want.Interface())) {
					t.Errorf("got %v, %v", got, err)
				}
				got, err = check(t, c.in, empty, decode.Options{DiscardUnknown: true})
				if err != nil || !bytes.Equal(sorted(t, got), known) {
					t.Errorf("without unknown fields: %v, %v", got, err)
				}
			})
		})
	}
}

// TestMergeAddsToWhatIsThere reads random messages of all types into one that is not empty: what was there is kept, as
// by the official library, and the input is not.
func TestMergeAddsToWhatIsThere(t *testing.T) {
	eachType(t, func(t *testing.T, mt protoreflect.MessageType, empty func() proto.Message) {
		r := rand.New(rand.NewPCG(1, 2))
		for range race.Rounds(4) {
			wire := ""
			whole := empty()
			got, want := empty(), emptyOfficial(whole)
			for range 2 {
				m := empty()
				testpb.Fill(m.ProtoReflect(), r, 10)
				in, err := proto.MarshalOptions{AllowPartial: true}.Marshal(m)
				if err != nil {
					return // a message set without generated code
				}
				wire += string(in)
				o := decode.Options{AllowPartial: true}
				if err := merge(string(in), got, o); err != nil {
					t.Fatalf("%x: %v", in, err)
				}
				if err := official(o, true).Unmarshal(in, want); err != nil {
					t.Fatal(err)
				}
			}
			if err := merge(wire, whole, decode.Options{AllowPartial: true}); err != nil {
				t.Fatal(err)
			}
			g, w := sorted(t, got), sorted(t, want)
			if !bytes.Equal(g, w) || !bytes.Equal(sorted(t, whole), w) {
				t.Fatalf("%x is read as\n%x, official:\n%x", wire, g, w)
			}
		}
	})
}

// TestMergeReportsCompleteMessages looks at what Merge says of required fields.
func TestMergeReportsCompleteMessages(t *testing.T) {
	for _, c := range []struct {
		name     string
		m        proto.Message
		in       string
		partial  bool
		complete bool
		fails    bool
	}{
		{"a type without required fields", &benchpb.Order{}, sub(3), false, true, false},
		{"the required field of a group", &legacypb.RequiredBelow{}, group(7, sub(1, "n")), false, true, false},
		{"a group without it", &legacypb.RequiredBelow{}, group(7), false, false, true},
		{"a group without it, partial", &legacypb.RequiredBelow{}, group(7), true, false, false},
		{"the group's second occurrence has it", &legacypb.RequiredBelow{}, group(7) + group(7, sub(1, "n")), false, true, false},
		{"a message in a map without them", &legacypb.RequiredBelow{}, sub(3, "\x08\x01", sub(2)), true, false, false},
		{"a message in an extension field without them", &legacypb.RequiredBelow{}, sub(1000), false, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, f := range forms(c.m)[:2] { // extension fields are those of the open API
				complete, err := mergeComplete(c.in, f.new(), decode.Options{AllowPartial: c.partial})
				if complete != c.complete && (complete || c.partial) || (err != nil) != c.fails {
					t.Errorf("%s: %v, %v", f.name, complete, err)
				}
			}
		})
	}
}
