package conformance

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/protean-pb/protean/internal/testpb"

	// A large published API, and what it is made of. They link their own message
	// types and some hundred more.
	_ "google.golang.org/genproto/googleapis/actions/sdk/v2"
	_ "google.golang.org/genproto/googleapis/analytics/admin/v1beta"
	_ "google.golang.org/genproto/googleapis/api/error_reason"
	_ "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
	_ "google.golang.org/genproto/googleapis/api/expr/v1beta1"
	_ "google.golang.org/genproto/googleapis/api/httpbody"
	_ "google.golang.org/genproto/googleapis/api/serviceconfig"
	_ "google.golang.org/genproto/googleapis/apps/card/v1"
	_ "google.golang.org/genproto/googleapis/apps/drive/labels/v2"
	_ "google.golang.org/genproto/googleapis/cloud/aiplatform/v1/schema/trainingjob/definition"
	_ "google.golang.org/genproto/googleapis/cloud/bigquery/v2"
	_ "google.golang.org/genproto/googleapis/cloud/sql/v1"
	_ "google.golang.org/genproto/googleapis/container/v1beta1"
	_ "google.golang.org/genproto/googleapis/devtools/resultstore/v2"
	_ "google.golang.org/genproto/googleapis/grafeas/v1"
	_ "google.golang.org/genproto/googleapis/maps/fleetengine/v1"
	_ "google.golang.org/genproto/googleapis/maps/routes/v1"
	_ "google.golang.org/genproto/googleapis/rpc/context/attribute_context"
	_ "google.golang.org/genproto/googleapis/rpc/errdetails"
	_ "google.golang.org/genproto/googleapis/type/datetime"
	_ "google.golang.org/protobuf/types/known/apipb"
	_ "google.golang.org/protobuf/types/known/typepb"
)

// linked are the types of all messages in the program, sorted by name.
func linked(t *testing.T) []protoreflect.MessageType {
	var all []protoreflect.MessageType
	protoregistry.GlobalTypes.RangeMessages(func(mt protoreflect.MessageType) bool {
		all = append(all, mt)
		return true
	})
	slices.SortFunc(all, func(a, b protoreflect.MessageType) int {
		return cmp.Compare(a.Descriptor().FullName(), b.Descriptor().FullName())
	})
	if len(all) < 1700 {
		t.Fatalf("%d message types, want 1700 or more", len(all))
	}
	return all
}

