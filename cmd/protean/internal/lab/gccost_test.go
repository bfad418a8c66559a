package lab

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/runner"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// collections returns n of them that took so long.
func collections(n int, ns, slowdown float64) []runner.Collection {
	return slices.Repeat([]runner.Collection{{NS: ns, Slowdown: slowdown}}, n)
}

// TestGCPrice checks that a cell's price is the median of its own collections, shrunk towards the model's prediction.
func TestGCPrice(t *testing.T) {
	const litter, tidy, none = "litter", "tidy", "none"
	const often = 10 / 1e6 // collections a byte
	for _, x := range []struct {
		name         string
		litter, tidy []runner.Collection
		want         map[string]float64 // nanoseconds a collection
	}{
		{"nothing seen", nil, nil, map[string]float64{litter: 0, tidy: 0}},
		{"one cell alone", collections(9, 700, 1), nil, map[string]float64{litter: 700, tidy: 700}},
		{"cells that differ", append(collections(27, 2000, 1), collections(20, 9000, 1.5)...),
			collections(1, 400, 1.02), map[string]float64{
				litter: 2000, tidy: 2000 - 1600/4.0, none: 2000,
			}},
		{"all disturbed", collections(30, 9000, 2), collections(minCollections, 800, 1.4), map[string]float64{
			litter: 800, tidy: 800,
		}},
		{"less than nothing", collections(9, -5, 1), nil, map[string]float64{litter: 0}},
	} {
		p := &payload{cells: []string{""}, gc: map[gcScope]*gcCost{}}
		g := p.gcCostOf("", 0)
		collected := func(v string, pace float64, all []runner.Collection) {
			g.addTurn(&runner.Turn{Turn: stats.Turn{Key: stats.Key{Variant: v}, NS: 100 * pace}, Garbage: 100,
				Collections: all})
		}
		collected(litter, 1, x.litter)
		g.price(stats.Key{Variant: litter}) // what it knows now is not all
		collected(tidy, 2, x.tidy)
		collected(none, 3, nil)
		g.addRound(&runner.Garbage{Bytes: 4e6, Collections: 30})
		g.addRound(&runner.Garbage{Bytes: 2e6, Collections: 30})
		for v, ns := range x.want {
			if got := p.gcCostOf("", 0).price(stats.Key{Variant: v}); math.Abs(got-ns*often) > 1e-9 {
				t.Errorf("%s: a byte of %s costs %v ns; want %v", x.name, v, got, ns*often)
			}
		}
		if got := p.gcCostOf("another", 0).price(stats.Key{Variant: litter}); got != 0 {
			t.Errorf("%s: a byte costs %v ns in a program without collections", x.name, got)
		}
	}
}

// TestGCPriceFollowsPace checks that the price of a cell without collections follows from its pace.
func TestGCPriceFollowsPace(t *testing.T) {
	p := &payload{cells: []string{""}, gc: map[gcScope]*gcCost{}}
	g := p.gcCostOf("", 0)
	g.addRound(&runner.Garbage{Bytes: 1, Collections: 1})
	for pace, ns := range map[float64]float64{0.5: 650, 1: 1000, 1.5: 1350, 2: 1700, 0.8: 9000, 3: 0} {
		x := &runner.Turn{Turn: stats.Turn{Key: stats.Key{Variant: fmt.Sprint(pace)}, NS: 100 * pace}, Garbage: 100}
		if ns > 0 {
			x.Collections = collections(minOfFitted, ns, 1)
		}
		g.addTurn(x)
	}
	if got := g.price(stats.Key{Variant: "3"}); got < 2200 || got > 2600 {
		t.Errorf("a collection takes %v ns; want some 300 + 3*700", got)
	}
	g.addTurn(&runner.Turn{Turn: stats.Turn{Key: stats.Key{Variant: "collects always"}, NS: 5}})
	if got := g.price(stats.Key{Variant: "collects always"}); got != 0 {
		t.Errorf("what has its collections in its time pays %v ns for them again", got)
	}
	if y0, slope := line([]float64{1, 2, 3}, []float64{9, 6, 3}); y0 != 6 || slope != 0 {
		t.Errorf("a line that falls: %v + %v x", y0, slope)
	}
	if y0, slope := line([]float64{2, 2}, []float64{3, 5}); y0 != 4 || slope != 0 {
		t.Errorf("one above the other: %v + %v x", y0, slope)
	}
}

