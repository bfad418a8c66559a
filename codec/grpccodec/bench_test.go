package grpccodec

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// structOf returns a Struct of about n bytes.
func structOf(n int) *structpb.Struct {
	s := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	for i := 0; n > 0; i++ {
		item, err := structpb.NewValue(map[string]any{
			"id": i, "name": strings.Repeat("n", 12), "ok": true, "at": []any{1, "x"},
		})
		if err != nil {
			panic(err) // the values above can all be converted
		}
		s.Fields[fmt.Sprintf("item%d", i)] = item
		n -= proto.Size(item) + 12
	}
	return s
}

// BenchmarkCodec compares the codec with grpc-go's, on one Go routine and without a connection.
func BenchmarkCodec(b *testing.B) {
	for _, n := range []int{0, 1_800, 10_000, 40_000} {
		m := structOf(n)
		wire, err := proto.Marshal(m)
		if err != nil {
			b.Fatal(err)
		}
		var parts mem.BufferSlice // as they come from the network
		for rest := wire; len(rest) > 0; {
			k := min(len(rest), 16<<10)
			parts, rest = append(parts, mem.SliceBuffer(rest[:k])), rest[k:]
		}
		for name, codec := range map[string]encoding.CodecV2{"official": encoding.GetCodecV2("proto"),
			"protean": New(Options{})} {
			b.Run(fmt.Sprintf("%s/marshal/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					data, err := codec.Marshal(m)
					if err != nil {
						b.Fatal(err)
					}
					data.Free()
				}
			})
			b.Run(fmt.Sprintf("%s/unmarshal/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := codec.Unmarshal(parts, new(structpb.Struct)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
