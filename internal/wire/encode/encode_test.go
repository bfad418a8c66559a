package encode_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/editionpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/internal/wire/encode"
)

// layoutOf returns the layout of m; not ok if m is left to the official library.
func layoutOf(m proto.Message) (l *layout.Layout, ok bool) {
	l, _ = layout.Of(m)
	return l, l.Ready() != layout.Official
}

// appendTo appends m to dst.
func appendTo(dst []byte, m proto.Message, o encode.Options) ([]byte, error) {
	l, p := layout.Of(m)
	l.Ready()
	return encode.Append(dst, l, p, o)
}

// size returns the size of m.
func size(m proto.Message) int {
	l, p := layout.Of(m)
	l.Ready()
	return encode.Size(l, p)
}

// sameIn returns what m is with another API, or dynamic.
func sameIn(t *testing.T, m proto.Message) map[string]proto.Message {
	t.Helper()
	wire, err := proto.MarshalOptions{AllowPartial: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]proto.Message{"dynamic": dynamic.NewMessage(m.ProtoReflect().Descriptor())}
	for i, mt := range testpb.APIs(m) {
		all[[]string{"open", "hybrid", "opaque"}[i]] = mt.New().Interface()
	}
	for _, same := range all {
		if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(wire, same); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// written are messages and their wire form.
var written = []struct {
	name string
	m    proto.Message
	want string
}{
	{"nothing", &benchpb.Leaf{}, ""},
	{"fields come in the order of their numbers", &benchpb.Sparse{One: 1, Second: 1, Sixteen: "s", Last: "z"}, "\x08\x01" + "\x11\x00\x00\x00\x00\x00\x00\xf0\x3f" + "\x82\x01\x01s" + "\xfa\xff\xff\xff\x0f\x01z"},
	{"zeros without presence are left out", &benchpb.Wide{F3: 0, F14: "", F15: []byte{}, F13: false}, ""},
	{"but negative zero is not", &benchpb.Wide{F1: math.Copysign(0, -1)}, "\x09\x00\x00\x00\x00\x00\x00\x00\x80"},
	{"zeros with presence are written", &benchpb.Optional{OptInt32: proto.Int32(0), OptBool: proto.Bool(false), OptString: proto.String(""), OptBytes: []byte{}}, "\x18\x00\x68\x00\x72\x00\x7a\x00"},
	{"bytes that are nil are absent", &benchpb.Optional{OptBytes: nil}, ""},
	{"presence in editions is a feature", &editionpb.Text{Checked: proto.String(""), ImplicitRaw: ""}, "\x0a\x00"},
	{"negative numbers take ten bytes", &benchpb.Leaf{Id: -1}, "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"},
	{"but one with zigzag", &benchpb.Wide{F7: -1, F8: math.MinInt64}, "\x38\x01" + "\x40\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"},
	{"numbers of fixed width", &benchpb.Wide{F9: 1, F11: -1}, "\x4d\x01\x00\x00\x00" + "\x5d\xff\xff\xff\xff"},
	{"a packed list", &benchpb.Packed{ListInt32: []int32{1, 300, 0}}, "\x1a\x04\x01\xac\x02\x00"},
	{"a list that is not packed", &benchpb.Expanded{ListInt32: []int32{1, 300, 0}}, "\x18\x01\x18\xac\x02\x18\x00"},
	{"a list of nothing", &benchpb.Packed{ListInt32: []int32{}, ListString: []string{}}, ""},
	{"a list of text", &benchpb.Strings{List: []string{"a", "", "b"}}, "\x2a\x01a\x2a\x00\x2a\x01b"},
	{"messages in messages", &benchpb.Tree{Left: &benchpb.Tree{Right: &benchpb.Tree{}}, Children: []*benchpb.Tree{{}, {Name: "c"}}}, "\x12\x02\x1a\x00" + "\x22\x00\x22\x03\x0a\x01c"},
	{"a message that is nil in a list is empty", &benchpb.Packed{ListLeaf: []*benchpb.Leaf{nil}}, "\x8a\x01\x00"},
	{"groups", &legacypb.Groups{Single: &legacypb.Groups_Single{Inner: &legacypb.Groups_Single_Inner{Blob: []byte("b")}}, Many: []*legacypb.Groups_Many{{}}}, "\x0b\x13\x1a\x01b\x14\x0c" + "\x13\x14"},
	{"delimited fields of editions", &editionpb.Delimited{One: &editionpb.Leaf{Id: proto.Int32(1)}, Prefixed: &editionpb.Leaf{}}, "\x0b\x08\x01\x0c\x1a\x00"},
	{"a zero in a oneof", &benchpb.Choice{Choice: &benchpb.Choice_OneInt32{}}, "\x20\x00"},
	{"empty text in a oneof", &benchpb.Choice{Choice: &benchpb.Choice_OneString{}, Other: &benchpb.Choice_Leaf{Leaf: &benchpb.Leaf{}}}, "\x7a\x00\xfa\x01\x00"},
	{"an entry of a map has its key and its value", &benchpb.KeyMaps{ByInt32: map[int32]string{0: ""}}, "\x0a\x04\x08\x00\x12\x00"},
	{"a message in a map", &benchpb.KeyMaps{LeafByBool: map[bool]*benchpb.Leaf{true: {Id: 1}}}, "\xfa\x01\x06\x08\x01\x12\x02\x08\x01"},
	{"a map that is empty", &benchpb.KeyMaps{ByInt32: map[int32]string{}}, ""},
	{"a number that an enum does not have", &benchpb.Optional{OptColor: benchpb.Color(99).Enum()}, "\x80\x01\x63"},
	{"a Value", structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{structpb.NewNullValue(), structpb.NewBoolValue(false)}}), "\x32\x08\x0a\x02\x08\x00\x0a\x02\x20\x00"},
	{"wrappers", &wellknownpb.Singular{OneInt32: wrapperspb.Int32(0), OneString: wrapperspb.String("s")}, "\x72\x00\x8a\x01\x03\x0a\x01s"},
}

