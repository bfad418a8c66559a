package report

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

func TestVerdict(t *testing.T) {
	const concrete, vt, value = concreteName, "Concrete (vtproto)", valueName
	rounds := func(r *Report) *Report { // too few
		for i := range r.Results {
			c := &r.Results[i]
			c.NS.Low, c.NS.High, c.Ratio.Low, c.Ratio.High, c.Turns = math.NaN(), math.NaN(), math.NaN(),
				math.NaN(), nil
		}
		return r
	}
	for _, tt := range []struct {
		name   string
		report *Report
		want   string
	}{
		{"nothing", &Report{}, "Nothing was measured."},
		{"another is the fastest", only("small", "", concrete, vt, value, jsonName),
			"small: Concrete (vtproto) is the fastest to marshal and unmarshal: 3.78 times as fast as Concrete " +
				"(proto). " +
				"google.protobuf.Value (proto) takes 13.9 times the time of Concrete (proto). " +
				"None is smaller on the wire than Concrete (proto): 25 B, 45.5 % of Concrete (JSON)."},
		{"the baseline is the fastest", only("small", "", concrete, value),
			"small: Concrete (proto) is the fastest to marshal and unmarshal: 13.9 times as fast as " +
				"google.protobuf.Value (proto), the next. " +
				"Concrete (proto) is the smallest on the wire: 25 B."},
		{"JSON without Value", only("small", "marshal", concrete, vt, jsonName, "gojapb"),
			"small: Concrete (vtproto) is the fastest to marshal: 3.14 times as fast as Concrete (proto). Concrete " +
				"(JSON) takes 2.16 times the time of Concrete (proto)."},
		{"neither", only("small", "marshal", concrete, vt, "gojapb"),
			"small: Concrete (vtproto) is the fastest to marshal: 3.14 times as fast as Concrete (proto). gojapb " +
				"takes 51.3 times the time of Concrete (proto)."},
		{"a tie with the baseline", only("large", "marshal", concrete, "hyperpb (proto, reuse)", value),
			"large: Concrete (proto) and hyperpb (proto, reuse) cannot be told apart and are the fastest to marshal: " +
				"30.7 µs. " +
				"google.protobuf.Value (proto) takes 15.8 times the time of Concrete (proto)."},
		{"one that is ranked apart is no rival", only("large", "unmarshal", concrete, "hyperpb (proto, reuse)", value),
			"large: Concrete (proto) is the fastest to unmarshal: 8.68 times as fast as google.protobuf.Value " +
				"(proto), the next."},
		{"too few rounds", rounds(only("small", "marshal", concrete, vt, value)),
			"small: There were too few rounds to rank anything; by the medians Concrete (vtproto) is the fastest to " +
				"marshal: about 3.14 times as fast as Concrete (proto). " +
				"google.protobuf.Value (proto) takes about 16.3 times the time of Concrete (proto)."},
		{"one variant", only("small", "", concrete),
			"small: Concrete (proto) takes 98.1 ns to marshal and 141 ns to unmarshal. Concrete (proto) takes 25 B " +
				"on the wire."},
		{"counts", counted(), "small: None is smaller on the wire than Concrete (proto): 25 B, 45.5 % of Concrete " +
			"(JSON). Allocations were counted; nothing was timed."},
	} {
		if got := Verdict(tt.report); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// Whatever two variants the user selects, the verdict has no holes.
func TestVerdictOfAnySelection(t *testing.T) {
	for i, a := range kinds {
		for _, b := range kinds[i:] {
			for _, op := range []string{"", "size", "marshal", "construct"} {
				text := Verdict(keep(func(c *result.Result) bool {
					return (c.Variant == a.name || c.Variant == b.name) && (op == "" || c.Op == op)
				}))
				for _, hole := range []string{"NaN", "Inf", "  ", "()", " .", "takes .", "%!", " 0.00 ", ": ."} {
					if strings.Contains(text, hole) {
						t.Errorf("%s, %s, %q: %q in: %s", a.name, b.name, op, hole, text)
					}
				}
			}
		}
	}
}

// Only what the samples hold is marked; what others may hold is a risk, if it is altered.
func TestLosses(t *testing.T) {
	c := &result.Result{Properties: result.Properties{Int64: "altered", NaN: "refused", Empty: "altered",
		Unknown: "dropped"}}
	for _, tt := range []struct {
		held         result.Held
		losses, risk string
	}{
		{"", "", "integers beyond 2^53; empty against absent"},
		{result.NewHeld(true, true, false), "integers beyond 2^53", "empty against absent"},
		{result.NewHeld(true, true, true), "integers beyond 2^53; empty against absent", ""},
	} {
		c.Held = tt.held
		if got, risk := strings.Join(c.Losses(), "; "),
			strings.Join(c.Risks(), "; "); got != tt.losses || risk != tt.risk || c.Lossy() != (tt.losses != "") {
			t.Errorf("%q: loses %q, may lose %q, want %q and %q", tt.held, got, risk, tt.losses, tt.risk)
		}
	}
}

// A short table has a line or two for each variant without figures, and 60 lines for what is
// measured by default.
func TestShortTable(t *testing.T) {
	r := full()
	usual := 0
	for i := range r.Results {
		r.Results[i].Reason = strings.Repeat("a reason that is long ", 20)
	}
	r.Results = keepResults(r.Results,
		func(c *result.Result) bool { return c.Payload == "small" && c.Op != "construct" })
	text := render(t, r, Table, Options{More: "more"})
	for _, line := range strings.Split(text, "\n") {
		if noteStart.MatchString(line) {
			usual++
		}
	}
	if usual != 3 || strings.Count(text, "…") != 3 {
		t.Errorf("%d notes, want 3, each cut short:\n%s", usual, text)
	}
	if strings.Contains(text, "properties") {
		t.Errorf("properties nobody asked for:\n%s", text)
	}
}

// noteStart matches how a line begins that [notes.lines] made.
var noteStart = regexp.MustCompile(
	`^(?:` + failedNote + `|` + RefusedNote + `|` + inapplicableNote + `|` + waitingNote + `)(?:: | in\b)`)

func keepResults(all []result.Result, accept func(*result.Result) bool) []result.Result {
	var out []result.Result
	for i := range all {
		if accept(&all[i]) {
			out = append(out, all[i])
		}
	}
	return out
}

func TestTies(t *testing.T) {
	s := &summary{report: &Report{Env: result.Env{Precision: 0.02}}}
	cell := func(ns, share float64) contender {
		return contender{{NS: around(ns, share)}}
	}
	unknown := contender{{NS: stats.Interval{Median: 100, Low: math.NaN(), High: math.NaN()}}}
	for _, tt := range []struct {
		name string
		a    contender
		want bool
	}{{"near", cell(101, 0.01), true}, {"far", cell(130, 0.01), false}, {"nobody knows", unknown, false}} {
		if got := s.ties(tt.a, cell(100, 0.01)); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
