package grpccodec

import (
	"fmt"
	"slices"
	"testing"

	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/protean-pb/protean/proto"
)

// BenchmarkJoin measures what it costs that a message comes in frames of 16 KiB: the join alone, the message in one
// piece, in frames, and in frames that are joined in memory of its own to which its text then refers.
func BenchmarkJoin(b *testing.B) {
	messages := map[string]func(bytes int) proto.Message{
		"struct": func(n int) proto.Message { return structOf(n) },
		"list": func(n int) proto.Message {
			m := new(descriptorpb.DescriptorProto)
			for i := range n / 40 {
				m.Field = append(m.Field, &descriptorpb.FieldDescriptorProto{
					Name: proto.String(fmt.Sprintf("a_name_%09d", i)), Number: proto.Int32(int32(i)),
					TypeName: proto.String("of.a.Type"), Label: descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum(),
				})
			}
			return m
		},
		"bytes": func(n int) proto.Message { return &testpb.Payload{Body: make([]byte, n)} },
	}
	c := newCodec(Options{})
	for _, n := range []int{16 << 10, 64 << 10, 256 << 10, 1 << 20, 4<<20 - 100<<10} {
		for name, make := range messages {
			m := make(n)
			wire, err := proto.Marshal(m)
			if err != nil {
				b.Fatal(err)
			}
			var frames mem.BufferSlice
			for frame := range slices.Chunk(wire, 16<<10) {
				frames = append(frames, mem.SliceBuffer(frame))
			}
			for _, way := range []struct {
				name string
				read func(proto.Message) error
			}{
				{"join", func(proto.Message) error { join(frames).release(); return nil }},
				{"whole", func(m proto.Message) error { return proto.Unmarshal(wire, m) }},
				{"frames", func(m proto.Message) error { return c.Unmarshal(frames, m) }},
				{"alias", func(m proto.Message) error {
					return proto.UnmarshalOptions{AliasInput: true}.Unmarshal(frames.Materialize(), m)
				}},
			} {
				b.Run(fmt.Sprintf("%s/%d/%s", name, n>>10, way.name), func(b *testing.B) {
					b.SetBytes(int64(len(wire)))
					b.ReportAllocs()
					for b.Loop() {
						if err := way.read(m.ProtoReflect().New().Interface()); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
