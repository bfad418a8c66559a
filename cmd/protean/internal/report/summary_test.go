package report

import (
	"math"
	"strings"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// keep returns the fixture with only the cells that keep accepts.
func keep(accept func(*result.Result) bool) *Report {
	r := full()
	var cells []result.Result
	for _, c := range r.Results {
		if accept(&c) {
			cells = append(cells, c)
		}
	}
	r.Results = cells
	return r
}

func only(payload, op string, variants ...string) *Report {
	return keep(func(c *result.Result) bool {
		return c.Payload == payload && (op == "" || c.Op == op) &&
			strings.Contains("\n"+strings.Join(variants, "\n")+"\n", "\n"+c.Variant+"\n")
	})
}

// failing makes the cells that fail accepts fail.
func failing(r *Report, fail func(*result.Result) bool) *Report {
	for i := range r.Results {
		c := &r.Results[i]
		if fail(c) {
			*c = result.Result{Suite: c.Suite, Payload: c.Payload, Variant: c.Variant, Family: c.Family, Op: c.Op,
				Baseline: c.Baseline, Held: c.Held, Status: result.Failed, Reason: "made to", Properties: c.Properties}
		}
	}
	return r
}

// withOther adds a variant that loses nothing and takes half the time of the one
// there is.
func withOther(r *Report) *Report {
	r.Results[0].Rank = 2
	other := r.Results[0]
	other.Variant, other.Rank, other.Turns = "Other", 1, nil
	other.NS, other.Ratio = around(other.NS.Median/2, 0.01), around(0.5, 0.01)
	other.Properties.Int64 = "kept"
	r.Results = append(r.Results, other)
	return r
}

func TestSummary(t *testing.T) {
	const value, concrete, plainJSON, opaque = valueName, concreteName, jsonName, opaqueName
	for _, c := range []struct {
		name   string
		report *Report
		want   string
	}{
		{"nothing", &Report{}, "Nothing was measured."},
		{"nothing, interrupted", &Report{Interrupted: true},
			"The run was interrupted: what follows rests on what was measured until then.\n\nNothing was measured."},
		{"one operation of one variant", only("small", "marshal", concrete),
			"small: Concrete (proto) takes 98.1 ns to marshal."},
		{"no Value", only("small", "", concrete, "Concrete (vtproto)"),
			"small: Concrete (vtproto) is the fastest to marshal (31.2 ns, 3.14 times as fast as Concrete (proto)) " +
				"and to unmarshal " +
				"(32.0 ns, 4.41 times as fast as Concrete (proto)). Concrete (proto) and Concrete (vtproto) are the " +
				"smallest on the wire: 25 B."},
		{"construct alone", only("small", "construct", value),
			"small: google.protobuf.Value (proto) takes 504 ns to build from native data. 1 variant loses data: " +
				"google.protobuf.Value (proto) (integers beyond 2^53)."},
		{"construct alone, of two", withOther(only("small", "construct", value)),
			"small: Other is the fastest to build from native data (252 ns, 2.00 times as fast as " +
				"google.protobuf.Value (proto)). " +
				"None of the fastest loses data. " +
				"1 variant loses data: google.protobuf.Value (proto) (integers beyond 2^53)."},
		{"construct beside sizes", keep(func(c *result.Result) bool {
			return c.Payload == "small" && c.Variant == value && (c.Op == "construct" || c.Op == "size")
		}), "small: google.protobuf.Value (proto) takes 504 ns to build from native data. " +
			"google.protobuf.Value (proto) takes 74 B on the wire. " +
			"1 variant loses data: google.protobuf.Value (proto) (integers beyond 2^53)."},
		{"construct adds to other times", keep(func(c *result.Result) bool {
			return c.Payload == "small" && c.Variant == value && (c.Op == "construct" || c.Op == "marshal")
		}), "small: google.protobuf.Value (proto) takes 1.60 µs to marshal. " +
			"To build google.protobuf.Value (proto) from native data costs another 504 ns and 13 allocations. " +
			"1 variant loses data: google.protobuf.Value (proto) (integers beyond 2^53)."},
		{"construct adds to nothing", failing(only("small", "", concrete, value), func(c *result.Result) bool {
			return c.Variant == value && (c.Op == "marshal" || c.Op == "unmarshal" || c.Op == "size")
		}), "small: Concrete (proto) takes 98.1 ns to marshal and 141 ns to unmarshal. Concrete (proto) takes 25 B " +
			"on the wire. " +
			"To build google.protobuf.Value (proto) from native data costs 504 ns and 13 allocations. " +
			"1 variant failed: google.protobuf.Value (proto). " +
			"1 variant loses data: google.protobuf.Value (proto) (integers beyond 2^53)."},
		{"all but the baseline failed",
			failing(only("small", "", concrete, value, opaque), func(c *result.Result) bool {
				return c.Variant != concrete
			}), "small: Concrete (proto) takes 98.1 ns to marshal and 141 ns to unmarshal. Concrete (proto) takes 25 " +
				"B on the wire. " +
				"2 variants failed: google.protobuf.Value (proto) and Protobuf + JSON. " +
				"1 variant loses data: google.protobuf.Value (proto) (integers beyond 2^53)."},
		{"sizes alone of one payload", keep(func(c *result.Result) bool {
			return (c.Variant == concrete || c.Variant == "Concrete (vtproto)") &&
				(c.Op == "size" || c.Payload == "large" && c.Op == "marshal")
		}), "small: Concrete (proto) and Concrete (vtproto) are the smallest on the wire: 25 B.\n\n" +
			"large: Concrete (vtproto) is the fastest to marshal (8.82 µs, 3.49 times as fast as Concrete (proto)). " +
			"Concrete (proto) and Concrete (vtproto) are the smallest on the wire: 16,500 B."},
		{"sizes alone", only("small", "size", value, concrete, plainJSON),
			"small: Concrete (proto) is the smallest on the wire: 25 B, 45.5 % of Concrete (JSON). " +
				"Against Concrete (proto), google.protobuf.Value (proto) takes 296 % of the bytes. " +
				"Against Concrete (JSON), google.protobuf.Value (proto) takes 135 % of the bytes. " +
				"2 variants lose data: Concrete (JSON) and google.protobuf.Value (proto)."},
		{"the fastest is lossy", only("small", "marshal", plainJSON, value, opaque),
			"small: Concrete (JSON) is the fastest to marshal (212 ns). " +
				"Against Concrete (JSON), google.protobuf.Value (proto) takes 7.54 times the time to marshal. " +
				"JSON text in a string (Protobuf + JSON) beats google.protobuf.Value (proto): it takes 23 % of the " +
				"time to marshal. " +
				"Of those that lose no data, Protobuf + JSON is the fastest to marshal. " +
				"2 variants lose data: Concrete (JSON) and google.protobuf.Value (proto)."},
		{"only a failure", only("small", "marshal", "google.protobuf.Any (JSONProto)"),
			"small: 1 variant failed: google.protobuf.Any (JSONProto)."},
		{"a tie with the baseline", only("large", "marshal", concrete, "hyperpb (proto, reuse)"),
			"large: Concrete (proto) and hyperpb (proto, reuse) cannot be told apart and are the fastest to marshal " +
				"(30.7 µs)."},
	} {
		if got := Summary(c.report); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// pair is a report of Value against JSON in a string, of these ratios to the latter.
func pair(marshal, unmarshal stats.Interval) *Report {
	r := &Report{Env: result.Env{Precision: 0.02}}
	for op, ratio := range map[string]stats.Interval{"marshal": marshal, "unmarshal": unmarshal} {
		base := result.Result{Payload: "p", Op: op, Status: result.OK, Variant: valueName, Baseline: valueName, Rank: 1,
			Converged: true,
			NS:        around(100, 0.001), Ratio: stats.Interval{Median: 1, Low: 1, High: 1}}
		other := base
		other.Variant, other.Ratio, other.NS = opaqueName, ratio, around(100*ratio.Median, 0.001)
		r.Results = append(r.Results, base, other)
	}
	return r
}

func TestOpaqueVerdict(t *testing.T) {
	nan := math.NaN()
	faster, slower := around(0.5, 0.01), around(2, 0.01)
	same, unknown := around(1.005, 0.01), stats.Interval{Median: 0.5, Low: nan, High: nan}
	for _, c := range []struct {
		marshal, unmarshal stats.Interval
		want               string
	}{
		{faster, faster, "(Protobuf + JSON) beats google.protobuf.Value (proto): it takes 50 % of the time to marshal"},
		{faster, same, "(Protobuf + JSON) beats google.protobuf.Value (proto): it takes 50 % of the time to marshal " +
			"and the same time to unmarshal."},
		{slower, same, "(Protobuf + JSON) does not beat google.protobuf.Value (proto): it takes 2.00 times the time " +
			"to marshal"},
		{faster, slower, "(Protobuf + JSON) beats google.protobuf.Value (proto) in part only: it takes"},
		{same, same,
			"(Protobuf + JSON) is as fast as google.protobuf.Value (proto): it takes the same time to marshal"},
		{unknown, unknown, "Against google.protobuf.Value (proto), JSON text in a string (Protobuf + JSON) takes " +
			"about 50 % of the time to marshal"},
	} {
		if got := Summary(pair(c.marshal, c.unmarshal)); !strings.Contains(got, c.want) {
			t.Errorf("got %s\nwant %s", got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	var cells []*result.Result
	for i, want := range []string{"A", "A and B", "A, B and C", "A, B, C and 1 more", "A, B, C and 2 more"} {
		cells = append(cells, &result.Result{Variant: string(rune('A' + i))})
		if got := names(cells); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestSummaryOfAnySelection: whatever two variants the user selects, the summary
// speaks of no other, and no sentence has a hole.
func TestSummaryOfAnySelection(t *testing.T) {
	holes := []string{"NaN", "Inf", "  ", "()", " .", "takes .", "%!", " 0.00 ", "instead of ."}
	for i, a := range kinds {
		for _, b := range kinds[i:] {
			for _, op := range []string{"", "size", "marshal", "construct"} {
				text := Summary(keep(func(c *result.Result) bool {
					return (c.Variant == a.name || c.Variant == b.name) && (op == "" || c.Op == op)
				}))
				for _, hole := range holes {
					if strings.Contains(text, hole) {
						t.Errorf("%s, %s, %q: %q in: %s", a.name, b.name, op, hole, text)
					}
				}
				for _, other := range kinds {
					if other != a && other != b && strings.Contains(text, other.name) {
						t.Errorf("%s, %s, %q: %s was not selected: %s", a.name, b.name, op, other.name, text)
					}
				}
			}
		}
	}
}
