// Package other stands for modules that take official types, such as grpc-gateway's.
package other

import (
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"
)

// A JSONPb is like grpc-gateway's.
type JSONPb struct {
	protojson.MarshalOptions
	protojson.UnmarshalOptions
}

// Default is a variable of an official type.
var Default = proto.MarshalOptions{Deterministic: true}

func With(o proto.MarshalOptions, all ...proto.UnmarshalOptions) {}
func Pointer(o *protojson.UnmarshalOptions)                      {}
func Options() (protojson.MarshalOptions, error)                 { return protojson.MarshalOptions{}, nil }
func Dynamic(m *dynamicpb.Message)                               {}
func Message(m proto.Message)                                    {}
func Same[T any](v T) T                                          { return v }
