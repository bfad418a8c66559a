// Package eventpb has what generated messages look like to a type checker.
package eventpb

import (
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/runtime/protoimpl"
)

// Plain has no map.
type Plain struct {
	state protoimpl.MessageState
	Name  string
	Inner *Plain
	Kind  isPlain_Kind
}

func (*Plain) ProtoReflect() protoreflect.Message { return nil }

type isPlain_Kind interface{ isPlain_Kind() }

type Plain_Text struct{ Text string }

func (*Plain_Text) isPlain_Kind() {}

// Labelled has a map.
type Labelled struct {
	state  protoimpl.MessageState
	Labels map[string]string
}

func (*Labelled) ProtoReflect() protoreflect.Message { return nil }

// Holder has a message with a map in a oneof.
type Holder struct {
	state protoimpl.MessageState
	Kind  isHolder_Kind
}

func (*Holder) ProtoReflect() protoreflect.Message { return nil }

type isHolder_Kind interface{ isHolder_Kind() }

type Holder_Labelled struct{ Labelled *Labelled }

func (*Holder_Labelled) isHolder_Kind() {}

// Opaque has a map as the opaque API has it, in a list.
type Opaque struct {
	state               protoimpl.MessageState
	xxx_hidden_Children *[]*OpaqueChild
}

func (*Opaque) ProtoReflect() protoreflect.Message { return nil }

type OpaqueChild struct {
	state             protoimpl.MessageState
	xxx_hidden_Labels map[string]string
}
