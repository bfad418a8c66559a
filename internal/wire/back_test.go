package wire

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// TestBack writes random pieces and holds them against the official library's, put
// together in the other order.
func TestBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var b BackwardBuffer
	for range 300 {
		b.Reset()
		var pieces [][]byte
		for range r.IntN(40) {
			x := r.Uint64() >> r.IntN(64)
			text := bytes.Repeat([]byte{'x'}, r.IntN(300))
			switch r.IntN(7) {
			case 0:
				b.Byte(byte(x))
				pieces = append(pieces, []byte{byte(x)})
			case 1:
				b.Byte2(byte(x), byte(x>>8))
				pieces = append(pieces, []byte{byte(x), byte(x >> 8)})
			case 2:
				b.Bytes(text)
				pieces = append(pieces, text)
			case 3:
				b.String(string(text))
				pieces = append(pieces, text)
			case 4:
				b.Fixed64(x)
				pieces = append(pieces, protowire.AppendFixed64(nil, x))
			case 5:
				b.Varint(x)
				pieces = append(pieces, protowire.AppendVarint(nil, x))
			case 6:
				start := b.Len()
				b.Bytes(text)
				b.Delimit(0x0a, start)
				pieces = append(pieces, protowire.AppendBytes([]byte{0x0a}, text))
			}
		}
		slices.Reverse(pieces)
		if want := slices.Concat(pieces...); !bytes.Equal(b.Written(), want) || b.Len() != len(want) {
			t.Fatalf("got %x, want %x", b.Written(), want)
		}
	}
}

func TestSizeVarint(t *testing.T) {
	for shift := range 64 {
		for _, x := range []uint64{1<<shift - 1, 1 << shift, 1<<shift + 1} {
			if got, want := SizeVarint(x), protowire.SizeVarint(x); got != want {
				t.Errorf("%d takes %d bytes, want %d", x, got, want)
			}
		}
	}
}
