package tree

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/structval/index"
	"github.com/protean-pb/protean/internal/test/corpus"
)

func BenchmarkMarshal(b *testing.B) {
	for s := range corpus.Shapes(b) {
		for _, way := range []struct {
			name    string
			marshal func() ([]byte, error)
		}{
			{"official", func() ([]byte, error) { return proto.Marshal(s.Tree) }},
			{"protean", func() ([]byte, error) { return marshal(s.Tree, "", false) }},
		} {
			b.Run("shape="+s.Name+"/by="+way.name, func(b *testing.B) {
				got := new(structpb.Value)
				if body, err := way.marshal(); err != nil || proto.Unmarshal(body, got) != nil ||
					!proto.Equal(got, s.Tree) {
					b.Fatal("another tree", err)
				}
				b.ReportAllocs()
				for b.Loop() {
					if _, err := way.marshal(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkUnmarshal(b *testing.B) {
	for s := range corpus.Shapes(b) {
		for _, way := range []struct {
			name      string
			unmarshal func(*structpb.Value) error
		}{
			{"official", func(v *structpb.Value) error { return proto.Unmarshal(s.Wire, v) }},
			{"protean", func(v *structpb.Value) error { return readOne(v, s.Wire, index.Value, ReadOptions{Depth: limit}) }},
		} {
			b.Run("shape="+s.Name+"/by="+way.name, func(b *testing.B) {
				got := new(structpb.Value)
				if err := way.unmarshal(got); err != nil || !proto.Equal(got, s.Tree) {
					b.Fatal("another tree", err)
				}
				b.ReportAllocs()
				for b.Loop() {
					if err := way.unmarshal(new(structpb.Value)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
