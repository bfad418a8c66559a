package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// A Metric is one thing that is measured of a row.
type Metric struct {
	Name  string // what --metrics calls it; the unit, where it is none of the lab's
	Unit  string // in base units, as benchfmt tidies them; empty for a ratio
	Title string
	// Better is -1 if less is better, +1 if more is, and 0 if that is unknown.
	Better int
	// exact says that repeating the measurement gives the same figure, so that any
	// difference is one.
	exact bool
}

// The metrics of the lab, in the order in which they are shown.
var (
	timeMetric  = Metric{Name: "time", Unit: "sec/op", Title: "time", Better: -1}
	ratioMetric = Metric{Name: "ratio", Title: "ratio to the baseline", Better: -1}
	bytesMetric = Metric{Name: "bytes", Unit: "B/op", Title: "bytes allocated", Better: -1, exact: true}
	allocMetric = Metric{Name: "allocs", Unit: "allocs/op", Title: "allocations", Better: -1, exact: true}
	wireMetric  = Metric{Name: "wire", Unit: report.WireUnit, Title: "encoded size", Better: -1, exact: true}
	gzipMetric  = Metric{Name: "gzip", Unit: report.GzipUnit, Title: "encoded size, gzip", Better: -1, exact: true}
	zstdMetric  = Metric{Name: "zstd", Unit: report.ZstdUnit, Title: "encoded size, zstd", Better: -1, exact: true}

	labMetrics = []Metric{timeMetric, ratioMetric, bytesMetric, allocMetric, wireMetric, gzipMetric, zstdMetric}
)

// metricOf returns the metric of a unit, which units may know more about.
func metricOf(unit string, units benchfmt.UnitMetadataMap) Metric {
	for _, m := range labMetrics {
		if m.Unit == unit {
			return m
		}
	}
	m := Metric{Name: unit, Unit: unit, Title: unit, Better: units.GetBetter(unit)}
	if meta := units.Get(unit, "assume"); meta != nil {
		m.exact = meta.Value == "exact"
	}
	return m
}

// metrics returns what both files have, those of the lab first.
func metrics(before, after *Results) []Metric {
	var out []Metric
	for _, m := range append(slices.Clone(labMetrics), after.Metrics...) {
		if before.has(m) && after.has(m) && !slices.ContainsFunc(out, m.is) {
			out = append(out, m)
		}
	}
	return out
}

func (m Metric) is(o Metric) bool { return m.Name == o.Name }

// choose returns the metrics that a list names; without one, all but the ratio, which
// says the same as the time.
func choose(have []Metric, list []string) ([]Metric, error) {
	if len(list) == 0 {
		return slices.DeleteFunc(have, ratioMetric.is), nil
	}
	var out []Metric
	for _, want := range list {
		m, err := find(have, want)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(out, m.is) {
			out = append(out, m)
		}
	}
	return out, nil
}

// find looks a metric up by its name or its unit.
func find(have []Metric, name string) (Metric, error) {
	_, unit := benchunit.Tidy(1, name)
	var names []string
	for _, m := range have {
		if m.Name == name || m.Unit == unit {
			return m, nil
		}
		names = append(names, m.Name)
	}
	if slices.ContainsFunc(labMetrics, func(m Metric) bool { return m.Name == name }) {
		return Metric{}, fmt.Errorf("metric %q is not in both files; both have %s", name, strings.Join(names, ", "))
	}
	return Metric{}, fmt.Errorf("unknown metric %q%s (both files have %s)", name, usererr.DidYouMean(name, names),
		strings.Join(names, ", "))
}

// amount writes a count, which is a mean and need not be whole: "2,704", "2,737.44".
func amount(x float64) string {
	whole, part := math.Modf(math.Round(x*100) / 100)
	text := report.Exact(whole)
	if part != 0 {
		text += strings.TrimPrefix(fmt.Sprintf("%.2f", part), "0")
	}
	return text
}

// format writes a figure of the metric.
func (m Metric) format(x float64) string {
	switch {
	case m.is(timeMetric):
		return report.Duration(x, 4)
	case m.is(ratioMetric):
		return fmt.Sprintf("%.3fx", x)
	case m.exact:
		return amount(x)
	default:
		return benchunit.Scale(x, benchunit.ClassOf(m.Unit))
	}
}
