package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// Units of the sizes in the benchmark format. The B makes benchstat scale them as
// bytes.
const (
	WireUnit = "wire-B/msg"
	GzipUnit = "gzip-B/msg"
	ZstdUnit = "zstd-B/msg"
)

// What a run says of itself in lines that readers of the benchmark format pass over. RunLine begins it, so
// that files of several runs can be taken apart. SharedErrorLine stands before the lines of a cell, and
// ends with a percentage: the standard error that all of them have in common, see [stats.Turn].
const (
	RunLine         = "# run"
	SharedErrorLine = "# all of these have an error in common of "
)

// writeBench writes a line a turn in Go's benchmark format, a line for each size,
// and one with counts alone for a cell that was not timed. A turn is a process of its own, so each line is
// a draw. A cell without figures is told as go test tells of a failed or skipped
// benchmark, which readers of the format pass over.
func writeBench(w io.Writer, r *Report) error {
	if _, err := fmt.Fprintln(w, strings.TrimSpace(RunLine+" "+clean(r.Env.Date))); err != nil {
		return err
	}
	b := benchfmt.NewWriter(w)
	for _, unit := range []string{WireUnit, GzipUnit, ZstdUnit} {
		// One exact figure needs no repetition, and smaller is better.
		for _, m := range [][2]string{{"assume", "exact"}, {"better", "lower"}} {
			if err := b.Write(unitMetadata(unit, m[0], m[1])); err != nil {
				return err
			}
		}
	}
	for i := range r.Results {
		if err := benchCell(w, b, r, &r.Results[i]); err != nil {
			return err
		}
	}
	return nil
}

func unitMetadata(unit, key, value string) *benchfmt.UnitMetadata {
	return &benchfmt.UnitMetadata{UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: unit, Key: key}, OrigUnit: unit,
		Value: value}
}

func benchCell(w io.Writer, b *benchfmt.Writer, r *Report, c *result.Result) error {
	line := &benchfmt.Result{Config: benchConfig(r, c), Name: benchfmt.Name(benchName(r, c))}
	switch {
	case c.Status == result.Failed:
		return benchNote(w, "FAIL", line, c.Reason)
	case c.Status == result.NotApplicable:
		return benchNote(w, "SKIP", line, c.Reason)
	case c.Op == result.SizeOp:
		line.Iters, line.Values = 1, sizeValues(c)
		return b.Write(line)
	}
	counts := []benchfmt.Value{{Value: c.BytesOp, Unit: "B/op"}, {Value: c.AllocsOp, Unit: "allocs/op"}}
	for _, x := range c.Components {
		counts = append(counts, benchfmt.Value{Value: x.AllocsOp, Unit: x.Name + "-allocs/op"})
	}
	if len(c.Turns) == 0 {
		line.Iters, line.Values = 1, counts
		return b.Write(line)
	}
	if by := stats.SharedError(c.Turns); by > 0 {
		if _, err := fmt.Fprintf(w, "%s%.2g%%\n", SharedErrorLine, 100*by); err != nil {
			return err
		}
	}
	for _, t := range c.Turns {
		line.Iters = t.Ops
		line.Values = append([]benchfmt.Value{{Value: significant(t.NS, 6), Unit: "ns/op"}}, counts...)
		if err := b.Write(line); err != nil {
			return err
		}
	}
	return nil
}

func sizeValues(c *result.Result) []benchfmt.Value {
	out := []benchfmt.Value{{Value: c.WireBytes, Unit: WireUnit}}
	for _, v := range []benchfmt.Value{{Value: c.GzipBytes, Unit: GzipUnit}, {Value: c.ZstdBytes, Unit: ZstdUnit}} {
		if v.Value > 0 {
			out = append(out, v)
		}
	}
	return out
}

// benchNote writes "--- FAIL: BenchmarkX/…" and the reason, indented.
func benchNote(w io.Writer, what string, line *benchfmt.Result, reason string) error {
	_, err := fmt.Fprintf(w, "--- %s: Benchmark%s\n    %s\n", what, line.Name, clean(reason))
	return err
}

// benchConfig leaves out what differs from run to run, such as the date: benchstat
// makes a table of its own for every configuration.
func benchConfig(r *Report, c *result.Result) []benchfmt.Config {
	var out []benchfmt.Config
	for _, kv := range [][2]string{
		{"goos", r.Env.GOOS}, {"goarch", r.Env.GOARCH}, {"cpu", r.Env.CPU},
		{"go", r.Env.Go}, {"protean", r.Env.Protean}, {"suite", c.Suite},
	} {
		if v := clean(kv[1]); v != "" {
			out = append(out, benchfmt.Config{Key: kv[0], Value: []byte(v), File: true})
		}
	}
	return out
}

// benchName is "HiddenCost/payload=medium/variant=Concrete_(proto)/op=marshal-2".
func benchName(r *Report, c *result.Result) string {
	name := result.SuiteName(c.Suite) + "/" + result.CellName(c.Payload, c.Variant, c.Op)
	if r.Env.GOMAXPROCS > 1 {
		name += "-" + strconv.Itoa(r.Env.GOMAXPROCS)
	}
	return name
}
