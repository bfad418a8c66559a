package suite

import (
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// A Schema is a set of compiled Protobuf files.
type Schema struct {
	files *protoregistry.Files
}

// File order, resolver and look-ups follow.
var _ protoreflect.FileDescriptor
