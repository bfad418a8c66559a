package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// A headline is one number that a page begins with, and what it says.
type headline struct {
	Number, Text string
	Family       string // a class
}

// headlines returns the numbers of a payload, three where there is enough: how fast the fastest is in the first
// two operations, and how small the smallest. Of those that lose no data, and whose results may be kept.
func (s *summary) headlines() []headline {
	var out []headline
	for _, op := range s.mainOps() {
		if len(out) < 2 {
			out = append(out, s.fastestNumber(op)...)
		}
	}
	return append(out, s.smallestNumber()...)
}

// keeps reports whether what the variant reads is all of the data, and stays.
func keeps(c *result.Result) bool {
	return !c.Lossy() && c.Properties.Memory != "reused" && c.Properties.Input != "aliased"
}

func (s *summary) fastestNumber(op string) []headline {
	cells := slices.DeleteFunc(s.timed(op), func(c *result.Result) bool { return !keeps(c) })
	if len(cells) == 0 {
		return nil
	}
	first := cells[0]
	of := clean(first.Variant) + ", " + duration(first.NS.Median, " ")
	if more := len(s.winners(cells)) - 1; more > 0 {
		of += ", and " + plural(more, "other") + " that cannot be told apart"
	}
	base := s.cell(op, first.Baseline)
	family := familyClass(first.Family)
	if base == nil || base.Variant == first.Variant || s.side(relation(first, base)) >= 0 {
		text := "is the least to " + opPhrase(op) + ": " + clean(first.Variant)
		return []headline{{duration(first.NS.Median, " "), text, family}}
	}
	text := "as fast to " + opPhrase(op) + " as " + clean(base.Variant) + ": " + of
	return []headline{{multiple(1/relation(first, base).Median) + "×", text, family}}
}

func (s *summary) smallestNumber() []headline {
	cells := slices.DeleteFunc(s.cells(result.SizeOp), func(c *result.Result) bool { return !keeps(c) })
	if len(cells) == 0 {
		return nil
	}
	first := slices.MinFunc(cells, func(a, b *result.Result) int { return cmp.Compare(a.WireBytes, b.WireBytes) })
	text := "is the smallest on the wire: " + clean(first.Variant)
	if hundred := reference(s.cells(result.SizeOp)); hundred != nil && hundred.Variant != first.Variant {
		text += ", " + strings.ReplaceAll(shareOf(first, hundred), " ", "\u00a0") + " of " + clean(hundred.Variant)
	}
	return []headline{{exact(first.WireBytes) + " B", text, familyClass(first.Family)}}
}

// A headlineSet is the headlines of one payload.
type headlineSet struct {
	Payload string
	Numbers []headline
}

// headlineSets returns those of all payloads that have any; a page shows one of them at a time.
func headlineSets(r *Report) []headlineSet {
	var out []headlineSet
	for _, payload := range byPayload(groups(r)) {
		s := &summary{report: r, payload: payload}
		if numbers := s.headlines(); len(numbers) > 0 {
			out = append(out, headlineSet{payload[0].payload, numbers})
		}
	}
	return out
}
