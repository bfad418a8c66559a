package protojson

import (
	"io"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// UnmarshalOptions are those of the official package, and mean the same.
type UnmarshalOptions struct {
	_ struct{}

	// AllowPartial takes text that lacks required fields.
	AllowPartial bool
	// DiscardUnknown ignores unknown fields and names of enum values.
	DiscardUnknown bool
	// Resolver finds the types of messages in google.protobuf.Any and of extension fields;
	// nil means protoregistry.GlobalTypes.
	Resolver interface {
		protoregistry.MessageTypeResolver
		protoregistry.ExtensionTypeResolver
	}
	// RecursionLimit is how deeply messages may be nested; 0 means 10,000.
	RecursionLimit int
}

// Unmarshal reads the ProtoJSON text b into m, which is reset first.
func Unmarshal(b []byte, m proto.Message) error { return UnmarshalOptions{}.Unmarshal(b, m) }

// Unmarshal is the function [Unmarshal] with the options o.
func (o UnmarshalOptions) Unmarshal(b []byte, m proto.Message) error {
	return o.official().Unmarshal(b, m)
}

// UnmarshalRead reads all of r, which is one message in ProtoJSON, into m, which is reset first.
func UnmarshalRead(r io.Reader, m proto.Message) error { return UnmarshalOptions{}.UnmarshalRead(r, m) }

// UnmarshalRead is the function [UnmarshalRead] with the options o.
func (o UnmarshalOptions) UnmarshalRead(r io.Reader, m proto.Message) error {
	b, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return o.Unmarshal(b, m)
}

func (o UnmarshalOptions) official() protojson.UnmarshalOptions {
	return protojson.UnmarshalOptions{
		AllowPartial: o.AllowPartial, DiscardUnknown: o.DiscardUnknown, Resolver: o.Resolver, RecursionLimit: o.RecursionLimit,
	}
}
