package proto_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/encoding/prototext"
	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/proto"
)

type kind = testpb.Kind

// kinds are the ways in which messages are made.
var kinds = []testpb.Kind{
	{Name: "generated", Types: testpb.Types, New: func(t protoreflect.MessageType) proto.Message { return t.New().Interface() }},
	{Name: "dynamic", Types: testpb.Schemas, New: func(t protoreflect.MessageType) proto.Message { return dynamic.NewMessage(t.Descriptor()) }},
}

// choices returns all types, made in every way.
var choices = sync.OnceValue(func() []testpb.Choice { return testpb.Choices(kinds...) })

// chosen returns the choice that a fuzz target's number stands for.
func chosen(which uint16) testpb.Choice { return choices()[int(which)%len(choices())] }

// emptyOfficial returns an empty message like m that the official library reads and writes
// with its own code.
func emptyOfficial(m proto.Message) proto.Message {
	if d, ok := m.(*dynamic.Message); ok {
		return dynamicpb.NewMessage(d.Descriptor())
	}
	return m.ProtoReflect().New().Interface()
}

// describe returns the first message type of a file in text form.
func describe(t *testing.T, file string) protoreflect.MessageDescriptor {
	t.Helper()
	fdp := new(descriptorpb.FileDescriptorProto)
	if err := prototext.Unmarshal([]byte(file), fdp); err != nil {
		t.Fatal(err)
	}
	fd, err := protodesc.NewFile(fdp, nil)
	if err != nil {
		t.Fatal(err)
	}
	return fd.Messages().Get(0)
}

// eachType runs test for every type of test message, made in every way.
func eachType(t *testing.T, test func(t *testing.T, k kind, mt protoreflect.MessageType)) {
	for _, c := range choices() {
		t.Run(c.String(), func(t *testing.T) { test(t, c.Kind, c.Type) })
	}
}

// TestCodecAgreesWithOfficial writes random messages and reads them again, and holds both against the
// official library.
func TestCodecAgreesWithOfficial(t *testing.T) {
	eachType(t, func(t *testing.T, k kind, mt protoreflect.MessageType) {
		r := rand.New(rand.NewPCG(1, 2))
		for range race.Rounds(10) {
			m := k.New(mt)
			testpb.Fill(m.ProtoReflect(), r, 1+r.IntN(40))
			checkMarshal(t, m)
		}
	})
}

func checkMarshal(t *testing.T, m proto.Message) {
	t.Helper()
	same := m
	if _, ok := m.(*dynamic.Message); ok {
		same = emptyOfficial(m)
		official.Merge(same, m)
	}
	var written []byte // the same bytes, complete or partial
	for _, partial := range []bool{false, true} {
		want, wantErr := official.MarshalOptions{Deterministic: true, AllowPartial: partial}.Marshal(same)
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
		written = append([]byte{}, any...)
	}
	if written != nil {
		checkUnmarshal(t, written, m)
	}
}

// checkUnmarshal reads b into messages of m's type with both libraries, in all ways.
func checkUnmarshal(t *testing.T, b []byte, m proto.Message) {
	t.Helper()
	for way := range 8 {
		checkWay(t, b, m, proto.UnmarshalOptions{AllowPartial: way&1 != 0, DiscardUnknown: way&2 != 0,
			AliasInput: way&4 != 0})
	}
}

// checkWay reads b into messages of m's type with both libraries; with Merge it does so
// twice.
func checkWay(t *testing.T, b []byte, m proto.Message, o proto.UnmarshalOptions) {
	t.Helper()
	oo := official.UnmarshalOptions{
		Merge: o.Merge, AllowPartial: o.AllowPartial, DiscardUnknown: o.DiscardUnknown,
		RecursionLimit: o.RecursionLimit,
	}
	want, got := emptyOfficial(m), m.ProtoReflect().New().Interface()
	wantErr := unmarshalOfficial(oo, b, want)
	in := bytes.Clone(b)
	err := o.Unmarshal(in, got)
	if o.Merge && err == nil && wantErr == nil {
		wantErr = unmarshalOfficial(oo, b, want)
		err = o.Unmarshal(in, got)
	}
	if wantErr == nil && errors.Is(err, proto.ErrDepth) && strings.Contains(err.Error(), "(") {
		return // the official library begins to count anew in the message of an extension field
	}
	if errors.Is(wantErr, errPanic) {
		return // there is nothing to compare with
	}
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("%+v, Unmarshal %x: %v, official: %v", o, b, err, wantErr)
	}
	if !o.AliasInput {
		for i := range in {
			in[i] = 0xff
		}
	}
	if err != nil {
		checkError(t, err, len(b))
		return
	}
	sorted := official.MarshalOptions{Deterministic: true, AllowPartial: true}
	g, gErr := sorted.Marshal(got)
	w, wErr := sorted.Marshal(want)
	if (gErr != nil) != (wErr != nil) || !sameBytes(want, g, w) || !official.Equal(got, want) {
		t.Fatalf("%+v, Unmarshal %x:\n%x %v, official:\n%x %v", o, b, g, got, w, want)
	}
	again, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(got)
	if (err != nil) != (wErr != nil) || wErr == nil && !sameBytes(want, again, w) {
		t.Fatalf("%+v, Marshal of Unmarshal %x:\n%x %v, official:\n%x %v", o, b, again, err, w, wErr)
	}
}

// sameBytes reports whether the two wire forms of m are the same. The bits of a NaN may
// differ: where the official library goes through reflection it does not keep them.
func sameBytes(m proto.Message, got, want []byte) bool {
	return bytes.Equal(got, want) || len(got) == len(want) && strings.Contains(prototext.Format(m), "nan")
}

var errPanic = errors.New("the official library panicked")

// unmarshalOfficial is the official library's Unmarshal, with an error where it panics: on
// a map entry of a dynamic message whose key comes twice with different wire types.
func unmarshalOfficial(o official.UnmarshalOptions, b []byte, m proto.Message) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errPanic, p)
		}
	}()
	return o.Unmarshal(b, m)
}

// checkError checks that an error says where it is.
func checkError(t *testing.T, err error, size int) {
	t.Helper()
	var fe *proto.FieldError
	if !errors.Is(err, proto.Error) {
		t.Fatalf("%v is not an error of Protobuf", err)
	}
	if errors.As(err, &fe) && (fe.Offset > size || fe.Offset < 0 && fe.Err != proto.ErrRequired || fe.Message == "") {
		t.Fatalf("%#v does not say where", fe)
	}
}
