package proto_test

import (
	"errors"
	"fmt"
	"log"

	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/proto"
)

func Example() {
	m, err := structpb.NewStruct(map[string]any{"id": "evt_1", "amount": 12.5})
	if err != nil {
		log.Fatal(err)
	}
	wire, err := proto.Marshal(m)
	if err != nil {
		log.Fatal(err)
	}
	read := new(structpb.Struct)
	if err := proto.Unmarshal(wire, read); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(wire), "bytes:", read.Fields["id"].GetStringValue(), read.Fields["amount"].GetNumberValue())
	// Output: 36 bytes: evt_1 12.5
}

// A buffer that is used again and again: nothing is allocated once it is large enough.
func ExampleMarshalOptions_MarshalAppend() {
	var buf []byte
	for i := range 3 {
		var err error
		buf, err = proto.MarshalOptions{}.MarshalAppend(buf[:0], wrapperspb.Int32(int32(i)))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%x\n", buf)
	}
	// Output:
	//
	// 0801
	// 0802
}

// A message of a request, say, whose bytes nobody else has.
func ExampleUnmarshalOptions_aliasInput() {
	wire := []byte("\x0a\x05hello")
	m := new(wrapperspb.StringValue)
	if err := (proto.UnmarshalOptions{AliasInput: true}).Unmarshal(wire, m); err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Value) // a part of wire, which nobody may change from now on
	// Output: hello
}

func ExamplePack() {
	a, err := proto.Pack(durationpb.New(90e9))
	if err != nil {
		log.Fatal(err)
	}
	m, err := proto.Unpack(a)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.TypeUrl, m.(*durationpb.Duration).AsDuration())
	// Output: type.googleapis.com/google.protobuf.Duration 1m30s
}

// The wire form of an Any without an Any: the message is written once, in its place.
func ExampleAppendAny() {
	wire, err := proto.AppendAny(nil, durationpb.New(90e9))
	if err != nil {
		log.Fatal(err)
	}
	m, err := proto.UnmarshalAny(wire)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(wire), "bytes:", m.(*durationpb.Duration).AsDuration())
	// Output: 50 bytes: 1m30s
}

func ExampleFieldError() {
	m := new(structpb.Struct)
	err := proto.Unmarshal([]byte("\x0a\x09\x0a\x01k\x12\x04\x1a\x02\xff\xfe"), m)
	var fe *proto.FieldError
	if errors.As(err, &fe) {
		fmt.Println("path:", fe.Path)
		fmt.Println("byte:", fe.Offset)
		fmt.Println("not UTF-8:", errors.Is(err, proto.ErrUTF8))
		fmt.Println("an error of Protobuf:", errors.Is(err, proto.Error))
	}
	fmt.Println(err)
	// Output:
	// path: fields["k"]
	// byte: 9
	// not UTF-8: true
	// an error of Protobuf: true
	// proto: google.protobuf.Struct: fields["k"]: byte 9: invalid UTF-8
}

// Memory that is used again, for messages of which none is kept.
func ExampleArena() {
	input := [][]byte{[]byte("\x0a\x05hello"), []byte("\x0a\x05again")}
	var arena proto.Arena
	options := proto.UnmarshalOptions{Arena: &arena}
	m := new(wrapperspb.StringValue)
	for _, wire := range input {
		if err := options.Unmarshal(wire, m); err != nil {
			log.Fatal(err)
		}
		fmt.Println(m.Value)
		arena.Reset() // from here on nothing that was in m may be used
	}
	// Output:
	// hello
	// again
}

// Two fields of a message are read, the others are skipped.
func ExampleNewMask() {
	m := new(descriptorpb.FileDescriptorProto)
	wire, err := proto.Marshal(protodesc.ToFileDescriptorProto(structpb.File_google_protobuf_struct_proto))
	if err != nil {
		log.Fatal(err)
	}
	mask, err := proto.NewMask(m.ProtoReflect().Descriptor(), "package", "message_type.name")
	if err != nil {
		log.Fatal(err)
	}
	if err := (proto.UnmarshalOptions{Mask: mask}).Unmarshal(wire, m); err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.GetPackage(), m.GetMessageType()[0].GetName(), m.Name == nil, len(m.GetMessageType()[0].Field))
	// Output: google.protobuf Struct true 0
}
