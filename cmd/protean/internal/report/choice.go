package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// A Choice says which variant is the cheapest, as what a core costs in a month
// grows against what a terabyte costs on the wire. It holds at any rate: cores and
// bytes grow alike.
type Choice struct {
	Zstd     bool // with the bytes that zstd leaves
	Lossless bool // of the variants that are known to lose no data
	// Ranges are in the order of rising prices of a core; there is at least one.
	Ranges []Range
}

// A Range is the prices of a core-month, in terabytes on the wire, at which the
// same variant is the cheapest.
type Range struct {
	// From is where the range begins, the end of the one before; zero in the first.
	From stats.Interval
	// Variants are the cheapest, more than one if they have as many bytes and their
	// times cannot be told apart. Lossy are those of them that lose data.
	Variants, Lossy []string
}

// A candidate is a variant whose cores and bytes are known.
type candidate struct {
	strategy
	cost Cost
}

func choices(r *Report, ops []string, all []candidate) []Choice {
	var out []Choice
	safe := slices.DeleteFunc(slices.Clone(all), func(c candidate) bool {
		who := c.any()
		return who.Properties == (result.Properties{}) || who.Lossy()
	})
	for _, zstd := range []bool{false, true} {
		a := Choice{Zstd: zstd, Ranges: envelope(r, ops, all, zstd)}
		b := Choice{Zstd: zstd, Lossless: true, Ranges: envelope(r, ops, safe, zstd)}
		if len(a.Ranges) > 0 {
			out = append(out, a)
		}
		if len(b.Ranges) > 0 && a.lossy() {
			out = append(out, b)
		}
	}
	return out
}

// lossy reports whether one of the cheapest loses data.
func (c *Choice) lossy() bool {
	return slices.ContainsFunc(c.Ranges, func(r Range) bool { return len(r.Lossy) > 0 })
}

// A corner is a candidate that no other beats in both cores and bytes, with those
// that are its equals.
type corner struct {
	candidate
	tb     float64
	equals []candidate
}

// envelope returns who is the cheapest over all prices: cost is a straight line in
// the price of a core, and the cheapest is the lowest of the lines.
func envelope(r *Report, ops []string, all []candidate, zstd bool) []Range {
	s := &summary{report: r}
	left := s.frontier(ops, all, zstd)
	var out []Range
	var from stats.Interval
	for len(left) > 0 {
		first := left[0]
		out = append(out, newRange(from, first))
		next := 0
		for i := 1; i < len(left); i++ {
			if next == 0 || first.flip(left[i]) <= first.flip(left[next]) {
				next = i
			}
		}
		if next == 0 {
			break
		}
		from = first.flipInterval(ops, left[next])
		left = left[next:]
	}
	return out
}

func newRange(from stats.Interval, c corner) Range {
	out := Range{From: from}
	for _, e := range append([]candidate{c.candidate}, c.equals...) {
		out.Variants = append(out.Variants, e.cost.Variant)
		if e.cost.Lossy {
			out.Lossy = append(out.Lossy, e.cost.Variant)
		}
	}
	return out
}

// frontier drops every candidate that has no fewer bytes than another and is not
// told to be faster. What is left has ever more bytes and takes ever less time.
func (s *summary) frontier(ops []string, all []candidate, zstd bool) []corner {
	var sorted, out []corner
	for _, c := range all {
		tb := c.cost.TB
		if zstd {
			tb = c.cost.ZstdTB
		}
		if !math.IsNaN(tb) {
			sorted = append(sorted, corner{candidate: c, tb: tb})
		}
	}
	slices.SortStableFunc(sorted, func(a, b corner) int {
		return cmp.Or(cmp.Compare(a.tb, b.tb), cmp.Compare(a.cost.Cores.Median, b.cost.Cores.Median))
	})
	for _, c := range sorted {
		if len(out) == 0 {
			out = append(out, c)
			continue
		}
		last := &out[len(out)-1]
		switch side := s.side(c.against(ops, last.candidate)); {
		case side < 0 && c.cost.Cores.Median < last.cost.Cores.Median:
			out = append(out, c)
		case side == 0 && c.tb == last.tb:
			last.equals = append(last.equals, c.candidate)
		}
	}
	return out
}

// against returns the cores of c as a multiple of those of o.
func (c candidate) against(ops []string, o candidate) stats.Interval {
	var mine, theirs []*result.Result
	for _, op := range ops {
		mine, theirs = append(mine, c.of(op)), append(theirs, o.of(op))
	}
	return against(mine, theirs)
}

// flip is the price of a core-month, in terabytes, from which on d, with more bytes
// and fewer cores, is cheaper than c.
func (c corner) flip(d corner) float64 {
	return (d.tb - c.tb) / (c.cost.Cores.Median - d.cost.Cores.Median)
}

