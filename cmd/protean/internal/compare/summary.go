package compare

import (
	"fmt"
	"math"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// mostFailures is how many figures the summary names.
const mostFailures = 10

// Summary says in words what c found; first whether there is a regression, where there
// are limits.
func (c *Comparison) Summary() string {
	var out []string
	failures := c.Failures()
	switch {
	case len(failures) > 0:
		out = append(out, fmt.Sprintf("Worse by more %s: %s.", c.limits.String(), strings.Join(named(failures), "; ")))
	case c.limits.any():
		out = append(out, fmt.Sprintf("Nothing is worse by more %s.", c.limits.String()))
	}
	if n := c.newlyFailed(); n > 0 {
		out = append(out, fmt.Sprintf("%s and did not.", count(n, "row fails", "rows fail")))
	}
	out = append(out, c.counts())
	if limit := c.oneRunLimit(); limit > 0 {
		out = append(out, fmt.Sprintf("Times of one run a side: how much runs differ by themselves is not known, "+
			"and what is below %s does not count.", report.Percent(limit)))
	}
	for _, only := range []struct {
		rows []*Row
		file string
	}{{c.OnlyOld, c.Old.File}, {c.OnlyNew, c.New.File}} {
		if n := len(only.rows); n > 0 {
			out = append(out, fmt.Sprintf("%s only in %s.", count(n, "row is", "rows are"), only.file))
		}
	}
	if n := len(c.Without); n > 0 {
		out = append(out, fmt.Sprintf("%s no figures in either file.", count(n, "row has", "rows have")))
	}
	return strings.Join(out, " ")
}

// named says of each failure what and by how much.
func named(failures []*Change) []string {
	var out []string
	for i, x := range failures {
		if i == mostFailures {
			return append(out, fmt.Sprintf("and %d more", len(failures)-i))
		}
		text := fmt.Sprintf("%s: %s %s", x.Row, x.Metric.Title, percent(x.Ratio.Median))
		if x.Basis != Exactly {
			text += " (" + percents(x.Ratio) + ")"
		}
		out = append(out, text)
	}
	return out
}

// oneRunLimit is the least change of a time that can count, where each side is one run; else 0.
func (c *Comparison) oneRunLimit() float64 {
	for _, x := range c.Changes {
		if x.Metric.is(timeMetric) && x.RunsOld == 1 && x.RunsNew == 1 {
			return stats.OneRunLimit
		}
	}
	return 0
}

func (c *Comparison) newlyFailed() (n int) {
	for _, t := range c.Turned {
		if t.New.Status == result.Failed {
			n++
		}
	}
	return n
}

// counts: "Of 12 figures, 1 is worse, 2 are better and 9 do not differ."
func (c *Comparison) counts() string {
	n := map[Verdict]int{}
	for _, x := range c.Changes {
		n[x.Verdict]++
	}
	var parts []string
	for _, v := range []struct {
		verdict   Verdict
		one, many string
	}{{Worse, "is worse", "are worse"}, {Better, "is better", "are better"}, {Changed, "changed", "changed"},
		{Unclear, "has too few samples to tell", "have too few samples to tell"},
		{Same, "does not differ", "do not differ"}} {
		if n[v.verdict] > 0 {
			parts = append(parts, count(n[v.verdict], v.one, v.many))
		}
	}
	if len(parts) == 0 {
		return "No figure is in both files."
	}
	last := len(parts) - 1
	text := parts[last]
	if last > 0 {
		text = strings.Join(parts[:last], ", ") + " and " + text
	}
	return fmt.Sprintf("Of %s, %s.", count(len(c.Changes), "figure", "figures"), text)
}

// count is "1 row is" or "2 rows are".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// percent writes a factor as a change: "+3.41%", "-12.0%", "+1150%"; a factor without
// end, from 0 to something, is "+∞%".
func percent(factor float64) string {
	if math.IsInf(factor, 1) {
		return "+∞%"
	}
	p := 100 * (factor - 1)
	switch a := math.Abs(p); {
	case math.IsNaN(p):
		return "?"
	case a == 0:
		return "0.00%"
	case a < 9.995:
		return fmt.Sprintf("%+.2f%%", p)
	case a < 99.95:
		return fmt.Sprintf("%+.1f%%", p)
	default:
		return fmt.Sprintf("%+.0f%%", p)
	}
}

// percents writes an interval of factors: "+2.10% to +4.80%".
func percents(i stats.Interval) string { return percent(i.Low) + " to " + percent(i.High) }
