package lab

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/runner"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// collections returns n of them that took so long.
func collections(n int, ns, slowdown float64) []runner.Collection {
	return slices.Repeat([]runner.Collection{{NS: ns, Slowdown: slowdown}}, n)
}

// TestPrice checks that a cell pays for its own bytes what collections beside it take, and
// the less it has of its own, the more what they take beside others.
func TestPrice(t *testing.T) {
	const litter, tidy, none = "litter", "tidy", "none"
	const often = 10 / 1e6 // collections a byte
	for _, x := range []struct {
		name         string
		litter, tidy []runner.Collection
		want         map[string]float64 // nanoseconds a collection
	}{
		{"nothing seen", nil, nil, map[string]float64{litter: 0, tidy: 0}},
		{"one cell alone", collections(9, 700, 1), nil, map[string]float64{litter: 700, tidy: 700}},
		{"cells that differ", append(collections(27, 2000, 1), collections(20, 9000, 1.5)...), collections(1, 400, 1.02), map[string]float64{
			litter: 2000, tidy: 2000 - 1600/4.0, none: 2000,
		}},
		{"all disturbed", collections(30, 9000, 2), collections(minCollections, 800, 1.4), map[string]float64{
			litter: 800, tidy: 800,
		}},
		{"less than nothing", collections(9, -5, 1), nil, map[string]float64{litter: 0}},
	} {
		p := &payload{garbage: map[string]*garbage{}}
		g := p.garbageOf("")
		collected := func(v string, pace float64, all []runner.Collection) {
			g.collected(&runner.Turn{Turn: stats.Turn{Key: stats.Key{Variant: v}, NS: 100 * pace}, Garbage: 100, Collections: all})
		}
		collected(litter, 1, x.litter)
		g.price(stats.Key{Variant: litter}) // what it knows now is not all
		collected(tidy, 2, x.tidy)
		collected(none, 3, nil)
		g.allocated(&runner.Garbage{Bytes: 4e6, Collections: 30})
		g.allocated(&runner.Garbage{Bytes: 2e6, Collections: 30})
		for v, ns := range x.want {
			if got := p.garbageOf("").price(stats.Key{Variant: v}); math.Abs(got-ns*often) > 1e-9 {
				t.Errorf("%s: a byte of %s costs %v ns; want %v", x.name, v, got, ns*often)
			}
		}
		if got := p.garbageOf("another").price(stats.Key{Variant: litter}); got != 0 {
			t.Errorf("%s: a byte costs %v ns in a program without collections", x.name, got)
		}
	}
}

// TestPace checks that what a cell without collections is to pay follows from its pace.
func TestPace(t *testing.T) {
	p := &payload{garbage: map[string]*garbage{}}
	g := p.garbageOf("")
	g.allocated(&runner.Garbage{Bytes: 1, Collections: 1})
	for pace, ns := range map[float64]float64{0.5: 650, 1: 1000, 1.5: 1350, 2: 1700, 0.8: 9000, 3: 0} {
		x := &runner.Turn{Turn: stats.Turn{Key: stats.Key{Variant: fmt.Sprint(pace)}, NS: 100 * pace}, Garbage: 100}
		if ns > 0 {
			x.Collections = collections(minOfFitted, ns, 1)
		}
		g.collected(x)
	}
	if got := g.price(stats.Key{Variant: "3"}); got < 2200 || got > 2600 {
		t.Errorf("a collection takes %v ns; want some 300 + 3*700", got)
	}
	g.collected(&runner.Turn{Turn: stats.Turn{Key: stats.Key{Variant: "collects always"}, NS: 5}})
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
