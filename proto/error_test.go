package proto_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/runtime/protoiface"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/editionpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/proto"
)

// sub returns a field of wire type 2 that holds the parts.
func sub(number protowire.Number, parts ...string) string {
	b := protowire.AppendTag(nil, number, protowire.BytesType)
	return string(protowire.AppendString(b, strings.Join(parts, "")))
}

// group returns a group that holds the parts.
func group(number protowire.Number, parts ...string) string {
	start := protowire.AppendTag(nil, number, protowire.StartGroupType)
	end := protowire.AppendTag(nil, number, protowire.EndGroupType)
	return string(start) + strings.Join(parts, "") + string(end)
}

// bad is not UTF-8, and long enough to occur once only in a test's input.
const bad = "bad\xff"

// wireFaults are inputs that are wrong in one place: at the last occurrence of at, which is
// the end if at is empty, or at the offset, if that is not 0.
var wireFaults = []struct {
	m      proto.Message
	wire   string
	err    error
	path   string
	at     string
	offset int
	limit  int
	kind   string // of messages for which this is so; empty for all
}{
	// Text.
	{m: &benchpb.Leaf{}, wire: "\x08\x01" + sub(2, bad), err: proto.ErrUTF8, path: "name", at: bad},
	{m: &benchpb.Leaf{}, wire: sub(2, strings.Repeat("long ", 60), bad), err: proto.ErrUTF8, path: "name", at: "long " + strings.Repeat("long ", 59)},
	{m: &benchpb.Optional{}, wire: sub(14, bad), err: proto.ErrUTF8, path: "opt_string", at: bad},
	{m: &benchpb.Order{}, wire: sub(5) + sub(5) + sub(5, sub(4, "a"), sub(4, bad)), err: proto.ErrUTF8, path: "lines[2].tags[1]", at: bad},
	{m: &benchpb.Order{}, wire: sub(5) + "\x08\x01" + sub(5, sub(5, sub(1, "k"), sub(2, bad))), err: proto.ErrUTF8, path: `lines[1].attributes["k"]`, at: bad},
	{m: &benchpb.KeyMaps{}, wire: sub(12, sub(1, bad)), err: proto.ErrUTF8, path: `by_string[""]`, at: bad},
	{m: &benchpb.KeyMaps{}, wire: sub(5, "\x08\x05", sub(2, bad)), err: proto.ErrUTF8, path: "by_sint32[-3]", at: bad},
	{m: &benchpb.KeyMaps{}, wire: sub(31, "\x08\x01", sub(2, sub(2, bad))), err: proto.ErrUTF8, path: "leaf_by_bool[true].name", at: bad},
	{m: &benchpb.ValueMaps{}, wire: sub(18, sub(1, "a\"b"), sub(2, sub(17, sub(1, "é"), sub(2, sub(2, bad))))), err: proto.ErrUTF8, path: `to_self["a\"b"].to_leaf["é"].name`, at: bad},
	{m: &benchpb.Choice{}, wire: sub(19, sub(18, sub(2, bad))), err: proto.ErrUTF8, path: "one_self.one_leaf.name", at: bad},
	{m: &benchpb.Choice{}, wire: sub(30, bad), err: proto.ErrUTF8, path: "text", at: bad},
	{m: &benchpb.Sparse{}, wire: sub(262144, "a") + sub(262144, bad), err: proto.ErrUTF8, path: "strings[1]", at: bad},
	{m: &editionpb.Text{}, wire: sub(6, sub(1, bad), sub(2, bad)) + sub(5, sub(1, "k"), sub(2, bad)), err: proto.ErrUTF8, path: `checked_map["k"]`, at: bad},
	{m: &editionpb.Extendable{}, wire: sub(112, sub(108, sub(2, bad))), err: proto.ErrUTF8, path: "(protean.test.edition.ext_self).(protean.test.edition.ext_leaves)[0].name", at: bad},
	// Well-known types. The types of structpb have a reader of their own, which says which byte
	// it is.
	{m: &wellknownpb.Event{}, wire: sub(7) + sub(7, sub(3, sub(1, sub(1, "k"), sub(2, sub(3, bad))))), err: proto.ErrUTF8, path: `causes[1].payload.fields["k"].string_value`, at: bad, kind: "dynamic"},
	{m: &wellknownpb.Event{}, wire: sub(7) + sub(7, sub(3, sub(1, sub(1, "k"), sub(2, sub(3, bad))))), err: proto.ErrUTF8, path: `causes[1].payload.fields["k"]`, at: "\xff", kind: "generated"},
	{m: &wellknownpb.Event{}, wire: sub(7) + sub(7, sub(3, sub(1, sub(1, "k"), sub(2, sub(3, bad))))), err: proto.ErrUTF8, path: `causes[1].payload.fields["k"]`, at: "\xff", kind: "opaque"},
	{m: &wellknownpb.Event{}, wire: sub(5) + sub(5, sub(6, sub(1), sub(1, sub(3, bad)))), err: proto.ErrUTF8, path: "arguments[1].list_value.values[1].string_value", at: bad, kind: "dynamic"},
	{m: &wellknownpb.Event{}, wire: sub(5) + sub(5, sub(6, sub(1), sub(1, sub(3, bad)))), err: proto.ErrUTF8, path: "arguments[1].list_value.values[1]", at: "\xff", kind: "generated"},
	{m: &wellknownpb.Event{}, wire: sub(5) + sub(5, sub(6, sub(1), sub(1, sub(3, bad)))), err: proto.ErrUTF8, path: "arguments[1].list_value.values[1]", at: "\xff", kind: "opaque"},
	{m: &wellknownpb.Event{}, wire: sub(4, sub(1, bad)), err: proto.ErrUTF8, path: "detail.type_url", at: bad},
	{m: &wellknownpb.Event{}, wire: sub(6, sub(1, bad)), err: proto.ErrUTF8, path: "note.value", at: bad},
	// Truncated.
	{m: &benchpb.Leaf{}, wire: "\x08", err: proto.ErrTruncated, path: "id"},
	{m: &benchpb.Leaf{}, wire: "\x08\xff", err: proto.ErrTruncated, path: "id"},
	{m: &benchpb.Leaf{}, wire: "\x12\x05ab", err: proto.ErrTruncated, path: "name"},
	{m: &benchpb.Leaf{}, wire: "\x08\x01\xff", err: proto.ErrTruncated},
	{m: &benchpb.Leaf{}, wire: "\x08\x01\x1d\x00", err: proto.ErrTruncated},
	{m: &benchpb.Packed{}, wire: sub(3, "\x01\x02\x80"), err: proto.ErrTruncated, path: "list_int32[2]"},
	{m: &benchpb.Packed{}, wire: sub(1, "12345678", "123") + "\x08\x01", err: proto.ErrTruncated, path: "list_double[0]", offset: 13},
	{m: &benchpb.Expanded{}, wire: "\x18\x01\x18", err: proto.ErrTruncated, path: "list_int32[1]"},
	{m: &benchpb.Order{}, wire: sub(3, sub(2, "city"), "\x1a\x09zip") + sub(2, "customer"), err: proto.ErrTruncated, path: "shipping.zip", offset: 13},
	{m: &legacypb.Groups{}, wire: "\x0b\x08", err: proto.ErrTruncated, path: "single.one"},
	{m: &legacypb.Groups{}, wire: "\x0b\x08\x01", err: proto.ErrTruncated, path: "single"},
	{m: &legacypb.Groups{}, wire: group(2) + "\x13\x12\x09x", err: proto.ErrTruncated, path: "many[1].groups"},
	{m: &legacypb.Extendable{}, wire: sub(1002, "\x01\x02") + sub(1002, "\x03\x80"), err: proto.ErrTruncated, path: "(protean.test.legacy.ext_packed_int32)[3]"},
	{m: &legacypb.Extendable{}, wire: sub(122, "\x01\x02\x80") + "\x08\x01", err: proto.ErrTruncated, path: "(protean.test.legacy.ext_list_int32)[2]", offset: 6},
	{m: &legacypb.Extendable{}, wire: sub(116, "\x08") + "\x08\x01", err: proto.ErrTruncated, path: "(protean.test.legacy.ext_leaf).id", offset: 4},
	// Malformed.
	{m: &benchpb.Leaf{}, wire: "\x08\x01\x00\x01", err: proto.ErrMalformed, at: "\x00"},
	{m: &benchpb.Leaf{}, wire: "\x08\x01\x0c", err: proto.ErrMalformed, at: "\x0c"},
	{m: &benchpb.Leaf{}, wire: "\x08\x01\x0f", err: proto.ErrMalformed, at: "\x0f"},
	{m: &benchpb.Leaf{}, wire: "\x08" + strings.Repeat("\xff", 11), err: proto.ErrMalformed, path: "id", offset: 1},
	{m: &benchpb.Leaf{}, wire: "\x08\x01\xf8\xff\xff\xff\xff\x01\x01", err: proto.ErrMalformed, offset: 2},
	{m: &legacypb.Groups{}, wire: "\x0b\x13\x0c\x14", err: proto.ErrMalformed, path: "single.inner", offset: 2},
	{m: &legacypb.Groups{}, wire: "\x0b\x08\x01\x14", err: proto.ErrMalformed, path: "single", at: "\x14"},
	// Depth.
	{m: &benchpb.Tree{}, wire: sub(2, sub(2, sub(2))), err: proto.ErrDepth, path: "left.left", offset: 4, limit: 2},
	{m: &benchpb.Tree{}, wire: sub(4) + sub(4, sub(5, sub(2, sub(6)))), err: proto.ErrDepth, path: `children[1].by_name[""].inner`, offset: 10, limit: 4},
	{m: &wellknownpb.Event{}, wire: sub(3, sub(1, sub(2, sub(3, "text")))), err: proto.ErrDepth, path: `payload.fields[""]`, offset: 6, limit: 3},
	{m: &benchpb.Tree{}, wire: sub(4, sub(5)), err: proto.ErrDepth, path: "children[0].by_name", offset: 3, limit: 2},
	// Required.
	{m: &legacypb.RequiredBelow{}, wire: sub(2), err: proto.ErrRequired, path: "list[0].req_double", offset: -1},
	{m: &legacypb.RequiredBelow{}, wire: sub(6, sub(3, "\x08\x03")), err: proto.ErrRequired, path: "self.map[3].req_double", offset: -1},
	{m: &legacypb.RequiredBelow{}, wire: sub(4), err: proto.ErrRequired, path: "one.req_double", offset: -1},
	{m: &legacypb.RequiredBelow{}, wire: group(7), err: proto.ErrRequired, path: "below.name", offset: -1},
	{m: &legacypb.RequiredBelow{}, wire: sub(1001), err: proto.ErrRequired, path: "(protean.test.legacy.required_list)[0].req_double", offset: -1},
}

