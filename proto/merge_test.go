package proto_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/runtime/protoiface"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/proto"
)

// TestUnmarshalMerges reads input into messages that hold something already, with and without Merge.
func TestUnmarshalMerges(t *testing.T) {
	eachType(t, func(t *testing.T, k kind, mt protoreflect.MessageType) {
		r := rand.New(rand.NewPCG(9, 10))
		for range race.Rounds(8) {
			before, after := k.New(mt), k.New(mt)
			testpb.Fill(before.ProtoReflect(), r, 12)
			testpb.Fill(after.ProtoReflect(), r, 12)
			partial := official.MarshalOptions{AllowPartial: true, Deterministic: true}
			a, errA := partial.Marshal(before)
			b, errB := partial.Marshal(after)
			if errA != nil || errB != nil {
				continue // a message set in a message
			}
			for _, merge := range []bool{false, true} {
				got, want := k.New(mt), emptyOfficial(before)
				for _, wire := range [][]byte{a, b} {
					if err := (proto.UnmarshalOptions{Merge: merge, AllowPartial: true}).Unmarshal(wire,
						got); err != nil {
						t.Fatal(err)
					}
					if err := (official.UnmarshalOptions{Merge: merge, AllowPartial: true}).Unmarshal(wire,
						want); err != nil {
						t.Fatal(err)
					}
				}
				g, _ := partial.Marshal(got)
				w, _ := partial.Marshal(want)
				if !bytes.Equal(g, w) || !official.Equal(got, want) {
					t.Fatalf("merge %v, %x and %x:\n%x, official\n%x", merge, a, b, g, w)
				}
			}
		}
	})
}

// TestUnmarshalResets reads nothing into messages of which one field is set, or only an
// unknown one: nothing may be left.
func TestUnmarshalResets(t *testing.T) {
	eachType(t, func(t *testing.T, k kind, mt protoreflect.MessageType) {
		full := k.New(mt)
		testpb.Fill(full.ProtoReflect(), rand.New(rand.NewPCG(1, 2)), 30)
		check := func(what any, set func(protoreflect.Message)) {
			m := k.New(mt)
			set(m.ProtoReflect())
			for _, o := range []proto.UnmarshalOptions{{AllowPartial: true}, {AllowPartial: true, AliasInput: true}} {
				_ = o.Unmarshal(nil, m) // the official library refuses message sets, but resets them
				if !official.Equal(m, k.New(mt)) {
					t.Errorf("%v is left: %v", what, m)
				}
			}
		}
		full.ProtoReflect().Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
			check(fd.Name(), func(m protoreflect.Message) { m.Set(fd, v) })
			return true
		})
		check("an unknown field", func(m protoreflect.Message) { m.SetUnknown([]byte{0xf8, 0xff, 0x0f, 1}) })
	})
}

// TestMarshalAppend checks that what is before is kept, and the capacity used.
func TestMarshalAppend(t *testing.T) {
	eachShape(t, t.Run, func(t *testing.T, wire []byte, _, ours func() proto.Message) {
		m := ours()
		if err := proto.Unmarshal(wire, m); err != nil {
			t.Fatal(err)
		}
		o := proto.MarshalOptions{Deterministic: true}
		roomy := make([]byte, 3, 3+len(wire))
		copy(roomy, "abc")
		for _, before := range [][]byte{nil, {}, []byte("abc"), roomy} {
			b, err := o.MarshalAppend(before, m)
			if err != nil || !bytes.Equal(b, append(before[:len(before):len(before)], wire...)) {
				t.Errorf("after %q with room for %d: %x, %v", before, cap(before), b, err)
			}
			if cap(before) > len(before) && &b[0] != &before[0] {
				t.Error("the capacity is not used")
			}
		}
		wrong, err := o.MarshalAppend([]byte("abc"), &benchpb.Leaf{Name: bad})
		if err == nil || string(wrong) != "abc" {
			t.Errorf("with an error it returns %q, %v", wrong, err)
		}
	})
}

// TestMarshalStateAndUnmarshalState calls the methods for reflected messages.
func TestMarshalStateAndUnmarshalState(t *testing.T) {
	eachShape(t, t.Run, func(t *testing.T, wire []byte, _, ours func() proto.Message) {
		m := ours().ProtoReflect()
		out, err := proto.UnmarshalOptions{}.UnmarshalState(protoiface.UnmarshalInput{Message: m, Buf: wire})
		if err != nil || out.Flags&protoiface.UnmarshalInitialized == 0 {
			t.Fatalf("%+v, %v", out, err)
		}
		b, err := proto.MarshalOptions{Deterministic: true}.MarshalState(protoiface.MarshalInput{Message: m,
			Buf: []byte("abc")})
		if err != nil || string(b.Buf) != "abc"+string(wire) {
			t.Errorf("%x, %v", b.Buf, err)
		}
	})
	m := new(legacypb.RequiredBelow).ProtoReflect()
	out, err := proto.UnmarshalOptions{AllowPartial: true}.UnmarshalState(protoiface.UnmarshalInput{Message: m,
		Buf: []byte(sub(2))})
	if err != nil || out.Flags&protoiface.UnmarshalInitialized != 0 {
		t.Errorf("partial: %+v, %v", out, err)
	}
	if _, err = (proto.UnmarshalOptions{}).UnmarshalState(protoiface.UnmarshalInput{Message: m,
		Buf: []byte(sub(2))}); !errors.Is(err, proto.ErrRequired) {
		t.Errorf("incomplete: %v", err)
	}
}

