package jsontext

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

func checkInteger(t *testing.T, x uint64) {
	t.Helper()
	for _, room := range []int{1, 20, 60} {
		dst := append(make([]byte, 0, room), 'x')
		if got, want := string(AppendUint(dst, x)), "x"+strconv.FormatUint(x, 10); got != want {
			t.Fatalf("AppendUint: %s, want %s", got, want)
		}
		if got, want := string(AppendInt(dst, int64(x))), "x"+strconv.FormatInt(int64(x), 10); got != want {
			t.Fatalf("AppendInt: %s, want %s", got, want)
		}
		if got, want := string(AppendInt(dst, -int64(x))), "x"+strconv.FormatInt(-int64(x), 10); got != want {
			t.Fatalf("AppendInt: %s, want %s", got, want)
		}
	}
}

func TestInteger(t *testing.T) {
	for x := range uint64(20_000) {
		checkInteger(t, x)
	}
	for x := uint64(10); x < 1e19; x *= 10 {
		for _, y := range []uint64{x - 1, x, x + 1, 2 * x, x - x/10, x + x/10} {
			checkInteger(t, y)
		}
	}
	for _, x := range []uint64{math.MaxInt64, math.MaxInt64 + 1, math.MaxUint64, 1e19, 99999999, 9999999999999999,
		12345678} {
		checkInteger(t, x)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		checkInteger(t, r.Uint64()>>r.IntN(64))
	}
}

// TestEightOf asks for the digits around all multiples of 10000, at which it splits.
func TestEightOf(t *testing.T) {
	for high := range uint64(10_000) {
		for _, low := range []uint64{0, 1, 4999, 9990, 9999} {
			x := high*10_000 + low
			var got [8]byte
			binary.LittleEndian.PutUint64(got[:], eightOf(x)+zeros)
			if want := fmt.Sprintf("%08d", x); string(got[:]) != want {
				t.Fatalf("eightOf: %s, want %s", got, want)
			}
		}
	}
}

func FuzzInteger(f *testing.F) {
	f.Add(uint64(0))
	f.Add(uint64(math.MaxUint64))
	f.Add(uint64(100000000))
	f.Fuzz(func(t *testing.T, x uint64) { checkInteger(t, x) })
}
