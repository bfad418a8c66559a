package dynamic_test

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/dynamic"
)

// TestMergeSharesNoBytes merges and clones messages with bytes in every place where they can be: in fields of all
// kinds, in extension fields of our types and of generated ones, in messages below and in unknown fields. What is
// written to the bytes of one is not written to the other's, also where there were some before.
func TestMergeSharesNoBytes(t *testing.T) {
	md := descriptor(t, "protean.test.legacy.Extendable")
	extension := func(name protoreflect.FullName) protoreflect.ExtensionTypeDescriptor {
		xt, err := protoregistry.GlobalTypes.FindExtensionByName("protean.test.legacy." + name)
		if err != nil {
			t.Fatal(err)
		}
		return xt.TypeDescriptor()
	}
	all := descriptor(t, allTypes)
	field := all.Fields().ByName
	bytes := func() protoreflect.Value { return protoreflect.ValueOfBytes([]byte("bytes")) }
	unknown := func(m protoreflect.Message) { m.SetUnknown([]byte("\xfa\xff\x0f\x05bytes")) }
	fills := map[string]func() protoreflect.Message{
		"fields": func() protoreflect.Message {
			m := dynamic.NewMessage(all)
			m.Set(field("optional_bytes"), bytes())
			m.Mutable(field("repeated_bytes")).List().Append(bytes())
			m.Mutable(field("map_string_bytes")).Map().Set(protoreflect.ValueOfString("k").MapKey(), bytes())
			m.Set(field("oneof_bytes"), bytes())
			unknown(m)
			sub := m.Mutable(field("recursive_message")).Message()
			sub.Set(field("optional_bytes"), bytes())
			unknown(sub)
			return m
		},
	}
	for _, own := range []bool{true, false} {
		typ := func(xd protoreflect.ExtensionTypeDescriptor) protoreflect.ExtensionTypeDescriptor {
			if own {
				return dynamic.NewExtensionType(xd).TypeDescriptor()
			}
			return xd
		}
		what := map[bool]string{true: "extensions of our types", false: "extensions of generated types"}[own]
		fills[what] = func() protoreflect.Message {
			m := dynamic.NewMessage(md)
			m.Set(typ(extension("ext_bytes")), bytes())
			m.Mutable(typ(extension("ext_list_bytes"))).List().Append(bytes())
			self := m.Mutable(typ(extension("ext_self"))).Message()
			self.Set(typ(extension("ext_bytes")), bytes())
			self.Mutable(typ(extension("ext_list_bytes"))).List().Append(bytes())
			unknown(self)
			unknown(m)
			return m
		}
	}
	for what, fill := range fills {
		src := fill()
		filled := fill()
		onto := src.New().Interface()
		proto.Merge(onto, src.Interface())
		twice := proto.Clone(filled.Interface())
		proto.Merge(twice, src.Interface())
		wantTwice := proto.Clone(filled.Interface())
		proto.Merge(wantTwice, filled.Interface())
		foreign := dynamicpb.NewMessage(src.Descriptor())
		proto.Merge(foreign, src.Interface())
		copies := map[string]proto.Message{
			"Clone": proto.Clone(src.Interface()), "Merge": onto, "Merge into dynamicpb's": foreign,
		}
		for where, c := range copies {
			if !proto.Equal(c, src.Interface()) {
				t.Errorf("%s: %s of %v is %v", what, where, src, c)
			}
		}
		scramble(src)
		for where, c := range copies {
			if !proto.Equal(c, filled.Interface()) {
				t.Errorf("%s: what %s has made is %v after the source has changed", what, where, c)
			}
		}
		if !proto.Equal(twice, wantTwice) {
			t.Errorf("%s: what was merged to %v is %v after the source has changed", what, filled, twice)
		}
		scramble(copies["Clone"].ProtoReflect())
		if !proto.Equal(copies["Merge"], filled.Interface()) {
			t.Errorf("%s: two copies share bytes", what)
		}
	}
}
