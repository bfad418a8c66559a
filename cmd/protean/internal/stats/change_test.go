package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/perf/benchmath"
)

func TestChange(t *testing.T) {
	low, high := []float64{10, 11, 12, 13}, []float64{20, 22, 24, 26}
	for _, tt := range []struct {
		name          string
		before, after []float64
		want          Interval
	}{
		{"four and four", low, high, Interval{2, 20.0 / 13, 2.6}},
		{"three and three", low[:3], high[:3], Interval{2, math.NaN(), math.NaN()}},
		{"one", low[:1], high[:1], Interval{2, math.NaN(), math.NaN()}},
		{"none", nil, high, Interval{math.NaN(), math.NaN(), math.NaN()}},
		{"equal", low[:1], low[:1], Interval{1, math.NaN(), math.NaN()}},
		{"all zero", make([]float64, 4), make([]float64, 4), Interval{1, 1, 1}},
		{"from zero", make([]float64, 4), low, Interval{math.Inf(1), math.Inf(1), math.Inf(1)}},
		{"to zero", low, make([]float64, 4), Interval{0, 0, 0}},
	} {
		if got := Change(tt.before, tt.after); !same(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func same(a, b Interval) bool {
	eq := func(x, y float64) bool {
		return x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) < 1e-12
	}
	return eq(a.Median, b.Median) && eq(a.Low, b.Low) && eq(a.High, b.High)
}

// The interval leaves 1 out exactly where benchstat's test finds a difference.
func TestChangeAgreesWithTest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	found := 0
	for range 2000 {
		before, after := sample(r, 4+r.IntN(12), 1), sample(r, 4+r.IntN(12), 1+0.1*r.Float64())
		got := Change(before, after)
		p := benchmath.AssumeNothing.Compare(
			benchmath.NewSample(slices.Clone(before), &benchmath.DefaultThresholds),
			benchmath.NewSample(slices.Clone(after), &benchmath.DefaultThresholds)).P
		differs := got.Low > 1 || got.High < 1
		if differs != (p <= 0.05) {
			t.Errorf("%d and %d values: %v, but p = %.4f", len(before), len(after), got, p)
		}
		found += bit(differs)
	}
	if found < 200 || found > 1800 {
		t.Errorf("%d of 2000 pairs differ, which says little", found)
	}
}

func sample(r *rand.Rand, n int, scale float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = scale * math.Exp(0.05*r.NormFloat64())
	}
	return out
}

// TestCoverageOfChange states how often either interval holds the true factor.
func TestCoverageOfChange(t *testing.T) {
	const runs, factor = 3000, 1.25
	for _, size := range [][2]int{{4, 4}, {6, 6}, {10, 6}, {17, 17}, {30, 60}} {
		r := rand.New(rand.NewPCG(1, 2))
		var samples, intervals, known int
		for range runs {
			before, after := sample(r, size[0], 1), sample(r, size[1], factor)
			samples += holds(Change(before, after), factor)
			if of := ChangeOf(Median(before), Median(after)); of.Known() {
				known++
				intervals += holds(of, factor)
			}
		}
		t.Logf("%v: from samples %.1f %%, from intervals %.1f %%", size, pct(samples, runs),
			pct(intervals, max(known, 1)))
		if got := float64(samples) / runs; got < 0.94 {
			t.Errorf("%v: the interval from samples holds the factor in %.3f of the runs", size, got)
		}
		if got := float64(intervals) / float64(known); known > 0 && got < 0.94 {
			t.Errorf("%v: the interval from intervals holds the factor in %.3f of the runs", size, got)
		}
	}
}

func TestChangeOf(t *testing.T) {
	around := func(x, share float64) Interval { return Interval{x, x / (1 + share), x * (1 + share)} }
	got := ChangeOf(around(100, 0.03), around(150, 0.04))
	if d := math.Log(1.03)*math.Log(1.03) +
		math.Log(1.04)*math.Log(1.04); !same(got,
		Interval{1.5, 1.5 * math.Exp(-math.Sqrt(d)), 1.5 * math.Exp(math.Sqrt(d))}) {
		t.Errorf("%v", got)
	}
	if got := ChangeOf(around(100, 0.03), Interval{150, math.NaN(), math.NaN()}); got.Median != 1.5 || got.Known() {
		t.Errorf("without an interval: %v", got)
	}
}
