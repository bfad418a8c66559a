package jsontext

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// integersOf returns numbers of all lengths up to the given count of digits, in random order.
func integersOf(digits int) []int64 {
	r := rand.New(rand.NewPCG(1, uint64(digits)))
	xs := make([]int64, 1024)
	for i := range xs {
		xs[i] = int64(r.Float64() * math.Pow10(1+r.IntN(digits)))
	}
	return xs
}

// benchmarkAppend measures app on the numbers in turn, and checks that it agrees with want.
func benchmarkAppend[T any](b *testing.B, xs []T, app, want func([]byte, T) []byte) {
	buf := make([]byte, 0, 64)
	for _, x := range xs {
		if got := string(app(buf, x)); got != string(want(nil, x)) {
			b.Fatalf("%s, want %s", got, want(nil, x))
		}
	}
	for _, side := range []struct {
		name string
		app  func([]byte, T) []byte
	}{{"text", app}, {"strconv", want}} {
		b.Run(side.name, func(b *testing.B) {
			b.ReportAllocs()
			i, n := 0, 0
			for b.Loop() {
				n += len(side.app(buf, xs[i%len(xs)]))
				i++
			}
			if n == 0 {
				b.Fatal("nothing written")
			}
		})
	}
}

func BenchmarkAppendInt(b *testing.B) {
	for _, digits := range []int{1, 2, 5, 10, 18} {
		b.Run("digits="+strconv.Itoa(digits), func(b *testing.B) {
			benchmarkAppend(b, integersOf(digits), AppendInt,
				func(dst []byte, x int64) []byte { return strconv.AppendInt(dst, x, 10) })
		})
	}
}

func BenchmarkAppendFloat32(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	short, long := make([]float32, 1024), make([]float32, 1024)
	for i := range short {
		short[i], long[i] = float32(r.IntN(100000))/100, r.Float32()*1000
	}
	slow := func(dst []byte, f float32) []byte { return strconv.AppendFloat(dst, float64(f), 'f', -1, 32) }
	b.Run("short", func(b *testing.B) { benchmarkAppend(b, short, AppendFloat32, slow) })
	b.Run("long", func(b *testing.B) { benchmarkAppend(b, long, AppendFloat32, slow) })
}

func BenchmarkAppendFloat(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	short, long := make([]float64, 1024), make([]float64, 1024)
	for i := range short {
		short[i], long[i] = float64(r.IntN(100000))/100, r.Float64()*1000
	}
	slow := func(dst []byte, f float64) []byte { return strconv.AppendFloat(dst, f, 'f', -1, 64) }
	b.Run("short", func(b *testing.B) { benchmarkAppend(b, short, AppendFloat, slow) })
	b.Run("long", func(b *testing.B) { benchmarkAppend(b, long, AppendFloat, slow) })
}
