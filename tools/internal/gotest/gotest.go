// Package gotest reads results in Go's benchmark format of which there are many samples each.
package gotest

import (
	"fmt"
	"os"
	"slices"

	"golang.org/x/perf/benchfmt"
)

// A Benchmark is the samples of one benchmark: the times, in nanoseconds an operation and in
// ascending order, and the allocations of the last sample.
type Benchmark struct {
	Name   string
	NS     []float64
	Allocs float64
}

// Quantile returns the time below which so large a share of the samples lies.
func (b *Benchmark) Quantile(share float64) float64 { return b.NS[int(share*float64(len(b.NS)))] }

// Read returns the benchmarks of a file that have times, in the order of their first samples.
func Read(path string) ([]*Benchmark, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	named := map[string]*Benchmark{}
	var out []*Benchmark
	r := benchfmt.NewReader(f, path)
	for r.Scan() {
		res, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		seconds, ok := res.Value("sec/op")
		if !ok {
			continue
		}
		name := res.Name.String()
		b := named[name]
		if b == nil {
			b = &Benchmark{Name: name}
			named[name], out = b, append(out, b)
		}
		b.NS = append(b.NS, seconds*1e9)
		b.Allocs, _ = res.Value("allocs/op")
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s has no times", path)
	}
	for _, b := range out {
		slices.Sort(b.NS)
	}
	return out, nil
}
