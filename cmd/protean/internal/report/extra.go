package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// An extra is a column that tables have where the suite asks for it by name.
type extra struct {
	name string
	size bool // of the table of sizes; else of the tables of times
	column
	about string // for the legend
	// value is computed from what a cell has, and its encoded size, which is 0 where that
	// was not asked for. Only what is above 0 is shown.
	value func(c *result.Result, wire float64) float64
	write func(float64) string
	exact func(float64) string // where there is room; nil if write will do
}

// extras are the columns that a suite may ask for.
var extras = []extra{
	{"capacity", true, column{head: "cap", full: "Allocated"},
		"capacity of the slice that marshal returns",
		func(c *result.Result, _ float64) float64 { return c.Capacity }, exact, nil},
	{"used", true, column{head: "used", full: "Used/allocated"},
		"bytes as a share of cap",
		func(c *result.Result, wire float64) float64 { return wire / c.Capacity }, inPercent, nil},
	{"encoded", false, column{head: "enc", full: "Encoded bytes", drop: 2},
		"encoded size in bytes, the mean over the samples; of both operations where two are together",
		func(_ *result.Result, wire float64) float64 { return wire }, count, exact},
	{"ns/alloc", false, column{head: "ns/alloc", full: "ns/allocation", drop: 3},
		"time for each allocation",
		func(c *result.Result, _ float64) float64 { return c.NS.Median / c.AllocsOp }, threeDigits, nil},
	{"iterations", false, column{head: "iters", full: "Iterations", drop: 4},
		"operations whose time counts",
		func(c *result.Result, _ float64) float64 { return float64(c.Iterations) }, count, exact},
	{"seconds", false, column{head: "total", full: "Total time", drop: 5},
		"time that they took",
		func(c *result.Result, _ float64) float64 { return c.NS.Median * float64(c.Iterations) },
		func(ns float64) string { return duration(ns, "") }, func(ns float64) string { return duration(ns, " ") }},
	{"kilobytes", false, column{head: "kB", full: "Total kB", drop: 6},
		"encoded kilobytes (of 1,000 bytes) that they wrote or read",
		func(c *result.Result, wire float64) float64 { return wire * float64(c.Iterations) / 1e3 }, count, exact},
	{"ns/B", false, column{head: "ns/B", full: "ns/allocated byte", drop: 7},
		"time for each byte that is allocated",
		func(c *result.Result, _ float64) float64 { return c.NS.Median / c.BytesOp }, threeDigits, nil},
}

// cell returns what the column shows of a result.
func (x *extra) cell(c *result.Result, wire float64) cell {
	v := x.value(c, wire)
	switch {
	case !(v > 0) || math.IsInf(v, 1): // not known, or of nothing
		return cell{}
	case x.exact != nil:
		return cell{text: x.write(v), full: x.exact(v)}
	default:
		return cell{text: x.write(v)}
	}
}

// ExtraColumns lists the names of the columns that [Report.Columns] may have.
func ExtraColumns() []string {
	var out []string
	for _, x := range extras {
		out = append(out, x.name)
	}
	return out
}

// extrasOf returns the columns that the report asks for, those of sizes or of times.
func extrasOf(r *Report, size bool) []extra {
	return slices.DeleteFunc(slices.Clone(extras), func(x extra) bool {
		return x.size != size || !slices.Contains(r.Columns, x.name)
	})
}

// extend adds the columns to a section, whose rows are those of the cells. sizes gives
// a variant's encoded size.
func (s *section) extend(xs []extra, cells []*result.Result, sizes map[string]float64) {
	for _, x := range xs {
		s.columns = append(s.columns, x.column)
		for i, c := range cells {
			s.rows[i] = append(s.rows[i], x.cell(c, sizes[c.Variant]))
		}
	}
}

// encoded gives the encoded sizes of a payload's variants.
func encoded(r *Report, g *group) map[string]float64 {
	out := map[string]float64{}
	for i := range r.Results {
		if c := &r.Results[i]; c.Op == result.SizeOp && c.Suite == g.suite && c.Payload == g.payload && c.Measured() {
			out[c.Variant] = c.WireBytes
			if g.op == result.TotalOp {
				out[c.Variant] *= 2 // what is written is read again
			}
		}
	}
	return out
}

// extraLegend explains the columns that d has.
func extraLegend(d *document) []entry {
	var out []entry
	for _, x := range extras {
		if slices.ContainsFunc(d.sections, func(s section) bool { return slices.Contains(s.columns, x.column) }) {
			out = append(out, entry{mark: x.head, text: x.about, in: terminalOnly, short: x.about},
				entry{mark: x.full + ":", text: x.about, in: markdownOnly})
		}
	}
	return out
}

func threeDigits(x float64) string { return digits(x, max(3, wholeDigits(x))) }

// inPercent writes a share in a table.
func inPercent(x float64) string { return fmt.Sprintf("%.2f%%", 100*x) }
