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

// Warnings returns a sentence for each group that has not converged, with the precision that it has. The last one ends
// with what to do about it.
func Warnings(precision float64, groups ...Group) []string {
	var out []string
	for _, g := range groups {
		if w := warning(g, precision); w != "" {
			out = append(out, w)
		}
	}
	if n := len(out); n > 0 {
		out[n-1] += "; a longer --time or a quieter machine would help"
	}
	return out
}

func warning(g Group, precision float64) string {
	var (
		base       = g.baseline()
		vague, few int
		worst      float64
	)
	for _, c := range g.Cells {
		if converged(c, base, precision) {
			continue
		}
		if half := known(c, base).HalfWidth(); math.IsNaN(half) {
			few++
		} else {
			vague, worst = vague+1, max(worst, half)
		}
	}
	var parts []string
	if vague > 0 {
		parts = append(parts, fmt.Sprintf("%s known only to %s (wanted ±%s)",
			share(vague, len(g.Cells), "is", "are"), width(worst), percent(precision)))
	}
	if few > 0 {
		parts = append(parts, fmt.Sprintf("%s fewer than %d rounds, too few for an interval",
			share(few, len(g.Cells), "has", "have"), MinRounds))
	}
	if len(parts) == 0 {
		return ""
	}
	why := "the machine was noisy or the time too short"
	if vague == 0 {
		why = "the time was too short"
	}
	return g.name() + ": " + strings.Join(parts, ", ") + ": " + why
}

// name is the group as warnings call it: "hidden-cost/medium marshal".
func (g *Group) name() string {
	if g.Suite == "" {
		return g.Payload + " " + g.Op
	}
	return g.Suite + "/" + g.Payload + " " + g.Op
}

// share says "3 of 20 variants are".
func share(n, of int, is, are string) string {
	switch {
	case of == 1:
		return "the only variant " + is
	case n == 1:
		return fmt.Sprintf("1 of %d variants %s", of, is)
	default:
		return fmt.Sprintf("%d of %d variants %s", n, of, are)
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
