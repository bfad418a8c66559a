package stats

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// around makes rounds of one time with ±1 % of noise that differs by variant.
func around(ns float64, rounds int, seed uint64) []Turn {
	r := rand.New(rand.NewPCG(seed, 9))
	var out []Turn
	for i := range rounds {
		out = append(out, Turn{Round: i, Ops: 1, NS: ns * (1 + 0.01*r.NormFloat64())})
	}
	return out
}

func TestEstimate(t *testing.T) {
	g := Group{Payload: "medium", Op: "marshal", Baseline: "base", Cells: []Cell{
		{Variant: "slow", Turns: around(300, 30, 1)},
		{Variant: "base", Turns: around(200, 30, 2)},
		{Variant: "none", Turns: nil},
		{Variant: "same", Turns: around(200.1, 30, 3)},
		{Variant: "fast", Turns: around(100, 30, 4)},
	}}
	type row struct {
		Variant         string
		Rank            int
		Tied, Converged bool
	}
	var got []row
	for _, e := range Estimate(g, 0.02) {
		got = append(got, row{e.Variant, e.Rank, e.Tied, e.Converged})
	}
	want := []row{{"fast", 1, false, true}, {"base", 2, true, true}, {"same", 2, true, true},
		{"slow", 4, false, true}, {"none", 0, false, false}}
	if got[1].Variant == "same" { // the tie may come in either order
		want[1], want[2] = want[2], want[1]
	}
	check(t, "ranks", got, want)

	es := Estimate(g, 0.02)
	for _, e := range es {
		switch e.Variant {
		case "base":
			check(t, "ratio of the baseline", e.Ratio, Interval{1, 1, 1})
		case "none":
			check(t, "a cell without turns", e, Estimated{Variant: "none"})
		case "slow":
			if e.Ratio.Median < 1.48 || e.Ratio.Median > 1.52 {
				t.Errorf("slow: %+v", e)
			}
		}
	}
}

// TestTiesAreNotTransitive: b ties with a, c with b, but c not with a, the first.
func TestTiesAreNotTransitive(t *testing.T) {
	g := Group{Baseline: "a", Cells: []Cell{
		{Variant: "a", Turns: times(100, 100, 100, 100, 100, 100)},
		{Variant: "b", Turns: times(101, 101, 101, 101, 101, 101)},
		{Variant: "c", Turns: times(102, 102, 102, 102, 102, 102)},
		{Variant: "d", Turns: times(102.5, 102.5, 102.5, 102.5, 102.5, 102.5)},
	}}
	var got []int
	for _, e := range Estimate(g, 0.03) {
		got = append(got, e.Rank)
	}
	check(t, "ranks", got, []int{1, 1, 3, 3})
}

func TestTooFewRoundsTie(t *testing.T) {
	g := Group{Baseline: "a", Cells: []Cell{
		{Variant: "a", Turns: times(100, 100, 100, 100, 100)}, {Variant: "b", Turns: times(900, 900, 900, 900, 900)}}}
	for _, e := range Estimate(g, 0.02) {
		if e.Rank != 1 || !e.Tied || e.Converged {
			t.Errorf("%+v from 5 rounds", e)
		}
	}
	if len(Unconverged(g, 0.02)) == 0 {
		t.Error("5 rounds converged")
	}
}

// MinRounds rounds are enough for an interval, for the baseline too, and one less is not.
func TestExactlyMinRounds(t *testing.T) {
	for _, x := range []struct {
		rounds int
		known  bool
	}{{MinRounds - 1, false}, {MinRounds, true}} {
		same := func(ns float64) []Turn {
			var out []Turn
			for i := range x.rounds {
				out = append(out, Turn{Round: i, Ops: 1, NS: ns})
			}
			return out
		}
		g := Group{Baseline: "a", Cells: []Cell{{Variant: "a", Turns: same(100)}, {Variant: "b", Turns: same(200)}}}
		if got := len(Unconverged(g, 0.02)); (got == 0) != x.known || (got == 2) == x.known {
			t.Errorf("%d rounds: %d of 2 cells are not converged", x.rounds, got)
		}
		for _, e := range Estimate(g, 0.02) {
			if e.Converged != x.known || e.NS.Known() != x.known || e.Ratio.Known() != x.known {
				t.Errorf("%d rounds: %+v", x.rounds, e)
			}
		}
	}
}

func TestConvergedAgreesWithEstimate(t *testing.T) {
	for rounds := 1; rounds < 40; rounds++ {
		for _, baseline := range []string{"a", "elsewhere"} {
			g := Group{Baseline: baseline, Cells: []Cell{
				{Variant: "a", Turns: around(100, rounds, 1)}, {Variant: "b", Turns: around(150, rounds, 2)},
				{Variant: "c", Turns: around(150, rounds, 3)}}}
			all := true
			for _, e := range Estimate(g, 0.01) {
				all = all && e.Converged
			}
			if got := len(Unconverged(g, 0.01)) == 0; got != all {
				t.Errorf("%d rounds, baseline %s: Converged is %v, the estimates' %v", rounds, baseline, got, all)
			}
		}
	}
}