// TestGCScope checks that a turn has the price of rounds with the same cells, alone and in totals.
func TestGCScope(t *testing.T) {
	v := variant.Find("Concrete (proto)")
	p := &payload{Payload: &suite.Payload{Name: "p"}, cells: []string{"many", "few", "many"}, gc: map[gcScope]*gcCost{}}
	e := &experiment{cells: map[stats.Key]*cell{}, programs: []*program{{}}}
	for _, op := range []string{variant.Marshal, variant.Unmarshal} {
		c := &cell{Verified: runner.Verified{Key: stats.Key{Payload: "p", Variant: v.Name, Op: op}, Status: result.OK}}
		for round, ns := range []float64{9000, 300, 9000} { // of a collection
			x := runner.Turn{Turn: stats.Turn{Key: c.Key, Round: round, NS: 50}, Garbage: 100,
				Collections: collections(30, ns, 1)}
			c.turns = append(c.turns, x)
			p.gcCostOf("", round).addTurn(&x)
		}
		e.cells[c.Key] = c
	}
	p.gcCostOf("", 0).addRound(&runner.Garbage{Bytes: 30 * 30000, Collections: 30})
	p.gcCostOf("", 1).addRound(&runner.Garbage{Bytes: 10 * 3000, Collections: 10})
	want := []float64{50 + 30, 50 + 10, 50 + 30}
	for i, x := range e.attributeGC(p, e.cells[stats.Key{Payload: "p", Variant: v.Name, Op: variant.Marshal}].turns) {
		if math.Abs(x.NS-want[i]) > 1e-9 {
			t.Errorf("round %d: %v ns; want %v", i, x.NS, want[i])
		}
	}
	sum := e.together(p, e.timed(p, v, variant.Marshal), e.timed(p, v, variant.Unmarshal))
	for i, x := range e.attributeGC(p, sum.turns) {
		if math.Abs(x.NS-2*want[i]) > 1e-9 {
			t.Errorf("both in round %d: %v ns; want %v", i, x.NS, 2*want[i])
		}
	}
}

// TestGCPriceError checks that the error of a price follows from the scatter and the number of a cell's collections,
// and that of a cell without any from how far the others differ.
func TestGCPriceError(t *testing.T) {
	scattered := func(n int, ns, share float64) []runner.Collection {
		var out []runner.Collection
		for i := range n {
			out = append(out, runner.Collection{NS: ns * (1 + share*float64(i%3-1)), Slowdown: 1})
		}
		return out
	}
	doubts := func(share float64) (few, many, none float64) {
		p := &payload{cells: []string{""}, gc: map[gcScope]*gcCost{}}
		g := p.gcCostOf("", 0)
		for name, all := range map[string][]runner.Collection{"few": scattered(6, 1000, share),
			"many": scattered(60, 2000, share), "none": nil} {
			g.addTurn(&runner.Turn{Turn: stats.Turn{Key: stats.Key{Variant: name}, NS: 100}, Garbage: 100,
				Collections: all})
		}
		g.addRound(&runner.Garbage{Bytes: 1e6, Collections: 10})
		relative := func(name string) float64 {
			k := stats.Key{Variant: name}
			return g.priceError(k) / g.price(k)
		}
		return relative("few"), relative("many"), relative("none")
	}
	few, many, none := doubts(0.2)
	if !(0 < many && many < few && few < none) {
		t.Errorf("errors of the price: %v with many collections, %v with few, %v with none", many, few, none)
	}
	if f, m, _ := doubts(0.4); f <= few || m <= many {
		t.Errorf("where collections scatter twice as far: %v, was %v; %v, was %v", f, few, m, many)
	}
	p := &payload{cells: []string{""}, gc: map[gcScope]*gcCost{}}
	g := p.gcCostOf("", 0)
	for name, all := range map[string][]runner.Collection{"below zero": collections(9, -4000, 1),
		"others": scattered(60, 1000, 0.2)} {
		g.addTurn(&runner.Turn{Turn: stats.Turn{Key: stats.Key{Variant: name}, NS: 100}, Garbage: 100,
			Collections: all})
	}
	g.addRound(&runner.Garbage{Bytes: 1e6, Collections: 10})
	if k := (stats.Key{Variant: "below zero"}); g.price(k) != 0 || g.priceError(k) == 0 {
		t.Errorf("a price of %v is known to %v", g.price(k), g.priceError(k))
	}
	p = &payload{cells: []string{""}, gc: map[gcScope]*gcCost{}}
	if got := p.gcCostOf("", 0).priceError(stats.Key{}); got != 0 {
		t.Errorf("without a price: %v", got)
	}
}
