package main

import (
	"errors"
	"os"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// readGoTest reads what go test -bench printed. Of the samples of a benchmark the fastest tenth
// tells what it takes where other users of the machine leave it alone.
func readGoTest(path string) ([]cell, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	times, allocs := map[string][]float64{}, map[string]float64{}
	var order []string
	for r := benchfmt.NewReader(f, path); r.Scan(); {
		res, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		name := res.Name.String()
		if times[name] == nil {
			order = append(order, name)
		}
		if seconds, ok := res.Value("sec/op"); ok {
			times[name] = append(times[name], seconds)
		}
		allocs[name], _ = res.Value("allocs/op")
	}
	var out []cell
	for _, name := range order {
		slices.Sort(times[name])
		out = append(out, cell{
			Payload: part(name, "payload"), Variant: part(name, "variant"), Op: part(name, "op"), Status: "ok",
			Ratio: times[name][len(times[name])/10], Allocs: allocs[name],
		})
	}
	if len(out) == 0 {
		return nil, errors.New("no results of benchmarks")
	}
	return out, nil
}

// part returns what comes after the key in the name of a benchmark. No variant has an underscore
// or a slash in its name, so that each underscore was a space.
func part(name, key string) string {
	_, after, _ := strings.Cut(name, "/"+key+"=")
	value, _, _ := strings.Cut(after, "/")
	return strings.ReplaceAll(value, "_", " ")
}
