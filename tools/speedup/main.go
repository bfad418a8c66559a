// Command speedup turns results of go test -bench in which names have the parts
// "shape=…" and "by=…" into a Markdown table of how many times faster each way is than
// "by=official", shape by shape, with the geometric mean over the shapes named in
// -mean. The benchmarks must have run several times over, the whole list each time, so
// that what is divided ran side by side.
//
//	speedup [-mean small,medium,large] RESULTS.txt
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
)

func main() {
	mean := flag.String("mean", "small,medium,large", "shapes of which to give the geometric mean")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: speedup [-mean SHAPES] RESULTS.txt")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), strings.Split(*mean, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "speedup:", err)
		os.Exit(1)
	}
}

// A cell is one benchmark.
type cell struct{ job, shape, by string }

// A sample is one run of a benchmark.
type sample struct{ ns, allocs float64 }

type results struct {
	samples map[cell][]sample
	order   []cell
}

func run(path string, mean []string) error {
	r, err := read(path)
	if err != nil {
		return err
	}
	fmt.Println("| job | shape | official | protean | times faster | allocations |")
	fmt.Println("|---|---|--:|--:|--:|--:|")
	means := map[cell][]float64{}
	var ways []cell // without shape
	for _, c := range r.order {
		if c.by == "official" {
			continue
		}
		base := cell{c.job, c.shape, "official"}
		ratio, err := r.ratio(base, c)
		if err != nil {
			return err
		}
		a, b := r.samples[base], r.samples[c]
		fmt.Printf("| %s | %s | %s | %s | **%.3g** (%.3g to %.3g) | %.0f instead of %.0f |\n", c.title(), c.shape,
			duration(median(a).ns), duration(median(b).ns), ratio.Center, ratio.Lo, ratio.Hi, median(b).allocs,
			median(a).allocs)
		if slices.Contains(mean, c.shape) {
			way := cell{job: c.job, by: c.by}
			if means[way] == nil {
				ways = append(ways, way)
			}
			means[way] = append(means[way], ratio.Center)
		}
	}
	fmt.Printf("\nGeometric mean over %s:\n\n| job | times faster |\n|---|--:|\n", strings.Join(mean, ", "))
	for _, way := range ways {
		if len(means[way]) == len(mean) {
			fmt.Printf("| %s | **%.3g** |\n", way.title(), geometric(means[way]))
		}
	}
	return nil
}

func (c cell) title() string {
	if c.by == "protean" {
		return c.job
	}
	return c.job + ", " + c.by
}

// ratio returns the median of the quotients of the runs of a and b, run by run, and
// its 95 % interval.
func (r *results) ratio(a, b cell) (benchmath.Summary, error) {
	x, y := r.samples[a], r.samples[b]
	if len(x) != len(y) || len(x) < 6 {
		return benchmath.Summary{}, fmt.Errorf("%v has %d runs and %v has %d; both need the same number, 6 at least", a,
			len(x), b, len(y))
	}
	quotients := make([]float64, len(x))
	for i := range x {
		quotients[i] = x[i].ns / y[i].ns
	}
	return benchmath.AssumeNothing.Summary(benchmath.NewSample(quotients, &benchmath.DefaultThresholds), 0.95), nil
}

func read(path string) (*results, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := &results{samples: map[cell][]sample{}}
	in := benchfmt.NewReader(f, path)
	for in.Scan() {
		res, ok := in.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		c, ok := cellOf(res.Name)
		seconds, timed := res.Value("sec/op")
		if !ok || !timed {
			continue
		}
		allocs, _ := res.Value("allocs/op")
		if r.samples[c] == nil {
			r.order = append(r.order, c)
		}
		r.samples[c] = append(r.samples[c], sample{seconds * 1e9, allocs})
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	if len(r.order) == 0 {
		return nil, fmt.Errorf("%s has no benchmarks with shape= and by=", path)
	}
	return r, nil
}

func cellOf(name benchfmt.Name) (c cell, ok bool) {
	base, parts := name.Parts()
	c.job = string(base)
	for _, p := range parts {
		if v, ok := strings.CutPrefix(string(p), "/shape="); ok {
			c.shape = v
		}
		if v, ok := strings.CutPrefix(string(p), "/by="); ok {
			c.by = v
		}
	}
	return c, c.shape != "" && c.by != ""
}

// median returns the sample of median time.
func median(all []sample) sample {
	sorted := slices.SortedFunc(slices.Values(all), func(a, b sample) int {
		switch {
		case a.ns < b.ns:
			return -1
		case a.ns > b.ns:
			return 1
		}
		return 0
	})
	return sorted[len(sorted)/2]
}

func geometric(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(xs)))
}

func duration(ns float64) string {
	if ns < 9999.5 {
		return fmt.Sprintf("%.0f ns", ns)
	}
	return fmt.Sprintf("%.1f µs", ns/1e3)
}
