package compare

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// readBench reads Go's benchmark format. A line that is broken becomes a warning, as
// in benchstat: logs get into that output.
func readBench(file string, text []byte) (*Results, error) {
	out := &Results{File: file}
	origins := origins(text)
	r := benchfmt.NewReader(bytes.NewReader(text), file)
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.SyntaxError:
			out.Warnings = append(out.Warnings, rec.Error())
		case *benchfmt.Result:
			_, at := rec.Pos()
			out.addBenchmark(rec, r.Units(), origins[at])
		}
	}
	if err := r.Err(); err != nil {
		return nil, &usererr.InputError{Message: err.Error()} // it has the file and the line
	}
	out.addVerdicts(text)
	return out, nil
}

// An origin says where a line with figures is from.
type origin struct {
	run         int     // its number in the file
	sharedError float64 // see Run.Error
}

// origins returns that of each line, by its number from 1. A run begins with the lines that tell of it:
// protean bench writes one for that, and go test begins with the operating system.
func origins(text []byte) map[int]origin {
	out := map[int]origin{}
	var (
		at     origin
		begins = true
		name   string // of the benchmark that the error is of
	)
	for i, line := range strings.Split(string(text), "\n") {
		switch percent, shared := strings.CutPrefix(line, report.SharedErrorLine); {
		case shared:
			name = ""
			at.sharedError = sharedError(percent)
		case strings.HasPrefix(line, report.RunLine), strings.HasPrefix(line, "goos:"):
			begins = true
		case strings.HasPrefix(line, "Benchmark"):
			own, _, _ := strings.Cut(line, " ")
			if begins {
				begins = false
				at.run++
			}
			if name != "" && own != name {
				at.sharedError = 0
			}
			name = own
			out[i+1] = at
		}
	}
	return out
}

// sharedError reads "4.1%"; 0 if it is something else.
func sharedError(percent string) float64 {
	x, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(percent), "%"), 64)
	if err != nil || !(x > 0) || math.IsInf(x, 0) {
		return 0
	}
	return x / 100
}

// addBenchmark adds the values of a line.
func (r *Results) addBenchmark(line *benchfmt.Result, units benchfmt.UnitMetadataMap, from origin) {
	for _, c := range line.Config {
		switch c.Key {
		case "goos", "goarch", "cpu", "go", "protean":
			r.set(c.Key, string(c.Value))
		}
	}
	row := r.benchmark(line.Name, line.GetConfig("pkg"), line.GetConfig("suite"))
	for _, v := range line.Values {
		x := v.Value
		if v.Unit == timeMetric.Unit {
			x *= 1e9
			if v.OrigUnit == "ns/op" {
				x = v.OrigValue // as it was written
			}
		}
		if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
			_, at := line.Pos()
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s:%d: %v %s is no figure to compare", r.File, at, x, v.Unit))
			continue
		}
		m := metricOf(v.Unit, units)
		if m.exact && slices.ContainsFunc(labMetrics, m.is) {
			x = math.Round(x*1000) / 1000 // as far as the other formats have it
		}
		shared := 0.0
		if m.is(timeMetric) {
			shared = from.sharedError
		}
		r.value(row, m).add(from.run, shared, x)
	}
}

// benchmark returns the row of a benchmark, by its name without "Benchmark".
func (r *Results) benchmark(full benchfmt.Name, pkg, suiteName string) *Row {
	name, procs := string(full), ""
	_, parts := full.Parts()
	if n := len(parts); n > 0 && parts[n-1][0] == '-' {
		procs = string(parts[n-1][1:])
		name = strings.TrimSuffix(name, "-"+procs)
	}
	if group, payload, variant, op, ok := labName(name); ok {
		row, made := r.row(name, procs)
		if made {
			// Names of variants have spaces, and no underscores.
			row.Group, row.Payload, row.Variant, row.Op, row.shortened = group, payload,
				strings.ReplaceAll(variant, "_", " "), op, true
		}
		if suiteName != "" {
			row.Group = suiteName
		}
		return row
	}
	row, _ := r.row(strings.TrimPrefix(pkg+" "+name, " "), procs)
	row.Group, row.Variant = pkg, name
	return row
}

// labName takes the name of one of the lab's cells apart.
func labName(name string) (group, payload, variant, op string, ok bool) {
	parts := strings.Split(name, "/")
	if len(parts) != 4 {
		return "", "", "", "", false
	}
	for i, key := range []string{"payload=", "variant=", "op="} {
		value, found := strings.CutPrefix(parts[i+1], key)
		if !found {
			return "", "", "", "", false
		}
		parts[i+1] = value
	}
	return parts[0], parts[1], parts[2], parts[3], true
}

// addVerdicts adds the rows that have no figures, which readers of the format pass
// over: "--- FAIL: BenchmarkX", and the reason in the line below, indented further.
// GOMAXPROCS is not part of these names.
func (r *Results) addVerdicts(text []byte) {
	var pkg, suiteName string
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		if value, ok := strings.CutPrefix(line, "pkg: "); ok {
			pkg = strings.TrimSpace(value)
		}
		if value, ok := strings.CutPrefix(line, "suite: "); ok {
			suiteName = strings.TrimSpace(value)
		}
		for prefix, status := range map[string]result.Status{"--- FAIL: Benchmark": result.Failed,
			"--- SKIP: Benchmark": result.NotApplicable} {
			rest, ok := strings.CutPrefix(trimmed, prefix)
			if name, _, _ := strings.Cut(rest, " "); ok && name != "" {
				reason := ""
				if i+1 < len(lines) && indent(lines[i+1]) > indent(line) &&
					!strings.HasPrefix(strings.TrimSpace(lines[i+1]), "--- ") {
					reason = strings.TrimSpace(lines[i+1])
				}
				r.addVerdict(r.benchmark(benchfmt.Name(name), pkg, suiteName), status, reason)
			}
		}
	}
}

// addVerdict takes a row's figures away, with any number of processors. A benchmark
// that fails only because one within it does is no row.
func (r *Results) addVerdict(row *Row, status result.Status, reason string) {
	within := func(o *Row) bool {
		return o.Status == result.Failed && strings.HasPrefix(o.key, row.key+"/")
	}
	if reason == "" && slices.ContainsFunc(r.Rows, within) {
		r.drop(row)
		return
	}
	row.Status, row.Reason, row.Values = status, reason, map[string]*Value{}
	for _, o := range slices.Clone(r.Rows) {
		if o != row && o.key == row.key {
			r.drop(o)
		}
	}
}

// indent returns how far a line is indented; -1 for an empty one.
func indent(line string) int {
	text := strings.TrimLeft(line, " \t")
	if strings.TrimSpace(text) == "" {
		return -1
	}
	return len(line) - len(text)
}