func TestAppendWritesWireForm(t *testing.T) {
	for _, c := range written {
		t.Run(c.name, func(t *testing.T) {
			for api, m := range sameIn(t, c.m) {
				if got, err := appendTo(nil, m, encode.Options{}); err != nil || string(got) != c.want {
					t.Errorf("%s: %x, %v, want %x", api, got, err, c.want)
				}
			}
			if got, err := appendTo(nil, c.m, encode.Options{}); err != nil || string(got) != c.want {
				t.Errorf("%x, %v, want %x", got, err, c.want) // what was read is not all that can be: a nil in a list
			}
		})
	}
}

// TestAppendKeepsUnknownFields has them behind all others, those of a message in a message in that.
func TestAppendKeepsUnknownFields(t *testing.T) {
	for api, m := range sameIn(t, &benchpb.Tree{}) {
		if err := proto.Unmarshal([]byte("\x9a\x06\x01x"+"\x12\x03\x98\x06\x05"+"\x08\x01"), m); err != nil {
			t.Fatal(err)
		}
		got, err := appendTo(nil, m, encode.Options{})
		if want := "\x12\x03\x98\x06\x05" + "\x9a\x06\x01x" + "\x08\x01"; err != nil || string(got) != want {
			t.Errorf("%s: %x, %v, want %x", api, got, err, want)
		}
	}
}

// TestAppendAgreesWithOfficial writes random messages of all types, in the order of the official library, and in any.
func TestAppendAgreesWithOfficial(t *testing.T) {
	for _, mt := range testpb.Types() {
		t.Run(string(mt.Descriptor().FullName()), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for range race.Rounds(4) {
				generated, foreign := mt.New().Interface(), dynamicpb.NewMessage(mt.Descriptor())
				testpb.Fill(generated.ProtoReflect(), r, 16)
				want, err := proto.MarshalOptions{AllowPartial: true, Deterministic: true}.Marshal(generated)
				if err != nil || (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(want, foreign) != nil {
					continue
				}
				dyn := dynamic.NewMessage(mt.Descriptor())
				proto.Merge(dyn, foreign)
				for _, m := range []proto.Message{generated, dyn} {
					checkWritten(t, m, want)
				}
			}
		})
	}
}

