package value

import (
	"bytes"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

func BenchmarkFromJSON(b *testing.B) {
	for s := range eachShape(b) {
		run := func(name string, f func() ([]byte, error)) {
			b.Run(by(s.name, name), func(b *testing.B) {
				out, err := f()
				got := new(structpb.Value)
				if err != nil || proto.Unmarshal(out, got) != nil || !proto.Equal(got, s.tree) {
					b.Fatal("the output is wrong: ", err)
				}
				b.ReportAllocs()
				b.SetBytes(int64(len(s.text)))
				for b.Loop() {
					if _, err := f(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run("official", func() ([]byte, error) {
			v := new(structpb.Value)
			if err := protojson.Unmarshal(s.text, v); err != nil {
				return nil, err
			}
			return proto.Marshal(v)
		})
		run("protean", func() ([]byte, error) { return AppendFromJSON(nil, s.text) })
		dst := make([]byte, 0, len(s.wire))
		run("append", func() ([]byte, error) { return AppendFromJSON(dst, s.text) })
	}
}

// The wire form of "protean" has its keys in order, that of "unordered" in the order in
// which the official library happens to write them.
func BenchmarkAppendJSON(b *testing.B) {
	for s := range eachShape(b) {
		want, err := AppendJSON(nil, s.wire)
		if err != nil {
			b.Fatal(err)
		}
		unordered, err := proto.Marshal(s.tree)
		if err != nil {
			b.Fatal(err)
		}
		run := func(name string, f func() ([]byte, error)) {
			b.Run(by(s.name, name), func(b *testing.B) {
				out, err := f()
				got := new(structpb.Value)
				if err != nil || protojson.Unmarshal(out, got) != nil || !proto.Equal(got, s.tree) {
					b.Fatal("the output is wrong: ", err)
				}
				if name != "official" && !bytes.Equal(out, want) {
					b.Fatal("the output differs")
				}
				b.ReportAllocs()
				b.SetBytes(int64(len(s.wire)))
				for b.Loop() {
					if _, err := f(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run("official", func() ([]byte, error) {
			v := new(structpb.Value)
			if err := proto.Unmarshal(s.wire, v); err != nil {
				return nil, err
			}
			return protojson.Marshal(v)
		})
		run("protean", func() ([]byte, error) { return AppendJSON(nil, s.wire) })
		run("unordered", func() ([]byte, error) { return AppendJSON(nil, unordered) })
		dst := make([]byte, 0, len(want))
		run("append", func() ([]byte, error) { return AppendJSON(dst, s.wire) })
	}
}
