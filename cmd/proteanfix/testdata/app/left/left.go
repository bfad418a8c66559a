package left

import (
	"google.golang.org/protobuf/proto" // want "can take the place"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb" // want "stays: its messages are handed to another module"

	"example.com/other"
)

func Make(md protoreflect.MessageDescriptor) ([]byte, error) {
	m := dynamicpb.NewMessage(md)
	other.Dynamic(m)
	return proto.Marshal(m)
}
