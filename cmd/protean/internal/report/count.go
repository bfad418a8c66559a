package report

import (
	"cmp"
	"slices"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// untimed reports whether the cells of g were counted, and none of them timed.
func (g *group) untimed() bool {
	return !slices.ContainsFunc(g.results, (*result.Result).Timed) &&
		slices.ContainsFunc(g.results, (*result.Result).Counted)
}

const countsAbout = "counted, not timed"

// counts builds the table of an operation that was not timed, the fewest allocations
// first.
func counts(g *group) section {
	cells := slices.DeleteFunc(slices.Clone(g.results), func(c *result.Result) bool { return !c.Counted() })
	slices.SortStableFunc(cells, func(a, b *result.Result) int {
		return cmp.Or(cmp.Compare(placeOf(a.Apart), placeOf(b.Apart)), cmp.Compare(a.AllocsOp, b.AllocsOp),
			cmp.Compare(a.BytesOp, b.BytesOp))
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
