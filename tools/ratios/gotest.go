package main

import (
	"strings"

	"github.com/protean-pb/protean/tools/internal/gotest"
)

// readGoTest reads what go test -bench printed. Of the samples of a benchmark the fastest tenth
// tells what it takes where other users of the machine leave it alone.
func readGoTest(path string) ([]cell, error) {
	benchmarks, err := gotest.Read(path)
	var out []cell
	for _, b := range benchmarks {
		if part(b.Name, "payload") == "" {
			continue // a program none of whose variants can do the job
		}
		out = append(out, cell{
			Payload: part(b.Name, "payload"), Variant: part(b.Name, "variant"), Op: part(b.Name, "op"), Status: "ok",
			Ratio: b.Quantile(0.1), Allocs: b.Allocs,
		})
	}
	return out, err
}

// part returns what comes after the key in the name of a benchmark. No variant has an underscore
// or a slash in its name, so that each underscore was a space.
func part(name, key string) string {
	_, after, _ := strings.Cut(name, "/"+key+"=")
	value, _, _ := strings.Cut(after, "/")
	return strings.ReplaceAll(value, "_", " ")
}
