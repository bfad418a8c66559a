package report

import (
	"slices"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// legend explains the marks and columns that d shows, and no others.
func legend(r *Report, d *document) []entry {
	var out []entry
	add := func(when bool, mark, text, short string) {
		if when {
			out = append(out, entry{mark: mark, text: text, short: short})
		}
	}
	timed := func(is func(*result.Result) bool) bool {
		return slices.ContainsFunc(r.Results, func(c result.Result) bool { return c.Timed() && is(&c) })
	}
	hasRatio := func(c *result.Result) bool { return c.Ratio.Median > 0 && c.Variant != c.Baseline }
	add(timed(func(c *result.Result) bool { return c.Tied }), "=",
		"ties: cannot be told apart from the first of that rank", "tie")
	add(timed(func(*result.Result) bool { return true }), "±",
		"half the 95 % interval of the time (a median), as a share of it", "half the 95 % interval")
	add(timed(func(c *result.Result) bool { return !c.NS.Known() }), unknown,
		"too few rounds for an interval", "too few rounds")
	add(timed(hasRatio), "ratio",
		"of the time to the baseline's, the median over the rounds", "")
	add(timed(func(c *result.Result) bool { return !c.Converged && hasRatio(c) }), "~",
		"not known to the wanted precision"+wanted(r.Env.Precision), "imprecise")
	if timed(hasRatio) {
		out = append(out, entry{mark: axis,
			text: "the baseline: to its left is faster, to its right slower (log scale)", in: terminalOnly,
			short: "baseline"})
	}
	return slices.Concat(out, extraLegend(d), costLegend(r), propertyLegend(d))
}

// costLegend explains the figures of the cost section.
func costLegend(r *Report) []entry {
	if len(r.Costs) == 0 {
		return nil
	}
	return []entry{
		{mark: "cores", text: "that the work keeps busy all the time; its ± is as wide as those of the operations " +
			"together", long: true},
		{mark: "TB/mo", text: "10^12 bytes on the wire in a month of 30 days; zstd: each message by itself, the time " +
			"that takes not counted", long: true},
		{mark: "GB/s", text: "10^9 bytes of memory allocated a second"},
		{mark: "core-month", text: "the price of a core for a month, in what so many TB on the wire cost", long: true},
	}
}

func wanted(precision float64) string {
	if precision == 0 {
		return ""
	}
	return " of ±" + percent(precision)
}

// propertyLegend explains the columns and the short words of the properties.
func propertyLegend(d *document) []entry {
	if !slices.ContainsFunc(d.sections, section.isProperties) {
		return nil
	}
	var short, full []string
	for _, p := range propertyList {
		short, full = append(short, p.short+": "+p.about), append(full, p.name+": "+p.about)
	}
	return []entry{
		{mark: "cols", text: strings.Join(short, "; "), in: terminalOnly, long: true},
		{mark: "Properties:", text: strings.Join(full, "; "), in: markdownOnly},
		{mark: "words", text: "err: refused; alt: altered; drop: dropped; repl: replaced; pass: passed on; " +
			"alias: keeps pointing into the input; new: fresh memory; pool: memory used again by the next call",
			in: terminalOnly, long: true},
	}
}
