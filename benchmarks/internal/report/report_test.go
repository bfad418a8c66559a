package report

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/protean-pb/protean/benchmarks/internal/measure"
)

func result(mode, typ, size string, median float64) Result {
	return Result{
		Job: "unmarshal", Against: "official", Mode: mode, Type: typ, Size: size, Wire: 100,
		Ratio:   measure.Ratio{Median: median, Low: median * 0.9, High: median * 1.1, Rounds: 9},
		Rival:   measure.Cost{Ns: 100 * median, Bytes: 200, Allocs: 10, Kept: 100},
		Protean: measure.Cost{Ns: 100, Bytes: 100, Allocs: 2, Kept: 110},
	}
}

// two types: the first has two messages, whose ratios have the geometric mean 2 (4 with the collector on).
func example() File {
	return File{Environment: map[string]string{"go": "go1.26.8"}, Results: []Result{
		result("gc-off", "trace", "small", 1), result("gc-on", "trace", "small", 2),
		result("gc-off", "trace", "large", 4), result("gc-on", "trace", "large", 8),
		result("gc-off", "status", "small", 8), result("gc-on", "status", "small", 9),
	}}
}

func TestPrint(t *testing.T) {
	var b strings.Builder
	Print(&b, example(), false)
	for _, want := range []string{
		"unmarshal against official: bytes to a generated message\n",
		"| type | collector off | collector on | allocated | kept | allocations |\n|---|--:|--:|--:|--:|---|\n",
		"| trace | 2.00 ±7 % | 4.00 ±7 % | 0.50 | 1.10 | 2/10, 2/10 |\n",
		"| status | 8.00 ±10 % | 9.00 ±10 % | 0.50 | 1.10 | 2/10 |\n",
		"| **geometric mean** | **4.00** | **6.00** | | | |\n",
		"| **least** | **2.00** | **4.00** | | | |\n",
		"| unmarshal | official | 2 | **4.00** | 2.00 | **6.00** | 4.00 | 0.50 | 0.50 | 1.10 | 1.10 |\n",
		"\ngo: go1.26.8\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, &b)
		}
	}
}

func TestPrintMessages(t *testing.T) {
	var b strings.Builder
	Print(&b, example(), true)
	if want := "| trace large | 4.00 ±10 % | 8.00 ±10 % |"; !strings.Contains(b.String(), want) {
		t.Errorf("%q is not in\n%s", want, &b)
	}
	if want := "| **least** | **2.00** |"; !strings.Contains(b.String(), want) { // of types all the same
		t.Errorf("%q is not in\n%s", want, &b)
	}
}

func TestPrintMemoryAlone(t *testing.T) {
	r := result("", "trace", "small", 1)
	r.Ratio = measure.Ratio{}
	var b strings.Builder
	Print(&b, File{Results: []Result{r}}, false)
	for _, want := range []string{"| trace | 0.50 | 1.10 | 2/10 |\n", "| unmarshal | official | 1 | 0.50 |"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, &b)
		}
	}
}

func TestPrintParallel(t *testing.T) {
	r := result(parallel, "trace", "small", 1.5)
	r.Protean.Speedup, r.Rival.Speedup = 1.8, 1.4
	var b strings.Builder
	Print(&b, File{Results: []Result{r}}, false)
	if want := "| trace | 1.50 ±10 % | 1.80 / 1.40 |"; !strings.Contains(b.String(), want) {
		t.Errorf("%q is not in\n%s", want, &b)
	}
}

func TestFilesAreMerged(t *testing.T) {
	dir := t.TempDir()
	slow, fast := example(), example()
	for i := range fast.Results {
		fast.Results[i].Ratio.Median *= 4
	}
	paths := []string{filepath.Join(dir, "slow.json"), filepath.Join(dir, "fast.json")}
	for i, f := range []File{slow, fast} {
		if err := f.Write(paths[i]); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Read(paths)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Results) != len(slow.Results) || f.Environment["go"] != "go1.26.8" {
		t.Fatalf("%d results, environment %v", len(f.Results), f.Environment)
	}
	if r := f.Results[0].Ratio; r.Median != 2 || r.Low != 0.9 || r.High != 4 {
		t.Errorf("ratios 1 and 4 are merged to %+v, want 2, from 0.9 to 4", r)
	}
	if _, err := Read([]string{filepath.Join(dir, "none.json")}); err == nil {
		t.Error("a file that is not there is no error")
	}
}

func TestCompare(t *testing.T) {
	before, after := example(), example()
	for i := range after.Results {
		if r := &after.Results[i]; r.Type == "trace" {
			r.Ratio = measure.Ratio{Median: r.Ratio.Median * 2, Low: r.Ratio.Low * 2, High: r.Ratio.High * 2}
		}
	}
	before.Results = before.Results[:5] // no second result of status
	var b strings.Builder
	if err := Compare(&b, before, after); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"unmarshal, collector off", "| trace | 2.00 | 4.00 | 2.000 |\n", "| status | 8.00 | 8.00 | 1.000 ~ |\n",
		"| **geometric mean** | **4.00** | **5.66** | **1.414** |\n", "| **least** | 2.00 | 4.00 | 1.000 |\n",
		"unmarshal, collector on", "| trace | 4.00 | 8.00 | 2.000 |\n", "| **most** | | | 2.000 |\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, &b)
		}
	}
	if strings.Count(b.String(), "| status") != 1 {
		t.Errorf("status has a row where it is in one file alone:\n%s", &b)
	}
	if err := Compare(&b, File{}, after); err == nil {
		t.Error("files that have nothing in common are no error")
	}
}
