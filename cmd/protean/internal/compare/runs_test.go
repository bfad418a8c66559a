package compare

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// runs makes a file of several runs of one benchmark: each has a level of its own, and draws around it.
func runs(r *rand.Rand, n int, ns, between float64) string {
	var b strings.Builder
	for range n {
		b.WriteString(report.RunLine + " 2026-11-23T10:00:00Z\n")
		level := ns * math.Exp(between*r.NormFloat64())
		for range 12 {
			fmt.Fprintf(&b, "BenchmarkA 100 %v ns/op\n", level*math.Exp(0.01*r.NormFloat64()))
		}
	}
	return b.String()
}

// One run a side is one draw: the verdict follows how much runs differ, not how well each knows itself.
func TestRunsOfOneProgramDoNotDiffer(t *testing.T) {
	const pairs = 400
	for _, tt := range []struct {
		a, b    int     // runs a side
		between float64 // what they differ by
		basis   Basis
		found   float64 // least share in which 10 % more is seen
	}{
		{1, 1, 0.02, BySamples, 0.75}, // as much as is allowed for
		{1, 1, 0.005, BySamples, 0.99},
		{2, 2, 0.05, ByRuns, 0},
		{3, 3, 0.02, ByRuns, 0.95},
		{3, 3, 0.10, ByRuns, 0},
		{5, 5, 0.05, ByRuns, 0.7},
		{1, 4, 0.03, ByRuns, 0},
	} {
		r := rand.New(rand.NewPCG(1, uint64(tt.a)))
		differ, found := 0, 0
		for range pairs {
			before, after, slower := runs(r, tt.a, 100, tt.between), runs(r, tt.b, 100, tt.between),
				runs(r, tt.b, 110, tt.between)
			x := compared(t, parse(t, "old", before), parse(t, "new", after), Options{}).Changes[0]
			if x.Basis != tt.basis || x.RunsOld != tt.a || x.RunsNew != tt.b {
				t.Fatalf("%d and %d runs: by %s of %d and %d", tt.a, tt.b, x.Basis, x.RunsOld, x.RunsNew)
			}
			if x.Verdict != Same {
				differ++
			}
			if compared(t, parse(t, "old", before), parse(t, "new", slower), Options{}).Changes[0].Verdict == Worse {
				found++
			}
		}
		t.Logf("%+v: %d of %d called different, 10 %% found in %d", tt, differ, pairs, found)
		if differ > pairs*8/100 { // the nominal 5 %, and what 400 pairs leave to chance
			t.Errorf("%+v: %d of %d pairs of equals are called different", tt, differ, pairs)
		}
		if float64(found) < tt.found*pairs {
			t.Errorf("%+v: 10 %% more was found in %d of %d pairs", tt, found, pairs)
		}
	}
}

// What all draws of a run have in common is part of the interval, in one run and in several.
func TestSharedErrorWidens(t *testing.T) {
	file := func(percent string, scale float64) string {
		text := report.RunLine + "\ngoos: linux\n"
		if percent != "" {
			text += report.SharedErrorLine + percent + "\n"
		}
		for _, v := range around(scale) {
			text += lines("A", "ns/op", v)
		}
		return text + lines("B", "ns/op", around(scale)...) // of which the line says nothing
	}
	c := compared(t, parse(t, "old", file("10%", 100)), parse(t, "new", file("10%", 120)), Options{})
	if a, b := c.Changes[0], c.Changes[1]; a.Verdict != Same || b.Verdict != Worse || a.Old.High <= b.Old.High {
		t.Errorf("with an error in common: %s, %v; without: %s, %v", a.Verdict, a.Old, b.Verdict, b.Old)
	}
	if c := compared(t, parse(t, "old", file("oops", 100)), parse(t, "new", file("", 120)),
		Options{}); c.Changes[0].Verdict != Worse {
		t.Errorf("a line that cannot be read is not passed over: %+v", c.Changes[0])
	}
}

// Runs are told apart where files were appended, of go test and of the lab, whatever the rows are.
func TestAppendedRuns(t *testing.T) {
	gotest := "goos: linux\ngoarch: amd64\npkg: acme\n" + lines("A-8", "ns/op", 100, 101) + "PASS\n"
	lab := report.RunLine + "\nUnit wire-B/msg assume=exact\ngoos: linux\n" +
		lines("S/payload=p/variant=v/op=marshal", "ns/op", 100, 101, 102, 103)
	for _, tt := range []struct {
		text string
		want int
	}{{gotest, 1}, {gotest + gotest + gotest, 3}, {lab, 1}, {lab + lab, 2}, {lines("A", "ns/op", 1, 2), 1}} {
		r := parse(t, "x", tt.text)
		if got := len(r.Rows[0].Values["time"].Runs); got != tt.want {
			t.Errorf("%d runs, want %d, in\n%s", got, tt.want, tt.text)
		}
	}
}

