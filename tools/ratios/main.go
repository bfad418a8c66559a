// Command ratios turns results of the lab (protean bench --format json), or what go test -bench
// printed in the programs that protean bench --keep leaves, into a Markdown table of how many times
// faster Protean's variants are than those that they are to be compared with: the geometric mean,
// and payload by payload.
//
//	ratios wire|json RESULTS.json|GOTEST.txt…
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
)

// A cell is one result. The quotient of two Ratios is what one takes in terms of the other.
type cell struct {
	Payload, Variant, Op, Status string
	Ratio                        float64
	Allocs                       float64 `json:"allocs_op"`
}

func main() {
	if len(os.Args) < 3 || tables[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: ratios wire|json RESULTS.json|GOTEST.txt…")
		os.Exit(2)
	}
	if err := run(tables[os.Args[1]], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "ratios:", err)
		os.Exit(1)
	}
}

func run(pairs []pair, files []string) error {
	r, err := read(files)
	if err != nil {
		return err
	}
	fmt.Printf("| job | against | **mean** | %s | allocations |\n", strings.Join(r.payloads, " | "))
	fmt.Printf("|---|---|--:|%s---|\n", strings.Repeat("--:|", len(r.payloads)))
	for _, p := range pairs {
		row, err := r.row(p)
		if err != nil {
			return err
		}
		fmt.Println(row)
	}
	return nil
}

// A cellKey says which job a cell is of.
type cellKey struct{ payload, variant, op string }

type results struct {
	payloads []string // in the order of the files
	cells    map[cellKey]cell
}

func read(files []string) (*results, error) {
	r := &results{cells: map[cellKey]cell{}}
	for _, name := range files {
		readCells := readLab
		if strings.HasSuffix(name, ".txt") {
			readCells = readGoTest
		}
		cells, err := readCells(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, c := range cells {
			if !slices.Contains(r.payloads, c.Payload) {
				r.payloads = append(r.payloads, c.Payload)
			}
			r.cells[cellKey{c.Payload, c.Variant, c.Op}] = c
		}
	}
	return r, nil
}

func readLab(path string) ([]cell, error) {
	var result struct{ Results []cell }
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &result)
	}
	return result.Results, err
}

// row compares the two variants of a pair on each payload that both have a time for.
func (r *results) row(p pair) (string, error) {
	var columns, allocs []string
	logs := 0.0
	for _, payload := range r.payloads {
		a, b := r.cells[cellKey{payload, p.variant, p.op}], r.cells[cellKey{payload, p.against, p.op}]
		if a.Status == "failed" && b.Status == "ok" {
			return "", fmt.Errorf("%s failed on %s", p.variant, payload)
		}
		if a.Ratio == 0 || b.Ratio == 0 {
			columns = append(columns, "")
			continue
		}
		columns = append(columns, fmt.Sprintf("%.2f", b.Ratio/a.Ratio))
		allocs = append(allocs, fmt.Sprintf("%.0f/%.0f", a.Allocs, b.Allocs))
		logs += math.Log(b.Ratio / a.Ratio)
	}
	if len(allocs) == 0 {
		return "", fmt.Errorf("no payload has %s of %s and of %s", p.op, p.variant, p.against)
	}
	mean := math.Exp(logs / float64(len(allocs)))
	return fmt.Sprintf("| %s, %s | %s | **%.2f** | %s | %s |", p.op, p.variant, p.against,
		mean, strings.Join(columns, " | "), strings.Join(allocs, ", ")), nil
}
