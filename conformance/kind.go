package conformance

import (
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/dynamic"
	_ "github.com/protean-pb/protean/internal/testpb" // links the messages
	proteanproto "github.com/protean-pb/protean/proto"
	proteanjson "github.com/protean-pb/protean/protojson"
)

// A codec is a library that reads and writes the wire format and ProtoJSON. The official
// library's options are understood by all.
type codec interface {
	Marshal(proto.MarshalOptions, proto.Message) ([]byte, error)
	Unmarshal(proto.UnmarshalOptions, []byte, proto.Message) error
	ToJSON(protojson.MarshalOptions, proto.Message) ([]byte, error)
	FromJSON(protojson.UnmarshalOptions, []byte, proto.Message) error
}

type official struct{}

func (official) Marshal(o proto.MarshalOptions, m proto.Message) ([]byte, error) { return o.Marshal(m) }

func (official) Unmarshal(o proto.UnmarshalOptions, b []byte, m proto.Message) error {
	return o.Unmarshal(b, m)
}

func (official) ToJSON(o protojson.MarshalOptions, m proto.Message) ([]byte, error) {
	return o.Marshal(m)
}

func (official) FromJSON(o protojson.UnmarshalOptions, b []byte, m proto.Message) error {
	return o.Unmarshal(b, m)
}

type protean struct{}

func (protean) Marshal(o proto.MarshalOptions, m proto.Message) ([]byte, error) {
	return proteanproto.MarshalOptions{AllowPartial: o.AllowPartial, Deterministic: o.Deterministic}.Marshal(m)
}

func (protean) Unmarshal(o proto.UnmarshalOptions, b []byte, m proto.Message) error {
	return proteanproto.UnmarshalOptions{
		Merge:          o.Merge,
		AllowPartial:   o.AllowPartial,
		DiscardUnknown: o.DiscardUnknown,
	}.Unmarshal(b, m)
}

func (protean) ToJSON(o protojson.MarshalOptions, m proto.Message) ([]byte, error) {
	return proteanjson.MarshalOptions{
		AllowPartial:      o.AllowPartial,
		UseProtoNames:     o.UseProtoNames,
		UseEnumNumbers:    o.UseEnumNumbers,
		EmitUnpopulated:   o.EmitUnpopulated,
		EmitDefaultValues: o.EmitDefaultValues,
		Resolver:          o.Resolver,
	}.Marshal(m)
}

func (protean) FromJSON(o protojson.UnmarshalOptions, b []byte, m proto.Message) error {
	return proteanjson.UnmarshalOptions{
		AllowPartial:   o.AllowPartial,
		DiscardUnknown: o.DiscardUnknown,
		Resolver:       o.Resolver,
	}.Unmarshal(b, m)
}

// A kind is one way to have messages. It resolves the names in JSON and text, which
// are those of the open API whatever the kind.
type kind struct {
	*protoregistry.Types
	prefix protoreflect.FullName // of the linked copies of the suite's messages
	// dynamic makes messages of a descriptor. It is nil if the linked types do.
	dynamic func(protoreflect.MessageDescriptor) proto.Message
}

var kinds = map[string]kind{
	"generated": {Types: protoregistry.GlobalTypes},
	"opaque":    {Types: protoregistry.GlobalTypes, prefix: "opaque."},
	"dynamic": {
		Types:   protoregistry.GlobalTypes,
		dynamic: func(md protoreflect.MessageDescriptor) proto.Message { return dynamic.NewType(md).New() },
	},
}

// official is the same kind of messages, as far as the official library has it.
func (k kind) official() kind {
	if k.dynamic != nil {
		k.dynamic = func(md protoreflect.MessageDescriptor) proto.Message { return dynamicpb.NewMessage(md) }
	}
	return k
}

// new returns an empty message of the type, nil if there is none.
func (k kind) new(name protoreflect.FullName) proto.Message {
	mt, err := k.FindMessageByName(k.prefix + name)
	if err != nil {
		return nil
	}
	if k.dynamic != nil {
		return k.dynamic(mt.Descriptor())
	}
	return mt.New().Interface()
}

// FindExtensionByName finds the kind's own copy of an extension.
func (k kind) FindExtensionByName(name protoreflect.FullName) (protoreflect.ExtensionType, error) {
	return k.Types.FindExtensionByName(k.prefix + name)
}

// ordinary undoes the prefix in the names of extensions in JSON and text.
func (k kind) ordinary(text string) string {
	if k.prefix == "" {
		return text
	}
	return strings.ReplaceAll(text, "["+string(k.prefix), "[")
}
