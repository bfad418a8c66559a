package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// htmlData is what the script of the page draws from, as JSON.
type htmlData struct {
	Variants []chartVariant `json:"variants"`
	Charts   []chart        `json:"charts"`
}

type chartVariant struct {
	Name    string `json:"name"`
	Family  string `json:"family"`
	Library string `json:"lib"`
}

// The kinds of charts.
const (
	timeChart     = "time"
	sizeChart     = "size"
	costChart     = "cost"     // money, or else cores
	tradeoffChart = "tradeoff" // size against time
)

// A chart is the data of one; the script numbers them in this order.
type chart struct {
	Kind    string     `json:"kind"`
	Title   string     `json:"title"` // what it is of, in words
	Payload string     `json:"payload"`
	Op      string     `json:"op"`
	Rows    []chartRow `json:"rows"`
	Left    []chartRow `json:"left,omitempty"` // those left out of a tradeoff: most only read, and have no size
}

// A chartRow is one bar or point.
type chartRow struct {
	Variant int      `json:"v"` // index of the variant
	Place   string   `json:"place"`
	Rank    int      `json:"rank"`
	Mid     number   `json:"mid"` // time or cost; null in charts of sizes
	Low     number   `json:"low"`
	High    number   `json:"high"`
	Bytes   number   `json:"bytes"` // null in charts of times
	Gzip    number   `json:"gzip"`
	Zstd    number   `json:"zstd"`
	Label   string   `json:"label"`
	Badges  []string `json:"badges"`
	Detail  string   `json:"detail"` // what a pointer at it shows
	Base    bool     `json:"base"`   // it is the baseline
	Lossy   bool     `json:"lossy"`
}

// addChart adds the bars of a section, and returns the chart's number and caption.
func (p *htmlPage) addChart(s *section) (int, string) {
	if len(s.of) == 0 || !s.of[0].Measured() {
		return -1, ""
	}
	c, caption := chart{Kind: timeChart, Title: "time to " + clean(s.op), Payload: s.group.payload, Op: s.op},
		"Time an operation, with its 95 % interval; shorter is better."
	if s.op == result.SizeOp {
		c.Kind, c.Title, caption = sizeChart, "encoded size",
			"Encoded size: bar raw, line gzip, dot zstd; shorter is better."
	}
	hundred := reference(s.group.results)
	for i, of := range s.of {
		row := p.chartRow(of)
		if c.Kind == sizeChart {
			row.Place = sizeRank(s.of, i)
			row.Label = sizeLabel(of, hundred)
		} else {
			row.setTime(of)
			row.Label = timeLabel(of)
		}
		c.Rows = append(c.Rows, row)
	}
	p.data.Charts = append(p.data.Charts, c)
	return len(p.data.Charts) - 1, caption
}

// addCostChart adds the bars of a table of costs, of money where there are prices.
func (p *htmlPage) addCostChart(s *section, what string) (int, string) {
	if len(s.costs) == 0 {
		return -1, ""
	}
	c, caption := chart{Kind: costChart, Title: what + " in cores", Payload: s.group.payload},
		"Cores kept busy, with their 95 % interval; shorter is better."
	priced := slices.ContainsFunc(s.costs, func(x Cost) bool { return !math.IsNaN(x.Money) })
	if priced {
		c.Title, caption = what+" in money a month", "Money a month; shorter is better."
	}
	for _, of := range s.costs {
		// Those that lack something cost less than they would.
		if of.Cores.Median > 0 && (!priced || !math.IsNaN(of.Money)) {
			c.Rows = append(c.Rows, p.costRow(of))
		}
	}
	if len(c.Rows) == 0 {
		return -1, ""
	}
	p.data.Charts = append(p.data.Charts, c)
	return len(p.data.Charts) - 1, caption
}

func (p *htmlPage) costRow(of Cost) chartRow {
	v := p.Variants[p.index(of.Variant)]
	row := chartRow{
		Variant: v.Index, Mid: measure(of.Cores.Median), Low: measure(of.Cores.Low), High: measure(of.Cores.High),
		Bytes: none, Gzip: none, Zstd: none, Lossy: of.Lossy, Badges: []string{}, Rank: of.Rank,
		Place: rankText(of.Rank, of.Tied),
	}
	for _, b := range v.Badges {
		row.Badges = append(row.Badges, b.Name)
	}
	parts := []string{figure(of.Cores.Median) + " cores"}
	if !math.IsNaN(of.TB) {
		parts = append(parts, figure(of.TB)+" TB a month")
	}
	row.Label = strings.Join(parts, " · ")
	if !math.IsNaN(of.Money) {
		row.Mid, row.Low, row.High, row.Label = measure(of.Money), none, none, money(of.Money)
	}
	row.Detail = strings.Join(append([]string{clean(of.Variant)}, parts...), "\n")
	return row
}

