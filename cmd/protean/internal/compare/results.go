// Package compare holds the results of two runs against each other and says what
// differs: times by their intervals, sizes and allocations exactly.
//
// [Read] takes a file that protean bench wrote as JSON, CSV, HTML or in Go's benchmark format, or the output of go
// test -bench. A file may hold several runs, and [Merge] makes one side of several files.
// Times are compared by how they spread from run to run: see [stats.ChangeOfRuns]. Where each side is
// one run, that is not known. Then times of which there are the samples are
// compared by the Mann-Whitney U test, others by the intervals of their medians, and what runs
// usually differ by is allowed for; see [stats.Change], [stats.ChangeOf] and [stats.RunError].
// Sizes and counts of allocations are compared
// exactly; those that vary within a file by their ranges.
package compare

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/result"
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
	Status               result.Status
	Reason               string // why, where Status is not OK
	Refused              bool   // see [result.Result.Refused]
	Values               map[string]*Value

	key       string // equal in all formats
	procs     string // GOMAXPROCS, as the name of a benchmark ends; may be empty
	shortened bool   // names were altered to fit the benchmark format
}

// A Value is what one metric was measured to be, in one run or more.
type Value struct {
	Samples []float64 // of all runs, times in nanoseconds; nil where the file has intervals in their place
	Count   int       // how many samples there were
	Runs    []*Run
}

// A Run is what one run measured: by samples, or by an interval where the file does not have them.
type Run struct {
	Samples  []float64
	Interval stats.Interval
	// Error is the standard error, as a fraction, that all samples have in common.
	Error float64

	number int // of the run, within its file
}

// String names the row as sentences do: "medium · marshal · value (protean)".
func (r *Row) String() string {
	parts := slices.DeleteFunc([]string{r.Payload, r.Op, r.Variant}, func(s string) bool { return s == "" })
	return strings.Join(parts, " · ")
}

// center returns the run's value and its interval.
func (r *Run) center() stats.Interval {
	if r.Samples == nil {
		return r.Interval
	}
	return stats.Median(r.Samples).Widened(r.Error)
}

// center returns the value and its interval: of one run, or the mean of several.
func (v *Value) center() stats.Interval {
	if len(v.Runs) == 1 {
		return v.Runs[0].center()
	}
	return stats.MeanOfRuns(v.medians())
}

// medians returns the value of each run.
func (v *Value) medians() []float64 {
	var out []float64
	for _, r := range v.Runs {
		out = append(out, r.center().Median)
	}
	return out
}

// runError returns what the run is taken to err by for being one; of n samples, where it has none itself.
func (r *Run) runError(n int) float64 {
	if r.Samples == nil {
		return stats.RunError(stats.DeviationOf(r.Interval, n))
	}
	return stats.RunError(stats.Deviation(r.Samples))
}

// runError returns what the mean of the runs is taken to err by, each for being one.
func (v *Value) runError() float64 {
	return v.meanError(func(r *Run) float64 { return r.runError(v.Count / len(v.Runs)) })
}

// sharedError returns what the mean of the runs errs by for what the samples of each have in common.
func (v *Value) sharedError() float64 {
	return v.meanError(func(r *Run) float64 { return r.Error })
}

// meanError returns the error of the mean of the runs, whose errors are independent.
func (v *Value) meanError(of func(*Run) float64) float64 {
	var squares float64
	for _, r := range v.Runs {
		squares += of(r) * of(r)
	}
	return math.Sqrt(squares) / float64(len(v.Runs))
}

// add adds samples of a run, by its number within the file.
func (v *Value) add(number int, sharedError float64, samples ...float64) {
	v.Samples = append(v.Samples, samples...)
	v.Count += len(samples)
	if n := len(v.Runs); n == 0 || v.Runs[n-1].number != number {
		v.Runs = append(v.Runs, &Run{Error: sharedError, number: number})
	}
	r := v.Runs[len(v.Runs)-1]
	r.Samples = append(r.Samples, samples...)
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
	row = &Row{key: key, procs: procs, Status: result.OK, Values: map[string]*Value{}}
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
	for _, s := range []Setting{{"date", e.Date}, {"cpu", e.CPU}, {"goos", e.GOOS}, {"goarch", e.GOARCH}, {"go", e.Go},
		{"protean", e.Protean}} {
		out.set(s.Key, s.Value)
	}
	for i := range rep.Results {
		c := &rep.Results[i]
		row, made := out.row(result.SuiteName(c.Suite)+"/"+result.CellName(c.Payload, c.Variant, c.Op), "")
		row.Group, row.Payload, row.Variant, row.Op = c.Suite, c.Payload, c.Variant, c.Op
		if !made {
			return nil, fmt.Errorf("%s · %s is there twice", c.Suite, row)
		}
		row.Status, row.Reason, row.Refused = c.Status, strings.Join(strings.Fields(c.Reason), " "), c.Refused
		out.fill(row, c)
	}
	return out, nil
}

// fill takes over a cell's figures.
func (r *Results) fill(row *Row, c *result.Result) {
	exactly := func(m Metric, x float64) { r.value(row, m).add(0, 0, x) }
	roughly := func(m Metric, i stats.Interval) {
		if i.Median > 0 {
			v := r.value(row, m)
			v.Runs, v.Count = []*Run{{Interval: i}}, c.Samples
		}
	}
	switch {
	case c.Status != result.OK:
	case c.Sized():
		exactly(wireMetric, c.WireBytes)
		if c.GzipBytes > 0 { // nothing compressed is empty: 0 is not known
			exactly(gzipMetric, c.GzipBytes)
		}
		if c.ZstdBytes > 0 {
			exactly(zstdMetric, c.ZstdBytes)
		}
	default:
		roughly(timeMetric, c.NS)
		if c.Variant != c.Baseline { // whose ratio is 1
			roughly(ratioMetric, c.Ratio)
		}
		exactly(bytesMetric, c.BytesOp)
		exactly(allocMetric, c.AllocsOp)
	}
}
