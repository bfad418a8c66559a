package stats

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Noise returns how far the times of turns spread: the distance between their
// quartiles as a fraction of their median. It is NaN with fewer than 4 turns.
func Noise(turns []Turn) float64 {
	if len(turns) < 4 {
		return math.NaN()
	}
	times := make([]float64, len(turns))
	for i, t := range turns {
		times[i] = t.NS
	}
	slices.Sort(times)
	return (quantile(times, 0.75) - quantile(times, 0.25)) / quantile(times, 0.5)
}

// Warnings returns a sentence for each payload whose groups have not all converged, with the precision that they have.
// The last one ends with what to do about it.
func Warnings(precision float64, groups ...Group) []string {
	var all []imprecision
	for _, g := range groups {
		i := imprecisionOf(g, precision)
		if i.vague+i.few == 0 {
			continue
		}
		if n := len(all); n > 0 && all[n-1].of == i.of {
			all[n-1].add(i)
		} else {
			all = append(all, i)
		}
	}
	var out []string
	for _, i := range all {
		out = append(out, i.warning(precision))
	}
	if n := len(out); n > 0 {
		out[n-1] += "; a longer --time or a quieter machine would help"
	}
	return out
}

// An imprecision says how many of the times of a payload are not known as well as was wanted.
type imprecision struct {
	of    string // "hidden-cost/medium"
	ops   []string
	cells int
	vague int     // known, but not well
	few   int     // with too few rounds to be known at all
	worst float64 // of the vague ones
}

func imprecisionOf(g Group, precision float64) imprecision {
	i := imprecision{of: g.Payload, ops: []string{g.Op}, cells: len(g.Cells)}
	if g.Suite != "" {
		i.of = g.Suite + "/" + g.Payload
	}
	base := g.baseline()
	for _, c := range g.Cells {
		if converged(c, base, precision) {
			continue
		}
		if half := known(c, base).HalfWidth(); math.IsNaN(half) {
			i.few++
		} else {
			i.vague, i.worst = i.vague+1, max(i.worst, half)
		}
	}
	return i
}

func (i *imprecision) add(other imprecision) {
	i.ops = append(i.ops, other.ops...)
	i.cells += other.cells
	i.vague += other.vague
	i.few += other.few
	i.worst = max(i.worst, other.worst)
}

func (i *imprecision) warning(precision float64) string {
	var parts []string
	if i.vague > 0 {
		parts = append(parts, fmt.Sprintf("%s known only to %s (wanted ±%s)",
			i.share(i.vague, "is", "are"), width(i.worst), percent(precision)))
	}
	if i.few > 0 {
		parts = append(parts, fmt.Sprintf("%s fewer than %d rounds, too few for an interval",
			i.share(i.few, "has", "have"), MinRounds))
	}
	why := "the machine was noisy or the time too short"
	if i.vague == 0 {
		why = "the time was too short"
	}
	return i.of + " " + strings.Join(i.ops, ", ") + ": " + strings.Join(parts, ", ") + ": " + why
}

// share says "3 of 20 variants are".
func (i *imprecision) share(n int, is, are string) string {
	what := "variant"
	if len(i.ops) > 1 {
		what = "time"
	}
	switch {
	case i.cells == 1:
		return "the only " + what + " " + is
	case n == 1:
		return fmt.Sprintf("1 of %d %ss %s", i.cells, what, is)
	default:
		return fmt.Sprintf("%d of %d %ss %s", n, i.cells, what, are)
	}
}

// width writes the half-width of an interval. Beyond all measure its digits say nothing.
func width(fraction float64) string {
	if fraction >= 0.995 {
		return "more than ±99 %"
	}
	return "±" + percent(fraction)
}

// percent writes a fraction with two digits: "4.1 %", "12 %", "0.25 %".
func percent(fraction float64) string {
	p := 100 * fraction
	switch {
	case p >= 9.95:
		return fmt.Sprintf("%.0f %%", p)
	case math.Abs(p-math.Round(p)) < 0.05:
		return fmt.Sprintf("%.0f %%", p)
	case p < 0.995:
		return fmt.Sprintf("%.2g %%", p)
	default:
		return fmt.Sprintf("%.1f %%", p)
	}
}
