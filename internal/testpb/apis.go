package testpb

import (
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// APIs returns the generated types with the schema of m, which has the open API: its own, and those with the hybrid and
// the opaque API, as far as there are any.
func APIs(m protoreflect.ProtoMessage) []protoreflect.MessageType {
	all := []protoreflect.MessageType{m.ProtoReflect().Type()}
	name := string(m.ProtoReflect().Descriptor().FullName())
	for _, api := range []string{"hybrid.", "opaque."} {
		if mt, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(api + name)); err == nil {
			all = append(all, mt)
		}
	}
	return all
}
