package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A plan is a simulated run: so many rounds, and what a variant's turns scatter by,
// lognormally.
type plan struct {
	rounds int
	noise  float64
}

// turns simulates one variant whose true median is 1000 ns. Slow is what slows
// every variant of a round down alike.
func (p plan) turns(r *rand.Rand, slow []float64) []Turn {
	out := make([]Turn, p.rounds)
	for i := range out {
		out[i] = Turn{Round: i, Ops: 1, NS: 1000 * math.Exp(p.noise*r.NormFloat64()+slow[i])}
	}
	return out
}

func (p plan) calm() []float64 { return make([]float64, p.rounds) }

// drift is a machine that wanders by several per cent.
func (p plan) drift(r *rand.Rand) []float64 {
	out := p.calm()
	for i := 1; i < len(out); i++ {
		out[i] = out[i-1] + 0.02*r.NormFloat64()
	}
	return out
}

// TestCoverage states how often the 95 % interval holds the true value.
func TestCoverage(t *testing.T) {
	const runs = 4000
	for _, p := range []plan{{6, 0.03}, {8, 0.03}, {10, 0.01}, {12, 0.03}, {17, 0.03}, {17, 0.10}, {48, 0.03}} {
		r := rand.New(rand.NewPCG(1, 2))
		var time, ratio int
		for range runs {
			slow := p.drift(r)
			time += holds(Time(p.turns(r, p.calm())), 1000)
			ratio += holds(Ratio(p.turns(r, slow), p.turns(r, slow)), 1)
		}
		t.Logf("%+v: time %.1f %%, ratio under drift %.1f %%", p, pct(time, runs), pct(ratio, runs))
		if got := float64(time) / runs; got < 0.94 {
			t.Errorf("%+v: the interval of a time holds the median in %.3f of the runs", p, got)
		}
		if got := float64(ratio) / runs; got < 0.94 {
			t.Errorf("%+v: the interval of a ratio holds 1 in %.3f of the runs", p, got)
		}
	}
}

// TestFalseDifferences counts how often two variants of one distribution are
// called different.
func TestFalseDifferences(t *testing.T) {
	const runs = 4000
	for _, p := range []plan{{6, 0.03}, {10, 0.03}, {17, 0.03}, {17, 0.01}, {48, 0.03}} {
		r, wrong := rand.New(rand.NewPCG(5, 6)), 0
		for range runs {
			slow := p.drift(r)
			if different(p.turns(r, slow), p.turns(r, slow), 0.01) {
				wrong++
			}
		}
		t.Logf("%+v: %.2f %% called different", p, pct(wrong, runs))
		if wrong*200 > 3*runs { // of the 5 % that an interval may miss
			t.Errorf("%+v: %d of %d pairs of equals were called different", p, wrong, runs)
		}
	}
}

// TestTrueDifferences is the other side: 10 % must not be missed.
func TestTrueDifferences(t *testing.T) {
	const runs = 500
	p, r, found := plan{17, 0.03}, rand.New(rand.NewPCG(7, 8)), 0
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
