package protojson_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	official "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/protean-pb/protean/internal/test/allocs"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/protojson"
)

// sameAny checks that an Any with those bytes has the official library's text, or an error
// in both.
func sameAny(t *testing.T, a *anypb.Any) {
	t.Helper()
	var want bytes.Buffer
	text, wantErr := official.Marshal(a)
	if wantErr == nil {
		if err := json.Compact(&want, text); err != nil {
			t.Fatal(err)
		}
	}
	got, err := protojson.Marshal(a)
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("%s %.200x: %v, official: %v", a.TypeUrl, a.Value, err, wantErr)
	}
	if wantErr == nil && !bytes.Equal(got, want.Bytes()) {
		t.Fatalf("%s %.200x:\n%.1000s\nofficial:\n%.1000s", a.TypeUrl, a.Value, got, want.Bytes())
	}
}

// filledAny returns an Any that holds a message of a type, filled at random.
func filledAny(t testing.TB, mt, size int, seed uint64) *anypb.Any {
	types := testpb.Types()
	m := types[mt%len(types)].New()
	testpb.Fill(m, rand.New(rand.NewPCG(seed, seed)), size)
	b, err := proto.MarshalOptions{AllowPartial: true}.Marshal(m.Interface())
	if err != nil {
		b = nil // a message set
	}
	return &anypb.Any{TypeUrl: "a/" + string(m.Descriptor().FullName()), Value: b}
}

// TestAnyWire writes messages of all types in an Any: as libraries write them, cut off at
// every place, and twice over, so that what comes twice is merged.
func TestAnyWire(t *testing.T) {
	for mt := range testpb.Types() {
		for seed := range race.Rounds(4) {
			a := filledAny(t, mt, 12, uint64(seed))
			sameAny(t, a)
			whole := a.Value
			for n := 0; n < len(whole); n += 1 + len(whole)/16 {
				a.Value = whole[:n:n]
				sameAny(t, a)
			}
			a.Value = bytes.Repeat(whole, 2)
			sameAny(t, a)
		}
	}
}

// TestAnyInPlace checks that no message is made of what is in an Any, if its form is regular.
func TestAnyInPlace(t *testing.T) {
	allocs.NeedExact(t)
	groups := &legacypb.Groups{Single: &legacypb.Groups_Single{Inner: &legacypb.Groups_Single_Inner{Blob: []byte(
		"blob")}}}
	for i := range int32(20) {
		groups.Many = append(groups.Many, &legacypb.Groups_Many{Id: &i, Groups: &legacypb.Groups{}})
	}
	for _, m := range []proto.Message{
		&benchpb.Leaf{}, groups, &benchpb.Sparse{Sixteen: "sixteen", TwoBytes: &benchpb.Leaf{}, ThreeBytes: 3},
	} {
		a, err := anypb.New(m)
		if err != nil {
			t.Fatal(err)
		}
		sameAny(t, a)
		if got := allocations(t, func() error { _, err := protojson.Marshal(a); return err }); got != 1 {
			t.Errorf("%T: %v allocations, 1 wanted", m, got)
		}
	}
}

// FuzzAny changes the bytes in an Any.
func FuzzAny(f *testing.F) {
	for mt := range 40 {
		a := filledAny(f, 10*mt, 10, 1)
		f.Add(10*mt, a.Value)
	}
	f.Fuzz(func(t *testing.T, mt int, b []byte) {
		a := filledAny(t, int(uint(mt)>>1), 0, 1)
		a.Value = b
		sameAny(t, a)
	})
}

// checkAppendAny compares with packing m and writing the Any. As packing goes by the wire
// form, m must be as it was read from that.
func checkAppendAny(t testing.TB, m proto.Message, o protojson.MarshalOptions) {
	t.Helper()
	o.AllowPartial = true // the official library never looks at what is in an Any
	a := new(anypb.Any)
	if err := anypb.MarshalFrom(a, asOfficial(m),
		proto.MarshalOptions{AllowPartial: true, Deterministic: true}); err != nil {
		return // a message set
	}
	want, wantErr := officialMarshal(o).Marshal(a)
	got, err := o.AppendAny([]byte("before"), m)
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("%+v, AppendAny of %T %v: %v, official: %v", o, m, m, err, wantErr)
	}
	if err != nil {
		checkNowhere(t, err)
	} else if want := "before" + unspaced(want, o.Multiline || o.Indent != ""); string(got) != want {
		t.Fatalf("%+v, AppendAny of %T:\n%.3000s\nofficial:\n%.3000s", o, m, got, want)
	}
}

