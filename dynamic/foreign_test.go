package dynamic_test

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	protean "github.com/protean-pb/protean/proto"
)

// TestForeignMessages puts messages of other implementations into all places of a message, also next to ones of
// its own, and takes them out again: they are the ones that were put in, and are written, cloned, merged and read
// into as in dynamicpb.
func TestForeignMessages(t *testing.T) {
	md := descriptor(t, allTypes)
	nested := md.Fields().ByName(nestedField).Message()
	generated, err := protoregistry.GlobalTypes.FindMessageByName(nested.FullName())
	if err != nil {
		t.Fatal(err)
	}
	again, err := protodesc.NewFile(protodesc.ToFileDescriptorProto(md.ParentFile()), protoregistry.GlobalFiles)
	if err != nil {
		t.Fatal(err)
	}
	same := again.Messages().ByName(md.Name()).Messages().ByName(nested.Name())
	types := map[string]protoreflect.MessageType{
		"generated": generated, "dynamicpb": dynamicpb.NewMessageType(nested),
		"dynamic": dynamic.NewMessageType(nested), "dynamic, of another descriptor": dynamic.NewMessageType(same),
	}
	key := protoreflect.ValueOfString("k").MapKey()
	places := map[string]func(m protoreflect.Message, v protoreflect.Value) (got func() protoreflect.Value){
		"field": func(m protoreflect.Message, v protoreflect.Value) func() protoreflect.Value {
			fd := md.Fields().ByName(nestedField)
			m.Set(fd, v)
			return func() protoreflect.Value { return m.Get(fd) }
		},
		"field, Mutable": func(m protoreflect.Message, v protoreflect.Value) func() protoreflect.Value {
			fd := md.Fields().ByName(nestedField)
			m.Set(fd, v)
			return func() protoreflect.Value { return m.Mutable(fd) }
		},
		"oneof": func(m protoreflect.Message, v protoreflect.Value) func() protoreflect.Value {
			fd := md.Fields().ByName(oneofField)
			m.Set(md.Fields().ByName("oneof_string"), protoreflect.ValueOfString("before"))
			m.Set(fd, v)
			return func() (got protoreflect.Value) {
				m.Range(func(_ protoreflect.FieldDescriptor, v protoreflect.Value) bool { got = v; return true })
				return got
			}
		},
		"list": func(m protoreflect.Message, v protoreflect.Value) func() protoreflect.Value {
			l := m.Mutable(md.Fields().ByName(listField)).List()
			l.AppendMutable()
			l.Append(v)
			l.AppendMutable()
			return func() protoreflect.Value { return l.Get(1) }
		},
		"list, Set": func(m protoreflect.Message, v protoreflect.Value) func() protoreflect.Value {
			fd := md.Fields().ByName(listField)
			l := m.NewField(fd).List()
			l.AppendMutable()
			m.Set(fd, protoreflect.ValueOfList(l))
			l.Set(0, v)
			return func() protoreflect.Value { return m.Get(fd).List().Get(0) }
		},
		"map": func(m protoreflect.Message, v protoreflect.Value) func() protoreflect.Value {
			entries := m.Mutable(md.Fields().ByName(mapField)).Map()
			entries.Mutable(protoreflect.ValueOfString("other").MapKey())
			entries.Set(key, v)
			return func() protoreflect.Value { return entries.Get(key) }
		},
	}
	for where, put := range places {
		for what, mt := range types {
			t.Run(what+" in a "+where, func(t *testing.T) {
				fill := func() protoreflect.Message {
					v := mt.New()
					testpb.Fill(v, rand.New(rand.NewPCG(1, 2)), 12)
					return v
				}
				ours, theirs := dynamic.NewMessage(md), dynamicpb.NewMessage(md)
				v, w := fill(), fill()
				got, _ := put(ours, protoreflect.ValueOfMessage(v)), put(theirs, protoreflect.ValueOfMessage(w))
				runtime.GC()
				if g := got().Message(); g != v || g.Interface() != v.Interface() {
					t.Fatalf("a %T became a %T", v.Interface(), g.Interface())
				}
				for _, m := range []protoreflect.Message{v, w} { // it is the same message
					m.Set(m.Descriptor().Fields().ByName("a"), protoreflect.ValueOfInt32(77))
				}
				if mt.Descriptor() == nested {
					if !proto.Equal(ours, theirs) {
						t.Fatalf("ours:   %v\ntheirs: %v", ours, theirs)
					}
					clonesAgree(t, ours, theirs)
				}
				if c := proto.Clone(ours); !proto.Equal(proto.Clone(c), c) || proto.Size(c) != proto.Size(ours) {
					t.Errorf("%v\nis cloned as %v", ours, c)
				}
				codecsAgree(t, ours, theirs)
			})
		}
	}
}

// TestNilForeignMessage puts a nil message of a generated type into a message, which dynamicpb takes for an empty
// one.
func TestNilForeignMessage(t *testing.T) {
	md := descriptor(t, allTypes)
	nested := md.Fields().ByName(nestedField).Message()
	generated, err := protoregistry.GlobalTypes.FindMessageByName(nested.FullName())
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := dynamic.NewMessage(md), dynamicpb.NewMessage(md)
	for _, m := range []protoreflect.Message{ours, theirs} {
		m.Set(md.Fields().ByName(nestedField), protoreflect.ValueOfMessage(generated.Zero()))
		m.Mutable(md.Fields().ByName(listField)).List().Append(protoreflect.ValueOfMessage(generated.Zero()))
	}
	got := ours.Get(md.Fields().ByName(nestedField)).Message()
	if got.Interface() != generated.Zero().Interface() || got.IsValid() {
		t.Errorf("%T %v", got.Interface(), got.IsValid())
	}
	clonesAgree(t, ours, theirs)
	codecsAgree(t, ours, theirs)
}

// TestForeignMessageSet checks that a generated message set with unknown fields is written as in dynamicpb, which
// leaves them out; in a generated message it is an error, because Size counts them.
func TestForeignMessageSet(t *testing.T) {
	set := new(legacypb.MessageSet)
	set.ProtoReflect().SetUnknown([]byte("\x08\x01"))
	md := descriptor(t, "protean.test.legacy.HoldsMessageSet")
	ours, theirs := dynamic.NewMessage(md), dynamicpb.NewMessage(md)
	for _, m := range []protoreflect.Message{ours.ProtoReflect(), theirs} {
		m.Set(md.Fields().ByName("set"), protoreflect.ValueOfMessage(set.ProtoReflect()))
		m.Mutable(md.Fields().ByName("sets")).List().Append(protoreflect.ValueOfMessage(set.ProtoReflect()))
	}
	got, err := protean.MarshalOptions{Deterministic: true}.Marshal(ours)
	want, wantErr := proto.MarshalOptions{Deterministic: true}.Marshal(theirs)
	if !bytes.Equal(got, want) || (err == nil) != (wantErr == nil) {
		t.Errorf("dynamic: %q, %v; want %q, %v", got, err, want, wantErr)
	}
	held := &legacypb.HoldsMessageSet{Set: set}
	got, err = protean.Marshal(held)
	want, wantErr = proto.Marshal(held)
	if !bytes.Equal(got, want) || (err == nil) != (wantErr == nil) {
		t.Errorf("generated: %q, %v; want %q, %v", got, err, want, wantErr)
	}
}