// checkWritten writes m, whose wire form in the order of keys is want, in all ways.
func checkWritten(t *testing.T, m proto.Message, want []byte) {
	t.Helper()
	l, ok := layoutOf(m)
	if !ok {
		return
	}
	sorted, err := appendTo([]byte("before"), m, encode.Options{AllowPartial: true, Deterministic: true})
	if err != nil || string(sorted) != "before"+string(want) {
		t.Fatalf("%T:\n%x, %v, official:\n%x", m, sorted, err, want)
	}
	if n := size(m); n != len(want) {
		t.Fatalf("%T: the size of %x is %d, not %d", m, want, n, len(want))
	}
	same := m.ProtoReflect().New().Interface()
	_, p := layout.Of(m)
	unsorted, err := encode.Append(nil, l, p, encode.Options{AllowPartial: true})
	if err != nil || len(unsorted) != len(want) ||
		(proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(unsorted, same) != nil {
		t.Fatalf("%T: %x, %v", m, unsorted, err)
	}
	again, err := proto.MarshalOptions{AllowPartial: true, Deterministic: true}.Marshal(same)
	if err != nil || !bytes.Equal(again, want) {
		t.Fatalf("%T: %x is read as\n%x, %v, official:\n%x", m, unsorted, again, err, want)
	}
}

// TestAppendIsDeterministicIfAsked writes maps of all kinds of keys again and again.
func TestAppendIsDeterministicIfAsked(t *testing.T) {
	m := &benchpb.KeyMaps{
		ByInt32: map[int32]string{}, ByUint64: map[uint64]string{}, BySint64: map[int64]string{},
		ByString: map[string]string{},
		ByBool:   map[bool]string{true: "t", false: "f"}, LeafByString: map[string]*benchpb.Leaf{},
	}
	for i := range 30 {
		key := strings.Repeat("k", i%7) + string(rune('a'+i))
		m.ByInt32[int32(i-15)], m.ByUint64[math.MaxUint64-uint64(i)], m.BySint64[int64(i)-15] = "v", "w", "x"
		m.ByString[key], m.LeafByString[key] = "y", &benchpb.Leaf{Id: int32(i)}
	}
	want, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	different := false
	for range 20 {
		for api, m := range sameIn(t, m) {
			if got, err := appendTo(nil, m, encode.Options{Deterministic: true}); err != nil ||
				!bytes.Equal(got, want) {
				t.Fatalf("%s:\n%x, %v, official:\n%x", api, got, err, want)
			}
			if got, err := appendTo(nil, m, encode.Options{}); err != nil {
				t.Fatal(err)
			} else if !bytes.Equal(got, want) {
				different = true
			}
		}
	}
	if !different {
		t.Error("maps are sorted without the option, too")
	}
}

// TestAppendUsesTheRoomThatThereIs appends to slices with less room than the message takes, just as much, and more.
func TestAppendUsesTheRoomThatThereIs(t *testing.T) {
	for name, m := range map[string]proto.Message{
		"short":   &benchpb.Leaf{Id: 300, Name: "a name"},
		"long":    &benchpb.Strings{A: strings.Repeat("text ", 500), List: []string{"a", strings.Repeat("b", 300)}},
		"numbers": &benchpb.Packed{ListDouble: make([]float64, 200), ListInt64: []int64{-1, 1}},
		"nothing": &benchpb.Leaf{},
	} {
		t.Run(name, func(t *testing.T) {
			n := size(m)
			want, err := proto.Marshal(m)
			if err != nil || n != len(want) {
				t.Fatalf("size %d, not %d: %v", n, len(want), err)
			}
			for _, room := range []int{0, 1, n / 2, max(n-1, 0), n, n + 1, n + 100} {
				memory := bytes.Repeat([]byte{0xa5}, 3+room+8)
				dst := memory[: 3 : 3+room]
				got, err := appendTo(dst, m, encode.Options{})
				if err != nil || string(got) != "\xa5\xa5\xa5"+string(want) {
					t.Fatalf("with room for %d: %x, %v", room, got, err)
				}
				if inPlace := &got[0] == &memory[0]; inPlace != (room >= n) {
					t.Errorf("with room for %d of %d bytes: in place is %v", room, n, inPlace)
				}
				if behind := memory[3+room:]; string(behind) != strings.Repeat("\xa5", 8) {
					t.Errorf("with room for %d bytes it writes behind that: %x", room, behind)
				}
			}
			l, p := layout.Of(m)
			if got, err := encode.Marshal(l, p); err != nil || !bytes.Equal(got, want) || got == nil ||
				cap(got)-len(got) > len(got)/4+16 {
				t.Errorf("Marshal: %x of %d, %v", got, cap(got), err)
			}
		})
	}
}

// TestAppendSaysWhatCannotBeWritten has messages that lack required fields, have bad text, or contain themselves. What
// was there stays; without required fields all is written nevertheless.
func TestAppendSaysWhatCannotBeWritten(t *testing.T) {
	const bad = "bad\xff"
	cycle := &benchpb.Tree{}
	cycle.Left = &benchpb.Tree{ByName: map[string]*benchpb.Tree{"again": cycle}}
	for _, c := range []struct {
		name string
		m    proto.Message
		err  error
		path string
	}{
		{"text", &benchpb.Leaf{Name: bad}, protoerr.ErrUTF8, "name"},
		{"text in a list", &benchpb.Strings{List: []string{"é", bad}}, protoerr.ErrUTF8, "list[1]"},
		{"text in a list of messages", &benchpb.Order{Lines: []*benchpb.Order_Line{{}, {Tags: []string{bad}}}}, protoerr.ErrUTF8, "lines[1].tags[0]"},
		{"the value of a map", &benchpb.KeyMaps{ByInt32: map[int32]string{-7: bad}}, protoerr.ErrUTF8, "by_int32[-7]"},
		{"a oneof", &benchpb.Choice{Choice: &benchpb.Choice_OneLeaf{OneLeaf: &benchpb.Leaf{Name: bad}}}, protoerr.ErrUTF8, "one_leaf.name"},
		{"a required field", &legacypb.RequiredBelow{Below: &legacypb.RequiredBelow_Below{}}, protoerr.ErrRequired, "below.name"},
		{"a required field in a map", &legacypb.RequiredBelow{Map: map[int32]*legacypb.Required{5: {}}}, protoerr.ErrRequired, "map[5].req_double"},
		{"a cycle", cycle, protoerr.ErrDepth, `left.by_name["again"].left.`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := appendTo([]byte("before"), c.m, encode.Options{})
			var e *protoerr.Error
			if !errors.As(err, &e) || e.Err != c.err || e.Offset != -1 || e.Message != string(proto.MessageName(c.m)) ||
				e.Path != c.path && (c.err != protoerr.ErrDepth || !strings.HasPrefix(e.Path, c.path)) {
				t.Errorf("%.300v", err)
			}
			if string(got) != "before" && c.err != protoerr.ErrRequired {
				t.Errorf("it returns %x", got)
			}
			if c.m == cycle { // on which the official library overflows the stack
				return
			}
			want, wantErr := proto.MarshalOptions{AllowPartial: true, Deterministic: true}.Marshal(c.m)
			got, err = appendTo(nil, c.m, encode.Options{AllowPartial: true, Deterministic: true})
			if (err != nil) != (wantErr != nil) || err == nil && !bytes.Equal(got, want) {
				t.Errorf("partial: %x, %v, official: %x, %v", got, err, want, wantErr)
			}
		})
	}
}

