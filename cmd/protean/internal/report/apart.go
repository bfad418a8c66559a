package report

import (
	"slices"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// apartMark begins the line above rows that are ranked apart; see [Result.Apart].
const apartMark = "apart, "

// apartHeadings say what the variants below ask of the caller.
var apartHeadings = map[result.Apart]string{
	result.Indexed: apartMark + "an index: fields are decoded when they are read (unmarshal+read)",
	result.Aliased: apartMark + "aliasing: the input may not change while the result is in use",
	result.Reused:  apartMark + "reusing: a result is valid only until the next call",
}

// placeOf returns the position of a cell's kind in the order of a table: those that are ranked
// together with all others first.
func placeOf(a result.Apart) int { return slices.Index(result.Aparts, a) }

// A rowBreak is where rows begin that are ranked apart.
type rowBreak struct {
	at    int
	apart result.Apart
}

// breaks returns where cells that are in the order of a table are of another kind than the
// one before.
func breaks(cells []*result.Result) []rowBreak {
	var out []rowBreak
	last := result.Apart("")
	for i, c := range cells {
		if c.Apart != last {
			out, last = append(out, rowBreak{i, c.Apart}), c.Apart
		}
	}
	return out
}

// headingAt returns the heading above a row, if there is one.
func (s *section) headingAt(row int) string {
	for _, b := range s.breaks {
		if b.at == row {
			return apartHeadings[b.apart]
		}
	}
	return ""
}

// ranked keeps the cells that are ranked with all others; all, if none is.
func ranked(cells []*result.Result) []*result.Result {
	out := slices.DeleteFunc(slices.Clone(cells), func(c *result.Result) bool { return c.Apart != "" })
	if len(out) == 0 {
		return cells
	}
	return out
}
