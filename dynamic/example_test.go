package dynamic_test

import (
	"fmt"
	"log"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/proto"
)

// A message of a schema that the program has not been compiled with is read, changed and
// written.
func Example() {
	event := dynamic.NewType(eventDescriptor())
	m := event.New()
	if err := proto.Unmarshal([]byte("\x0a\x05evt_1\x10\x07"), m); err != nil {
		log.Fatal(err)
	}
	fields := m.Descriptor().Fields()
	tags := m.Mutable(fields.ByName("tags")).List()
	tags.Append(protoreflect.ValueOfString("eu"))
	tags.Append(protoreflect.ValueOfString("web"))
	m.Set(fields.ByName("account"), protoreflect.ValueOfInt64(81723))

	wire, err := proto.Marshal(m)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q\n", wire)
	// Output:
	// "\n\x05evt_1\x10\xbb\xfe\x04\x1a\x02eu\x1a\x03web"
}

// eventDescriptor returns the schema, which would come from a file or a registry.
func eventDescriptor() protoreflect.MessageDescriptor {
	field := func(name string, number int32, kind descriptorpb.FieldDescriptorProto_Type,
		label descriptorpb.FieldDescriptorProto_Label) *descriptorpb.FieldDescriptorProto {
		return &descriptorpb.FieldDescriptorProto{Name: &name, Number: &number, Type: &kind, Label: &label}
	}
	const optional, repeated = descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL,
		descriptorpb.FieldDescriptorProto_LABEL_REPEATED
	file, err := protodesc.NewFile(&descriptorpb.FileDescriptorProto{
		Name: proto.String("event.proto"), Package: proto.String("acme"), Syntax: proto.String("proto3"),
		MessageType: []*descriptorpb.DescriptorProto{{
			Name: proto.String("Event"),
			Field: []*descriptorpb.FieldDescriptorProto{
				field("id", 1, descriptorpb.FieldDescriptorProto_TYPE_STRING, optional),
				field("account", 2, descriptorpb.FieldDescriptorProto_TYPE_INT64, optional),
				field("tags", 3, descriptorpb.FieldDescriptorProto_TYPE_STRING, repeated),
			},
		}},
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	return file.Messages().ByName("Event")
}

// What works on messages works on these: here the official protojson.
func ExampleNewMessage() {
	wire, err := proto.Marshal(durationpb.New(90e9))
	if err != nil {
		log.Fatal(err)
	}
	m := dynamic.NewMessage((*durationpb.Duration)(nil).ProtoReflect().Descriptor())
	if err := proto.Unmarshal(wire, m); err != nil {
		log.Fatal(err)
	}
	fmt.Println(protojson.Format(m))
	// Output: "90s"
}
