package proto_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/proto"
)

// TestPackAndUnpackAgreeWithOfficial packs random messages of all types and holds the result against anypb's.
func TestPackAndUnpackAgreeWithOfficial(t *testing.T) {
	for _, mt := range testpb.Types() {
		t.Run(string(mt.Descriptor().FullName()), func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 6))
			for range race.Rounds(5) {
				m := mt.New().Interface()
				testpb.Fill(m.ProtoReflect(), r, r.IntN(50))
				checkAny(t, m, mt)
			}
		})
	}
}

func checkAny(t *testing.T, m proto.Message, mt protoreflect.MessageType) {
	t.Helper()
	want := new(anypb.Any)
	wantErr := anypb.MarshalFrom(want, m, official.MarshalOptions{Deterministic: true})
	o := proto.MarshalOptions{Deterministic: true}
	got, err := o.Pack(m)
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("Pack: %v, anypb: %v", err, wantErr)
	}
	wire, appendErr := o.AppendAny([]byte("before"), m)
	if err != nil {
		if appendErr == nil {
			t.Fatalf("AppendAny succeeds where Pack says %v", err)
		}
		return
	}
	wantWire, err := official.Marshal(want)
	if err != nil || !official.Equal(got, want) || appendErr != nil || string(wire) != "before"+string(wantWire) {
		t.Fatalf("%v %v: got %x %v, want %x", err, appendErr, wire, got, wantWire)
	}
	wire = wire[len("before"):]

	a, err := proto.Unpack(got)
	b, wantErr := want.UnmarshalNew()
	checkSame(t, "Unpack", a, b, err, wantErr)
	a, err = proto.UnmarshalAny(wire)
	checkSame(t, "UnmarshalAny", a, b, err, wantErr)
	a, b = mt.New().Interface(), mt.New().Interface()
	checkSame(t, "UnpackTo", a, b, proto.UnpackTo(got, a), want.UnmarshalTo(b))
	a = mt.New().Interface()
	checkSame(t, "UnmarshalAnyTo", a, b, proto.UnmarshalAnyTo(wire, a), want.UnmarshalTo(b))
}

func checkSame(t *testing.T, what string, got, want proto.Message, err, wantErr error) {
	t.Helper()
	if (err != nil) != (wantErr != nil) || err == nil && !official.Equal(got, want) {
		t.Fatalf("%s: %v %v, anypb: %v %v", what, got, err, want, wantErr)
	}
}

// TestUnmarshalAnyOfAnyForm reads Anys in forms that no library writes, and broken ones.
func TestUnmarshalAnyOfAnyForm(t *testing.T) {
	url := "\x0a\x2ftype.googleapis.com/google.protobuf.StringValue"
	text := "\x12\x04\x0a\x02hi"
	for _, wire := range []string{
		url + text, text + url, "\x12\x01x" + text + url, "\x0a\x01x" + url + text,
		url + "\x1a\x03abc" + text + "\x20\x05",
		url, text, "", "\x0a", url + "\x12\x05\x0a\x02hi", url + "\x12\x03\x0a\x02h", "\x00", "\x0a\x01\xff" + text,
		"\x0a\x03x/y" + text,
		url + "\x10\x05" + text, url + "\x1b\x1c" + text, url + "\x1b" + text,
	} {
		var a anypb.Any
		wantErr := official.Unmarshal([]byte(wire), &a)
		want := new(wrapperspb.StringValue)
		if wantErr == nil {
			wantErr = a.UnmarshalTo(want)
		}
		got := new(wrapperspb.StringValue)
		err := proto.UnmarshalAnyTo([]byte(wire), got)
		if (err != nil) != (wantErr != nil) || err == nil && !official.Equal(got, want) {
			t.Errorf("%q: %v %v, official: %v %v", wire, got, err, want, wantErr)
		}
		if err != nil && !errors.Is(err, proto.Error) {
			t.Errorf("%q: %v is not an error of Protobuf", wire, err)
		}
	}
}

// TestAnyOffset checks that offsets count from the start of the Any.
func TestAnyOffset(t *testing.T) {
	b, err := proto.AppendAny(nil, wrapperspb.String("text"))
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(b, []byte("text"))
	b[at+1] = 0xff
	var fe *proto.FieldError
	if err := proto.UnmarshalAnyTo(b, new(wrapperspb.StringValue)); !errors.As(err, &fe) || fe.Offset != at ||
		fe.Path != "value" {
		t.Errorf("got %v, want byte %d of value", err, at)
	}
	if err := proto.UnmarshalAnyTo(b, new(structpb.Value)); err == nil || !errors.Is(err, proto.Error) {
		t.Errorf("another type: %v", err)
	}
}

func TestAnyOfNil(t *testing.T) {
	if _, err := proto.Pack(nil); err == nil {
		t.Error("Pack takes nil")
	}
	if _, err := proto.AppendAny(nil, nil); err == nil {
		t.Error("AppendAny takes nil")
	}
	if _, err := proto.Unpack(nil); err == nil {
		t.Error("Unpack takes nil")
	}
}
