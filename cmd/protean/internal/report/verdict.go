package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// Verdict says in a few sentences what r found: a paragraph a payload, with an empty line
// between. The first says who is the fastest, and by how much; the second, what Value or
// JSON costs; the third, who is the smallest. [Summary] says more.
func Verdict(r *Report) string { return inWords(r, (*summary).verdict) }

func (s *summary) verdict() string {
	ops := s.mainOps()
	contenders := s.contenders(ops)
	return sentences(s.lead(ops, contenders), s.dear(ops, contenders), s.least(), s.untimed())
}

// A contender is the cells of a variant in the operations that a verdict is about.
type contender []*result.Result

func (r contender) name() string { return clean(r[0].Variant) }

func (r contender) ns() (sum float64) {
	for _, c := range r {
		sum += c.NS.Median
	}
	return sum
}

// contenders returns the variants that have times in all of the operations, the fastest over all
// of them first.
func (s *summary) contenders(ops []string) []contender {
	var out []contender
	if len(ops) == 0 {
		return nil
	}
	for _, c := range s.timed(ops[0]) {
		r := contender{c}
		for _, op := range ops[1:] {
			if o := s.cell(op, c.Variant); o != nil && o.Apart == c.Apart {
				r = append(r, o)
			}
		}
		if len(r) == len(ops) {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b contender) int { return cmp.Compare(a.ns(), b.ns()) })
	return out
}

// against returns the time of a as a multiple of that of b. The ratio of sums is a mean of
// the operations' ratios, each with the share that it has in b.
func against(a, b []*result.Result) stats.Interval {
	var out stats.Interval
	whole := 0.0
	for i := range a {
		share, r := b[i].NS.Median, relation(a[i], b[i])
		out.Median, out.Low, out.High = out.Median+share*r.Median, out.Low+share*r.Low, out.High+share*r.High
		whole += share
	}
	return stats.Interval{Median: out.Median / whole, Low: out.Low / whole, High: out.High / whole}
}

// baseline returns the contender that ratios are to; nil if it is not among them.
func baseline(contenders []contender) contender {
	if i := slices.IndexFunc(contenders, func(r contender) bool { return r[0].Variant == r[0].Baseline }); i >= 0 {
		return contenders[i]
	}
	return nil
}

// lead: "A is the fastest to marshal and unmarshal: 2.42 times as fast as B."
func (s *summary) lead(ops []string, contenders []contender) string {
	if len(contenders) < 2 {
		return s.fastest()
	}
	first, base := contenders[0], baseline(contenders)
	if !against(contenders[1], first).Known() {
		return s.guess(ops, first, base)
	}
	best := slices.DeleteFunc(slices.Clone(contenders), func(r contender) bool {
		return r[0] != first[0] && !s.ties(r, first)
	})
	var list []string
	for _, r := range best {
		list = append(list, r.name())
	}
	text := listed(list) + " is the fastest to "
	if len(best) > 1 {
		text = listed(list) + " cannot be told apart and are the fastest to "
	}
	text += phrases(ops) + ": "
	within := base != nil && slices.ContainsFunc(best, func(r contender) bool { return r[0] == base[0] })
	switch {
	case len(best) == len(contenders), base == nil:
		return text + duration(first.ns(), " ") + "."
	case within && len(best) == 1:
		return text + asFast(against(contenders[1], first)) + " as " + contenders[1].name() + ", the next."
	case within:
		return text + duration(first.ns(), " ") + "."
	}
	return text + asFast(against(base, first)) + " as " + base.name() + "."
}

// guess is lead where there were too few rounds to tell the two fastest apart.
func (s *summary) guess(ops []string, first, base contender) string {
	text := "There were too few rounds to rank anything; by the medians " + first.name() + " is the fastest to " +
		phrases(ops) + ": "
	if base == nil || base[0] == first[0] {
		return text + duration(first.ns(), " ") + "."
	}
	return text + asFast(against(base, first)) + " as " + base.name() + "."
}

// ties reports whether a and b cannot be told apart. Of a ratio with too few rounds nothing is
// known, and nothing is said.
func (s *summary) ties(a, b contender) bool {
	i := against(a, b)
	return i.Known() && s.side(i) == 0
}

// asFast: "2.42 times as fast".
func asFast(slower stats.Interval) string {
	text := multiple(slower.Median) + " times as fast"
	if !slower.Known() {
		return "about " + text
	}
	return text
}

// phrases: "marshal and unmarshal".
func phrases(ops []string) string {
	var list []string
	for _, op := range ops {
		list = append(list, opPhrase(op))
	}
	return join(list)
}

// dear says what Value costs, or else JSON, or else the slowest; in a script, what that costs.
func (s *summary) dear(ops []string, contenders []contender) string {
	if text := s.scripted(); text != "" || len(contenders) < 2 {
		return text
	}
	base := baseline(contenders)
	if base == nil {
		base = contenders[0]
	}
	other := contenders[len(contenders)-1]
	for _, name := range []string{jsonName, valueName} {
		if i := slices.IndexFunc(contenders,
			func(r contender) bool { return r[0].Variant == name && r[0] != base[0] }); i >= 0 {
			other = contenders[i]
		}
	}
	// The first sentence has told of the slowest, and of who is next to the baseline.
	if other[0] == base[0] || base[0] == contenders[0][0] && other[0] == contenders[1][0] {
		return ""
	}
	return fmt.Sprintf("%s takes %s of %s.", other.name(), s.theTime(against(other, base)), base.name())
}

// least: "A is the smallest on the wire: 162 B, 55.7 % of Concrete (JSON)." Of several that
// are equally small the baseline stands for all.
func (s *summary) least() string {
	cells := s.cells(result.SizeOp)
	if len(cells) < 2 {
		return s.smallest()
	}
	first := slices.MinFunc(cells, func(a, b *result.Result) int { return cmp.Compare(a.WireBytes, b.WireBytes) })
	equal := 0
	for _, c := range cells {
		if c.WireBytes == first.WireBytes {
			equal++
			if c.Variant == s.report.Baseline {
				first = c
			}
		}
	}
	text := clean(first.Variant) + " is the smallest on the wire"
	if equal > 1 {
		text = "None is smaller on the wire than " + clean(first.Variant)
	}
	text += ": " + exact(first.WireBytes) + " B"
	if json := reference(cells); json != nil && json.WireBytes != first.WireBytes {
		text += ", " + shareOf(first, json) + " of " + clean(json.Variant)
	}
	return text + "."
}

// sentences joins those that there are.
func sentences(list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(t string) bool { return t == "" }), " ")
}
