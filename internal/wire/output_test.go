package wire

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestOutput writes random pieces, in memory of random limits, as a message of which the size is calculated, or is
// another than is calculated, or cannot be.
func TestOutput(t *testing.T) {
	defer func(limit int) { Limit = limit }(Limit)
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		var pieces [][]byte
		n := 0
		for range r.IntN(20) {
			piece := make([]byte, r.IntN(1<<r.IntN(12)))
			for i := range piece {
				piece[i] = byte(r.Uint32())
			}
			pieces = append(pieces, piece)
			n += len(piece)
		}
		Limit = r.IntN(4000)
		calculated, known := n, true
		switch r.IntN(5) {
		case 0:
			calculated = r.IntN(2*n + 1)
		case 1:
			calculated = max(0, n+r.IntN(200)-100)
		case 2:
			known = false
		}
		var dst []byte
		if r.IntN(3) > 0 {
			dst = bytes.Repeat([]byte{0xa5}, r.IntN(300))
			dst = slices.Grow(dst, r.IntN(2*n+100))
			for i := range dst[len(dst):cap(dst)] {
				dst[len(dst):cap(dst)][i] = 0xa5
			}
		}
		before := bytes.Clone(dst)
		room := cap(dst) - len(dst)

		store := OutputState{Dst: dst, Message: Message{Size: func(Message) (int, bool) { return calculated, known }}}
		o := Output{OutputState: &store}
		o.Use(make([]byte, 320))
		at := o.End
		for _, piece := range slices.Backward(pieces) {
			if r.IntN(2) == 0 {
				at = o.Raw(string(piece), at)
			} else {
				at = o.Room(len(piece), at) - len(piece)
				copy(o.Buf[at:], piece)
				if r.IntN(2) == 0 {
					at = o.Room(0, at)
				}
			}
			if at < 0 || at > len(o.Buf) {
				t.Fatalf("at %d of %d bytes", at, len(o.Buf))
			}
		}
		if got := o.End - at; got != n {
			t.Fatalf("%d bytes since the end, want %d", got, n)
		}
		got := o.Finish(at)
		o.Release()
		if want := slices.Concat(before, slices.Concat(pieces...)); !bytes.Equal(got, want) || got == nil {
			t.Fatalf("%d bytes of which the size is said to be %d (%v), limit %d, dst %d:\n%x, want\n%x", n, calculated,
				known, Limit, len(before), got, want)
		}
		if !bytes.Equal(dst, before) {
			t.Fatalf("what the message is appended to is changed: %x, was %x", dst, before)
		}
		if inPlace := cap(dst) > 0 && len(got) > 0 && &got[0] == &dst[:1][0]; room >= n && cap(dst) > 0 &&
			len(got) > 0 && calculated == n && known && !inPlace {
			t.Fatalf("%d bytes are not in place, with room for %d", n, room)
		}
	}
}
