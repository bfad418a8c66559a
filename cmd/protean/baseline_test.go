package main

import (
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The check that the runtime's sizes and allocations do not grow, as the Makefile has
// it, finds each way in which they can.
func TestBaseline(t *testing.T) {
	makefile := readFile(t, filepath.Join(checkout, "Makefile"))
	variable := func(name string) string {
		m := regexp.MustCompile(`(?m)^` + name + ` *:= (.*)$`).FindStringSubmatch(makefile)
		if m == nil {
			t.Fatalf("the Makefile has no variable %s", name)
		}
		return m[1]
	}
	folder, limits := filepath.Join(checkout, variable("BASELINES")), strings.Fields(variable("COUNTLIMITS"))
	baselines, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	// Counts of one release of Go are not held against those of another.
	for _, file := range baselines {
		release := strings.TrimSuffix(filepath.Base(file), ".txt")
		if !regexp.MustCompile(`(?m)^go: ` + regexp.QuoteMeta(release) + `(\.\d+)?$`).MatchString(readFile(t, file)) {
			t.Errorf("%s was not counted with %s", file, release)
		}
	}
	baseline := filepath.Join(folder, regexp.MustCompile(`^go1\.\d+`).FindString(runtime.Version())+".txt")
	if !slices.Contains(baselines, baseline) {
		t.Fatalf("no baseline for %s among %q: make baseline", runtime.Version(), baselines)
	}
	text := readFile(t, baseline)
	// raised makes the first figure of a unit larger.
	raised := func(unit string, by float64) string {
		figure := regexp.MustCompile(`([1-9][\d.]*) ` + unit)
		at := figure.FindStringSubmatchIndex(text)
		if at == nil {
			t.Fatalf("the baseline has no %s", unit)
		}
		x, err := strconv.ParseFloat(text[at[2]:at[3]], 64)
		if err != nil {
			t.Fatal(err)
		}
		return text[:at[2]] + strconv.FormatFloat(x+max(by, by*x), 'f', -1, 64) + text[at[3]:]
	}
	row := regexp.MustCompile(`(?m)^Benchmark.*\n`)
	for _, tt := range []struct {
		name, now string
		code      int
	}{
		{"the same", text, exitOK},
		{"a thousandth of the bytes more, which varies", raised("B/op", 0.001), exitOK},
		{"bytes", raised("B/op", 0.1), exitFailed},
		{"an allocation", raised("allocs/op", 1), exitFailed},
		{"a size", raised("wire-B/msg", 1), exitFailed},
		{"a row less", strings.Replace(text, row.FindString(text), "", 1), exitFailed},
		{"a row more", text + strings.Replace(row.FindString(text), "variant=", "variant=New_", 1), exitFailed},
		{"a failure", text + "--- FAIL: " + strings.Fields(row.FindString(text))[0] + "\n    broken\n", exitFailed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			now := writeFile(t, filepath.Join(t.TempDir(), "counts.txt"), tt.now)
			if o := protean(t, nil, flags([]string{"compare", baseline, now}, limits...)...); o.code != tt.code {
				t.Errorf("exit code %d, want %d: %s%s", o.code, tt.code, o.stdout, o.stderr)
			}
		})
	}
	for _, variant := range []string{"value_(protean)", "Doc_(protean)", "Concrete_(protean)", "dynamic_(protean)",
		"Any_(protean)"} {
		if !strings.Contains(text, "/variant="+variant+"/op=unmarshal 1 ") {
			t.Errorf("the baseline does not count %s", variant)
		}
	}
}
