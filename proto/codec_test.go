package proto_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/proto"
)

// kinds says how messages of a type are made, for tests that run on several kinds.
type kind struct {
	name string
	new  func(protoreflect.MessageType) proto.Message
}

var kinds = []kind{
	{"generated", func(t protoreflect.MessageType) proto.Message { return t.New().Interface() }},
}

// eachType runs test for every type of test message, made in every way.
func eachType(t *testing.T, test func(t *testing.T, k kind, mt protoreflect.MessageType)) {
	for _, k := range kinds {
		for _, mt := range testpb.Types() {
			t.Run(k.name+"/"+string(mt.Descriptor().FullName()), func(t *testing.T) { test(t, k, mt) })
		}
	}
}

// TestRandom writes random messages and reads them again, and holds both against the
// official library.
func TestRandom(t *testing.T) {
	eachType(t, func(t *testing.T, k kind, mt protoreflect.MessageType) {
		r := rand.New(rand.NewPCG(1, 2))
		for i := range 60 {
			m := k.new(mt)
			testpb.Fill(m.ProtoReflect(), r, 1+i)
			checkMarshal(t, m)
			if t.Failed() {
				t.Fatalf("turn %d", i)
			}
		}
	})
}

func checkMarshal(t *testing.T, m proto.Message) {
	t.Helper()
	for _, partial := range []bool{false, true} {
		want, wantErr := official.MarshalOptions{Deterministic: true, AllowPartial: partial}.Marshal(m)
		got, err := proto.MarshalOptions{Deterministic: true, AllowPartial: partial}.Marshal(m)
		if (err != nil) != (wantErr != nil) {
			t.Fatalf("Marshal: %v, official: %v", err, wantErr)
		}
		if err == nil && !bytes.Equal(got, want) {
			t.Fatalf("Marshal:\n%x, official:\n%x", got, want)
		}
		if err != nil {
			continue
		}
		any, err := proto.MarshalOptions{AllowPartial: partial}.Marshal(m)
		if err != nil || len(any) != len(want) {
			t.Fatalf("Marshal in any order: %x, %v", any, err)
		}
		checkUnmarshal(t, any, m)
	}
}

// checkUnmarshal reads b into messages of m's type with both libraries, in all ways.
func checkUnmarshal(t *testing.T, b []byte, m proto.Message) {
	t.Helper()
	for i := range 8 {
		o := proto.UnmarshalOptions{AllowPartial: i&1 != 0, DiscardUnknown: i&2 != 0, AliasInput: i&4 != 0}
		want := m.ProtoReflect().New().Interface()
		wantErr := official.UnmarshalOptions{AllowPartial: o.AllowPartial, DiscardUnknown: o.DiscardUnknown}.Unmarshal(b, want)
		got := m.ProtoReflect().New().Interface()
		in := bytes.Clone(b)
		err := o.Unmarshal(in, got)
		if (err != nil) != (wantErr != nil) {
			t.Fatalf("Unmarshal %x: %v, official: %v", b, err, wantErr)
		}
		if !o.AliasInput {
			for i := range in {
				in[i] = 0xff
			}
		}
		if err == nil && !official.Equal(got, want) {
			t.Fatalf("Unmarshal %x:\n%v, official:\n%v", b, got, want)
		}
		if err == nil {
			g, _ := official.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(got)
			w, _ := official.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(want)
			if !bytes.Equal(g, w) {
				t.Fatalf("Unmarshal %x:\n%x, official:\n%x", b, g, w)
			}
		}
	}
}