// reread returns m as it is after it was written and read; nil if it cannot be.
func reread(m proto.Message) proto.Message {
	again := m.ProtoReflect().New().Interface()
	b, err := proto.MarshalOptions{AllowPartial: true}.Marshal(m)
	if err != nil || (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(b, again) != nil {
		return nil
	}
	return again
}

// checkUnmarshalAny compares with reading an Any and unpacking it.
func checkUnmarshalAny(t testing.TB, text []byte, m proto.Message, o protojson.UnmarshalOptions) {
	t.Helper()
	want, a := emptyOfficial(m), new(anypb.Any)
	wantErr := unmarshalOfficial(officialUnmarshal(o), text, a)
	if errors.Is(wantErr, errPanic) {
		return
	}
	resolver := cmp.Or[protoregistry.ExtensionTypeResolver](officialUnmarshal(o).Resolver, protoregistry.GlobalTypes)
	if wantErr == nil {
		wantErr = anypb.UnmarshalTo(a, want, proto.UnmarshalOptions{AllowPartial: o.AllowPartial, Resolver: resolver})
	}
	err := o.UnmarshalAnyTo(text, m)
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("%T %s, %+v, UnmarshalAnyTo %.1000q: %v, official: %v", m, m.ProtoReflect().Descriptor().FullName(), o,
			text, err, wantErr)
	}
	if err != nil {
		checkSomewhere(t, err, text)
		return
	}
	// By way of the wire form: packing takes numbers that a closed enum does not have for unknown fields.
	if g, w := wire(t, reread(m)), wire(t, want); !bytes.Equal(g, w) {
		t.Fatalf("%T %s, %+v, UnmarshalAnyTo %.1000q:\n%.1000x\nofficial:\n%.1000x", m,
			m.ProtoReflect().Descriptor().FullName(), o, text, g, w)
	}
	fresh, err := o.UnmarshalAny(text)
	if err != nil || !bytes.Equal(wire(t, fresh), wire(t, m)) {
		t.Fatalf("%T, %+v, UnmarshalAny %.1000q: %v, %v", m, o, text, fresh, err)
	}
}

// anyText is the official text of an Any that holds a message of the type.
func anyText(mt protoreflect.MessageType, r *rand.Rand, size int) []byte {
	m, _ := random(mt, r, size)
	if a, err := anypb.New(m); err == nil {
		if text, err := official.Marshal(a); err == nil {
			return text
		}
	}
	return []byte(`{"@type":"a/` + string(mt.Descriptor().FullName()) + `"}`)
}

func TestAppendAny(t *testing.T) {
	eachType(t, func(t *testing.T, k kind, mt protoreflect.MessageType) {
		for seed := range race.Rounds(5) {
			r := seeded(uint64(seed))
			m := k.New(mt)
			fill(m.ProtoReflect(), r, 8)
			if m = reread(m); m != nil {
				checkAppendAny(t, m, marshalWay(uint16(r.Uint32())))
			}
		}
		checkAppendAny(t, k.New(mt), protojson.MarshalOptions{})
	})
}

func TestUnmarshalAny(t *testing.T) {
	eachType(t, func(t *testing.T, k kind, mt protoreflect.MessageType) {
		for seed := range race.Rounds(5) {
			r := seeded(uint64(seed))
			text, other := anyText(mt, r, 8), anyText(mt, r, 4)
			way := unmarshalWay(uint16(r.Uint32()))
			checkUnmarshalAny(t, text, k.New(mt), way)
			checkUnmarshalAny(t, mutate(mt.Descriptor(), text, other, r), k.New(mt), way)
		}
	})
}

