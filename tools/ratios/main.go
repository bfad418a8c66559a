// Command ratios turns results of the lab (protean bench --format json) into a Markdown
// table of how many times faster Protean's variants are than those that they are to be
// compared with: payload by payload, and the geometric mean.
//
//	ratios RESULTS.json…
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
)

// The pairs to compare, by operation.
var pairs = []struct{ op, variant, against string }{
	{"marshal", "Concrete (protean)", "Concrete (proto)"},
	{"marshal", "Concrete (protean)", "Concrete (vtproto)"},
	{"unmarshal", "Concrete (protean)", "Concrete (proto)"},
	{"unmarshal", "Concrete (protean)", "Concrete (vtproto)"},
	{"unmarshal", "Concrete (protean, aliased)", "Concrete (vtproto, unsafe)"},
	{"marshal", "Value (protean proto)", "google.protobuf.Value (proto)"},
	{"unmarshal", "Value (protean proto)", "google.protobuf.Value (proto)"},
	{"marshal", "Any (protean)", "google.protobuf.Any (proto)"},
	{"unmarshal", "Any (protean)", "google.protobuf.Any (proto)"},
	{"marshal", "dynamic (protean)", "dynamicpb (proto)"},
	{"unmarshal", "dynamic (protean)", "dynamicpb (proto)"},
	{"unmarshal", "dynamic (protean)", "hyperpb (proto)"},
}

// A cell is one result.
type cell struct {
	Suite, Payload, Variant, Op, Status string
	Ratio                               float64
	Allocs                              float64 `json:"allocs_op"`
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: ratios RESULTS.json…")
		os.Exit(2)
	}
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "ratios:", err)
		os.Exit(1)
	}
}

func run(files []string) error {
	var payloads []string
	cells := map[string]cell{} // by payload, variant and operation
	for _, name := range files {
		var result struct{ Results []cell }
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(b, &result); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, c := range result.Results {
			if len(payloads) == 0 || payloads[len(payloads)-1] != c.Payload {
				payloads = append(payloads, c.Payload)
			}
			cells[key(c.Payload, c.Variant, c.Op)] = c
		}
	}
	payloads = distinct(payloads)
	fmt.Printf("| job | against | %s | geometric mean | allocations |\n", strings.Join(payloads, " | "))
	fmt.Printf("|---|---|%s--:|---|\n", strings.Repeat("--:|", len(payloads)))
	for _, p := range pairs {
		var columns, allocs []string
		logs := 0.0
		n := 0
		for _, payload := range payloads {
			a, b := cells[key(payload, p.variant, p.op)], cells[key(payload, p.against, p.op)]
			if a.Status == "failed" && b.Status == "ok" {
				return fmt.Errorf("%s failed on %s", p.variant, payload)
			}
			if a.Ratio == 0 || b.Ratio == 0 {
				columns = append(columns, "")
				continue
			}
			columns = append(columns, fmt.Sprintf("%.2f", b.Ratio/a.Ratio))
			allocs = append(allocs, fmt.Sprintf("%.0f/%.0f", a.Allocs, b.Allocs))
			logs += math.Log(b.Ratio / a.Ratio)
			n++
		}
		if n == 0 {
			return fmt.Errorf("no payload has %s of %s and of %s", p.op, p.variant, p.against)
		}
		fmt.Printf("| %s, %s | %s | %s | %.2f | %s |\n", p.op, p.variant, p.against, strings.Join(columns, " | "), math.Exp(logs/float64(n)), strings.Join(allocs, ", "))
	}
	return nil
}

func key(parts ...string) string { return strings.Join(parts, "\x00") }

// distinct returns the strings without repetitions, in their order.
func distinct(in []string) (out []string) {
	seen := map[string]bool{}
	for _, s := range in {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
