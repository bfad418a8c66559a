package jsontext

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/protean-pb/protean/internal/test/race"
)

// slowFloat32 is AppendFloat32 without the fast paths.
func slowFloat32(f float32) string {
	format := byte('f')
	if abs := float32(math.Abs(float64(f))); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	return string(shortExponent(strconv.AppendFloat(make([]byte, 8, 64), float64(f), format, -1, 32))[8:])
}

// checkFloat32 also checks that the shortest decimal of a float32 is that of the double
// which it reads as: AppendCanonical relies on it.
func checkFloat32(t *testing.T, f float32) {
	t.Helper()
	if f-f != 0 {
		if got, want := string(AppendFloat32(nil, f)), specialNames[fmt.Sprint(f)]; got != want {
			t.Fatalf("AppendFloat32(%v) = %s, want %s", f, got, want)
		}
		return
	}
	want := slowFloat32(f)
	room := 1 + int(math.Float32bits(f)%64)
	if got := string(AppendFloat32(append(make([]byte, 0, room), 'x'), f)); got != "x"+want {
		t.Fatalf("AppendFloat32(%x) = %s, want %s", math.Float32bits(f), got[1:], want)
	}
	x, ok := Float([]byte(want), 32)
	if !ok || math.Float32bits(float32(x)) != math.Float32bits(f) {
		t.Fatalf("Float(%s, 32) = %v, %t", want, x, ok)
	}
	x, ok = Float([]byte(want), 64)
	if got := string(AppendFloat(nil, x)); !ok || got != want {
		t.Fatalf("as a double %s is %s", want, got)
	}
}

func TestFloat32(t *testing.T) {
	for exp := -149; exp < 128; exp++ {
		f := float32(math.Ldexp(1, exp))
		inf := float32(math.Inf(1))
		for _, g := range []float32{f, math.Nextafter32(f, 0), math.Nextafter32(f, inf), f * 3, f * 5, f / 3} {
			checkFloat32(t, g)
			checkFloat32(t, -g)
		}
	}
	for _, f := range []float32{0, float32(math.NaN()), float32(math.Inf(1)), 0x1p-12, 999.999, 999.9995, 1000.5, 0.001,
		0.0009} {
		checkFloat32(t, f)
		checkFloat32(t, -f)
	}
	for exp := -45; exp < 39; exp++ {
		f := float32(math.Pow10(exp))
		for range 8 {
			f = math.Nextafter32(f, 0)
		}
		for range 16 {
			checkFloat32(t, f)
			f = math.Nextafter32(f, math.MaxFloat32)
		}
	}
	for b := uint64(0); b < 1<<32; b += 99_991 {
		checkFloat32(t, math.Float32frombits(uint32(b)))
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range race.Rounds(200_000) {
		checkFloat32(t, math.Float32frombits(r.Uint32()))
		checkFloat32(t, float32(math.Ldexp(1+r.Float64(), r.IntN(46)-21)))
		checkFloat32(t, float32(r.IntN(1e6))/float32(pow10[r.IntN(7)]))
	}
}

func FuzzFloat32(f *testing.F) {
	for _, x := range []float32{0, 0.5, 1e-6, 1e21, 1e-45, math.Pi, 0.3, 1 << 24} {
		f.Add(math.Float32bits(x))
	}
	f.Fuzz(func(t *testing.T, bits uint32) { checkFloat32(t, math.Float32frombits(bits)) })
}
