package compare

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// published is a report of the lab in each format that can be read.
var published = map[string]string{
	"json": "../report/testdata/full.json", "csv": "../report/testdata/full.csv",
	"bench": "../report/testdata/full.bench", "html": "../report/testdata/full.html",
}

func read(t *testing.T, path string) *Results {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, filepath.Base(path), string(text))
}

func parse(t *testing.T, file, text string) *Results {
	t.Helper()
	r, err := Read(file, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func compared(t *testing.T, before, after *Results, o Options) *Comparison {
	t.Helper()
	c, err := Compare(before, after, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Each format of the lab has the same rows and the same figures.
func TestFormatsAgree(t *testing.T) {
	for a, pathA := range published {
		for b, pathB := range published {
			before, after := read(t, pathA), read(t, pathB)
			c := compared(t, before, after, Options{})
			if c.OnlyOld != nil || c.OnlyNew != nil || c.Turned != nil {
				t.Errorf("%s and %s: rows in one only: %v, %v, %v", a, b, c.OnlyOld, c.OnlyNew, c.Turned)
			}
			if len(before.Rows) != 85 || len(c.Without) == 0 {
				t.Errorf("%s: %d rows, %d of them without figures", a, len(before.Rows), len(c.Without))
			}
			for _, x := range c.Changes {
				if math.Abs(x.Ratio.Median-1) > 1e-4 || x.Basis == Exactly && x.Ratio.Median != 1 {
					t.Errorf("%s and %s: %s: %s: %v and %v", a, b, x.Row, x.Metric.Name, x.Old, x.New)
				}
				if strings.Contains(x.Row.Variant, "_") && (a != "bench" || b != "bench") {
					t.Errorf("%s and %s: name %q", a, b, x.Row.Variant)
				}
			}
			for _, w := range c.Without {
				if w.New.Reason == "" || w.New.Reason != w.Old.Reason {
					t.Errorf("%s and %s: %s: reasons %q and %q", a, b, w.New, w.Old.Reason, w.New.Reason)
				}
			}
		}
	}
}

// A mean that is no whole number is the same in all formats, however many digits it has.
func TestMeansAgree(t *testing.T) {
	csv := "suite,payload,variant,op,status,bytes_op,allocs_op\ns,p,v,marshal,ok,14414.333,2\n"
	bench := "BenchmarkS/payload=p/variant=v/op=marshal 1 14414.333333333334 B/op 2 allocs/op\n"
	c := compared(t, parse(t, "old", csv), parse(t, "new", bench), Options{Limits: limit(t, "0%")})
	if len(c.Changes) != 2 || c.Changes[0].Verdict != Same || c.Changes[0].Basis != Exactly {
		t.Errorf("%+v", c.Changes[0])
	}
}

// The files hold what the table of the same report shows.
func TestFigures(t *testing.T) {
	for kind, path := range published {
		r := read(t, path)
		for _, tt := range []struct {
			cell, metric string
			want         float64
		}{
			{"payload=small/variant=google.protobuf.Value_(proto)/op=marshal", "time", 1598},
			{"payload=small/variant=google.protobuf.Value_(proto)/op=marshal", "bytes", 208},
			{"payload=small/variant=google.protobuf.Value_(proto)/op=marshal", "allocs", 9},
			{"payload=small/variant=Concrete_(JSON)/op=size", "wire", 55},
			{"payload=small/variant=Concrete_(JSON)/op=size", "gzip", 37},
			{"payload=small/variant=Concrete_(JSON)/op=size", "zstd", 32},
			{"payload=large/variant=hyperpb_(proto,_reuse)/op=unmarshal", "allocs", 0},
		} {
			i := slices.IndexFunc(r.Rows, func(r *Row) bool { return r.key == "HiddenCost/"+tt.cell })
			if i < 0 || r.Rows[i].Values[tt.metric] == nil {
				t.Errorf("%s: no %s of %s", kind, tt.metric, tt.cell)
			} else if got := r.Rows[i].Values[tt.metric].center().Median; got != tt.want {
				t.Errorf("%s: %s of %s is %v, want %v", kind, tt.metric, tt.cell, got, tt.want)
			}
		}
		if r.setting("goarch") != "amd64" && kind != "csv" {
			t.Errorf("%s: environment %v", kind, r.Env)
		}
	}
}

// changed is the published report with some of everything that can change.
func changed(t *testing.T) *Results {
	t.Helper()
	text, err := os.ReadFile(published["json"])
	if err != nil {
		t.Fatal(err)
	}
	r, err := report.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	r.Env.Date, r.Env.Go, r.Env.CPU, r.Warnings = "2026-10-12T10:00:00Z", "go1.26.1",
		"AMD EPYC 9R15 96-Core Processor", nil
	var cells []result.Result
	for _, c := range r.Results {
		scale := func(f float64) { c.NS.Median, c.NS.Low, c.NS.High = f*c.NS.Median, f*c.NS.Low, f*c.NS.High }
		switch c.Payload + " " + c.Op + " " + c.Variant {
		case "small marshal Concrete (vtproto)":
			scale(1.2)
		case "small unmarshal Concrete (vtproto)":
			scale(0.5)
		case "small marshal Map (JSONv2)": // the interval is wide
			scale(1.1)
		case "large marshal google.protobuf.Value (proto)":
			c.AllocsOp += 100
		case "large marshal hyperpb (proto, reuse)": // from 0
			c.AllocsOp, c.BytesOp = 1, 16
		case "large size Concrete (JSONProto)":
			c.WireBytes--
		case "small unmarshal gojapb":
			c = result.Result{Suite: c.Suite, Payload: c.Payload, Op: c.Op, Variant: c.Variant, Status: result.Failed,
				Reason: "the result differs | badly"}
		case "small construct google.protobuf.Value (proto)":
			c.Variant = "Another (proto)"
		}
		cells = append(cells, c)
	}
	r.Results = cells
	out, err := fromReport("new.json", r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestGolden(t *testing.T) {
	old := read(t, published["json"])
	old.File = "old.json"
	limits, err := ParseLimits([]string{"5%", "allocs=0%"})
	if err != nil {
		t.Fatal(err)
	}
	lab := compared(t, old, changed(t), Options{Limits: limits})
	gotest := compared(t, read(t, "testdata/gotest-new.txt"), read(t, "testdata/gotest-old.txt"), Options{})
	got := map[string][]byte{}
	render := func(name string, c *Comparison, all bool, f report.Format, o report.Options) {
		var b bytes.Buffer
		if err := Write(&b, c, all, f, o); err != nil {
			t.Fatal(err)
		}
		got[name] = b.Bytes()
	}
	render("lab.txt", lab, false, report.Table, report.Options{})
	render("lab-120.txt", lab, false, report.Table, report.Options{Width: 120, Color: true})
	render("lab-all.txt", lab, true, report.Table, report.Options{})
	render("lab.md", lab, false, report.Markdown, report.Options{})
	render("lab.json", lab, false, report.JSON, report.Options{})
	render("gotest.txt", gotest, false, report.Table, report.Options{})
	render("gotest.md", gotest, false, report.Markdown, report.Options{})
	for name, b := range got {
		golden(t, name, b)
	}
	if *update {
		t.Fatal("golden files rewritten; read the difference, then run without -update")
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Errorf("%v: run with -update", err)
		return
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

// lines makes a file of one benchmark, a line a value.
func lines(name, unit string, values ...float64) string {
	var b strings.Builder
	for _, v := range values {
		fmt.Fprintf(&b, "Benchmark%s 100 %v %s\n", name, v, unit)
	}
	return b.String()
}

func around(x float64) []float64 {
	return []float64{x, 1.01 * x, 0.99 * x, 1.02 * x, 0.98 * x, 1.03 * x, 0.97 * x}
}

func TestVerdicts(t *testing.T) {
	for _, tt := range []struct {
		name, before, after string
		verdict             Verdict
		basis               Basis
		limit               string
		fails               bool
	}{
		{"equal times", lines("A", "ns/op", around(100)...), lines("A", "ns/op", around(100)...), Same, BySamples, "0%",
			false},
		{"slower", lines("A", "ns/op", around(100)...), lines("A", "ns/op", around(120)...), Worse, BySamples, "5%",
			true},
		{"slower, but perhaps by less", lines("A", "ns/op", around(100)...), lines("A", "ns/op", around(112)...), Worse,
			BySamples, "10%", false},
		{"slower by no more than runs may differ", lines("A", "ns/op", around(1000)...),
			lines("A", "ns/op", around(1055)...), Same, BySamples, "0%", false},
		{"faster", lines("A", "ns/op", around(100)...), lines("A", "ns/op", around(80)...), Better, BySamples, "0%",
			false},
		{"too few", lines("A", "ns/op", 100, 101, 102), lines("A", "ns/op", 200, 201, 202), Unclear, BySamples, "",
			false},
		{"throughput", lines("A", "MB/s", around(100)...), lines("A", "MB/s", around(80)...), Worse, BySamples, "5%",
			true},
		{"less throughput, but perhaps by less", lines("A", "MB/s", around(100)...), lines("A", "MB/s", around(88)...),
			Worse, BySamples, "10%", false},
		{"more throughput", lines("A", "MB/s", around(80)...), lines("A", "MB/s", around(100)...), Better, BySamples,
			"5%", false},
		{"one allocation more", lines("A", "allocs/op", 100), lines("A", "allocs/op", 101), Worse, Exactly, "0%", true},
		{"one of a hundred is no more than 1 %", lines("A", "allocs/op", 100), lines("A", "allocs/op", 101), Worse,
			Exactly, "1%", false},
		{"an allocation where there was none", lines("A", "allocs/op", 0, 0), lines("A", "allocs/op", 1, 1), Worse,
			Exactly, "900%", true},
		{"no allocation any more", lines("A", "allocs/op", 1), lines("A", "allocs/op", 0), Better, Exactly, "0%",
			false},
		{"none and none", lines("A", "allocs/op", 0), lines("A", "allocs/op", 0), Same, Exactly, "0%", false},
		{"counts that vary, and differ", lines("A", "B/op", 1000, 1010, 1020), lines("A", "B/op", 1021, 1030), Worse,
			ByRanges, "0%", true},
		{"counts that vary, and may not differ", lines("A", "B/op", 1000, 1010, 1020), lines("A", "B/op", 1020, 1090),
			Same, ByRanges, "0%", false},
		{"counts that vary by more than the limit", lines("A", "B/op", 1000, 1010), lines("A", "B/op", 1050, 1100),
			Worse, ByRanges, "5%", false},
		{"counts that vary from 0", lines("A", "B/op", 0, 16), lines("A", "B/op", 0, 32), Same, ByRanges, "0%", false},
		{"larger", lines("A", "wire-B/msg", 50), lines("A", "wire-B/msg", 51), Worse, Exactly, "0%", true},
		{"unit of one's own", lines("A", "widgets", around(1)...), lines("A", "widgets", around(2)...), Changed,
			BySamples, "5%", false},
		{"of which less is better", "Unit widgets better=lower\n" + lines("A", "widgets", around(1)...),
			"Unit widgets better=lower\n" + lines("A", "widgets", around(2)...), Worse, BySamples, "5%", true},
		{"exact unit of one's own", lines("A", "widgets", 1), "Unit widgets assume=exact\n" + lines("A", "widgets", 2),
			Changed, Exactly, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var limits Limits
			if tt.limit != "" {
				limits, _ = ParseLimits([]string{tt.limit})
			}
			c := compared(t, parse(t, "old", tt.before), parse(t, "new", tt.after), Options{Limits: limits})
			if len(c.Changes) != 1 {
				t.Fatalf("%d figures", len(c.Changes))
			}
			x := c.Changes[0]
			if x.Verdict != tt.verdict || x.Basis != tt.basis || x.Fails != tt.fails || c.Failed() != tt.fails {
				t.Errorf("%s by %s, fails %v, %v; want %s by %s, %v", x.Verdict, x.Basis, x.Fails, x.Ratio, tt.verdict,
					tt.basis, tt.fails)
			}
		})
	}
}

// Rows are paired whatever the number of processors is, unless a file has several.
func TestProcessors(t *testing.T) {
	for _, tt := range []struct {
		before, after []string
		changes       int
	}{
		{[]string{"A-2", "B-2"}, []string{"A-8", "B-8"}, 2},
		{[]string{"A", "B"}, []string{"A-8", "B-8"}, 2},
		{[]string{"A-1", "A-2"}, []string{"A-1", "A-2"}, 2},
		{[]string{"A-2"}, []string{"A-1", "A-2"}, 1},
		{[]string{"A/size-64"}, []string{"A/size-64", "A/size-128"}, 1},
	} {
		file := func(names []string) *Results {
			text := ""
			for _, n := range names {
				text += lines(n, "B/op", 1)
			}
			return parse(t, "x", text)
		}
		c := compared(t, file(tt.before), file(tt.after), Options{})
		if rest := len(c.OnlyOld) + len(c.OnlyNew); len(c.Changes) != tt.changes || rest != len(tt.before)+
			len(tt.after)-2*tt.changes {
			t.Errorf("%v and %v: %d pairs, %d rows left over", tt.before, tt.after, len(c.Changes), rest)
		}
	}
}

// What is in one file only is listed, and fails if that is asked for.
func TestOneSided(t *testing.T) {
	before := lines("Both", "B/op", 1) + lines("Gone", "B/op", 1) +
		"--- FAIL: BenchmarkRepaired\n    x_test.go:7: no luck\n" + lines("Broken", "B/op", 1)
	after := lines("Both", "B/op", 1) + lines("Fresh", "B/op", 1) + lines("Repaired", "B/op", 1) +
		"--- FAIL: BenchmarkBroken\n    x_test.go:9: out of luck\nFAIL\n"
	for _, tt := range []struct {
		o      Options
		failed bool
	}{
		{Options{}, false},
		{Options{Strict: true}, true},
		{Options{Limits: limit(t, "50%")}, true}, // because of the one that broke
	} {
		c := compared(t, parse(t, "old", before), parse(t, "new", after), tt.o)
		var b bytes.Buffer
		if err := Write(&b, c, false, report.Table, report.Options{}); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"only in old\nGone\n", "only in new\nFresh\n",
			"Broken: failed, was ok (x_test.go:9: out of luck)\n", "Repaired: ok, was failed (x_test.go:7: no luck)\n",
			"1 row is only in old."} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("no %q in\n%s", want, &b)
			}
		}
		if c.Failed() != tt.failed {
			t.Errorf("%+v: failed is %v", tt.o, c.Failed())
		}
	}
	// A metric that only one has is told of, and fails if that is asked for.
	both, one := parse(t, "old", "BenchmarkA 1 5 B/op 1 allocs/op\n"+lines("B", "allocs/op", 1)),
		parse(t, "new", lines("A", "B/op", 5)+lines("B", "allocs/op", 1))
	c := compared(t, both, one, Options{Strict: true})
	if !c.Failed() || len(c.Lacking) != 1 || c.Lacking[0].File != "old" || c.Lacking[0].Rows != 1 {
		t.Errorf("failed is %v, lacking %+v", c.Failed(), c.Lacking)
	}
	// A row that is strictly the same on both sides does not fail.
	c = compared(t, parse(t, "old", lines("A", "B/op", 1)), parse(t, "new", lines("A", "B/op", 1)),
		Options{Strict: true, Limits: limit(t, "0%")})
	if c.Failed() {
		t.Error("equal files fail")
	}
}

func limit(t *testing.T, list ...string) Limits {
	t.Helper()
	l, err := ParseLimits(list)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The ratio to the baseline is compared where it is asked for.
func TestRatio(t *testing.T) {
	old := read(t, published["json"])
	c := compared(t, old, old, Options{Metrics: []string{"ratio"}})
	if len(c.Changes) == 0 || c.Changes[0].Basis != ByIntervals || c.Changes[0].Verdict != Same {
		t.Errorf("%d ratios: %+v", len(c.Changes), c.Changes[:min(1, len(c.Changes))])
	}
	for _, x := range c.Changes {
		if x.Row.Variant == "Concrete (proto)" {
			t.Errorf("the baseline has a ratio: %v", x.Old)
		}
	}
}

func TestCompareErrors(t *testing.T) {
	times, counts := lines("A", "ns/op", 1, 2, 3), lines("A", "B/op", 1)
	for _, tt := range []struct {
		name, before, after string
		o                   Options
		want                string
	}{
		{"metric", counts, counts, Options{Metrics: []string{"byte"}},
			`unknown metric "byte"; did you mean bytes? (both files have bytes)`},
		{"metric of one file", times, counts, Options{Metrics: []string{"time"}},
			`metric "time" is not in both files; both have `},
		{"limit", counts, counts, Options{Limits: limit(t, "bites=1%")},
			`--fail-above: unknown metric "bites"; did you mean bytes? (both files have bytes)`},
		{"limit that cannot be exceeded", times, times, Options{Limits: limit(t, "5%")},
			"--fail-above: no time can be judged by 3 and 3 samples; take 4 or more (go test -count), or name others " +
				"with --metrics"},
		{"nothing measured alike", times, counts, Options{}, "old and new have no figures in common"},
		{"no row", lines("A", "B/op", 1), lines("B", "B/op", 1), Options{},
			`old and new have no row in common: the first has "A" and the like, the second "B"`},
	} {
		_, err := Compare(parse(t, "old", tt.before), parse(t, "new", tt.after), tt.o)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
	// One that can be judged is enough, and so is a unit in place of a metric's name.
	more := times + lines("B", "ns/op", 1, 2, 3, 4)
	compared(t, parse(t, "old", more), parse(t, "new", more),
		Options{Metrics: []string{"ns/op"}, Limits: limit(t, "ns/op=5%")})
}

func TestLimits(t *testing.T) {
	for _, bad := range []string{"5", "", "%", "-1%", "x%", "NaN%", "Inf%", "time=5", "time="} {
		if _, err := ParseLimits([]string{bad}); err == nil ||
			!strings.HasPrefix(err.Error(), fmt.Sprintf("%q: expected a percentage", bad)) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	l := limit(t, "0.5%", "time=10%")
	for m, want := range map[string]float64{"time": 0.1, "allocs": 0.005} {
		if got, ok := l.of(Metric{Name: m}); !ok || math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v", m, got)
		}
	}
	some := limit(t, "time=10%")
	if _, ok := some.of(allocMetric); ok {
		t.Error("a limit of the time limits allocations")
	}
	if got := some.String(); got != "than allowed (time=10%)" {
		t.Errorf("%q", got)
	}
}