// A side may be several files, whose runs are draws; a row that failed in one has failed.
func TestMerge(t *testing.T) {
	csv := func(ns float64, status string) string {
		return fmt.Sprintf("suite,payload,variant,op,status,ns,ns_low,ns_high,samples,bytes_op,allocs_op\n"+
			"s,p,v,marshal,ok,%v,%v,%v,9,64,1\ns,p,w,marshal,%s,5,4,6,9,0,0\n", ns, ns*.99, ns*1.01, status)
	}
	side := func(status string, ns ...float64) *Results {
		var files []*Results
		for i, v := range ns {
			files = append(files, parse(t, fmt.Sprintf("%d.csv", i), csv(v, status)))
			status = "ok"
		}
		return Merge(files)
	}
	c := compared(t, side("ok", 100, 103), side("failed", 140, 144), Options{})
	if x := c.Changes[0]; x.Basis != ByRuns || x.Verdict != Worse || x.NOld != 18 || c.Old.File != "0.csv,1.csv" {
		t.Errorf("%+v of %s", x, c.Old.File)
	}
	if len(c.Turned) != 1 || c.Turned[0].New.Variant != "w" {
		t.Errorf("turned: %+v", c.Turned)
	}
	if x := c.Changes[1]; x.Metric.Name != "bytes" || x.Verdict != Same || x.Basis != Exactly || x.Old.Median != 64 {
		t.Errorf("a count: %+v", x)
	}
}

// The output says from which change on one counts, where there is one run a side.
func TestOneRunIsTold(t *testing.T) {
	text := func(n int) string {
		var b bytes.Buffer
		r := rand.New(rand.NewPCG(3, 4))
		c := compared(t, parse(t, "old", runs(r, n, 100, 0.01)), parse(t, "new", runs(r, n, 200, 0.01)), Options{})
		if err := Write(&b, c, true, report.Table, report.Options{Width: 200}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	limit := "below " + report.Percent(stats.OneRunLimit)
	if one := text(1); strings.Count(one, limit) != 2 {
		t.Errorf("no %q, in the summary and among the marks, in\n%s", limit, one)
	}
	if several := text(3); strings.Contains(several, limit) ||
		!strings.Contains(several, "t test of 3 against 3 runs") {
		t.Errorf("of three runs a side:\n%s", several)
	}
}

// recorded returns 24 runs of one program, one after the other, eight seconds each, on two processors that a dozen
// busy processes shared: protean bench --payloads small --ops marshal,unmarshal --time 8s --format bench.
func recorded(t *testing.T) []string {
	t.Helper()
	file, err := os.Open("testdata/same-program.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(strings.TrimPrefix(string(text), report.RunLine), "\n"+report.RunLine)
}

var timeOf = regexp.MustCompile(`([0-9.]+) ns/op`)

// slower makes each time of a run longer by a tenth.
func slower(run string) string {
	return timeOf.ReplaceAllStringFunc(run, func(s string) string {
		ns, _ := strconv.ParseFloat(strings.TrimSuffix(s, " ns/op"), 64)
		return fmt.Sprint(ns*1.1) + " ns/op"
	})
}

// Real runs of one program are not called different more often than intervals may miss, and a tenth more is found
// where the draws agree within a few per cent, and everywhere with three runs a side.
func TestRecordedRuns(t *testing.T) {
	all := recorded(t)
	if len(all) != 24 {
		t.Fatalf("%d runs", len(all))
	}
	figures, differ, steady, found := 0, 0, 0, 0
	for i := 0; i < len(all); i += 2 {
		before, after := parse(t, "old", all[i]), parse(t, "new", all[i+1])
		for _, x := range compared(t, before, after, Options{}).Changes {
			figures++
			if x.Verdict != Same {
				differ++
				t.Logf("runs %d and %d: %s %v", i, i+1, x.Row, x.Ratio)
			}
		}
		for _, x := range compared(t, before, parse(t, "slower", slower(all[i+1])), Options{}).Changes {
			if x.Old.HalfWidth() < 0.03 && x.New.HalfWidth() < 0.03 {
				steady++
				if x.Verdict == Worse {
					found++
				}
			}
		}
	}
	t.Logf("%d of %d called different; 10 %% more found in %d of the %d that are known to 3 %%", differ, figures, found,
		steady)
	if figures != 96 || differ > figures*5/100 {
		t.Errorf("%d of %d figures of one program are called different", differ, figures)
	}
	if steady < 8 || found < steady*9/10 {
		t.Errorf("a tenth more was found in %d of %d steady figures", found, steady)
	}
	three := func(change func(string) string, of ...int) *Results {
		text := ""
		for _, i := range of {
			text += report.RunLine + "\n" + change(all[i])
		}
		return parse(t, "x", text)
	}
	same := func(s string) string { return s }
	for _, tt := range []struct {
		change func(string) string
		want   Verdict
	}{{same, Same}, {slower, Worse}} {
		for _, x := range compared(t, three(same, 0, 2, 4), three(tt.change, 1, 3, 5), Options{}).Changes {
			if x.Verdict != tt.want || x.Basis != ByRuns {
				t.Errorf("three runs a side: %s is %s by %s, want %s: %v", x.Row, x.Verdict, x.Basis, tt.want, x.Ratio)
			}
		}
	}
}