func TestConvergenceHasTwoSides(t *testing.T) {
	g := Group{Baseline: "a", Cells: []Cell{{Variant: "a", Turns: around(100, 40, 1)},
		{Variant: "b", Turns: around(150, 40, 2)}}}
	if len(Unconverged(g, 0.02)) != 0 || len(Unconverged(g, 0.0001)) == 0 {
		t.Error("40 rounds with 1 % of noise should be known to 2 % and not to 0.01 %")
	}
}

func TestNoise(t *testing.T) {
	check(t, "noise", Noise(times(100, 90, 110, 80, 120)), 0.2)
	check(t, "noise of 3", Noise(times(1, 2, 3)), nan)
}

func TestWarnings(t *testing.T) {
	good := Group{Suite: "hidden-cost", Payload: "small", Op: "marshal", Baseline: "a",
		Cells: []Cell{{Variant: "a", Turns: around(100, 30, 1)}, {Variant: "b", Turns: around(150, 30, 2)}}}
	bad := Group{Suite: "hidden-cost", Payload: "medium", Op: "marshal", Baseline: "a", Cells: []Cell{
		{Variant: "a", Turns: times(100, 100, 100, 100, 100, 100)},
		{Variant: "b", Turns: times(96, 104, 96, 104, 96, 104)},
		{Variant: "c", Turns: times(1, 1)},
		{Variant: "d", Turns: times(100, 100, 100, 100, 100, 100)},
	}}
	short := Group{Payload: "p", Op: "pack", Baseline: "a", Cells: []Cell{{Variant: "a", Turns: times(1)}}}
	check(t, "warnings", strings.Join(Warnings(0.02, good, bad, short), "\n"),
		"hidden-cost/medium marshal: 1 of 4 variants is known only to ±4 % (wanted ±2 %), "+
			"1 of 4 variants has fewer than 6 rounds, too few for an interval: the machine was noisy or the time "+
			"too short\n"+
			"p pack: the only variant has fewer than 6 rounds, too few for an interval: the time was too short; a "+
			"longer --time or a quieter machine would help")
	wild := Group{Payload: "p", Op: "size", Baseline: "a", Cells: []Cell{
		{Variant: "a", Turns: times(100, 100, 100, 100, 100, 100)},
		{Variant: "b", Turns: times(1, 1e4, 1, 1e4, 1, 1e4)},
	}}
	check(t, "a width beyond all measure", strings.Join(Warnings(0.02, wild), "\n"),
		"p size: 1 of 2 variants is known only to more than ±99 % (wanted ±2 %): "+
			"the machine was noisy or the time too short; a longer --time or a quieter machine would help")
	other := short
	other.Op = "unpack"
	check(t, "one warning for a payload", strings.Join(Warnings(0.02, short, other), "\n"),
		"p pack, unpack: 2 of 2 times have fewer than 6 rounds, too few for an interval: the time was too short; a "+
			"longer --time or a quieter machine would help")
	check(t, "warnings of what is known", len(Warnings(0.02, good)), 0)
	check(t, "the advice, once", strings.Count(strings.Join(Warnings(0.02, bad, bad, good), "\n"), "--time"), 1)
}

func TestPercent(t *testing.T) {
	for f, want := range map[float64]string{0.02: "2 %", 0.0412: "4.1 %", 0.123: "12 %", 0.0025: "0.25 %",
		0.0995: "10 %", 0.005: "0.5 %"} {
		if got := percent(f); got != want {
			t.Errorf("percent(%v) = %q, want %q", f, got, want)
		}
	}
}

func BenchmarkUnconverged(b *testing.B) {
	g := Group{Baseline: "a", Cells: []Cell{{Variant: "a", Turns: around(100, 100, 1)}}}
	for i := range 59 {
		g.Cells = append(g.Cells, Cell{Variant: string(rune('b' + i)), Turns: around(150, 100, uint64(i))})
	}
	for b.Loop() {
		if len(Unconverged(g, 0.02)) != 0 {
			b.Fatal("not converged")
		}
	}
}

// What is ranked apart has ranks of its own, and is no rival of the others.
func TestRanksApart(t *testing.T) {
	g := Group{Baseline: "base", Cells: []Cell{
		{Variant: "view", Turns: around(20, 30, 1), Apart: "index"},
		{Variant: "base", Turns: around(200, 30, 2)},
		{Variant: "pool", Turns: around(50, 30, 3), Apart: "reuse"},
		{Variant: "fast", Turns: around(100, 30, 4)},
		{Variant: "pool again", Turns: around(90, 30, 5), Apart: "reuse"},
		{Variant: "same view", Turns: around(20.02, 30, 6), Apart: "index"},
	}}
	type row struct {
		Variant string
		Rank    int
		Tied    bool
	}
	var got []row
	for _, e := range Estimate(g, 0.02) {
		got = append(got, row{e.Variant, e.Rank, e.Tied})
		if !e.Ratio.Known() {
			t.Errorf("%s has no ratio to the baseline", e.Variant)
		}
	}
	check(t, "rows", got, []row{{"fast", 1, false}, {"base", 2, false}, {"same view", 1, true}, {"view", 1, true},
		{"pool", 1, false}, {"pool again", 2, false}})
}
