package stats

import (
	"cmp"
	"math"
	"slices"
)

// A Group is the cells that are compared with each other: one operation on one payload.
type Group struct {
	Suite, Payload, Op string
	// Baseline is the variant that ratios are to. It may be missing from Cells;
	// then there are no ratios, and the times themselves must converge.
	Baseline string
	Cells    []Cell
}

// A Cell is one variant's turns within a group.
type Cell struct {
	Variant string
	Turns   []Turn
	// Apart, where it is not empty, names what the cell is ranked among: cells of another
	// name are not its rivals. Ratios are to the baseline of the group all the same.
	Apart string
}

// Estimated has the estimates from the turns of a cell.
type Estimated struct {
	Variant string
	NS      Interval // nanoseconds an operation; zero without turns
	Ratio   Interval // to the baseline; zero where there is none
	// Converged says that half the width of the interval of Ratio (of NS, where
	// there is no baseline) is within the precision.
	Converged bool
	Rank      int  // 1 is fastest; 0 without turns
	Tied      bool // another variant has the same rank
}

// Estimate returns the cells of g, the fastest first, those without turns last; cells that
// are ranked apart follow the others, those of the same name together.
//
// Precision is the wanted half-width of the interval of a ratio, as a fraction of it.
//
// Two variants are called different only if they have at least [MinRounds] rounds
// in common and the interval of their paired ratio lies wholly outside 1 ± half
// the precision; otherwise they tie. Ties are not transitive: each of three may
// tie with the next while the first and the last differ. So a variant shares the
// rank of the group above it exactly if it ties with the first, the fastest,
// member of that group. The next rank counts positions: 1, 2, 2, 4.
func Estimate(g Group, precision float64) []Estimated {
	out := make([]Estimated, len(g.Cells))
	order := make([]int, len(g.Cells))
	base := g.baseline()
	for i, c := range g.Cells {
		out[i], order[i] = estimate(c, base, precision), i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(
			cmp.Compare(bit(len(g.Cells[a].Turns) == 0), bit(len(g.Cells[b].Turns) == 0)),
			cmp.Compare(g.Cells[a].Apart, g.Cells[b].Apart),
			// The ratio is known better than the time, where there is one.
			cmp.Compare(out[a].Ratio.Median, out[b].Ratio.Median),
			cmp.Compare(out[a].NS.Median, out[b].NS.Median))
	})
	rank(g, order, out, precision/2)
	sorted := make([]Estimated, len(out))
	for to, from := range order {
		sorted[to] = out[from]
	}
	return sorted
}

// estimate fills in all but the rank.
func estimate(c Cell, base *Cell, precision float64) Estimated {
	e := Estimated{Variant: c.Variant}
	if len(c.Turns) == 0 {
		return e
	}
	e.NS = Time(c.Turns)
	if base != nil {
		e.Ratio = ratioTo(c, base)
	}
	e.Converged = converged(c, base, precision)
	return e
}

// ratioTo returns the ratio of c to base: exactly 1 where they are the same.
func ratioTo(c Cell, base *Cell) Interval {
	if c.Variant != base.Variant {
		return Ratio(c.Turns, base.Turns)
	}
	if len(c.Turns) < MinRounds {
		return Interval{1, math.NaN(), math.NaN()}
	}
	return Interval{1, 1, 1}
}

// rank sets ranks and ties, in the given order.
func rank(g Group, order []int, out []Estimated, margin float64) {
	first := -1 // the first member of the current group of equals
	start := 0  // where those begin that are ranked together
	for pos, i := range order {
		if pos > 0 && g.Cells[i].Apart != g.Cells[order[pos-1]].Apart {
			first, start = -1, pos
		}
		switch {
		case len(g.Cells[i].Turns) == 0:
			return
		case first >= 0 && !different(g.Cells[i].Turns, g.Cells[first].Turns, margin):
			out[i].Rank, out[i].Tied = out[first].Rank, true
			out[first].Tied = true
		default:
			out[i].Rank, first = pos-start+1, i
		}
	}
}

// different reports whether the times of a and b can be told apart.
func different(a, b []Turn, margin float64) bool {
	r := Ratio(a, b)
	return r.Low > 1+margin || r.High < 1-margin // false for NaN: too few rounds
}

// Unconverged returns the cells of g that are not known to the precision yet, as
// [Estimate] would say of each, in less time.
func Unconverged(g Group, precision float64) []Cell {
	var out []Cell
	base := g.baseline()
	for _, c := range g.Cells {
		if !converged(c, base, precision) {
			out = append(out, c)
		}
	}
	return out
}

func converged(c Cell, base *Cell, precision float64) bool {
	if base != nil && c.Variant == base.Variant {
		return len(c.Turns) >= MinRounds
	}
	return known(c, base).HalfWidth() <= precision // false for NaN
}

// known returns the interval that must converge.
func known(c Cell, base *Cell) Interval {
	if base == nil {
		return Time(c.Turns)
	}
	return ratioTo(c, base)
}

// baseline returns the cell of the baseline; nil if it has no turns.
func (g *Group) baseline() *Cell {
	for i, c := range g.Cells {
		if c.Variant == g.Baseline && len(c.Turns) > 0 {
			return &g.Cells[i]
		}
	}
	return nil
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
