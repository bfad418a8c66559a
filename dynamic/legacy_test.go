package dynamic_test

import (
	"fmt"
	"testing"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/runtime/protoimpl"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/dynamic"
	protean "github.com/protean-pb/protean/proto"
)

// enforceUTF8 is the number of an option of fields that only Google's own descriptors have, and that the official
// library honours if it is built with the tag protolegacy.
const enforceUTF8 = 13

// texts returns the descriptor of a message with strings in every kind of field. Its fields have the option
// enforce_utf8 of that value; none if it is negative.
func texts(t *testing.T, syntax string, enforce int) protoreflect.MessageDescriptor {
	t.Helper()
	file := &descriptorpb.FileDescriptorProto{}
	if err := prototext.Unmarshal([]byte(`
		name: "texts.proto" package: "texts" syntax: "`+syntax+`"
		message_type {
			name: "M"
			field { name: "single" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
			field { name: "list" number: 2 type: TYPE_STRING label: LABEL_REPEATED }
			field { name: "one" number: 3 type: TYPE_STRING label: LABEL_OPTIONAL oneof_index: 0 }
			field { name: "map" number: 4 type: TYPE_MESSAGE type_name: ".texts.M.MapEntry" label: LABEL_REPEATED }
			nested_type {
				name: "MapEntry" options { map_entry: true }
				field { name: "key" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
				field { name: "value" number: 2 type: TYPE_STRING label: LABEL_OPTIONAL }
			}
			oneof_decl { name: "choice" }
		}`), file); err != nil {
		t.Fatal(err)
	}
	m := file.MessageType[0]
	for _, f := range append(m.Field, m.NestedType[0].Field...) {
		if enforce >= 0 {
			option := protowire.AppendTag(nil, enforceUTF8, protowire.VarintType)
			f.Options = &descriptorpb.FieldOptions{}
			f.Options.ProtoReflect().SetUnknown(protowire.AppendVarint(option, uint64(enforce)))
		}
	}
	raw, err := proto.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	// Package protodesc does not know of the option, but what reads the descriptors of generated code does.
	builder := protoimpl.DescBuilder{RawDescriptor: raw, FileRegistry: new(protoregistry.Files)}
	return builder.Build().File.Messages().Get(0)
}

// TestInvalidUTF8 reads and writes strings that are not UTF-8 where that is an error and where it is not, which
// depends on the option and on whether the official library is built with the tag protolegacy.
func TestInvalidUTF8(t *testing.T) {
	inputs := map[string]string{
		"single": "\x0a\x02a\xff", "list": "\x12\x01a\x12\x01\xff", "oneof": "\x1a\x01\xff",
		"key": "\x22\x06\x0a\x01\xff\x12\x01a", "value": "\x22\x06\x0a\x01a\x12\x01\xff",
	}
	for _, syntax := range []string{"proto2", "proto3"} {
		for enforce := -1; enforce <= 1; enforce++ {
			md := texts(t, syntax, enforce)
			for where, wire := range inputs {
				t.Run(fmt.Sprintf("%s, enforce_utf8 %d, %s", syntax, enforce, where), func(t *testing.T) {
					ours, theirs := dynamic.NewMessage(md), dynamicpb.NewMessage(md)
					readAlike(t, protean.Unmarshal, proto.Unmarshal, []byte(wire), ours, theirs)
					ours, theirs = dynamic.NewMessage(md), dynamicpb.NewMessage(md)
					for _, m := range []protoreflect.Message{ours, theirs} {
						v := protoreflect.ValueOfString("\xff")
						switch fields := md.Fields(); where {
						case "single":
							m.Set(fields.ByName("single"), v)
						case "list":
							m.Mutable(fields.ByName("list")).List().Append(v)
						case "oneof":
							m.Set(fields.ByName("one"), v)
						case "key":
							m.Mutable(fields.ByName("map")).Map().Set(v.MapKey(), protoreflect.ValueOfString("a"))
						case "value":
							m.Mutable(fields.ByName("map")).Map().Set(protoreflect.ValueOfString("a").MapKey(), v)
						}
					}
					writersAgree(t, ours, theirs)
				})
			}
		}
	}
}
