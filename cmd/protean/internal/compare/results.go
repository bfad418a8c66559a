// Package compare holds the results of two runs against each other and says what
// differs: times by their intervals, sizes and allocations exactly.
//
// [Read] takes a file that protean bench wrote, in any format, or the output of
// go test -bench. Times of which it has the samples are
// compared by the Mann-Whitney U test, others by the intervals of their medians; see
// [stats.Change] and [stats.ChangeOf]. Sizes and counts of allocations are compared
// exactly; those that vary within a file, or were rounded for people, by their ranges.
package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// Results are what one file holds.
type Results struct {
	File     string
	Rows     []*Row
	Metrics  []Metric // that any row has, in order of first appearance
	Env      []Setting
	Warnings []string // about the run, or lines that could not be read

	byKey map[string]*Row
}

// A Setting is something that the file says about where its figures come from.
type Setting struct{ Key, Value string }

// A Row is one benchmark, or one cell of the lab.
type Row struct {
	Group string // the suite, or the package of a benchmark
	// Payload, Variant and Op are the cell; a benchmark has its name as Variant, and
	// neither of the others.
	Payload, Variant, Op string
	Status               report.Status
	Reason               string // why, where Status is not OK
	Values               map[string]*Value

	key       string // equal in all formats
	procs     string // GOMAXPROCS, as the name of a benchmark ends; may be empty
	shortened bool   // names were altered to fit the benchmark format
}

// A Value is what one metric was measured to be: by samples, or by an interval where
// the file does not have them.
type Value struct {
	Samples  []float64 // times in nanoseconds
	Interval stats.Interval
	Count    int // how many samples there were
	// rounded says that Samples are not what was measured, but the least and the most
	// that it may have been.
	rounded bool
}

// String names the row as sentences do: "medium · marshal · value (protean)".
func (r *Row) String() string {
	parts := slices.DeleteFunc([]string{r.Payload, r.Op, r.Variant}, func(s string) bool { return s == "" })
	return strings.Join(parts, " · ")
}

// center returns the value and its interval.
func (v *Value) center() stats.Interval {
	if v.Samples == nil {
		return v.Interval
	}
	return stats.Median(v.Samples)
}

func (r *Results) has(m Metric) bool { return slices.ContainsFunc(r.Metrics, m.is) }

// row returns the row of that key; made is true if there was none.
func (r *Results) row(key, procs string) (row *Row, made bool) {
	name := key
	if procs != "" {
		name += "-" + procs
	}
	if row := r.byKey[name]; row != nil {
		return row, false
	}
	row = &Row{key: key, procs: procs, Status: report.OK, Values: map[string]*Value{}}
	if r.byKey == nil {
		r.byKey = map[string]*Row{}
	}
	r.byKey[name] = row
	r.Rows = append(r.Rows, row)
	return row, true
}

// drop takes a row out.
func (r *Results) drop(row *Row) {
	r.Rows = slices.DeleteFunc(r.Rows, func(o *Row) bool { return o == row })
	maps.DeleteFunc(r.byKey, func(_ string, o *Row) bool { return o == row })
}

// value returns the row's value of a metric, for filling in.
func (r *Results) value(row *Row, m Metric) *Value {
	if !r.has(m) {
		r.Metrics = append(r.Metrics, m)
	}
	if row.Values[m.Name] == nil {
		row.Values[m.Name] = &Value{}
	}
	return row.Values[m.Name]
}

// set notes a setting; one that has several values in a file has them all.
func (r *Results) set(key, value string) {
	if value == "" {
		return
	}
	for i := range r.Env {
		if s := &r.Env[i]; s.Key == key {
			if !slices.Contains(strings.Split(s.Value, ", "), value) {
				s.Value += ", " + value
			}
			return
		}
	}
	r.Env = append(r.Env, Setting{key, value})
}

func (r *Results) setting(key string) string {
	for _, s := range r.Env {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// fromReport takes over a report of the lab; the error is of a cell that is there
// twice.
func fromReport(file string, rep *report.Report) (*Results, error) {
	out := &Results{File: file, Warnings: slices.Clone(rep.Warnings)}
	if rep.Interrupted {
		out.Warnings = append(out.Warnings, "the run was interrupted")
	}
	e := rep.Env
	for _, s := range []Setting{{"date", e.Date}, {"cpu", e.CPU}, {"goos", e.GOOS}, {"goarch", e.GOARCH}, {"go", e.Go}, {"protean", e.Protean}} {
		out.set(s.Key, s.Value)
	}
	for i := range rep.Results {
		c := &rep.Results[i]
		row, made := out.row(report.SuiteName(c.Suite)+"/"+report.CellName(c.Payload, c.Variant, c.Op), "")
		row.Group, row.Payload, row.Variant, row.Op = c.Suite, c.Payload, c.Variant, c.Op
		if !made {
			return nil, fmt.Errorf("%s · %s is there twice", c.Suite, row)
		}
		row.Status, row.Reason = c.Status, strings.Join(strings.Fields(c.Reason), " ")
		out.fill(row, c)
	}
	return out, nil
}

// fill takes over a cell's figures.
func (r *Results) fill(row *Row, c *report.Result) {
	exactly := func(m Metric, x, within float64) {
		v := r.value(row, m)
		v.Samples, v.Count = []float64{x}, 1
		if within > 0 {
			v.Samples, v.rounded = []float64{max(0, x-within), x + within}, true
		}
	}
	roughly := func(m Metric, i stats.Interval) {
		if i.Median > 0 {
			v := r.value(row, m)
			v.Interval, v.Count = i, c.Samples
		}
	}
	switch {
	case c.Status != report.OK:
	case c.Sized():
		exactly(wireMetric, c.WireBytes, c.WireWithin)
		if c.GzipBytes > 0 { // nothing compressed is empty: 0 is not known
			exactly(gzipMetric, c.GzipBytes, c.GzipWithin)
		}
		if c.ZstdBytes > 0 {
			exactly(zstdMetric, c.ZstdBytes, c.ZstdWithin)
		}
	default:
		roughly(timeMetric, c.NS)
		if c.Variant != c.Baseline { // whose ratio is 1
			roughly(ratioMetric, c.Ratio)
		}
		exactly(bytesMetric, c.BytesOp, c.BytesWithin)
		exactly(allocMetric, c.AllocsOp, c.AllocsWithin)
	}
}
