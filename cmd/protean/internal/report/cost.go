package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// A PayloadCost is what the messages of one payload cost at a [Load], each
// marshalled, sent and unmarshalled once.
type PayloadCost struct {
	Suite, Payload string
	// Ops are the operations whose time Cost.Cores adds up: marshal, unmarshal or
	// both, as far as the run has measured them; none, if it has only sizes.
	Ops []string
	// Costs are of the variants that did not fail, those that lack one of Ops
	// last: by Money where there are prices, else the fewest cores first.
	Costs []Cost
	// Choices say which variant is the cheapest, of those whose sizes are known and
	// whose times have intervals; there may be none. First with the bytes as they are,
	// then with those that zstd leaves; for each, first of all variants and then,
	// where that differs, of those that are known to lose no data.
	Choices []Choice
}

// A Cost is what one variant costs at a [Load]. What was not measured is a zero
// Interval, or NaN.
type Cost struct {
	Variant, Family string
	Lossy           bool // silently alters or drops data of some kind
	// Marshal and Unmarshal are the cores that are kept busy, Cores their sum over
	// PayloadCost.Ops; its interval is as wide as theirs together.
	Marshal, Unmarshal, Cores stats.Interval
	// TB are terabytes (10^12 bytes) on the wire in a month of 30 days, ZstdTB the
	// same if every message is compressed by itself. What compressing takes is in
	// none of the figures.
	TB, ZstdTB float64
	// AllocGB are gigabytes (10^9 bytes) allocated a second, over PayloadCost.Ops.
	AllocGB float64
	// Money and ZstdMoney are what cores and bytes cost a month; NaN without prices.
	Money, ZstdMoney float64
	// Rank is 1 for the cheapest, and 0 where what it costs is not known. Variants that cannot be told
	// apart share a rank, as in the tables of times.
	Rank int
	Tied bool // another variant has the same rank
}

// A strategy is a variant's cells of one payload.
type strategy struct {
	marshal, unmarshal, size *result.Result
}

// Costs returns what r amounts to at a load, payload by payload. It changes nothing.
func Costs(r *Report, l Load) []PayloadCost {
	var out []PayloadCost
	for _, payload := range byPayload(groups(r)) {
		if c := payloadCost(r, payload, l); len(c.Costs) > 0 {
			out = append(out, c)
		}
	}
	return out
}

func payloadCost(r *Report, payload []*group, l Load) PayloadCost {
	out := PayloadCost{Suite: payload[0].suite, Payload: payload[0].payload, Ops: costOps(payload)}
	var all []candidate
	by := map[string]candidate{}
	for _, s := range strategies(payload) {
		c := s.cost(out.Ops, l)
		out.Costs = append(out.Costs, c)
		by[c.Variant] = candidate{s, c}
		if c.Cores.Known() && !math.IsNaN(c.TB) {
			all = append(all, candidate{s, c})
		}
	}
	slices.SortStableFunc(out.Costs, func(a, b Cost) int {
		return cmp.Or(compareKnown(a.Money, b.Money), compareKnown(positive(a.Cores.Median), positive(b.Cores.Median)),
			compareKnown(a.TB, b.TB))
	})
	rankCosts(r, &out, by, l)
	out.Choices = choices(r, out.Ops, all)
	return out
}

// rankCosts sets ranks and ties in the order of the costs: one that cannot be told from the first of the
// group above it shares its rank.
func rankCosts(r *Report, p *PayloadCost, by map[string]candidate, l Load) {
	s := &summary{report: r}
	first := -1
	for i := range p.Costs {
		c := &p.Costs[i]
		switch {
		case c.Cores.Median == 0 || l.Priced() && math.IsNaN(c.Money):
			continue
		case first >= 0 && s.costsAlike(by[c.Variant], by[p.Costs[first].Variant], p.Ops, l):
			c.Rank, c.Tied, p.Costs[first].Tied = p.Costs[first].Rank, true, true
		default:
			c.Rank, first = i+1, i
		}
	}
}

// costsAlike reports whether two variants cannot be told apart by what they cost: in money, where there are
// prices, else in cores. Bytes are exact, so where these count a tie needs times that make up for them.
func (s *summary) costsAlike(a, b candidate, ops []string, l Load) bool {
	if !l.Priced() {
		return s.side(a.against(ops, b)) == 0
	}
	margin := s.report.Env.Precision / 2
	more := (a.cost.TB - b.cost.TB) * l.TBPrice
	cores := b.cost.Cores.Median * l.CorePrice
	slower := a.against(ops, b)
	low, high := cores*(slower.Low-1-margin)+more, cores*(slower.High-1+margin)+more
	return !(low > 0) && !(high < 0)
}