// flipInterval bounds the flip by how well the ratio of the two, and the time of
// the second, are known.
func (c corner) flipInterval(ops []string, d corner) stats.Interval {
	more, slower, cores := d.tb-c.tb, c.against(ops, d.candidate), d.cost.Cores
	flip := c.flip(d)
	out := stats.Interval{
		Median: flip,
		Low:    min(flip, more/(cores.High*(slower.High-1))),
		High:   max(flip, more/(cores.Low*(slower.Low-1))),
	}
	if !(slower.Low > 1) { // no price is surely high enough
		out.High = math.NaN()
	}
	return out
}

// Advice says in words what to choose at a load, a sentence each: at its prices, if
// there are any, and then at all prices.
func (p PayloadCost) Advice(l Load) []string {
	var out []string
	if first := p.Costs[0]; !math.IsNaN(first.Money) {
		out = append(out, p.atPrices(l))
	}
	for i, c := range p.Choices {
		same := func(o Choice) bool { return o.Lossless == c.Lossless && o.sameAnyway(c) }
		if !slices.ContainsFunc(p.Choices[:i], same) {
			out = append(out, c.advice(slices.ContainsFunc(p.Choices[i+1:], same)))
		}
	}
	if len(p.Choices) == 0 && slices.ContainsFunc(p.Costs,
		func(c Cost) bool { return c.Cores.Median > 0 && !math.IsNaN(c.TB) }) {
		out = append(out, "There were too few rounds to say at which prices another variant is the cheapest.")
	}
	return out
}

// atPrices: "At these prices A is the cheapest: 6,510 a month; next is B: 7,012. A
// core-month costs as much as 1.25 TB on the wire." Those that cost the same as it is
// written are told together.
func (p PayloadCost) atPrices(l Load) string {
	var names []string
	least := money(p.Costs[0].Money)
	next := slices.IndexFunc(p.Costs, func(c Cost) bool { return money(c.Money) != least })
	if next < 0 {
		next = len(p.Costs)
	}
	for _, c := range p.Costs[:next] {
		names = append(names, c.who())
	}
	text := fmt.Sprintf("At these prices %s %s the cheapest: %s a month", listed(names), isAre(len(names)), least)
	if next < len(p.Costs) && !math.IsNaN(p.Costs[next].Money) {
		text += fmt.Sprintf("; next is %s: %s", p.Costs[next].who(), money(p.Costs[next].Money))
	}
	text += "."
	if l.TBPrice > 0 {
		text += " A core-month costs as much as " + figure(l.CorePrice/l.TBPrice) + " TB on the wire."
	}
	return text
}

// who is the variant's name with the mark of those that lose data.
func (c Cost) who() string {
	if c.Lossy {
		return clean(c.Variant) + " !"
	}
	return clean(c.Variant)
}

// sameAnyway reports whether, at all prices, the same are the cheapest in both.
func (c Choice) sameAnyway(o Choice) bool {
	return len(c.Ranges) == 1 && len(o.Ranges) == 1 && slices.Equal(c.Ranges[0].Variants, o.Ranges[0].Variants)
}

// advice is the sentence of a choice; anyway says that zstd makes no difference.
func (c Choice) advice(anyway bool) string {
	var of []string
	if c.Zstd {
		of = append(of, "compressed with zstd")
	}
	if c.Lossless {
		of = append(of, "of those that lose no data")
	}
	intro := strings.Join(of, ", ")
	if intro != "" {
		intro = strings.ToUpper(intro[:1]) + intro[1:] + ": "
	}
	last := len(c.Ranges) - 1
	if last == 0 {
		end := " at any price of cores and bytes."
		if anyway {
			end = " at any price of cores and bytes, with zstd or without."
		}
		return intro + c.Ranges[0].cheapest() + end
	}
	parts := []string{fmt.Sprintf("%s while a core-month costs less than %s on the wire", c.Ranges[0].cheapest(),
		c.Ranges[1].from())}
	for i, r := range c.Ranges[1:last] {
		parts = append(parts, fmt.Sprintf("then, up to %s, %s", c.Ranges[i+2].from(), r.who()))
	}
	return intro + strings.Join(append(parts, "above that, "+c.Ranges[last].who()), "; ") + "."
}

// cheapest: "A is the cheapest", "A and B are the cheapest".
func (r Range) cheapest() string { return r.who() + " " + isAre(len(r.Variants)) + " the cheapest" }

// who names the variants, with the mark of those that lose data.
func (r Range) who() string {
	var list []string
	for _, v := range r.Variants {
		list = append(list, Cost{Variant: v, Lossy: slices.Contains(r.Lossy, v)}.who())
	}
	return listed(list)
}

// from: "14.2 TB (13.9–14.5)".
func (r Range) from() string {
	text := figure(r.From.Median) + " TB"
	if r.From.Known() {
		text += " (" + figure(r.From.Low) + "–" + figure(r.From.High) + ")"
	}
	return text
}