// TestPublished fills messages of every linked type at random and has each library
// read what the other writes.
func TestPublished(t *testing.T) {
	for _, name := range []string{"generated", "dynamic"} {
		t.Run(name, func(t *testing.T) {
			ours, err := NewTestee(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, mt := range linked(t) {
				if name == "dynamic" && testpb.IsMessageSet(mt.Descriptor()) {
					continue // the official library refuses it
				}
				for _, size := range []int{1, 8, 30} {
					if err := exchange(mt.Descriptor().FullName(), size, ours, ours.Official()); err != nil {
						t.Errorf("%s, size %d: %v", mt.Descriptor().FullName(), size, err)
					}
				}
			}
		})
	}
}

// exchange fills one message for each of the libraries, alike. Each writes its own and
// reads the other's.
func exchange(name protoreflect.FullName, size int, ours, theirs *Testee) error {
	a, b := ours.kind.new(name), theirs.kind.new(name)
	for _, m := range []proto.Message{a, b} {
		r := rand.New(rand.NewPCG(uint64(len(name)), uint64(size)))
		testpb.Fill(m.ProtoReflect(), r, size)
		if size%2 == 0 { // the others may hold what has no form in JSON
			testpb.Legalize(m.ProtoReflect(), r, 2)
		}
	}
	if !proto.Equal(a, b) {
		return fmt.Errorf("filled alike, %v is not %v", a, b)
	}
	_, err := ours.codec.Marshal(proto.MarshalOptions{}, a)
	_, want := theirs.codec.Marshal(proto.MarshalOptions{}, b)
	if (err != nil) != (want != nil) {
		return fmt.Errorf("marshal: %v, the official library: %v", err, want)
	}
	for _, o := range []proto.MarshalOptions{{AllowPartial: true}, {AllowPartial: true, Deterministic: true}} {
		if err := carry(o, a, b, ours, theirs); err != nil {
			return fmt.Errorf("written by us: %w", err)
		}
		if err := carry(o, b, a, theirs, ours); err != nil {
			return fmt.Errorf("read by us: %w", err)
		}
	}
	return exchangeJSON(a, b, ours, theirs)
}

// exchangeJSON holds the text of a, which is ours, against that of b, and has each library
// read what the other writes.
func exchangeJSON(a, b proto.Message, ours, theirs *Testee) error {
	for _, o := range []protojson.MarshalOptions{
		{AllowPartial: true}, {AllowPartial: true, EmitUnpopulated: true, UseProtoNames: true}, {AllowPartial: true, EmitDefaultValues: true, UseEnumNumbers: true},
	} {
		o.Resolver = ours.kind
		text, err := ours.codec.ToJSON(o, a)
		want, wantErr := theirs.codec.ToJSON(o, b)
		if (err != nil) != (wantErr != nil) || compact(string(text)) != compact(string(want)) {
			return fmt.Errorf("as JSON: %s, %v; the official library: %s, %v", text, err, want, wantErr)
		}
		if err != nil {
			continue
		}
		gotA, gotB := a.ProtoReflect().New().Interface(), b.ProtoReflect().New().Interface()
		read := protojson.UnmarshalOptions{AllowPartial: true, Resolver: ours.kind}
		if err := ours.codec.FromJSON(read, want, gotA); err != nil {
			return fmt.Errorf("%s: %w", want, err)
		}
		if err := theirs.codec.FromJSON(read, text, gotB); err != nil {
			return fmt.Errorf("%s, by the official library: %w", text, err)
		}
		if !proto.Equal(gotA, gotB) {
			return fmt.Errorf("%s is read as %v, by the official library as %v", text, gotA, gotB)
		}
	}
	return nil
}

// carry has one library write a message, and the other read it and find it equal to want.
func carry(o proto.MarshalOptions, m, want proto.Message, writer, reader *Testee) error {
	b, err := writer.codec.Marshal(o, m)
	if err != nil {
		return err
	}
	if again, err := writer.codec.Marshal(o, m); o.Deterministic && !bytes.Equal(b, again) {
		return fmt.Errorf("two ways to write it (%v): %x, %x", err, b, again)
	}
	back := want.ProtoReflect().New().Interface()
	if err := reader.codec.Unmarshal(proto.UnmarshalOptions{AllowPartial: true}, b, back); err != nil {
		return fmt.Errorf("%x: %w", b, err)
	}
	if !proto.Equal(want, back) {
		return fmt.Errorf("%x is read as %v, not %v", b, back, want)
	}
	return nil
}

// TestExchange checks that faults are noticed.
func TestExchange(t *testing.T) {
	keep, pass := func(b []byte) []byte { return b }, func(err error) error { return err }
	half := func(b []byte) []byte { return b[:len(b)/2] }
	refuse := func(error) error { return bytes.ErrTooLarge }
	for _, test := range []struct {
		name  string
		codec codec
		sound bool
	}{
		{"sound", broken{marshal: keep, unmarshal: pass}, true},
		{"writes more JSON", broken{marshal: keep, unmarshal: pass, after: " 1"}, false},
		{"half of what is written", broken{marshal: half, unmarshal: pass}, false},
		{"refuses all", broken{marshal: keep, unmarshal: refuse}, false},
	} {
		ours := &Testee{codec: test.codec, kind: kinds["generated"]}
		if err := exchange("google.rpc.Status", 20, ours, ours.Official()); (err == nil) != test.sound {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
