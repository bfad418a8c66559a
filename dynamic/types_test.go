package dynamic_test

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/dynamic"
)

func TestEnum(t *testing.T) {
	mt := dynamic.NewMessageType(descriptor(t, allTypes)).(protoreflect.MessageFieldTypes)
	fd := mt.Descriptor().Fields().ByName("optional_nested_enum")
	et := mt.Enum(fd.Index())
	if et != dynamic.NewEnumType(fd.Enum()) || et.Descriptor() != fd.Enum() {
		t.Errorf("%v", et)
	}
	e := et.New(2)
	if e != et.New(2) || e == et.New(1) || e.Number() != 2 || e.Type() != et || e.Descriptor() != fd.Enum() {
		t.Errorf("%v", e)
	}
	if text := mt.Descriptor().Fields().ByName("optional_string").Index(); mt.Enum(text) != nil ||
		mt.Message(text) != nil {
		t.Error("a string has a type of its own")
	}
}

// otherField is a descriptor that is not its message's own, but stands for it.
type otherField struct{ protoreflect.FieldDescriptor }

// bareExtension is the descriptor of an extension field without a type.
type bareExtension struct{ protoreflect.FieldDescriptor }

func TestFieldDescriptors(t *testing.T) {
	md := descriptor(t, allTypes)
	legacy := descriptor(t, "protobuf_test_messages.proto2.TestAllTypesProto2")
	xt, err := protoregistry.GlobalTypes.FindExtensionByName("protobuf_test_messages.proto2.extension_int32")
	if err != nil {
		t.Fatal(err)
	}
	number := md.Fields().ByName("optional_int32")
	for _, m := range []protoreflect.Message{dynamic.NewMessage(md), dynamicpb.NewMessage(md)} {
		m.Set(otherField{number}, protoreflect.ValueOfInt32(3))
		if m.Get(number).Int() != 3 {
			t.Errorf("%T: %v", m, m)
		}
		for _, wrong := range []protoreflect.FieldDescriptor{legacy.Fields().ByName("optional_int32"),
			otherField{legacy.Fields().Get(0)}, xt.TypeDescriptor()} {
			if caught(func() { m.Get(wrong) }) == nil {
				t.Errorf("%T: Get of %v", m, wrong.FullName())
			}
		}
	}
	for _, m := range []protoreflect.Message{dynamic.NewMessage(legacy), dynamicpb.NewMessage(legacy)} {
		if caught(func() { m.Get(bareExtension{xt.TypeDescriptor().Descriptor()}) }) == nil {
			t.Errorf("%T: Get of an extension without a type", m)
		}
	}
}

// TestExtensionValues converts values with types of extension fields, ours and dynamicpb's.
func TestExtensionValues(t *testing.T) {
	names := []protoreflect.FullName{
		"protobuf_test_messages.proto2.extension_int32",
		"protobuf_test_messages.proto2.TestAllTypesProto2.MessageSetCorrectExtension1.message_set_extension",
	}
	md := descriptor(t, allTypes)
	inner := dynamic.NewMessage(descriptor(t,
		"protobuf_test_messages.proto2.TestAllTypesProto2.MessageSetCorrectExtension1"))
	values := []any{nil, int32(1), int64(1), "text", inner, inner.Type().Zero(),
		dynamicpb.NewMessage(inner.Descriptor()), dynamic.NewMessage(md)}
	for _, name := range names {
		xt, err := protoregistry.GlobalTypes.FindExtensionByName(name)
		if err != nil {
			t.Fatal(err)
		}
		ours, theirs := dynamic.NewExtensionType(xt.TypeDescriptor()), dynamicpb.NewExtensionType(xt.TypeDescriptor())
		if ours != dynamic.NewExtensionType(ours.TypeDescriptor()) || ours.TypeDescriptor().Type() != ours {
			t.Errorf("%v: a second type", name)
		}
		for _, v := range values {
			// dynamicpb knows read-only messages of its own alone.
			if m, ok := v.(*dynamic.Message); ok && !m.IsValid() {
				if ours.IsValidInterface(v) {
					t.Errorf("%v takes a read-only message", name)
				}
				continue
			}
			var got any
			p := caught(func() { got = ours.InterfaceOf(ours.ValueOf(v)) })
			if valid := theirs.IsValidInterface(v); (p == nil) != valid || ours.IsValidInterface(v) != valid ||
				valid && got != v {
				t.Errorf("%v of %T: %v, %v, official: %v", name, v, got, p, valid)
			}
		}
	}
	xt := dynamic.NewExtensionType(must(t, names[0]))
	m := dynamic.NewMessage(xt.TypeDescriptor().ContainingMessage())
	proto.SetExtension(m, xt, int32(7))
	if !proto.HasExtension(m, xt) || proto.GetExtension(m, xt) != int32(7) {
		t.Errorf("%v", m)
	}
}

func must(t *testing.T, name protoreflect.FullName) protoreflect.ExtensionDescriptor {
	t.Helper()
	xt, err := registered.FindExtensionByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return xt.TypeDescriptor()
}

func TestString(t *testing.T) {
	typ := dynamic.NewType(descriptor(t, allTypes))
	m := typ.New()
	if m.String() != "" || m.Type() != typ.MessageType() ||
		typ.MessageType() != dynamic.NewMessageType(typ.Descriptor()) {
		t.Errorf("%q", m.String())
	}
	official := dynamicpb.NewMessage(typ.Descriptor())
	for _, m := range []protoreflect.Message{m, official} {
		m.Set(typ.Descriptor().Fields().ByName("optional_int32"), protoreflect.ValueOfInt32(3))
	}
	if m.String() == "" || m.String() != official.String() {
		t.Errorf("%q, official: %q", m.String(), official.String())
	}
}
