package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// overviewOps is how many operations an overview compares at most.
const overviewOps = 2

// overviewHead is how many characters of an operation's name are above its times, where space is
// short.
const overviewHead = 10

// overviews lays out, for each payload that has times, one table with a row a variant: the times of
// the first operations side by side, and what a team asks besides. Variants that ask more of the
// caller than others ([Apart]) are not in it.
func overviews(r *Report) []section {
	all := groups(r)
	scale := newScale(all)
	var variants []htmlVariant
	for _, v := range r.Variants {
		variants = append(variants, htmlVariant{Variant: v})
	}
	libraries := shortLibraries(variants)
	var out []section
	for _, payload := range byPayload(all) {
		s := &summary{report: r, payload: payload}
		if o := s.overview(scale, libraries); len(o.rows) > 0 {
			out = append(out, o)
		}
	}
	return out
}

// HasOverview reports whether r has the times that an overview is of.
func HasOverview(r *Report) bool { return len(overviews(r)) > 0 }

func (s *summary) overview(scale scale, libraries map[string]string) section {
	ops := s.mainOps()
	ops = ops[:min(len(ops), overviewOps)]
	out := section{title: title(s.payload[0].suite, s.payload[0].payload)}
	if len(ops) == 0 {
		return out
	}
	last := ops[len(ops)-1]
	variants := s.overviewVariants(ops)
	unsure := slices.ContainsFunc(variants, func(v *overviewRow) bool {
		return slices.ContainsFunc(v.cells, func(c *result.Result) bool { return c != nil && !c.Converged })
	})
	out.about = s.overviewAbout(last, variants, unsure)
	out.columns = []column{{head: "variant", full: "Variant", left: true}}
	for _, op := range ops {
		out.columns = append(out.columns,
			column{head: shorten(op, overviewHead), full: strings.ToUpper(op[:1]) + op[1:]},
			column{head: "ratio", full: "Ratio"}, column{left: true, in: terminalOnly, drop: 4})
	}
	out.columns = append(out.columns, column{head: "allocs", full: "Allocs", drop: 1})
	for _, a := range overviewAnswers {
		out.columns = append(out.columns, a.column)
	}
	for _, v := range variants {
		about := s.report.about(v.first().Variant)
		out.rows = append(out.rows, v.row(about, scale, unsure))
		out.under = append(out.under, clean(libraries[about.Library]))
	}
	compared := func(g *group) bool { return slices.Contains(ops, g.op) }
	out.notes = shortNotes(slices.DeleteFunc(slices.Clone(s.payload), func(g *group) bool { return !compared(g) }))
	return out
}

// overviewAbout says what the columns are: "time an operation and its ratio to A · allocations to B".
func (s *summary) overviewAbout(allocsOf string, variants []*overviewRow, unsure bool) string {
	parts := []string{"time an operation"}
	for _, v := range variants {
		if c := v.first(); c.Baseline != "" && len(variants) > 1 {
			parts[0] += " and its ratio to " + clean(c.Baseline)
			break
		}
	}
	parts = append(parts, "allocations to "+opPhrase(allocsOf))
	if p := s.report.Env.Precision; unsure && p > 0 {
		parts = append(parts, "~ not known to ±"+percent(p))
	}
	return strings.Join(parts, " · ")
}

// An overviewRow is the cells of a variant, in the order of the operations; nil for those that it
// has no time of.
type overviewRow struct{ cells []*result.Result }

func (v *overviewRow) first() *result.Result {
	return v.cells[slices.IndexFunc(v.cells, func(c *result.Result) bool { return c != nil })]
}

// overviewVariants returns the variants that have a time, the fastest in the last operation first:
// more variants read than write. Those that lack it come last.
func (s *summary) overviewVariants(ops []string) []*overviewRow {
	var out []*overviewRow
	byName := map[string]*overviewRow{}
	for i := len(ops) - 1; i >= 0; i-- {
		for _, c := range s.timed(ops[i]) {
			if byName[c.Variant] == nil {
				byName[c.Variant] = &overviewRow{make([]*result.Result, len(ops))}
				out = append(out, byName[c.Variant])
			}
			byName[c.Variant].cells[i] = c
		}
	}
	return out
}

// about returns what the report says of a variant as such.
func (r *Report) about(name string) result.Variant {
	if i := slices.IndexFunc(r.Variants, func(v result.Variant) bool { return v.Name == name }); i >= 0 {
		return r.Variants[i]
	}
	return result.Variant{Name: name}
}

// absent stands for the time of an operation that a variant does not have.
const absent = "–"

func (v *overviewRow) row(about result.Variant, scale scale, unsure bool) []cell {
	first := v.first()
	row := []cell{{text: clean(first.Variant), tint: familyTint(first.Family)}}
	allocs := cell{text: absent}
	for _, c := range v.cells {
		allocs = cell{text: absent}
		if c == nil {
			row = append(row, cell{text: absent}, cell{}, cell{})
			continue
		}
		t := timingRow(c, scale, unsure)
		row = append(row, t[2], t[5], t[7])
		allocs = t[9]
	}
	row = append(row, allocs)
	for _, a := range overviewAnswers {
		row = append(row, cell{text: clean(a.of(about, first))})
	}
	return row
}

// An answer is a column of an overview that has no figures.
type answer struct {
	column
	of func(result.Variant, *result.Result) string // "" where it is not known
}

var overviewAnswers = []answer{
	{column{head: "generated code", full: "Generated code", left: true, drop: 3},
		func(v result.Variant, _ *result.Result) string { return v.Generator }},
	{column{head: "mutable", full: "Mutable", left: true, drop: 2},
		func(_ result.Variant, c *result.Result) string { return c.Properties.Mutable }},
	{column{head: "loses", full: "Loses", left: true, drop: 2},
		func(_ result.Variant, c *result.Result) string { return losesAtAll(c) }},
}

// losesAtAll names all that the variant silently loses, whether the samples hold it or not, unknown
// fields included; "" where nothing was found out about it.
func losesAtAll(c *result.Result) string {
	lost := append(c.Losses(), c.Risks()...)
	if c.Properties.Unknown == "dropped" {
		lost = append(lost, "unknown fields")
	}
	if c.Properties == (result.Properties{}) {
		return ""
	}
	return cmp.Or(strings.Join(lost, ", "), "nothing")
}