// addTradeoffs adds a chart of size against time for each operation of a payload
// that has both, and returns their numbers. Building and converting leave no bytes.
func (p *htmlPage) addTradeoffs(payload []*group) []int {
	sizes := map[string]*result.Result{}
	for _, g := range payload {
		for _, c := range g.results {
			if g.op == result.SizeOp && c.Measured() && c.WireBytes > 0 {
				sizes[c.Variant] = c
			}
		}
	}
	var out []int
	for _, g := range payload {
		if !slices.Contains([]string{"marshal", "unmarshal", result.TotalOp}, g.op) {
			continue
		}
		if c := p.tradeoff(g, sizes); len(c.Rows) > 1 {
			p.data.Charts = append(p.data.Charts, c)
			out = append(out, len(p.data.Charts)-1)
		}
	}
	return out
}

func (p *htmlPage) tradeoff(g *group, sizes map[string]*result.Result) chart {
	c := chart{Kind: tradeoffChart, Title: "size against time to " + clean(g.op), Payload: g.payload, Op: g.op}
	for _, of := range g.results {
		size := sizes[of.Variant]
		if !of.Timed() {
			continue
		}
		if size == nil {
			c.Left = append(c.Left, p.chartRow(of))
			continue
		}
		row := p.chartRow(of)
		row.setTime(of)
		row.Bytes = amount(size.WireBytes)
		row.Label = exact(size.WireBytes) + " B, " + duration(of.NS.Median, " ")
		row.Detail = clean(of.Variant) + "\n" + row.Label
		c.Rows = append(c.Rows, row)
	}
	return c
}

func (p *htmlPage) chartRow(c *result.Result) chartRow {
	row := chartRow{
		Variant: p.index(c.Variant), Mid: none, Low: none, High: none, Bytes: none, Gzip: none, Zstd: none,
		Base: c.Variant == c.Baseline, Lossy: c.Lossy(), Detail: clean(c.Variant), Badges: []string{},
	}
	for _, b := range badges(c) {
		row.Badges = append(row.Badges, b.Name)
	}
	if c.Op == result.SizeOp {
		row.Bytes, row.Gzip, row.Zstd = amount(c.WireBytes), known(c.GzipBytes), known(c.ZstdBytes)
		row.Detail += fmt.Sprintf("\n%s B raw", exact(c.WireBytes))
		if c.GzipBytes > 0 {
			row.Detail += fmt.Sprintf("\n%s B gzip", exact(c.GzipBytes))
		}
		if c.ZstdBytes > 0 {
			row.Detail += fmt.Sprintf("\n%s B zstd", exact(c.ZstdBytes))
		}
	}
	return row
}

func (r *chartRow) setTime(c *result.Result) {
	r.Rank, r.Place = c.Rank, rankText(c.Rank, c.Tied)
	r.Mid, r.Low, r.High = measure(c.NS.Median), measure(c.NS.Low), measure(c.NS.High)
	r.Detail += "\n" + durations(c.NS) + " (95 %)\n"
	if text := ratio(c.Ratio.Median); text != "" && !r.Base {
		r.Detail += fmt.Sprintf("%s of %s\n", text, clean(c.Baseline))
	}
	r.Detail += fmt.Sprintf("%s B and %s", exact(c.BytesOp), amountOf(c.AllocsOp, "allocation"))
}

// timeLabel is "498 ns · 1.00x", with the mark of a ratio that is not known well.
func timeLabel(c *result.Result) string {
	text := duration(c.NS.Median, " ")
	if r := ratioText(c, !c.Converged); r != "" {
		text += " · " + r
	}
	return text
}

// sizeLabel is "162 B · 55.7 %".
func sizeLabel(c, hundred *result.Result) string {
	text := exact(c.WireBytes) + " B"
	if hundred != nil {
		text += " · " + shareOf(c, hundred)
	}
	return text
}