// TestResolver reads extension fields with resolvers that know none, some, or fail.
func TestResolver(t *testing.T) {
	m := extended()
	proto.SetExtension(m, legacypb.E_ExtSelf, extended())
	wire, err := official.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	some := new(protoregistry.Types)
	for _, xt := range []protoreflect.ExtensionType{legacypb.E_ExtSelf, legacypb.E_ExtString} {
		if err := some.RegisterExtension(xt); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name     string
		resolver interface {
			FindExtensionByName(protoreflect.FullName) (protoreflect.ExtensionType, error)
			FindExtensionByNumber(protoreflect.FullName, protoreflect.FieldNumber) (protoreflect.ExtensionType, error)
		}
	}{{"none", new(protoregistry.Types)}, {"some", some}, {"all", protoregistry.GlobalTypes},
		{"broken", brokenResolver{}}} {
		for _, k := range kinds {
			got, want := k.New(m.ProtoReflect().Type()), new(legacypb.Extendable)
			err := proto.UnmarshalOptions{Resolver: test.resolver}.Unmarshal(wire, got)
			wantErr := official.UnmarshalOptions{Resolver: test.resolver}.Unmarshal(wire, want)
			if (err != nil) != (wantErr != nil) {
				t.Fatalf("%s, %s: %v, official %v", test.name, k.Name, err, wantErr)
			}
			if err == nil && (!official.Equal(got, want) ||
				len(got.ProtoReflect().GetUnknown()) != len(want.ProtoReflect().GetUnknown())) {
				t.Errorf("%s, %s: %v, official %v", test.name, k.Name, got, want)
			}
		}
	}
}

var errResolver = errors.New("the resolver is broken")

type brokenResolver struct{}

func (brokenResolver) FindExtensionByName(protoreflect.FullName) (protoreflect.ExtensionType, error) {
	return nil, errResolver
}

func (brokenResolver) FindExtensionByNumber(
	protoreflect.FullName, protoreflect.FieldNumber,
) (protoreflect.ExtensionType, error) {
	return nil, errResolver
}

// TestMergeIntoList merges into a list that has room, in a message with a required field and one that is not
// plain, which is in another: what is read before that one is read once.
func TestMergeIntoList(t *testing.T) {
	const schema = `name: "list.proto" package: "list" message_type: {
		name: "M"
		field: {name: "must" number: 1 type: TYPE_INT32 label: LABEL_REQUIRED}
		field: {name: "texts" number: 2 type: TYPE_STRING label: LABEL_REPEATED}
		field: {name: "below" number: 3 type: TYPE_MESSAGE label: LABEL_OPTIONAL type_name: ".list.M"}
	}`
	md := describe(t, schema)
	must := "\x08\x01"
	wire := []byte(must + sub(3, must+sub(2, "a")+sub(2, "b")+sub(3, must)))
	got, want := dynamic.NewMessage(md), dynamicpb.NewMessage(md)
	for range 9 {
		if err := (proto.UnmarshalOptions{Merge: true}).Unmarshal(wire, got); err != nil {
			t.Fatal(err)
		}
		if err := (official.UnmarshalOptions{Merge: true}).Unmarshal(wire, want); err != nil {
			t.Fatal(err)
		}
		if !official.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

// TestMergeFullList merges more than once into a message whose list of text is full.
func TestMergeFullList(t *testing.T) {
	file := &descriptorpb.FileDescriptorProto{
		Dependency: []string{"one.proto", "two.proto", "three.proto"},
		Options:    &descriptorpb.FileOptions{JavaMultipleFiles: proto.Bool(true)},
	}
	wire, err := official.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		m := new(descriptorpb.FileDescriptorProto)
		for n := 1; n < 4; n++ {
			if err := (proto.UnmarshalOptions{Merge: true}).Unmarshal(wire, m); err != nil {
				t.Fatal(err)
			}
			if want := slices.Repeat(file.Dependency, n); !slices.Equal(m.Dependency, want) {
				t.Fatalf("%q, not %q", m.Dependency, want)
			}
		}
		if !official.Equal(m.Options, file.Options) {
			t.Fatal(m.Options)
		}
		if m, err := m, proto.Unmarshal(wire, m); err != nil || !official.Equal(m, file) {
			t.Fatal(m, err)
		}
	}
}
