package lab

import (
	"cmp"
	"math"
	"slices"

	"github.com/protean-pb/protean/cmd/protean/internal/runner"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

const (
	// maxSlowdown is how much slower calibration loops may be during a collection that counts. Where there are fewer
	// than minCollections such, the least disturbed count.
	maxSlowdown    = 1.03
	minCollections = 8
	// priorWeight is how many collections of a cell weigh as much as the prediction from those of the others.
	priorWeight = 3
	// minFitted is from how many cells the model is fitted, each with this many collections.
	minFitted, minOfFitted = 4, 2
	// madScale turns a median absolute deviation into a standard deviation, and medianError the standard error of a
	// mean into that of a median, both of a normal distribution.
	madScale, medianError = 1.4826, 1.2533
)

// A gcCost attributes the cost of garbage collection to the cells of one scope. A collection costs one cell more than
// another: during marking every pointer store runs the write barrier and every new object is allocated black. Marking
// ends after so many bytes have been allocated, so the slower a cell allocates, the more of its operations run
// meanwhile.
type gcCost struct {
	bytes, collections float64 // allocated, and how many collections they led to
	of                 map[stats.Key]*cellGC
	model              *gcModel // fitted to all cells; nil after a new turn
}

// A cellGC has the collections that ran during slices of one cell.
type cellGC struct {
	pace float64 // nanoseconds in which the cell allocates a byte
	all  []runner.Collection
}

// A gcModel predicts the time of a collection from the pace of a cell.
type gcModel struct {
	limit     float64 // the slowdown up to which collections count
	ns, slope float64 // the time at pace 0, and what each nanosecond of the pace adds
	// scatter is the standard deviation of the collections of one cell, and misfit that of the cells' medians from the
	// line, both as fractions.
	scatter, misfit float64
}

// A gcScope is a program in rounds with the same cells. With fewer cells a collection marks less, and fewer bytes are
// allocated until the next; so rounds with other cells say nothing about the GC cost in these.
type gcScope struct{ program, cells string }

// gcCostOf returns the GC cost of the scope of a program and a round.
func (p *payload) gcCostOf(program string, round int) *gcCost {
	k := gcScope{program, p.cells[round]}
	if p.gc[k] == nil {
		p.gc[k] = &gcCost{of: map[stats.Key]*cellGC{}}
	}
	return p.gc[k]
}

// addRound adds what the program allocated and collected in a round.
func (g *gcCost) addRound(x *runner.Garbage) {
	g.bytes += x.Bytes
	g.collections += x.Collections
}

// addTurn adds the collections during a turn of a cell.
func (g *gcCost) addTurn(t *runner.Turn) {
	if t.Garbage == 0 {
		return // the collections are part of its time
	}
	x := g.of[t.Key]
	if x == nil {
		x = new(cellGC)
		g.of[t.Key] = x
	}
	x.pace, x.all = t.NS/t.Garbage, append(x.all, t.Collections...)
	g.model = nil
}

// price returns the GC cost of a byte that a cell allocates, in nanoseconds: the median of its own collections, shrunk
// towards the prediction of the model the fewer there are.
func (g *gcCost) price(k stats.Key) float64 {
	if g.model == nil {
		g.model = g.fit()
	}
	x := g.of[k]
	if g.bytes == 0 || g.model == nil || x == nil {
		return 0
	}
	ns := g.model.at(x.pace)
	if own := undisturbedTimes(x.all, g.model.limit); len(own) > 0 {
		ns += (stats.Median(own).Median - ns) * ownWeight(len(own))
	}
	return max(0, ns) * g.collections / g.bytes
}

// priceError returns the standard error of the price of a cell, in nanoseconds a byte. All turns of the cell have the
// same price, so their spread does not show it.
func (g *gcCost) priceError(k stats.Key) float64 {
	price, x := g.price(k), g.of[k]
	if g.bytes == 0 || g.model == nil || x == nil {
		return 0
	}
	own := len(undisturbedTimes(x.all, g.model.limit))
	w := ownWeight(own)
	expected := max(0, g.model.at(x.pace)) * g.collections / g.bytes
	byOwn := w * medianError * g.model.scatter / math.Sqrt(float64(max(own, 1)))
	// A negative price is set to zero, which does not make it more certain.
	return math.Hypot(byOwn*max(price, expected), (1-w)*g.model.misfit*expected)
}

// ownWeight is the weight of so many collections of a cell against the prediction of the model, whose weight is the
// rest.
func ownWeight(own int) float64 { return float64(own) / float64(own+priorWeight) }

// at returns the predicted time of a collection during a cell of that pace, in nanoseconds.
func (m *gcModel) at(pace float64) float64 { return m.ns + m.slope*pace }

// fit returns the model of all collections; nil if there were none.
func (g *gcCost) fit() *gcModel {
	var all []runner.Collection
	for _, x := range g.of {
		all = append(all, x.all...)
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortFunc(all, func(a, b runner.Collection) int { return cmp.Compare(a.Slowdown, b.Slowdown) })
	m := &gcModel{limit: max(maxSlowdown, all[min(minCollections, len(all))-1].Slowdown)}
	m.ns = stats.Median(undisturbedTimes(all, m.limit)).Median
	var paces, times []float64
	for _, x := range g.of {
		if own := undisturbedTimes(x.all, m.limit); len(own) >= minOfFitted {
			paces, times = append(paces, x.pace), append(times, stats.Median(own).Median)
		}
	}
	if len(paces) >= minFitted {
		m.ns, m.slope = line(paces, times)
	}
	m.spread(g)
	return m
}

// spread estimates scatter and misfit, from medians: a preempted collection takes many times as long as the others.
func (m *gcModel) spread(g *gcCost) {
	var within, between []float64
	for _, x := range g.of {
		own := undisturbedTimes(x.all, m.limit)
		if len(own) < minOfFitted {
			continue
		}
		middle := stats.Median(own).Median
		if middle <= 0 {
			continue
		}
		between = append(between, math.Abs(middle/m.at(x.pace)-1))
		// Deviations from a median of few values understate the spread.
		correction := math.Sqrt(float64(len(own)) / float64(len(own)-1))
		for _, ns := range own {
			within = append(within, correction*math.Abs(ns/middle-1))
		}
	}
	m.scatter = deviation(within)
	// A cell's median errs at least as its collections do.
	m.misfit = max(deviation(between), m.scatter)
}

// deviation estimates a standard deviation from distances to the middle; 1 if there are none.
func deviation(distances []float64) float64 {
	if len(distances) == 0 {
		return 1
	}
	return madScale * stats.Median(distances).Median
}

// line fits a line by the median slope of all pairs of points and the median residual, which is robust against outliers
// (Theil, 1950; Sen, 1968). A negative slope is set to zero.
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

// undisturbedTimes returns the times of the collections whose slowdown is within the limit.
func undisturbedTimes(all []runner.Collection, limit float64) []float64 {
	var out []float64
	for _, c := range all {
		if c.Slowdown <= limit {
			out = append(out, c.NS)
		}
	}
	return out
}
