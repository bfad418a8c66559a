package native_test

import (
	"sync"
	"testing"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/cmd/protean/internal/native"
	"github.com/protean-pb/protean/cmd/protean/internal/native/nativetest"
	"github.com/protean-pb/protean/internal/test/race"
)

// compiled is the schema that the tests of package gostruct use as well.
var compiled = sync.OnceValues(func() (*nativetest.Schema, error) {
	return nativetest.Compile("../gostruct/testdata")
})

func schema(t testing.TB) *nativetest.Schema {
	t.Helper()
	return must(t, compiled)
}

// extensions are the types of the extensions of fixture.Legacy.
var extensions = sync.OnceValues(func() ([]protoreflect.ExtensionType, error) {
	s, err := compiled()
	if err != nil {
		return nil, err
	}
	var types []protoreflect.ExtensionType
	for _, name := range []protoreflect.FullName{
		"fixture.number_extension", "fixture.Holder.nested_extension", "fixture.list_extension",
	} {
		d, err := s.FindDescriptorByName(name)
		if err != nil {
			return nil, err
		}
		types = append(types, dynamicpb.NewExtensionType(d.(protoreflect.ExtensionDescriptor)))
	}
	return types, nil
})

// types are the linked-in types, for an Any, and the extensions.
var types = sync.OnceValues(func() (*protoregistry.Types, error) {
	extensions, err := extensions()
	if err != nil {
		return nil, err
	}
	types := &protoregistry.Types{}
	for _, xt := range extensions {
		if err := types.RegisterExtension(xt); err != nil {
			return nil, err
		}
	}
	protoregistry.GlobalTypes.RangeMessages(func(mt protoreflect.MessageType) bool {
		err = types.RegisterMessage(mt)
		return err == nil
	})
	return types, err
})

// must returns what one of the variables above holds.
func must[T any](t testing.TB, get func() (T, error)) T {
	t.Helper()
	v, err := get()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// message returns a message of the fixture or of google.protobuf with the
// content that the text says.
func message(t testing.TB, name protoreflect.FullName, text string) protoreflect.Message {
	t.Helper()
	md := schema(t).Message(name)
	if md == nil {
		t.Fatalf("no message %s", name)
	}
	m := dynamicpb.NewMessage(md)
	o := prototext.UnmarshalOptions{AllowPartial: true, Resolver: must(t, types)}
	if err := o.Unmarshal([]byte(text), m); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return m
}

// checkRoundTrip takes a message to native data and back.
func checkRoundTrip(t testing.TB, m protoreflect.Message) {
	t.Helper()
	v, err := native.FromMessage(m)
	if err != nil {
		t.Fatalf("FromMessage: %v\n%v", err, m)
	}
	back := m.New()
	if err := native.ToMessage(v, back); err != nil {
		t.Fatalf("ToMessage: %v\n%v", err, m)
	}
	if diff := native.Difference(m, back); diff != "" {
		t.Fatalf("%s\n%v", diff, m)
	}
	if !proto.Equal(m.Interface(), back.Interface()) {
		t.Fatalf("Difference is blind to a difference\n%v\n%v", m, back)
	}
}

func TestRoundTrip(t *testing.T) {
	s := schema(t)
	messages := s.Messages()
	for _, name := range []protoreflect.FullName{"Timestamp", "Duration", "Struct", "Value", "ListValue", "Any",
		"Empty", "Int64Value"} {
		messages = append(messages, s.Message("google.protobuf."+name))
	}
	for _, md := range messages {
		t.Run(string(md.FullName()), func(t *testing.T) {
			g := nativetest.NewGenerator(1)
			g.Extensions = must(t, extensions)
			for range race.Rounds(200) {
				checkRoundTrip(t, g.Message(md))
			}
		})
	}
}

// TestRoundTripGenerated is the same for messages of generated types.
func TestRoundTripGenerated(t *testing.T) {
	for _, name := range []protoreflect.FullName{
		"google.protobuf.FileDescriptorProto", "google.protobuf.Struct", "google.protobuf.FieldOptions",
	} {
		mt, err := protoregistry.GlobalTypes.FindMessageByName(name)
		if err != nil {
			t.Fatal(err)
		}
		g := nativetest.NewGenerator(2)
		for range 100 {
			m := mt.New()
			g.Fill(m)
			checkRoundTrip(t, m)
			checkAcrossImplementations(t, m)
		}
	}
}

// checkAcrossImplementations compares a generated message with a dynamic one of
// another copy of its descriptor.
func checkAcrossImplementations(t *testing.T, m protoreflect.Message) {
	t.Helper()
	md := schema(t).Message(m.Descriptor().FullName())
	if md == nil {
		return // not among the imports of the fixture
	}
	v, err := native.FromMessage(m)
	if err != nil {
		t.Fatal(err)
	}
	dynamic := dynamicpb.NewMessage(md)
	if err := native.ToMessage(v, dynamic); err != nil {
		t.Fatal(err)
	}
	if diff := native.Difference(m, dynamic); diff != "" {
		t.Errorf("generated against dynamic: %s", diff)
	}
}

func TestToMessageResets(t *testing.T) {
	m := message(t, "fixture.Shapes", `text: "old" color: COLOR_RED`)
	if err := native.ToMessage(map[string]any{"flag": true}, m); err != nil {
		t.Fatal(err)
	}
	if diff := native.Difference(message(t, "fixture.Shapes", `flag: true`), m); diff != "" {
		t.Error(diff)
	}
}

func TestDataSharesNoMemory(t *testing.T) {
	m := message(t, "fixture.Scalars", `bytes_implicit: "abc"`)
	v, err := native.FromMessage(m)
	if err != nil {
		t.Fatal(err)
	}
	b := v.(map[string]any)["bytes_implicit"].([]byte)
	back := m.New()
	if err := native.ToMessage(v, back); err != nil {
		t.Fatal(err)
	}
	b[0] = 'x'
	for _, m := range []protoreflect.Message{m, back} {
		if diff := native.Difference(message(t, "fixture.Scalars", `bytes_implicit: "abc"`), m); diff != "" {
			t.Error(diff)
		}
	}
}
