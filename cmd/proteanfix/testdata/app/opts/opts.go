package opts

import (
	"google.golang.org/protobuf/encoding/protojson" // want "can take the place"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	"example.com/app/app/plain"
	"example.com/other"
)

var deterministic = proto.MarshalOptions{Deterministic: true}

func Pack(dst *anypb.Any, m proto.Message) error {
	if err := anypb.MarshalFrom(dst, m, proto.MarshalOptions{Deterministic: true}); err != nil {
		return err
	}
	if err := anypb.UnmarshalTo(dst, m, proto.UnmarshalOptions{}); err != nil {
		return err
	}
	_, err := anypb.UnmarshalNew(dst, proto.UnmarshalOptions{})
	return err
}

func JSONPb(c *plain.Config) *other.JSONPb {
	pb := &other.JSONPb{MarshalOptions: protojson.MarshalOptions{UseProtoNames: true}, UnmarshalOptions: protojson.UnmarshalOptions{DiscardUnknown: true}}
	pb.MarshalOptions = c.JSON
	pb.UnmarshalOptions.DiscardUnknown = false
	own := pb.UnmarshalOptions
	other.Pointer(&own)
	c.JSON = pb.MarshalOptions
	return pb
}

func Calls() (protojson.MarshalOptions, error) {
	other.With(deterministic, proto.UnmarshalOptions{}, proto.UnmarshalOptions{Merge: true})
	other.With(other.Default)
	other.With(*&deterministic)
	other.Pointer(&protojson.UnmarshalOptions{DiscardUnknown: true})
	other.Pointer(nil)
	o, err := other.Options()
	return o, err
}

func Takes(o proto.MarshalOptions) { o.Marshal(nil) }

func Gives() { Takes(other.Default) }