// TestUnmarshalErrorsSayWhere reads broken input into messages of every kind.
func TestUnmarshalErrorsSayWhere(t *testing.T) {
	for _, f := range wireFaults {
		for _, w := range ways {
			if f.kind != "" && f.kind != w.name {
				continue
			}
			theirs, ours := w.news(f.m.ProtoReflect().Descriptor())
			m := ours()
			err := proto.UnmarshalOptions{RecursionLimit: f.limit}.Unmarshal([]byte(f.wire), m)
			if wantErr := (official.UnmarshalOptions{RecursionLimit: f.limit}).Unmarshal([]byte(f.wire),
				theirs()); wantErr == nil {
				t.Errorf("%s %T %q: the official library takes it", w.name, m, f.wire)
			}
			path, offset := f.path, f.offset
			if w.name == "opaque" {
				path = strings.ReplaceAll(path, "(", "(opaque.")
			}
			if offset == 0 {
				offset = strings.LastIndex(f.wire, f.at)
			}
			checkFault(t, w.name, f.wire, err, &proto.FieldError{Err: f.err, Offset: offset, Path: path,
				Message: string(m.ProtoReflect().Descriptor().FullName())})
		}
	}
}

func checkFault(t *testing.T, kind, input string, err error, want *proto.FieldError) {
	t.Helper()
	var fe *proto.FieldError
	if !errors.As(err, &fe) || fe.Path != want.Path || fe.Offset != want.Offset || fe.Message != want.Message {
		t.Errorf("%s %q: got %v, want %v", kind, input, err, want)
	}
	if !errors.Is(err, want.Err) || !errors.Is(err, official.Error) {
		t.Errorf("%s %q: %v is not %q", kind, input, err, want.Err)
	}
	for _, other := range []error{proto.ErrTruncated, proto.ErrMalformed, proto.ErrUTF8, proto.ErrDepth,
		proto.ErrRequired} {
		if other != want.Err && errors.Is(err, other) {
			t.Errorf("%s %q: %v is %q too", kind, input, err, other)
		}
	}
}