// FuzzAnyText reads any text as an Any that holds a message of any type, and writes it again.
func FuzzAnyText(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 6))
	for which := range seeds() {
		mt, _ := choose(which)
		f.Add(which, which, anyText(mt, r, 8))
	}
	f.Fuzz(func(t *testing.T, which, way uint16, text []byte) {
		mt, k := choose(which)
		m := k.New(mt)
		checkUnmarshalAny(t, text, m, unmarshalWay(way))
		if again := reread(m); again != nil {
			checkAppendAny(t, again, marshalWay(way))
		}
	})
}

func TestAnyErrors(t *testing.T) {
	for _, tt := range []struct {
		name, text, want string
		is               error
		o                protojson.UnmarshalOptions
	}{
		{"nothing in it", `{}`, `line 1, column 1 (byte 0): invalid google.protobuf.Any: it has no "@type"`, protojson.ErrAny, protojson.UnmarshalOptions{}},
		{"no type", `{"value": 1}`, `line 1, column 1 (byte 0): invalid google.protobuf.Any: it has no "@type"`, protojson.ErrAny, protojson.UnmarshalOptions{DiscardUnknown: true}},
		{"empty type", `{"@type": ""}`, `line 1, column 11 (byte 10): invalid google.protobuf.Any: its "@type" is empty`, protojson.ErrAny, protojson.UnmarshalOptions{}},
		{"other type", `{"@type": "a/google.protobuf.Empty"}`, `line 1, column 11 (byte 10): invalid google.protobuf.Any: it holds "google.protobuf.Empty", not "google.protobuf.Timestamp"`, protojson.ErrAny, protojson.UnmarshalOptions{}},
		{"no value", `{"@type": "a/google.protobuf.Timestamp"}`, ``, protojson.ErrAny, protojson.UnmarshalOptions{}},
		{"no object", `[]`, ``, protojson.ErrValue, protojson.UnmarshalOptions{}},
		{"comma at the end", `{"@type": "a/google.protobuf.Timestamp",}`, `line 1, column 41 (byte 40): syntax error: '}' instead of a name`, protojson.ErrSyntax, protojson.UnmarshalOptions{}},
		{"more", `{"@type": "a/google.protobuf.Timestamp", "value": "2006-01-02T15:04:05Z"} 1`, ``, protojson.ErrSyntax, protojson.UnmarshalOptions{}},
		{"no room", `{"@type": "a/google.protobuf.Timestamp", "value": "2006-01-02T15:04:05Z"}`, ``, protojson.ErrDepth, protojson.UnmarshalOptions{RecursionLimit: -1}},
	} {
		err := tt.o.UnmarshalAnyTo([]byte(tt.text), new(timestamppb.Timestamp))
		if !errors.Is(err, tt.is) || tt.want != "" && !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
	if m, err := protojson.UnmarshalAny([]byte(`{"@type": "a/acme.None"}`)); m != nil || !errors.Is(err, protojson.ErrType) {
		t.Errorf("type that nobody knows: %v, %v", m, err)
	}
	for _, err := range []error{protojson.UnmarshalAnyTo([]byte(`{}`), nil), second(protojson.AppendAny(nil, nil)), second(protojson.MarshalOptions{Indent: "x"}.AppendAny(nil, new(anypb.Any)))} {
		if !errors.Is(err, proto.Error) {
			t.Errorf("%v is no error of package proto", err)
		}
	}
	// A required field is looked at, as Marshal and Unmarshal do.
	m := new(legacypb.Required)
	if _, err := protojson.AppendAny(nil, m); !errors.Is(err, protojson.ErrRequired) {
		t.Errorf("required field in AppendAny: %v", err)
	}
	text := []byte(`{"@type":"type.googleapis.com/` + string(proto.MessageName(m)) + `"}`)
	if err := protojson.UnmarshalAnyTo(text, m); !errors.Is(err, protojson.ErrRequired) {
		t.Errorf("required field in UnmarshalAnyTo: %v", err)
	}
	if got, err := (protojson.MarshalOptions{AllowPartial: true}).AppendAny(nil,
		(*legacypb.Required)(nil)); err != nil || !bytes.Equal(got, text) {
		t.Errorf("%s, %v, want %s", got, err, text)
	}
}

func second(_ []byte, err error) error { return err }
