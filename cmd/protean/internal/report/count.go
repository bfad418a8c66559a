package report

import (
	"cmp"
	"slices"
)

// counted reports whether the cell was verified and its allocations counted, but
// has no time.
func (c *Result) counted() bool { return c.Status == OK && c.Op != sizeOp && !c.timed() }

// untimed reports whether the cells of g were counted, and none of them timed.
func (g *group) untimed() bool {
	return !slices.ContainsFunc(g.results, (*Result).timed) && slices.ContainsFunc(g.results, (*Result).counted)
}

const countsAbout = "counted, not timed"

// counts builds the table of an operation that was not timed, the fewest allocations
// first.
func counts(g *group) section {
	cells := slices.DeleteFunc(slices.Clone(g.results), func(c *Result) bool { return !c.counted() })
	slices.SortStableFunc(cells, func(a, b *Result) int {
		return cmp.Or(cmp.Compare(a.Apart.place(), b.Apart.place()), cmp.Compare(a.AllocsOp, b.AllocsOp), cmp.Compare(a.BytesOp, b.BytesOp))
	})
	s := section{
		title: title(g.suite, g.payload, g.op),
		about: countsAbout,
		columns: []column{
			{head: "variant", full: "Variant", left: true},
			{head: "B/op"},
			{head: "allocs", full: "Allocs/op"},
		},
		of: cells, breaks: breaks(cells),
	}
	for _, c := range cells {
		s.rows = append(s.rows, []cell{nameCell(c), {text: exact(c.BytesOp)}, {text: exact(c.AllocsOp)}})
	}
	return s
}
