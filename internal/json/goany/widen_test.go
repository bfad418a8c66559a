package goany

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestWiden holds floats, decimals of few places above all, against strconv.
func TestWiden(t *testing.T) {
	check := func(x float32) {
		want, err := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'g', -1, 32), 64)
		if got := widen(x); err != nil || math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%v is %v; want %v, %v", x, got, want, err)
		}
	}
	for i := range 1_010_000 {
		x := float32(i) / 1000
		check(x)
		check(-x)
		check(math.Nextafter32(x, 0))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 1_000_000 {
		if x := math.Float32frombits(r.Uint32()); x-x == 0 {
			check(x)
		}
	}
	check(float32(math.Copysign(0, -1)))
}
