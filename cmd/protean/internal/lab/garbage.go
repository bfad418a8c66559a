package lab

import (
	"cmp"
	"math"
	"slices"

	"github.com/protean-pb/protean/cmd/protean/internal/runner"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

const (
	// quietCollection is how much slower witnesses may be beside a collection that counts.
	// Where there are fewer than minCollections such, the quietest count.
	quietCollection = 1.03
	minCollections  = 8
	// borrowed is how many collections of a cell weigh as much as what those of the others
	// let expect.
	borrowed = 3
	// minFitted is how many cells tell how collections depend on the pace, each by this many
	// collections.
	minFitted, minOfFitted = 4, 2
	// madScale turns a median distance into a standard deviation, and medianError the standard error of a
	// mean into that of a median, both of a normal distribution.
	madScale, medianError = 1.4826, 1.2533
)

// A garbage knows what collections take in a program on a payload, over all rounds with the same cells. They
// take one cell longer than the other: while garbage is marked, every pointer that is written
// is noted, and every new object marked. Marking lasts until so many bytes have been allocated, so
// the slower a cell allocates, the more of its operations are slowed down.
type garbage struct {
	bytes, collections float64 // how often there is one
	of                 map[stats.Key]*beside
	shared             *shared // from all of them; nil if there are new ones
}

// A beside is what is known of the collections beside a cell.
type beside struct {
	pace float64 // nanoseconds that the cell takes to allocate a byte
	all  []runner.Collection
}

// shared is what is known of all collections of a program.
type shared struct {
	limit     float64 // how much slower witnesses may be beside those that count
	ns, slope float64 // what one takes beside a cell of pace 0, and what the pace adds
	// scatter is how far collections beside one cell lie apart, and misfit how far the cells' medians
	// lie from the line: standard deviations, as fractions.
	scatter, misfit float64
}

// A company is a program in rounds with those cells: the fewer there are, the less does a collection look through, and the
// fewer bytes are allocated until the next. Rounds with others say nothing of what garbage costs in these.
type company struct{ program, cells string }

// garbageOf returns that of a program in rounds with the same cells as that one.
func (p *payload) garbageOf(program string, round int) *garbage {
	k := company{program, p.cells[round]}
	if p.garbage[k] == nil {
		p.garbage[k] = &garbage{of: map[stats.Key]*beside{}}
	}
	return p.garbage[k]
}

// allocated enters what the program allocated in a round.
func (g *garbage) allocated(x *runner.Garbage) {
	g.bytes += x.Bytes
	g.collections += x.Collections
}

// collected enters the collections beside a cell in a round.
func (g *garbage) collected(t *runner.Turn) {
	if t.Garbage == 0 {
		return // they are part of its time
	}
	x := g.of[t.Key]
	if x == nil {
		x = new(beside)
		g.of[t.Key] = x
	}
	x.pace, x.all = t.NS/t.Garbage, append(x.all, t.Collections...)
	g.shared = nil
}

// price returns what a byte costs that a cell allocates, in nanoseconds: the median of the
// collections beside it, as far as there are enough of them to know it; else what those
// beside others let expect.
func (g *garbage) price(k stats.Key) float64 {
	if g.shared == nil {
		g.shared = g.share()
	}
	x := g.of[k]
	if g.bytes == 0 || g.shared == nil || x == nil {
		return 0
	}
	ns := g.shared.at(x.pace)
	if own := quietTimes(x.all, g.shared.limit); len(own) > 0 {
		ns += (stats.Median(own).Median - ns) * ownWeight(len(own))
	}
	return max(0, ns) * g.collections / g.bytes
}

// doubt returns the standard error of the price of a cell, in nanoseconds a byte. All turns of the
// cell are billed at one price, so their spread does not show it.
func (g *garbage) doubt(k stats.Key) float64 {
	price, x := g.price(k), g.of[k]
	if g.bytes == 0 || g.shared == nil || x == nil {
		return 0
	}
	own := len(quietTimes(x.all, g.shared.limit))
	w := ownWeight(own)
	expected := max(0, g.shared.at(x.pace)) * g.collections / g.bytes
	byOwn := w * medianError * g.shared.scatter / math.Sqrt(float64(max(own, 1)))
	// A price that came out below zero is zero, and no better known for that.
	return math.Hypot(byOwn*max(price, expected), (1-w)*g.shared.misfit*expected)
}

// ownWeight is what so many collections beside a cell weigh against what those beside others let expect.
func ownWeight(own int) float64 { return float64(own) / float64(own+borrowed) }

// at returns what a collection is expected to take beside a cell of that pace.
func (s *shared) at(pace float64) float64 { return s.ns + s.slope*pace }

// share returns what is known of all collections; nil if there were none.
func (g *garbage) share() *shared {
	var all []runner.Collection
	for _, x := range g.of {
		all = append(all, x.all...)
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortFunc(all, func(a, b runner.Collection) int { return cmp.Compare(a.Slowdown, b.Slowdown) })
	s := &shared{limit: max(quietCollection, all[min(minCollections, len(all))-1].Slowdown)}
	s.ns = stats.Median(quietTimes(all, s.limit)).Median
	var paces, times []float64
	for _, x := range g.of {
		if own := quietTimes(x.all, s.limit); len(own) >= minOfFitted {
			paces, times = append(paces, x.pace), append(times, stats.Median(own).Median)
		}
	}
	if len(paces) >= minFitted {
		s.ns, s.slope = line(paces, times)
	}
	s.spread(g)
	return s
}

// spread fills in how far apart collections lie, and cells. Quartiles, since a preempted collection
// takes many times as long as the others.
func (s *shared) spread(g *garbage) {
	var within, between []float64
	for _, x := range g.of {
		own := quietTimes(x.all, s.limit)
		if len(own) < minOfFitted {
			continue
		}
		middle := stats.Median(own).Median
		if middle <= 0 {
			continue
		}
		between = append(between, math.Abs(middle/s.at(x.pace)-1))
		// The median of two lies as near to both as it can: what is left understates the spread.
		correction := math.Sqrt(float64(len(own)) / float64(len(own)-1))
		for _, ns := range own {
			within = append(within, correction*math.Abs(ns/middle-1))
		}
	}
	s.scatter = deviation(within)
	// A cell's median errs as its collections do, so what lies apart is that and no less.
	s.misfit = max(deviation(between), s.scatter)
}

// deviation returns the standard deviation that distances from the middle tell of; all of it, 1, where
// there are none.
func deviation(distances []float64) float64 {
	if len(distances) == 0 {
		return 1
	}
	return madScale * stats.Median(distances).Median
}

// line returns the line through points by the medians of the slopes of all pairs, and of what is
// left: single points that lie elsewhere hardly matter (Theil, 1950; Sen, 1968). It does not fall.
func line(x, y []float64) (y0, slope float64) {
	var slopes []float64
	for i := range x {
		for j := range i {
			if x[i] != x[j] {
				slopes = append(slopes, (y[i]-y[j])/(x[i]-x[j]))
			}
		}
	}
	if len(slopes) > 0 {
		slope = max(0, stats.Median(slopes).Median)
	}
	left := make([]float64, len(x))
	for i := range x {
		left[i] = y[i] - slope*x[i]
	}
	return stats.Median(left).Median, slope
}

// quietTimes returns what the collections took that were disturbed no more than the limit.
func quietTimes(all []runner.Collection, limit float64) []float64 {
	var out []float64
	for _, c := range all {
		if c.Slowdown <= limit {
			out = append(out, c.NS)
		}
	}
	return out
}
