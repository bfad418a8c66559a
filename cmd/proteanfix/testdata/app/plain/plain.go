package plain

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protodelim" // want "can take the place"
	pj "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"example.com/other"
)

// Config is handed on within the module alone.
type Config struct {
	JSON   pj.MarshalOptions
	Limits protodelim.UnmarshalOptions
}

func New() *Config {
	return &Config{JSON: pj.MarshalOptions{UseProtoNames: true}, Limits: protodelim.UnmarshalOptions{UnmarshalOptions: proto.UnmarshalOptions{Merge: true}}}
}

func (c *Config) Print(m proto.Message) {
	fmt.Println(c.JSON.Format(m), other.Same(c.JSON).UseProtoNames)
}

func Make(md protoreflect.MessageDescriptor, m any) {
	if m, ok := m.(*dynamicpb.Message); ok { // want "the assertion will hold"
		*m = *dynamicpb.NewMessage(md)
	}
	other.Message(dynamicpb.NewMessage(md))
}