// TestAppendLeavesUncheckedTextAlone writes text that is not UTF-8 where it need not be.
func TestAppendLeavesUncheckedTextAlone(t *testing.T) {
	const bad = "bad\xff"
	for _, m := range []proto.Message{
		&legacypb.Leaf{Name: proto.String(bad)}, &benchpb.Wide{F15: []byte(bad)},
		&editionpb.Text{Raw: proto.String(bad), RawList: []string{bad}, RawMap: map[string]string{bad: bad},
			ImplicitRaw: bad},
	} {
		want, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := appendTo(nil, m, encode.Options{}); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%x, %v, official: %x", got, err, want)
		}
	}
}

// TestAppendOfExtensions writes extension fields of all sorts, read and set.
func TestAppendOfExtensions(t *testing.T) {
	m := &legacypb.Extendable{Id: proto.Int32(1)}
	for xt, v := range map[protoreflect.ExtensionType]any{
		legacypb.E_ExtString: "s", legacypb.E_ExtLeaf: &legacypb.Leaf{Id: proto.Int32(5)},
		legacypb.E_ExtPackedInt32: []int32{1, 300},
		legacypb.E_ExtListInt32:   []int32{1, 2}, legacypb.E_ExtSelf: &legacypb.Extendable{Name: proto.String("in")},
		legacypb.E_Extgroup: &legacypb.ExtGroup{Id: proto.Int32(1)}, legacypb.E_ExtClosed: legacypb.Closed_CLOSED_TEN,
	} {
		proto.SetExtension(m, xt, v)
	}
	want, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, api := range []string{"open", "dynamic"} { // the others have extension fields of their own
		checkWritten(t, sameIn(t, m)[api], want)
	}
	checkWritten(t, m, want)
}

// TestAppendWrapsInAny writes a message as the value of an Any.
func TestAppendWrapsInAny(t *testing.T) {
	const url = "type.googleapis.com/protean.test.bench.Strings"
	for _, m := range []*benchpb.Strings{{}, {A: "a"}, {A: strings.Repeat("long", 1000)}} {
		got, err := appendTo([]byte("before"), m, encode.Options{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		value, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		want := protowire.AppendString([]byte("before\x0a"), url)
		if len(value) > 0 {
			want = protowire.AppendBytes(append(want, 0x12), value)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%.100x, want %.100x", got, want)
		}
	}
}
