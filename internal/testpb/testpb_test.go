//go:build !race

// What this package does is neither concurrent nor unsafe.

package testpb_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/internal/testpb"
)

func TestTypes(t *testing.T) {
	var names []string
	for _, mt := range testpb.Types() {
		if mt.Descriptor().IsMapEntry() {
			t.Errorf("%s is a map entry", mt.Descriptor().FullName())
		}
		names = append(names, string(mt.Descriptor().FullName()))
	}
	if !slices.IsSorted(names) {
		t.Error("not sorted")
	}
	for _, want := range []string{
		"google.protobuf.Value",
		"protean.test.legacy.Groups.Single.Inner",
		"hybrid.protean.test.edition.Presence",
		"opaque.protobuf_test_messages.proto3.TestAllTypesProto3.NestedMessage",
	} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is missing", want)
		}
	}
}

// TestSchemas checks that each type that Schemas leaves out is one that it has, but for the
// names in it.
func TestSchemas(t *testing.T) {
	known := map[string]bool{}
	for _, mt := range testpb.Schemas() {
		known[nameless(mt.Descriptor())] = true
	}
	for _, mt := range testpb.Types() {
		if !known[nameless(mt.Descriptor())] {
			t.Errorf("nothing is like %s", mt.Descriptor().FullName())
		}
	}
	if n := len(testpb.Schemas()); n == 0 || n > len(testpb.Types())/2 {
		t.Errorf("%d of %d types", n, len(testpb.Types()))
	}
}

// nameless returns the schema of a type as text, in which no name says for which API it is.
func nameless(md protoreflect.MessageDescriptor) string {
	return apis.Replace(fmt.Sprintf("%q %s", md.FullName(), prototext.Format(protodesc.ToDescriptorProto(md))))
}

var apis = strings.NewReplacer(`"hybrid.`, `"`, `"opaque.`, `"`, `".hybrid.`, `".`, `".opaque.`, `".`, "  ", " ")

// TestFill checks what Fill promises: that the official library reads back what it
// writes of such a message, with generated code and without; that the same random
// numbers give the same message; and that every field gets a value sooner or later.
func TestFill(t *testing.T) {
	for _, mt := range testpb.Types() {
		t.Run(string(mt.Descriptor().FullName()), func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(12) {
				m := filled(mt, seed)
				roundTrip(t, mt, m)
				if !bytes.Equal(marshal(t, m), marshal(t, filled(mt, seed))) {
					t.Fatalf("seed %d gives two messages", seed)
				}
				if !testpb.IsMessageSet(mt.Descriptor()) {
					roundTrip(t, dynamicpb.NewMessageType(mt.Descriptor()), m)
				}
			}
			checkSeen(t, mt)
		})
	}
}

func filled(mt protoreflect.MessageType, seed uint64) proto.Message {
	m := mt.New()
	testpb.Fill(m, rand.New(rand.NewPCG(seed, 4)), int(seed%12)*4)
	return m.Interface()
}

func marshal(t *testing.T, m proto.Message) []byte {
	b, err := proto.MarshalOptions{AllowPartial: true, Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func roundTrip(t *testing.T, mt protoreflect.MessageType, m proto.Message) {
	back := mt.New().Interface()
	if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(marshal(t, m), back); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(marshal(t, m), marshal(t, back)) {
		t.Fatalf("%v\nis read back as\n%v", m, back)
	}
	if _, dynamic := back.(*dynamicpb.Message); !dynamic && !proto.Equal(m, back) {
		t.Fatalf("%v\nis not equal to\n%v", m, back)
	}
}

func checkSeen(t *testing.T, mt protoreflect.MessageType) {
	fields := mt.Descriptor().Fields()
	missing := map[protoreflect.FullName]bool{}
	for i := range fields.Len() {
		if fd := fields.Get(i); fd.Message() == nil || !testpb.IsMessageSet(fd.Message()) {
			missing[fd.FullName()] = true
		}
	}
	for seed := uint64(0); seed < 4000 && len(missing) > 0; seed++ {
		filled(mt, seed).ProtoReflect().Range(func(fd protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
			delete(missing, fd.FullName())
			return true
		})
	}
	if len(missing) > 0 {
		t.Errorf("never set: %v", missing)
	}
}

// TestFillVariety checks that what is rare occurs.
func TestFillVariety(t *testing.T) {
	var partial, unknown, extension, nan, invalid bool
	for _, typ := range testpb.Types() {
		if !strings.HasPrefix(string(typ.Descriptor().FullName()), "protean.test.") {
			continue
		}
		for seed := range uint64(20) {
			m := filled(typ, seed).ProtoReflect()
			partial = partial || proto.CheckInitialized(m.Interface()) != nil
			unknown = unknown || len(m.GetUnknown()) > 0
			m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
				extension = extension || fd.IsExtension()
				f, isFloat := v.Interface().(float64)
				nan = nan || isFloat && f != f
				s, isText := v.Interface().(string)
				invalid = invalid || isText && !utf8.ValidString(s)
				return true
			})
		}
	}
	if !partial || !unknown || !extension || !nan || !invalid {
		t.Errorf("partial %v, unknown %v, extension %v, NaN %v, invalid UTF-8 %v", partial, unknown, extension, nan,
			invalid)
	}
}
