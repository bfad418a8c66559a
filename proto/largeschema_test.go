package proto_test

import (
	"bytes"
	"fmt"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protojson"
)

// linked returns the first of n message types, type i of which has, with the numbers from 1 on, fields of the types
// that uses(i) says.
func linked(t *testing.T, n int, uses func(i int) []int) protoreflect.MessageDescriptor {
	t.Helper()
	file := &descriptorpb.FileDescriptorProto{
		Name: official.String("linked.proto"), Package: official.String("linked"), Syntax: official.String("proto3"),
	}
	for i := range n {
		m := &descriptorpb.DescriptorProto{Name: official.String(fmt.Sprint("M", i))}
		for j, to := range uses(i) {
			m.Field = append(m.Field, &descriptorpb.FieldDescriptorProto{
				Name: official.String(fmt.Sprint("f", j+1)), Number: official.Int32(int32(j + 1)),
				Label:    descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
				Type:     descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(),
				TypeName: official.String(fmt.Sprint(".linked.M", to)),
			})
		}
		file.MessageType = append(file.MessageType, m)
	}
	f, err := protodesc.NewFile(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f.Messages().Get(0)
}

// TestLargeSchemas uses types of large cyclic and deep schemas for the first time. What it takes is linear in the size
// of the schema (package layout counts it): with a search for each field the second type would take minutes.
func TestLargeSchemas(t *testing.T) {
	for _, c := range []struct {
		name  string
		n     int
		uses  func(i int) []int
		field protowire.Number // that is set
		depth int              // in how many messages
	}{
		{"300 types of one another", 300, func(i int) (all []int) {
			for j := range 10 {
				all = append(all, (7*i+13*j+1)%300)
			}
			return all
		}, 10, 100},
		{"70,000 fields of its own type", 1, func(int) []int { return make([]int, 70_000) }, 70_000, 5},
		{"20,000 types in one another", 20_000, func(i int) []int { return []int{(i + 1) % 20_000} }, 1, 9_999},
	} {
		t.Run(c.name, func(t *testing.T) {
			md := linked(t, c.n, c.uses)
			var wire []byte
			for range c.depth {
				wire = protowire.AppendBytes(protowire.AppendTag(nil, c.field, protowire.BytesType), wire)
			}
			m, want := dynamic.NewType(md).New(), dynamicpb.NewMessage(md)
			if err := proto.Unmarshal(wire, m); err != nil {
				t.Fatal(err)
			}
			if err := official.Unmarshal(wire, want); err != nil {
				t.Fatal(err)
			}
			if !official.Equal(m, want) {
				t.Fatal("the message is not the official library's")
			}
			if b, err := proto.Marshal(m); err != nil || !bytes.Equal(b, wire) {
				t.Errorf("Marshal: %v, %d bytes, want %d", err, len(b), len(wire))
			}
			if n := proto.Size(m); n != len(wire) {
				t.Errorf("Size is %d, want %d", n, len(wire))
			}
			text, err := protojson.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			again := dynamic.NewMessage(md)
			if err := protojson.Unmarshal(text, again); err != nil {
				t.Fatal(err)
			}
			if !official.Equal(again, want) {
				t.Error("the message read from ProtoJSON is another")
			}
			if err := proto.CheckInitialized(m); err != nil {
				t.Error(err)
			}
		})
	}
}
