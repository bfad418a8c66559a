package value

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

func BenchmarkSet(b *testing.B) {
	for s := range eachShape(b) {
		path := editPath(s.data)
		b.Run(by(s.name, "protean"), func(b *testing.B) {
			checkBenchmarkSet(b, s, path)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Set(s.wire, "text", path...); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(by(s.name, "official"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				v := new(structpb.Value)
				if err := proto.Unmarshal(s.wire, v); err != nil {
					b.Fatal(err)
				}
				v, err := setTree(v, structpb.NewStringValue("text"), path)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := proto.Marshal(v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func checkBenchmarkSet(b *testing.B, s shape, path []any) {
	b.Helper()
	wire, err := Set(s.wire, "text", path...)
	if err != nil {
		b.Fatal(err)
	}
	got := new(structpb.Value)
	if err := proto.Unmarshal(wire, got); err != nil {
		b.Fatal(err)
	}
	want, err := setTree(proto.CloneOf(s.tree), structpb.NewStringValue("text"), path)
	if err != nil || !proto.Equal(got, want) {
		b.Fatal("another result", err)
	}
}