// TestErrorType checks that every function returns its errors as the public type.
func TestErrorType(t *testing.T) {
	wire, missing := []byte{0x0a, 1}, new(legacypb.Required)
	packed := &anypb.Any{TypeUrl: "/protean.test.bench.Leaf", Value: wire}
	wireForm := protoiface.UnmarshalInput{Message: new(benchpb.Leaf).ProtoReflect(), Buf: wire}
	missingHere := protoiface.MarshalInput{Message: missing.ProtoReflect()}
	dynamically := dynamic.NewMessage(missing.ProtoReflect().Descriptor())
	second := func(_ any, err error) error { return err }
	for name, err := range map[string]error{
		"Marshal":                         second(proto.Marshal(missing)),
		"Marshal of a nil message":        second(proto.Marshal((*legacypb.Required)(nil))),
		"MarshalOptions.Marshal":          second(proto.MarshalOptions{Deterministic: true}.Marshal(missing)),
		"MarshalOptions.MarshalAppend":    second(proto.MarshalOptions{}.MarshalAppend(nil, missing)),
		"MarshalOptions.MarshalState":     second(proto.MarshalOptions{}.MarshalState(missingHere)),
		"AppendAny":                       second(proto.AppendAny(nil, missing)),
		"Pack":                            second(proto.Pack(missing)),
		"CheckInitialized":                proto.CheckInitialized(missing),
		"Unmarshal":                       proto.Unmarshal(wire, new(benchpb.Leaf)),
		"Unmarshal, required":             proto.Unmarshal(nil, missing),
		"UnmarshalOptions.Unmarshal":      proto.UnmarshalOptions{AliasInput: true}.Unmarshal(wire, new(benchpb.Leaf)),
		"UnmarshalOptions, merge":         proto.UnmarshalOptions{Merge: true}.Unmarshal(wire, new(legacypb.Required)),
		"UnmarshalOptions, dynamic":       proto.UnmarshalOptions{Merge: true}.Unmarshal(nil, dynamically),
		"UnmarshalOptions.UnmarshalState": second(proto.UnmarshalOptions{}.UnmarshalState(wireForm)),
		"Unpack":                          second(proto.Unpack(packed)),
		"UnpackTo":                        proto.UnpackTo(packed, new(benchpb.Leaf)),
		"UnmarshalAny":                    second(proto.UnmarshalAny(wire)),
	} {
		if got := fmt.Sprintf("%T %#v", err, err); !strings.HasPrefix(got, "*proto.FieldError &proto.FieldError{Err:") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestErrorText pins the wording.
func TestErrorText(t *testing.T) {
	err := proto.Unmarshal([]byte(sub(5)+sub(5, sub(5, sub(1, "k"), sub(2, bad)))), new(benchpb.Order))
	if got, want := err.Error(), `proto: protean.test.bench.Order: lines[1].attributes["k"]: byte 11: invalid UTF-8`; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	_, err = proto.Marshal(&legacypb.RequiredBelow{Self: &legacypb.RequiredBelow{Message: new(legacypb.Required)}})
	if got, want := err.Error(), `proto: protean.test.legacy.RequiredBelow: self.message.req_double: required field not set`; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	err = proto.Unmarshal([]byte("\x08"), new(benchpb.Leaf))
	if got, want := err.Error(), `proto: protean.test.bench.Leaf: id: byte 1: the input ends in the middle of a field`; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestMarshalErrors writes messages that cannot be written.
func TestMarshalErrors(t *testing.T) {
	cycle := &benchpb.Tree{Name: "cycle"}
	cycle.Children = []*benchpb.Tree{{Left: cycle}}
	for _, test := range []struct {
		m    proto.Message
		err  error
		path string // its end
	}{
		{&benchpb.Leaf{Name: bad}, proto.ErrUTF8, "name"},
		{&benchpb.Optional{OptString: proto.String(bad)}, proto.ErrUTF8, "opt_string"},
		{&benchpb.Strings{List: []string{"a", bad, "b"}}, proto.ErrUTF8, "list[1]"},
		{&benchpb.Strings{List: []string{bad, strings.Repeat("x", 100), "", "b"}}, proto.ErrUTF8, "list[0]"},
		{&benchpb.Strings{List: []string{"a", bad, "é", "b"}}, proto.ErrUTF8, "list[1]"},
		{&benchpb.Packed{ListLeaf: []*benchpb.Leaf{{}, nil, {Name: bad}}}, proto.ErrUTF8, "list_leaf[2].name"},
		{&benchpb.KeyMaps{ByUint64: map[uint64]string{7: bad}}, proto.ErrUTF8, "by_uint64[7]"},
		{&benchpb.KeyMaps{LeafByBool: map[bool]*benchpb.Leaf{false: {Name: bad}}}, proto.ErrUTF8, "leaf_by_bool[false].name"},
		{&benchpb.Choice{Choice: &benchpb.Choice_OneString{OneString: bad}}, proto.ErrUTF8, "one_string"},
		{&editionpb.Text{CheckedList: []string{bad}, RawList: []string{bad}}, proto.ErrUTF8, "checked_list[0]"},
		{&legacypb.RequiredBelow{List: []*legacypb.Required{nil}}, proto.ErrRequired, "list[0].req_double"},
		{&legacypb.RequiredBelow{Choice: &legacypb.RequiredBelow_One{}}, proto.ErrRequired, "one.req_double"},
		{cycle, proto.ErrDepth, ".children[0].left.children[0].left"},
	} {
		_, err := proto.Marshal(test.m)
		if test.m != cycle { // on which the official library overflows the stack
			if _, wantErr := official.Marshal(test.m); wantErr == nil {
				t.Errorf("%v: the official library takes it", test.m)
			}
		}
		var fe *proto.FieldError
		if !errors.As(err, &fe) || !errors.Is(err, test.err) || !errors.Is(err, official.Error) || fe.Offset != -1 ||
			!strings.HasSuffix(fe.Path, test.path) || len(fe.Path) != len(test.path) && test.err != proto.ErrDepth {
			t.Errorf("got %.300v, want %s", err, test.path)
		}
	}
}
