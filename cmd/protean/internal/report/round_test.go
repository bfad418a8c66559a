package report

import (
	"bytes"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// unrounded is a report whose figures lie so that rounding to five digits and then to three goes another way than
// rounding to three at once.
func unrounded() *Report {
	r := full()
	for i := range r.Results {
		c := &r.Results[i]
		if c.NS.Median > 0 {
			c.NS = stats.Interval{Median: 123.4996, Low: 122.4996, High: 124.4996}
			c.Ratio = stats.Interval{Median: 1.2349996, Low: 1.2249996, High: 1.2449996}
			c.BytesOp, c.AllocsOp = 10.0499999, 3.0499999
		}
		if c.Sized() {
			c.WireBytes = 10.0499999
		}
	}
	return r
}

// A table, a page and a file that is read back say the same numbers of one run.
func TestFormatsRoundAlike(t *testing.T) {
	write := func(r *Report, f Format) string {
		var b bytes.Buffer
		if err := Write(&b, r, f, Options{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	back := func(r *Report) *Report {
		out, err := Read([]byte(write(r, JSON)))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	r := unrounded()
	if write(r, Table) == write(back(r), Table) {
		t.Fatal("the figures do not show whether anything is rounded twice")
	}
	r.Round()
	for _, f := range []Format{Table, Markdown, CSV} {
		if d := cmp.Diff(write(r, f), write(back(r), f)); d != "" {
			t.Errorf("%s of the run, and of what was saved (-run +saved):\n%s", f, d)
		}
	}
	var own, saved bytes.Buffer
	if err := WriteHTML(&own, r); err != nil {
		t.Fatal(err)
	}
	if err := WriteHTML(&saved, back(r)); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(own.String(), saved.String()); d != "" {
		t.Errorf("the page of the run, and of what was saved (-run +saved):\n%.3000s", d)
	}
	// Times of the chart are those of the table.
	for _, c := range newHTMLPage(r).data.Charts {
		for _, x := range c.Rows {
			if c.Kind == timeChart && !math.IsNaN(float64(x.Mid)) && x.Mid != 123.5 {
				t.Errorf("chart of %s: %v", c.Title, x.Mid)
			}
		}
	}
	unknown := &Report{Results: []result.Result{{NS: stats.Interval{Median: 1.23456789, Low: math.NaN(),
		High: math.NaN()}}}}
	if unknown.Round(); unknown.Results[0].NS.Known() || unknown.Results[0].NS.Median != 1.2346 {
		t.Errorf("%+v", unknown.Results[0].NS)
	}
}
