package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A plan is a simulated run: lognormal noise round by round, and a bias that a
// variant keeps for a whole process.
type plan struct {
	processes, rounds int
	noise, bias       float64
}

// turns simulates one variant whose true median is 1000 ns. Slow is what slows
// every variant of a round down alike.
func (p plan) turns(r *rand.Rand, slow []float64) []Turn {
	var out []Turn
	for process := range p.processes {
		bias := p.bias * r.NormFloat64()
		for range p.rounds {
			round := len(out)
			ns := 1000 * math.Exp(bias+p.noise*r.NormFloat64()+slow[round])
			out = append(out, Turn{Round: round, Process: process, Ops: 1, NS: ns})
		}
	}
	return out
}

func (p plan) calm() []float64 { return make([]float64, p.processes*p.rounds) }

// drift is a machine that wanders by several per cent.
func (p plan) drift(r *rand.Rand) []float64 {
	out := p.calm()
	for i := 1; i < len(out); i++ {
		out[i] = out[i-1] + 0.02*r.NormFloat64()
	}
	return out
}

// TestCoverage states how often the 95 % interval holds the true value. Pooled is
// the same without the guard, to show what the guard is for.
func TestCoverage(t *testing.T) {
	const runs = 4000
	for _, c := range []struct {
		name  string
		plan  plan
		least float64
	}{
		{"one process", plan{1, 48, 0.03, 0}, 0.94},
		{"no bias", plan{6, 8, 0.03, 0}, 0.94},
		{"bias 1 %", plan{6, 8, 0.03, 0.01}, 0.93},
		{"bias 2 %", plan{6, 8, 0.03, 0.02}, 0.93},
		{"bias 4 %", plan{6, 8, 0.03, 0.04}, 0.93},
		{"bias 2 %, 8 processes", plan{8, 8, 0.03, 0.02}, 0.93},
		{"bias 2 %, 4 processes", plan{4, 8, 0.03, 0.02}, 0.92},
		{"bias 2 %, 3 processes", plan{3, 8, 0.03, 0.02}, 0.91},
		{"bias 2 %, 2 processes", plan{2, 8, 0.03, 0.02}, 0.87},
		{"no bias, 2 processes", plan{2, 8, 0.03, 0}, 0.94},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			var time, ratio, pooled, width int
			var widths float64
			for range runs {
				slow := c.plan.drift(r)
				a := c.plan.turns(r, c.plan.calm())
				interval := Time(a)
				time += holds(interval, 1000)
				pooled += holds(Median(values(a)), 1000)
				widths += interval.HalfWidth()
				width++
				ratio += holds(Ratio(c.plan.turns(r, slow), c.plan.turns(r, slow)), 1)
			}
			t.Logf("time %.1f %% (mean ±%.2f %%), ratio under drift %.1f %%, pooled without guard %.1f %%",
				pct(time, runs), 100*widths/float64(width), pct(ratio, runs), pct(pooled, runs))
			if got := float64(time) / runs; got < c.least {
				t.Errorf("the interval of a time holds the median in %.3f of the runs, want %.2f", got, c.least)
			}
			if got := float64(ratio) / runs; got < c.least {
				t.Errorf("the interval of a ratio holds 1 in %.3f of the runs, want %.2f", got, c.least)
			}
		})
	}
}

// TestGuardIsNeeded fails if pooling alone would do, for then the guard is ballast.
func TestGuardIsNeeded(t *testing.T) {
	p, r, held := plan{6, 8, 0.03, 0.02}, rand.New(rand.NewPCG(3, 4)), 0
	for range 1000 {
		held += holds(Median(values(p.turns(r, p.calm()))), 1000)
	}
	if held > 900 {
		t.Errorf("pooled intervals held the median %d times of 1000", held)
	}
}

// TestFalseDifferences counts how often two variants of one distribution are
// called different.
func TestFalseDifferences(t *testing.T) {
	const runs = 4000
	for _, p := range []plan{{6, 8, 0.03, 0}, {6, 8, 0.03, 0.02}, {1, 48, 0.03, 0}, {3, 4, 0.03, 0}, {6, 16, 0.01, 0}} {
		r, wrong := rand.New(rand.NewPCG(5, 6)), 0
		for range runs {
			slow := p.drift(r)
			if different(p.turns(r, slow), p.turns(r, slow), 0.01) {
				wrong++
			}
		}
		t.Logf("%+v: %.2f %% called different", p, pct(wrong, runs))
		if wrong*100 > runs {
			t.Errorf("%+v: %d of %d pairs of equals were called different", p, wrong, runs)
		}
	}
}

// TestTrueDifferences is the other side: 10 % must not be missed.
func TestTrueDifferences(t *testing.T) {
	const runs = 500
	p, r, found := plan{6, 8, 0.03, 0}, rand.New(rand.NewPCG(7, 8)), 0
	for range runs {
		slow := p.drift(r)
		a, b := p.turns(r, slow), p.turns(r, slow)
		for i := range b {
			b[i].NS *= 1.1
		}
		if different(a, b, 0.01) {
			found++
		}
	}
	if found < runs*98/100 {
		t.Errorf("a difference of 10 %% was seen in %d of %d runs", found, runs)
	}
}

func holds(i Interval, want float64) int { return bit(i.Low <= want && want <= i.High) }

func pct(n, of int) float64 { return 100 * float64(n) / float64(of) }

func values(turns []Turn) []float64 {
	out := make([]float64, len(turns))
	for i, t := range turns {
		out[i] = t.NS
	}
	return out
}
