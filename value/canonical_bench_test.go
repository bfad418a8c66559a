package value

import (
	"bytes"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

func BenchmarkCanonical(b *testing.B) {
	for s := range eachShape(b) {
		shuffled, err := proto.Marshal(s.tree)
		if err != nil {
			b.Fatal(err)
		}
		for _, way := range []struct {
			name string
			do   func([]byte) ([]byte, error)
		}{{"official", canonicalOfficial},
			{"protean", func(wire []byte) ([]byte, error) { return AppendCanonical(nil, wire) }}} {
			b.Run(by(s.name, way.name), func(b *testing.B) {
				if got, err := way.do(shuffled); err != nil || !bytes.Equal(got, s.wire) {
					b.Fatal("another form", err)
				}
				b.ReportAllocs()
				for b.Loop() {
					if _, err := way.do(shuffled); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// canonicalOfficial reads a tree and writes it in order.
func canonicalOfficial(wire []byte) ([]byte, error) {
	v := new(structpb.Value)
	if err := proto.Unmarshal(wire, v); err != nil {
		return nil, err
	}
	return proto.MarshalOptions{Deterministic: true}.Marshal(v)
}
