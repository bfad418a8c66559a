package proto_test

import (
	"bufio"
	"bytes"
	"fmt"
	"log"

	officialjson "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protodelim"
	"github.com/protean-pb/protean/protojson"
)

func ExampleMarshalFrom() {
	a := new(anypb.Any)
	err := proto.MarshalFrom(a, durationpb.New(90e9), proto.MarshalOptions{Deterministic: true})
	if err != nil {
		log.Fatal(err)
	}
	m, err := proto.UnmarshalNew(a, proto.UnmarshalOptions{DiscardUnknown: true})
	if err != nil {
		log.Fatal(err)
	}
	d := new(durationpb.Duration)
	if err := proto.UnmarshalTo(a, d, proto.UnmarshalOptions{}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.(*durationpb.Duration).AsDuration(), d.AsDuration())
	// Output: 1m30s 1m30s
}

// JSONPb stands for grpc-gateway's type of that name.
type JSONPb struct {
	officialjson.MarshalOptions
	officialjson.UnmarshalOptions
}

func ExampleMarshalOptions_Official() {
	gateway := &JSONPb{
		MarshalOptions:   protojson.MarshalOptions{UseProtoNames: true}.Official(),
		UnmarshalOptions: protojson.UnmarshalOptions{DiscardUnknown: true}.Official(),
	}
	o := protojson.MarshalOptionsOf(gateway.MarshalOptions)
	text, err := o.Marshal(durationpb.New(90e9))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text), gateway.UseProtoNames)
	// Output: "90s" true
}

func Example_delimited() {
	var stream bytes.Buffer
	if _, err := protodelim.MarshalTo(&stream, durationpb.New(90e9)); err != nil {
		log.Fatal(err)
	}
	d := new(durationpb.Duration)
	o := protodelim.UnmarshalOptions{MaxSize: 1 << 20, UnmarshalOptions: proto.UnmarshalOptions{DiscardUnknown: true}}
	if err := o.UnmarshalFrom(bufio.NewReader(&stream), d); err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.AsDuration())
	// Output: 1m30s
}
