package runner

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// Benchmark runs every cell of the request in a file under go test -bench, so that
// anyone can hold the lab's figures against the standard tool's: a sub-benchmark
// each, under the name that the lab's own results in Go's benchmark format give it.
func Benchmark(b *testing.B, types Types, path string) {
	err := operations(types, path, func(p Payload, c Cell, n int, op *variant.Op) {
		b.Run(result.CellName(p.Name, c.Variant, c.Op), func(b *testing.B) {
			b.ReportAllocs()
			if op.Loop != nil {
				benchmarkLoop(b, op, n)
				return
			}
			i := 0
			for b.Loop() {
				if err := op.Run(i); err != nil {
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

// benchmarkLoop runs an operation that has a loop of its own, on n samples.
func benchmarkLoop(b *testing.B, op *variant.Op, n int) {
	err := walk(op, b.N/n, n)
	for i := 0; i < b.N%n && err == nil; i++ {
		err = op.Run(i)
	}
	if err != nil {
		b.Fatal(err)
	}
}

// operations prepares the cells of the request in a file for another clock than
// the lab's own: yield is called for each cell with its operation, which is ready to
// run on n samples. Paths of samples are relative to the file.
func operations(types Types, path string, yield func(p Payload, c Cell, n int, op *variant.Op)) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	r := &run{types: types, req: new(Request), find: variant.Find}
	if err := json.Unmarshal(text, r.req); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, p := range r.req.Payloads {
		p.Samples = filepath.Join(filepath.Dir(path), p.Samples)
		l, err := r.open(p)
		if err != nil {
			return err
		}
		all := make([]int, len(l.samples))
		for i := range all {
			all[i] = i
		}
		for _, c := range p.Cells {
			if err := r.operation(l, c, all, yield); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *run) operation(l *load, c Cell, all []int, yield func(Payload, Cell, int, *variant.Op)) error {
	codec, err := r.find(c.Variant).Open(l.typ)
	if err != nil {
		return err
	}
	ms, err := l.messages(all)
	if err != nil {
		return err
	}
	if err := codec.Load(ms); err != nil {
		return err
	}
	yield(l.Payload, c, len(all), op(codec, c.Op))
	return nil
}
