package main

import (
	"path/filepath"
	"regexp"
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
	baseline, limits := filepath.Join(checkout, variable("BASELINE")), strings.Fields(variable("COUNTLIMITS"))
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
	for _, variant := range []string{"value_(protean)", "Doc_(protean)", "Concrete_(protean)", "dynamic_(protean)", "Any_(protean)"} {
		if !strings.Contains(text, "/variant="+variant+"/op=unmarshal 1 ") {
			t.Errorf("the baseline does not count %s", variant)
		}
	}
}
