package protojson

import (
	"cmp"
	"io"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/protean-pb/protean/internal/arena"
	"github.com/protean-pb/protean/internal/json/jsondecode"
	protean "github.com/protean-pb/protean/proto"
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
	// Arena is where the memory of what is read comes from, as for package proto; nil means memory of its own.
	Arena *protean.Arena
}

// Unmarshal reads the ProtoJSON text b into m, which is reset first and must not be nil.
//
// Neither b nor its memory is kept. As to what shares memory, messages are like those that
// package proto reads. The error is an [*Error]; m then holds a part of the data.
func Unmarshal(b []byte, m proto.Message) error { return UnmarshalOptions{}.Unmarshal(b, m) }

// Unmarshal is the function [Unmarshal] with the options o.
func (o UnmarshalOptions) Unmarshal(b []byte, m proto.Message) error {
	options := o.own()
	if o.Arena != nil {
		options.Pool = arena.PoolOf(o.Arena)
		options.Pool.Enter()
		defer options.Pool.Leave()
		options.Pool.ResetMessage(m)
	} else {
		proto.Reset(m)
	}
	err := jsondecode.Unmarshal(b, m, options)
	if err == nil && !o.AllowPartial {
		err = checkRequired(m)
	}
	return public(err)
}

// UnmarshalRead reads all of r, which is one message in ProtoJSON, into m, which is reset first. An error of r's Read
// is returned as it is, and m stays as it was.
func UnmarshalRead(r io.Reader, m proto.Message) error { return UnmarshalOptions{}.UnmarshalRead(r, m) }

// UnmarshalRead is the function [UnmarshalRead] with the options o.
func (o UnmarshalOptions) UnmarshalRead(r io.Reader, m proto.Message) error {
	b, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return o.Unmarshal(b, m)
}

// own has the options as the decoder takes them.
func (o UnmarshalOptions) own() jsondecode.Options {
	return jsondecode.Options{
		DiscardUnknown: o.DiscardUnknown, Resolver: o.Resolver,
		Depth: cmp.Or(o.RecursionLimit, protowire.DefaultRecursionLimit),
	}
}
