package lab

import (
	"slices"
	"strings"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/runner"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
	"github.com/protean-pb/protean/cmd/protean/internal/suite"
)

// TestUndisturbed checks that disturbed rounds count only where there are too few others.
func TestUndisturbed(t *testing.T) {
	for _, x := range []struct{ disturbed, still, want int }{{0, 3, 3}, {5, minRounds, minRounds},
		{5, minRounds - 1, minRounds + 4}, {3, 0, 3}, {0, 0, 0}} {
		turns := make([]runner.Turn, x.disturbed+x.still)
		for i := range x.disturbed {
			turns[i].Disturbed = true
		}
		if got := len(undisturbed(turns)); got != x.want {
			t.Errorf("%d of %d disturbed: %d turns count; want %d", x.disturbed, len(turns), got, x.want)
		}
	}
}

// TestChecks checks that verification says how far it is.
func TestChecks(t *testing.T) {
	c := checks{total: 4}
	for _, x := range []struct {
		variant, op, want string
		done              int
	}{
		{"a", "marshal", "verifying p: 1 of 4: a", 0},
		{"a", "unmarshal", "verifying p: 1 of 4: a", 0},
		{"b", "marshal", "verifying p: 2 of 4: b", 1},
		{"c", "marshal", "verifying p: 3 of 4: c", 2},
	} {
		if got, want := c.begin(stats.Key{Payload: "p", Variant: x.variant, Op: x.op}),
			(Progress{Text: x.want, Done: x.done, Of: 4}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// steady returns a cell that took so long in each of n rounds, and restless one whose time
// is known badly.
func steady(name string, ns float64, n int) stats.Cell {
	c := stats.Cell{Variant: name}
	for i := range n {
		c.Turns = append(c.Turns, stats.Turn{Round: i, Ops: 1, NS: ns})
	}
	return c
}

func restless(name string, n int) stats.Cell {
	c := steady(name, 100, n)
	for i := range c.Turns {
		c.Turns[i].NS += 50 * float64(i%2)
	}
	return c
}

// TestVague checks that a cell takes part until it is known and has had minRounds rounds, and
// the baseline as long as any other does.
func TestVague(t *testing.T) {
	for _, x := range []struct {
		name  string
		cells []stats.Cell
		want  string
	}{
		{"all known", []stats.Cell{steady("base", 100, minRounds), steady("a", 200, minRounds)}, ""},
		{"one more round than needed", []stats.Cell{steady("base", 100, minRounds+1), steady("a", 200, minRounds+1)},
			""},
		{"a round too few", []stats.Cell{steady("base", 100, minRounds), steady("a", 200, minRounds-1)}, "base a"},
		{"the baseline is known, another is not",
			[]stats.Cell{steady("base", 100, 20), restless("a", 20), steady("b", 200, 20)}, "base a"},
		{"the baseline has had too few rounds",
			[]stats.Cell{steady("base", 100, minRounds-1), steady("a", 200, minRounds)}, "base"},
		{"the baseline is not there", []stats.Cell{restless("a", 20), steady("b", 200, 20)}, "a"},
		{"nothing yet", []stats.Cell{steady("base", 100, 0), steady("a", 200, 0)}, "base a"},
		{"no cells", nil, ""},
	} {
		var got []string
		for _, c := range vague(stats.Group{Baseline: "base", Cells: x.cells}, 0.02) {
			got = append(got, c.Variant)
		}
		if strings.Join(got, " ") != x.want {
			t.Errorf("%s: %q need more rounds; want %q", x.name, got, x.want)
		}
	}
}

// TestCoverage checks that a run warns exactly if its rounds did not come to all samples.
func TestCoverage(t *testing.T) {
	for _, x := range []struct {
		samples, rounds, block int
		want                   []string
	}{
		{100, 10, 10, nil},
		{100, 11, 10, nil},
		{100, 9, 11, []string{
			"p: the time sufficed for 99 of 100 samples, drawn at random; all were verified (--time gives it longer)",
		}},
		{1, 1, 1, nil},
	} {
		e := new(experiment)
		e.checkCoverage(&payload{
			Payload: &suite.Payload{Name: "p", Samples: make([]suite.Sample, x.samples)},
			request: runner.Payload{Block: x.block}, rounds: x.rounds,
		})
		if !slices.Equal(e.warnings, x.want) {
			t.Errorf("%d rounds of %d of %d samples: %q; want %q", x.rounds, x.block, x.samples, e.warnings, x.want)
		}
	}
}

// TestBlockSize checks that a round walks through all samples if there is time, and else
// through so many that minRounds rounds come to all of them, if not for too long.
func TestBlockSize(t *testing.T) {
	const fast, slow, huge = "fast", "slow", "huge"
	took := map[string]float64{fast: 1000, slow: 100e3, huge: 1e9} // nanoseconds a sample
	for _, x := range []struct {
		slowest       string
		samples, want int
	}{
		{fast, 2000, 2000},
		{fast, 2001, 2000},
		{fast, 2000*minRounds + 1, 2001},
		{slow, 20, 20},
		{slow, 20 * minRounds, 20},
		{slow, 21 * minRounds, 21},
		{slow, 1e6, 500},
		{huge, 100, 1},
	} {
		e := &experiment{cells: map[stats.Key]*cell{}, programs: []*program{{}}}
		g := stats.Group{Payload: "p", Op: "marshal"}
		for _, v := range []string{"Concrete (proto)", "Concrete (JSON)"} {
			k := stats.Key{Payload: "p", Variant: v, Op: "marshal"}
			e.cells[k] = &cell{Verified: runner.Verified{Key: k, NS: 10}}
			g.Cells = append(g.Cells, stats.Cell{Variant: v})
		}
		e.cells[stats.Key{Payload: "p", Variant: "Concrete (JSON)", Op: "marshal"}].NS = took[x.slowest]
		p := &payload{Payload: &suite.Payload{Name: "p", Samples: make([]suite.Sample, x.samples)}}
		if got := e.blockSize(p, []stats.Group{g}); got != x.want {
			t.Errorf("%s, %d samples: blocks of %d; want %d", x.slowest, x.samples, got, x.want)
		}
	}
}
