// Command orders checks whether two runs of the lab contradict each other: it counts
// the pairs of variants that the first calls different, and those that the second
// puts in the other order and calls different too.
//
//	orders A.json B.json
//
// The exit code is 1 if there is such a contradiction.
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
)

type cell struct {
	Payload, Variant, Op string
	Rank                 *int
	Ratio                *float64
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: orders A.json B.json")
		os.Exit(2)
	}
	a, errA := read(os.Args[1])
	b, errB := read(os.Args[2])
	for _, err := range []error{errA, errB} {
		if err != nil {
			fmt.Fprintln(os.Stderr, "orders:", err)
			os.Exit(2)
		}
	}
	pairs, contradicted := 0, 0
	most := 0.0
	for k, x := range a {
		y, ok := b[k]
		if !ok {
			continue
		}
		most = max(most, math.Abs(*x.Ratio / *y.Ratio - 1))
		for l, z := range a {
			if l.Payload != k.Payload || l.Op != k.Op || *x.Rank >= *z.Rank {
				continue
			}
			pairs++
			if w, ok := b[l]; ok && *y.Rank > *w.Rank {
				contradicted++
				fmt.Printf("%s %s: %s and %s\n", k.Payload, k.Op, k.Variant, l.Variant)
			}
		}
	}
	fmt.Printf("%d pairs called different, %d of them contradicted; no ratio to the baseline changed by more than "+
		"%.1f %%\n", pairs, contradicted, 100*most)
	if contradicted > 0 || pairs == 0 {
		os.Exit(1)
	}
}

type key struct{ Payload, Variant, Op string }

// read returns the cells of a result file that have a rank.
func read(path string) (map[key]cell, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file struct{ Results []cell }
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	cells := map[key]cell{}
	for _, c := range file.Results {
		if c.Rank != nil && c.Ratio != nil {
			cells[key{c.Payload, c.Variant, c.Op}] = c
		}
	}
	return cells, nil
}
