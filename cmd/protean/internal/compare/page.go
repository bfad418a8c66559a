package compare

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// Write renders c as a table for a terminal, as Markdown or as JSON; other formats are
// an error. All shows what did not change too.
func Write(w io.Writer, c *Comparison, all bool, f report.Format, o report.Options) error {
	if f == report.JSON {
		return writeJSON(w, c)
	}
	return report.WritePage(w, c.page(all), f, o)
}

func (c *Comparison) page(all bool) *report.Page {
	p := &report.Page{Summary: c.Summary(), Warnings: c.warnings()}
	for _, side := range []struct {
		label string
		file  *Results
	}{{"old", c.Old}, {"new", c.New}} {
		p.Head = append(p.Head, side.label+": "+side.file.describe())
	}
	p.Sections = append(p.Sections, c.overview())
	for _, t := range c.tables() {
		if s := c.section(t, all); len(s.Rows)+len(s.Notes) > 0 {
			p.Sections = append(p.Sections, s)
		}
	}
	p.Sections = append(p.Sections, c.rest(all)...)
	p.Marks = c.marks()
	return p
}

// describe is "new.json · 2026-11-21T10:00:00Z · AMD EPYC · linux/amd64 · go1.26.8".
func (r *Results) describe() string {
	parts := []string{r.File, r.setting("date"), r.setting("cpu"),
		strings.Trim(r.setting("goos")+"/"+r.setting("goarch"), "/"), r.setting("go")}
	if v := r.setting("protean"); v != "" {
		parts = append(parts, "protean "+v)
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

// warnings are those of both files, and one if the machines differ.
func (c *Comparison) warnings() []string {
	var out []string
	var differ []string
	for _, key := range []string{"cpu", "goos", "goarch"} {
		if a, b := c.Old.setting(key), c.New.setting(key); a != b && a != "" && b != "" {
			differ = append(differ, fmt.Sprintf("%s %s and %s", key, a, b))
		}
	}
	if len(differ) > 0 && slices.ContainsFunc(c.Metrics, timeMetric.is) {
		out = append(out, "the machines differ ("+strings.Join(differ, "; ")+
			"): times differ for that alone; ratios to the baseline (--metrics ratio) carry over better")
	}
	for _, r := range []*Results{c.Old, c.New} {
		for _, w := range r.Warnings {
			if !strings.HasPrefix(w, r.File+":") { // and a line, of one that could not be read
				w = r.File + ": " + w
			}
			out = append(out, w)
		}
	}
	return out
}

// overview counts, a line a metric.
func (c *Comparison) overview() report.Section {
	s := report.Section{
		Title: "all figures",
		Columns: []report.Column{{Head: "metric", Left: true}, {Head: "compared"}, {Head: "worse"}, {Head: "better"},
			{Head: "changed"}, {Head: "same"}, {Head: "unclear"}, {Head: "mean change"}},
	}
	for _, m := range c.Metrics {
		n, logs, finite := map[Verdict]int{}, 0.0, 0
		for _, x := range c.Changes {
			if x.Metric.is(m) {
				n[x.Verdict]++
				if r := x.Ratio.Median; r > 0 && !math.IsInf(r, 0) {
					logs += math.Log(r)
					finite++
				}
			}
		}
		total := n[Same] + n[Better] + n[Worse] + n[Changed] + n[Unclear]
		if total == 0 {
			continue
		}
		row := []report.Cell{{Text: m.Title}, {Text: fmt.Sprint(total)}, countCell(n[Worse], report.Bad),
			countCell(n[Better], report.Good),
			countCell(n[Changed], report.Neutral), {Text: fmt.Sprint(n[Same])},
			countCell(n[Unclear], report.Neutral), {}}
		if finite > 0 {
			row[7].Text = percent(math.Exp(logs / float64(finite)))
		}
		s.Rows = append(s.Rows, row)
	}
	for _, l := range c.Lacking {
		s.Notes = append(s.Notes, fmt.Sprintf("%s: only %s has it, in %d of the rows that both have", l.Metric.Title,
			l.File, l.Rows))
	}
	return s
}

func countCell(n int, t report.Tone) report.Cell {
	if n == 0 {
		return report.Cell{}
	}
	return report.Cell{Text: fmt.Sprint(n), Tone: t}
}

// A table is the changes of one metric on one payload, or in one package.
type table struct {
	group, payload string
	metric         Metric
	changes        []*Change
}

// tables sorts the changes into tables: payload by payload, and metric by metric.
func (c *Comparison) tables() []*table {
	type place struct{ group, payload string }
	var places []place
	byPlace := map[place][]*Change{}
	for _, x := range c.Changes {
		at := place{x.Row.Group, x.Row.Payload}
		if byPlace[at] == nil {
			places = append(places, at)
		}
		byPlace[at] = append(byPlace[at], x)
	}
	var out []*table
	for _, at := range places {
		for _, m := range c.Metrics {
			t := &table{group: at.group, payload: at.payload, metric: m}
			for _, x := range byPlace[at] {
				if x.Metric.is(m) {
					t.changes = append(t.changes, x)
				}
			}
			out = append(out, t)
		}
	}
	return out
}

// section shows what changed, or all of a table.
func (c *Comparison) section(t *table, all bool) report.Section {
	s := report.Section{
		Title: join(t.group, t.payload, t.metric.Title),
		Columns: []report.Column{{Head: "variant", Left: true}, {Head: "op", Left: true},
			{Head: "old"}, {Head: "±", Roomy: true, Drop: 2}, {Head: "new"}, {Head: "±", Roomy: true, Drop: 1},
			{Head: "change"}, {Head: "interval", Left: true}},
	}
	if !slices.ContainsFunc(t.changes, func(x *Change) bool { return x.Row.Op != "" }) {
		s.Columns[0].Head = "benchmark"
	}
	var shown []*Change
	var unclear []string
	for _, x := range t.changes {
		switch {
		case all || x.Verdict != Same && x.Verdict != Unclear:
			shown = append(shown, x)
			s.Rows = append(s.Rows, x.cells())
		case x.Verdict == Unclear:
			unclear = append(unclear, join(x.Row.Op, x.Row.Variant))
		}
	}
	if len(unclear) > 0 {
		s.Notes = append(s.Notes, "too few samples to tell: "+strings.Join(unclear, ", "))
	}
	s.About = about(shown)
	return s
}

// cells is a row of a table.
func (x *Change) cells() []report.Cell {
	tone := map[Verdict]report.Tone{Worse: report.Bad, Better: report.Good}[x.Verdict]
	change := report.Cell{Text: percent(x.Ratio.Median), Tone: tone}
	if x.Fails {
		change.Mark = " !"
	}
	between := ""
	switch {
	case x.Verdict == Unclear:
		between = "?"
	case x.Basis != Exactly:
		between = percents(x.Ratio)
	}
	return []report.Cell{{Text: x.Row.Variant}, {Text: x.Row.Op},
		{Text: x.Metric.format(x.Old.Median)}, {Text: x.spread(x.Old), Tone: report.Quiet},
		{Text: x.Metric.format(x.New.Median)}, {Text: x.spread(x.New), Tone: report.Quiet},
		change, {Text: between, Tone: report.Quiet}}
}

// spread is half the interval of a median as a share of it.
func (x *Change) spread(i stats.Interval) string {
	switch {
	case x.Basis == Exactly, x.Basis == ByRanges:
		return ""
	case !i.Known():
		return "?"
	default:
		return fmt.Sprintf("%.1f%%", 100*i.HalfWidth())
	}
}

// about says by which statistic the changes are judged.
func about(changes []*Change) string {
	var out []string
	for _, b := range []Basis{ByRuns, BySamples, ByIntervals, Exactly, ByRanges} {
		of := slices.DeleteFunc(slices.Clone(changes), func(x *Change) bool { return x.Basis != b })
		if len(of) == 0 {
			continue
		}
		counts := func(n func(*Change) int) string { return span(of, n) }
		switch b {
		case ByRuns:
			out = append(out, fmt.Sprintf("t test of %s against %s runs, 95 %%",
				counts(func(x *Change) int { return x.RunsOld }), counts(func(x *Change) int { return x.RunsNew })))
		case BySamples:
			out = append(out, fmt.Sprintf("Mann-Whitney U test of %s against %s samples, 95 %%",
				counts(func(x *Change) int { return x.NOld }), counts(func(x *Change) int { return x.NNew })))
		case ByIntervals:
			out = append(out, "by the 95 % intervals of both medians")
		case ByRanges:
			out = append(out, "counts that vary, by their ranges")
		default:
			out = append(out, "compared exactly")
		}
	}
	return strings.Join(out, " · ")
}

// span is "17", or "9 to 17".
func span(of []*Change, count func(*Change) int) string {
	low, high := count(of[0]), count(of[0])
	for _, x := range of {
		low, high = min(low, count(x)), max(high, count(x))
	}
	if low != high {
		return fmt.Sprintf("%d to %d", low, high)
	}
	return fmt.Sprint(low)
}

// rest lists the rows that could not be compared.
func (c *Comparison) rest(all bool) []report.Section {
	out := []report.Section{
		{Title: "only in " + c.Old.File, Notes: list(c.OnlyOld)},
		{Title: "only in " + c.New.File, Notes: list(c.OnlyNew)},
		{Title: "figures in one file only", Notes: told(c.Turned)},
	}
	if all {
		out = append(out, report.Section{Title: "figures in neither", Notes: told(c.Without)})
	}
	return slices.DeleteFunc(out, func(s report.Section) bool { return len(s.Notes) == 0 })
}

// list names rows, a line for each payload and operation, and says which have no
// figures.
func list(rows []*Row) []string {
	var heads []string
	names := map[string][]string{}
	for _, r := range rows {
		head := join(r.Group, r.Payload, r.Op)
		if names[head] == nil {
			heads = append(heads, head)
		}
		name := r.Variant
		if r.Status != result.OK {
			name += " (" + r.outcome() + ")"
		}
		names[head] = append(names[head], name)
	}
	for i, head := range heads {
		heads[i] = strings.TrimPrefix(head+": "+strings.Join(names[head], ", "), ": ")
	}
	return heads
}

// outcome says what became of a row, in the words of the tables of a run.
func (r *Row) outcome() string {
	if r.Refused {
		return report.RefusedNote
	}
	return string(r.Status)
}

// told says what became of rows, a line each.
func told(turns []Turn) []string {
	var out []string
	for _, t := range turns {
		text := fmt.Sprintf("%s: %s, was %s", t.New, t.New.outcome(), t.Old.outcome())
		if t.New.Status == t.Old.Status {
			text = fmt.Sprintf("%s: %s", t.New, t.New.outcome())
		}
		for _, r := range []*Row{t.New, t.Old} {
			if r.Reason != "" {
				text += " (" + r.Reason + ")"
				break
			}
		}
		out = append(out, text)
	}
	return out
}

// marks explains what the tables do not say themselves.
func (c *Comparison) marks() []report.Mark {
	var out []report.Mark
	if len(c.Failures()) > 0 {
		out = append(out, report.Mark{Sign: "!", Text: "worse by more " + c.limits.String() + ", all of its interval"})
	}
	by := func(b Basis) bool {
		return slices.ContainsFunc(c.Changes, func(x *Change) bool { return x.Basis == b })
	}
	if by(ByRuns) || by(BySamples) || by(ByIntervals) {
		out = append(out, report.Mark{Sign: "interval", Text: "of the change, 95 %; what has none is exact"})
	}
	if by(BySamples) || by(ByIntervals) {
		out = append(out, report.Mark{Sign: "runs",
			Text: fmt.Sprintf("one on a side does not tell what runs differ by: "+
				"%s a run is allowed for, more where its samples scatter, and no change below %s counts; "+
				"more runs of either side (appended, or OLD,OLD NEW,NEW) measure it",
				report.Percent(stats.LeastRunError), report.Percent(stats.OneRunLimit))})
	}
	if by(ByRanges) {
		out = append(out, report.Mark{Sign: "ranges",
			Text: "the interval of a count that varies is all that it may have changed by"})
	}
	return append(out, report.Mark{Sign: "mean", Text: "the geometric mean of the changes, without those from or to 0"})
}

func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}
