// Package gotest runs the cells of a benchmark program under go test -bench, so
// that anyone can hold the lab's figures against the standard tool's.
package gotest

import (
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/runner"
)

// Benchmark runs every cell of the request in the file as a sub-benchmark, under
// the name that the lab's own results in Go's benchmark format give it.
func Benchmark(b *testing.B, types runner.Types, path string) {
	err := runner.Operations(types, path, func(p runner.Payload, c runner.Cell, n int, run func(i int) error) {
		b.Run(report.CellName(p.Name, c.Variant, c.Op), func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if err := run(i); err != nil {
					b.Fatal(err)
				}
				if i++; i == n {
					i = 0
				}
			}
		})
	})
	if err != nil {
		b.Fatal(err)
	}
}
