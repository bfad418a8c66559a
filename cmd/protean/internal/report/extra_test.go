package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// columns is a report with every column that a suite may ask for, and totals.
func columns() *Report {
	r := full()
	r.Columns, r.Warnings, r.Results = ExtraColumns(), nil, slices.DeleteFunc(r.Results, func(c result.Result) bool {
		return c.Payload != "small" || c.Variant != "Concrete (JSON)" && c.Variant != "Concrete (proto)" ||
			c.Op == "construct"
	})
	totals := map[string]*result.Result{}
	for i := range r.Results {
		c := &r.Results[i]
		switch {
		case c.Op == result.SizeOp:
			c.Capacity = map[string]float64{"Concrete (JSON)": 64, "Concrete (proto)": 25}[c.Variant]
			continue
		case c.Op == "marshal":
			c.Iterations = 1_250_000
		default:
			c.Iterations = 800_000
		}
		if total := totals[c.Variant]; total == nil {
			first := *c
			totals[c.Variant] = &first
		} else {
			addTotal(total, c)
		}
	}
	for _, name := range []string{"Concrete (JSON)", "Concrete (proto)"} {
		r.Results = append(r.Results, *totals[name])
	}
	return r
}

// addTotal makes a total of a cell of marshal and one of unmarshal, as the lab does.
func addTotal(c, d *result.Result) {
	c.Op, c.Iterations, c.Turns = result.TotalOp, min(c.Iterations, d.Iterations), nil
	c.NS = stats.Interval{Median: c.NS.Median + d.NS.Median, Low: c.NS.Low + d.NS.Low, High: c.NS.High + d.NS.High}
	c.BytesOp, c.AllocsOp = c.BytesOp+d.BytesOp, c.AllocsOp+d.AllocsOp
}

// The figures of the columns are those that a reader would work out.
func TestExtraColumns(t *testing.T) {
	r := columns()
	marshal, total := &r.Results[2], &r.Results[6]
	if marshal.Op != "marshal" || total.Op != result.TotalOp {
		t.Fatalf("%s and %s", marshal.Op, total.Op)
	}
	size := r.Results[0]
	for _, tt := range []struct {
		name string
		cell *result.Result
		want string
	}{
		{"capacity", &size, "64"},
		{"used", &size, "85.94%"},                                       // 55 of 64
		{"encoded", marshal, "55"},                                      //
		{"iterations", marshal, "1.25M"},                                //
		{"seconds", marshal, "265ms"},                                   // 1.25 M × 212 ns
		{"kilobytes", marshal, "68.8k"},                                 // 1.25 M × 55 B
		{"ns/alloc", marshal, "212"},                                    // 1 allocation
		{"ns/B", marshal, "3.31"},                                       // 64 bytes
		{"encoded", total, "110"},                                       // written and read
		{"iterations", total, "800k"},                                   // of both
		{"seconds", total, "918ms"},                                     // 800 k × (212 + 936) ns
		{"ns/alloc", total, "164"},                                      // 1 + 6 allocations
		{"ns/B", total, "3.34"},                                         // 64 + 280 bytes
		{"capacity", &result.Result{}, ""},                              // not known
		{"ns/alloc", &result.Result{NS: stats.Interval{Median: 3}}, ""}, // none
	} {
		wire := encoded(r, &group{suite: tt.cell.Suite, payload: tt.cell.Payload, op: tt.cell.Op})[tt.cell.Variant]
		x := extras[slices.Index(ExtraColumns(), tt.name)]
		if got := x.cell(tt.cell, wire).text; got != tt.want {
			t.Errorf("%s of %s: %q, want %q", tt.name, tt.cell.Op, got, tt.want)
		}
	}
}

// The legend explains the columns that are there, and no others.
func TestExtraLegend(t *testing.T) {
	r := columns()
	r.Results = slices.DeleteFunc(r.Results, func(c result.Result) bool { return c.Op != result.SizeOp })
	var got []string
	for _, e := range newDocument(r).legend {
		if slices.ContainsFunc(extras, func(x extra) bool { return x.head == e.mark }) {
			got = append(got, e.mark)
		}
	}
	if want := []string{"cap", "used"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Before the draws of a cell stands what they have in common, for readers that compare runs.
func TestBenchTellsOfSharedError(t *testing.T) {
	r := &Report{Results: []result.Result{{Suite: "s", Payload: "p", Variant: "v", Op: "marshal", Status: result.OK,
		Turns: []stats.Turn{{Ops: 1, NS: 100, Shared: 3}, {Ops: 1, NS: 110, Shared: 4}}}}}
	var b bytes.Buffer
	if err := Write(&b, r, Bench, Options{}); err != nil {
		t.Fatal(err)
	}
	if want := SharedErrorLine + "3.3%\n"; strings.Count(b.String(), want) != 1 ||
		!strings.HasPrefix(b.String(), RunLine+"\n") {
		t.Errorf("no %q in\n%s", want, &b)
	}
}
