package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// timings builds the table of a timed operation.
func timings(r *Report, g *group, scale scale) section {
	cells := slices.DeleteFunc(slices.Clone(g.results), func(c *result.Result) bool { return !c.Timed() })
	slices.SortStableFunc(cells, func(a, b *result.Result) int {
		return cmp.Or(cmp.Compare(placeOf(a.Apart), placeOf(b.Apart)), cmp.Compare(a.Rank, b.Rank),
			cmp.Compare(a.NS.Median, b.NS.Median))
	})
	s := section{
		title: title(g.suite, g.payload, g.op),
		about: timingAbout(r, cells),
		columns: []column{
			{head: "# "},
			{head: "variant", full: "Variant", left: true},
			{head: "time", full: "Time/op"},
			{head: "±", drop: 2},
			{full: "Time interval", in: markdownOnly},
			{head: "ratio", full: "Ratio"},
			{head: "interval", full: "Ratio interval", in: roomy, drop: 3},
			{left: true, in: terminalOnly, drop: 4},
			{head: "B/op", drop: 1},
			{head: "allocs", full: "Allocs/op", drop: 1},
		},
		of: cells, breaks: breaks(cells),
	}
	unsure := slices.ContainsFunc(cells, func(c *result.Result) bool { return !c.Converged })
	for _, c := range cells {
		row := timingRow(c, scale, unsure)
		if len(cells) == 1 { // nothing to compare with
			row[5], row[6], row[7] = cell{}, cell{}, cell{}
		}
		s.rows = append(s.rows, row)
	}
	s.extend(extrasOf(r, false), cells, encoded(r, g))
	return s
}

func timingRow(c *result.Result, scale scale, unsure bool) []cell {
	row := []cell{
		{text: rankText(c.Rank, c.Tied)},
		nameCell(c),
		{text: duration(c.NS.Median, ""), full: duration(c.NS.Median, " ")},
		{text: spread(c.NS), tint: faint},
		{text: durations(c.NS)},
		{text: ratioText(c, unsure)},
		{text: ratioRange(c), tint: faint},
		{},
		{text: count(c.BytesOp), full: exact(c.BytesOp)},
		{text: count(c.AllocsOp), full: exact(c.AllocsOp)},
	}
	if m := c.Ratio.Median; m > 0 {
		row[7] = cell{bar: ratioBar{scale, math.Log2(m)}, tint: slower}
		if m < 1 {
			row[7].tint = faster
		}
	}
	return row
}

// rankText leaves a column for the sign of a tie, so that numbers stay aligned.
func rankText(rank int, tied bool) string {
	switch {
	case rank == 0:
		return ""
	case tied:
		return strconv.Itoa(rank) + "="
	default:
		return strconv.Itoa(rank) + " "
	}
}

func nameCell(c *result.Result) cell {
	n := cell{text: clean(c.Variant), tint: familyTint(c.Family)}
	if c.Lossy() {
		n.mark = " !"
	}
	return n
}

func ratioText(c *result.Result, unsure bool) string {
	text := ratio(c.Ratio.Median)
	switch {
	case text == "" || !unsure:
		return text
	case c.Converged:
		return text + " "
	default:
		return text + "~"
	}
}

// ratioRange is empty for the baseline, whose ratio has no interval, and where
// there is no ratio.
func ratioRange(c *result.Result) string {
	if c.Variant == c.Baseline || ratio(c.Ratio.Median) == "" {
		return ""
	}
	return ratios(c.Ratio)
}

// timingAbout says how many rounds there were, and whether they were enough.
func timingAbout(r *Report, cells []*result.Result) string {
	if len(cells) == 0 {
		return ""
	}
	fewest, most, known := cells[0].Samples, cells[0].Samples, 0
	baseline := ""
	for _, c := range cells {
		fewest, most = min(fewest, c.Samples), max(most, c.Samples)
		if c.Converged {
			known++
		}
		if c.Ratio.Median > 0 {
			baseline = c.Baseline
		}
	}
	about := plural(most, "round")
	if fewest != most {
		about = fmt.Sprintf("%d to %s", fewest, about)
	}
	if len(cells) > 1 && baseline != "" {
		about += " · ratios to " + clean(baseline)
	}
	if r.Env.Precision > 0 && len(cells) > 1 {
		about += " · " + knownTo(known, len(cells), r.Env.Precision)
	}
	return about
}

func knownTo(known, of int, precision float64) string {
	switch {
	case known == of:
		return "known to ±" + percent(precision)
	case known == 0:
		return "not known to ±" + percent(precision)
	default:
		return fmt.Sprintf("%d of %d known to ±%s", known, of, percent(precision))
	}
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