// positive is NaN where there is no time.
func positive(x float64) float64 {
	if x == 0 {
		return math.NaN()
	}
	return x
}

// compareKnown sorts NaN last.
func compareKnown(a, b float64) int {
	switch x, y := math.IsNaN(a), math.IsNaN(b); {
	case x && y:
		return 0
	case x:
		return 1
	case y:
		return -1
	}
	return cmp.Compare(a, b)
}

// costOps are the operations of a message's way that have times.
func costOps(payload []*group) []string {
	var out []string
	for _, g := range payload {
		if (g.op == "marshal" || g.op == "unmarshal") && slices.ContainsFunc(g.results, (*result.Result).Timed) {
			out = append(out, g.op)
		}
	}
	return out
}

// strategies returns the cells of the variants of which none failed: what cannot be
// read back costs nothing that counts.
func strategies(payload []*group) []strategy {
	byName := map[string]*strategy{}
	var order []string
	failed := map[string]bool{}
	for _, g := range payload {
		for _, c := range g.results {
			failed[c.Variant] = failed[c.Variant] || c.Status == result.Failed
			if !c.Measured() || !slices.Contains([]string{"marshal", "unmarshal", result.SizeOp}, c.Op) {
				continue
			}
			if byName[c.Variant] == nil {
				byName[c.Variant] = new(strategy)
				order = append(order, c.Variant)
			}
			byName[c.Variant].add(c)
		}
	}
	var out []strategy
	for _, name := range order {
		if !failed[name] {
			out = append(out, *byName[name])
		}
	}
	return out
}

func (s *strategy) add(c *result.Result) {
	switch c.Op {
	case "marshal":
		s.marshal = c
	case "unmarshal":
		s.unmarshal = c
	default:
		s.size = c
	}
}

// of returns the cell of an operation, or nil.
func (s *strategy) of(op string) *result.Result {
	if op == "marshal" {
		return s.marshal
	}
	return s.unmarshal
}

// any returns a cell that says who the variant is.
func (s *strategy) any() *result.Result { return cmp.Or(s.size, s.marshal, s.unmarshal) }

func (s *strategy) cost(ops []string, l Load) Cost {
	who := s.any()
	c := Cost{
		Variant: who.Variant, Family: who.Family, Lossy: who.Lossy(),
		Marshal: cores(s.marshal, l.Rate), Unmarshal: cores(s.unmarshal, l.Rate),
		TB: math.NaN(), ZstdTB: math.NaN(), Money: math.NaN(), ZstdMoney: math.NaN(),
	}
	c.Cores, c.AllocGB = s.total(ops, l.Rate)
	if s.size != nil {
		c.TB = terabytes(s.size.WireBytes, l.Rate)
		if s.size.ZstdBytes > 0 {
			c.ZstdTB = terabytes(s.size.ZstdBytes, l.Rate)
		}
	}
	if l.Priced() && c.Cores.Median > 0 {
		c.Money = c.Cores.Median*l.CorePrice + c.TB*l.TBPrice
		c.ZstdMoney = c.Cores.Median*l.CorePrice + c.ZstdTB*l.TBPrice
	}
	return c
}

// cores is how many cores an operation keeps busy.
func cores(c *result.Result, rate Rate) stats.Interval {
	if c == nil {
		return stats.Interval{}
	}
	busy := float64(rate) * 1e-9
	return stats.Interval{Median: c.NS.Median * busy, Low: c.NS.Low * busy, High: c.NS.High * busy}
}

// total adds up the operations; the sum exists only where all of them do. Its ends
// are the sums of theirs, which holds whatever the times have in common.
func (s *strategy) total(ops []string, rate Rate) (sum stats.Interval, allocGB float64) {
	for _, op := range ops {
		c := s.of(op)
		if c == nil {
			return stats.Interval{}, math.NaN()
		}
		i := cores(c, rate)
		sum.Median, sum.Low, sum.High = sum.Median+i.Median, sum.Low+i.Low, sum.High+i.High
		allocGB += float64(rate) * c.BytesOp * 1e-9
	}
	if len(ops) == 0 {
		allocGB = math.NaN()
	}
	return sum, allocGB
}

func terabytes(bytes float64, rate Rate) float64 { return bytes * float64(rate) * monthSeconds * 1e-12 }
