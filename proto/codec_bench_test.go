package proto_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	official "google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/proto"
)

// A codec is one of the two libraries.
type codec struct {
	name      string
	marshal   func(proto.Message) ([]byte, error)
	unmarshal func([]byte, proto.Message) error
}

var (
	officialCodec = codec{"official", official.Marshal, official.Unmarshal}
	proteanCodec  = codec{"protean", proto.Marshal, proto.Unmarshal}
	aliasCodec    = codec{"alias", proto.Marshal, proto.UnmarshalOptions{AliasInput: true}.Unmarshal}
)

// checkCodec checks that the codec reads wire and writes the same again.
func checkCodec(t testing.TB, c codec, wire []byte, empty func() proto.Message) proto.Message {
	t.Helper()
	m := empty()
	if err := c.unmarshal(wire, m); err != nil {
		t.Fatal(err)
	}
	want := empty()
	if err := official.Unmarshal(wire, want); err != nil || !official.Equal(m, want) {
		t.Fatalf("another message: %v, %v", m, err)
	}
	b, err := c.marshal(m)
	if err != nil || len(b) != len(wire) {
		t.Fatalf("%d bytes, want %d; %v", len(b), len(wire), err)
	}
	back := empty()
	if err := official.Unmarshal(b, back); err != nil {
		t.Fatal(err)
	}
	if b, err = (official.MarshalOptions{Deterministic: true}).Marshal(back); err != nil || !bytes.Equal(b, wire) {
		t.Fatalf("another wire form: %x, %v", b, err)
	}
	return m
}

func benchmarkMarshal(b *testing.B, c codec, wire []byte, empty func() proto.Message) {
	b.Run("by="+c.name, func(b *testing.B) {
		m := checkCodec(b, c, wire, empty)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := c.marshal(m); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func benchmarkUnmarshal(b *testing.B, c codec, wire []byte, empty func() proto.Message) {
	b.Run("by="+c.name, func(b *testing.B) {
		checkCodec(b, c, wire, empty)
		b.ReportAllocs()
		for b.Loop() {
			if err := c.unmarshal(wire, empty()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkMarshal(b *testing.B) {
	eachShape(b, b.Run, func(b *testing.B, wire []byte, theirs, ours func() proto.Message) {
		benchmarkMarshal(b, officialCodec, wire, theirs)
		benchmarkMarshal(b, proteanCodec, wire, ours)
	})
}

// BenchmarkMarshalLarge writes messages for which no memory is used again.
func BenchmarkMarshalLarge(b *testing.B) {
	for _, size := range []int{100 << 10, 1 << 20, 8 << 20} {
		for _, s := range large(size) {
			for _, c := range []codec{officialCodec, proteanCodec} {
				b.Run(fmt.Sprintf("shape=%s/size=%d/by=%s", strings.ReplaceAll(s.name, " ", "-"), size, c.name),
					func(b *testing.B) {
						want := official.Size(s.m)
						b.ReportAllocs()
						b.SetBytes(int64(want))
						for b.Loop() {
							if got, err := c.marshal(s.m); err != nil || len(got) != want {
								b.Fatal(len(got), err)
							}
						}
					})
			}
		}
	}
}

func BenchmarkSize(b *testing.B) {
	eachShape(b, b.Run, func(b *testing.B, wire []byte, theirs, ours func() proto.Message) {
		for _, c := range []struct {
			name  string
			size  func(proto.Message) int
			empty func() proto.Message
		}{{"official", official.Size, theirs}, {"protean", proto.Size, ours}} {
			b.Run("by="+c.name, func(b *testing.B) {
				m := c.empty()
				if err := official.Unmarshal(wire, m); err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				for b.Loop() {
					if n := c.size(m); n != len(wire) {
						b.Fatal(n)
					}
				}
			})
		}
	})
}

func BenchmarkUnmarshal(b *testing.B) {
	eachShape(b, b.Run, func(b *testing.B, wire []byte, theirs, ours func() proto.Message) {
		benchmarkUnmarshal(b, officialCodec, wire, theirs)
		benchmarkUnmarshal(b, proteanCodec, wire, ours)
		benchmarkUnmarshal(b, aliasCodec, wire, ours)
	})
}

// BenchmarkPackedVarints reads packed lists of numbers of few lengths and of many.
func BenchmarkPackedVarints(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, numbers := range []struct {
		name string
		next func() int64
	}{
		{"one-byte", func() int64 { return r.Int64N(1 << 7) }},
		{"one-or-two", func() int64 { return r.Int64N(1 << 8) }},
		{"two", func() int64 { return 1<<7 + r.Int64N(1<<13) }},
		{"five", func() int64 { return 1<<28 + r.Int64N(1<<34) }},
		{"any", func() int64 { return int64(r.Uint64() >> r.IntN(64)) }},
		{"negative", func() int64 { return -r.Int64N(1000) - 1 }},
	} {
		for _, n := range []int{3, 30, 1000} {
			wire,
				err := official.Marshal(&benchpb.Packed{ListInt64: each(n, func(int) int64 { return numbers.next() })})
			if err != nil {
				b.Fatal(err)
			}
			empty := func() proto.Message { return new(benchpb.Packed) }
			b.Run(fmt.Sprintf("numbers=%s/n=%d", numbers.name, n), func(b *testing.B) {
				benchmarkUnmarshal(b, officialCodec, wire, empty)
				benchmarkUnmarshal(b, proteanCodec, wire, empty)
			})
		}
	}
}
