package lab

import (
	"cmp"
	"runtime"
	"slices"
	"time"

	"github.com/klauspost/cpuid/v2"

	"github.com/protean-pb/protean/cmd/protean/internal/harness"
	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/runner"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// report gathers what is known.
func (e *experiment) report(interrupted bool) *report.Report {
	r := &report.Report{
		Env: result.Env{
			Date:       time.Now().UTC().Format(time.RFC3339),
			Protean:    e.Module.String(),
			Go:         e.programs[0].Go,
			GOOS:       runtime.GOOS,
			GOARCH:     runtime.GOARCH,
			CPU:        cpuid.CPU.BrandName,
			GOMAXPROCS: harness.Processors,
			Precision:  e.Precision,
			Time:       e.measured.Seconds(),
		},
		Suite:       e.Suite.Name,
		Baseline:    e.Baseline,
		Warnings:    e.warnings,
		Columns:     e.Plan.Columns,
		Interrupted: interrupted,
	}
	for _, v := range e.Variants {
		r.Variants = append(r.Variants, e.describe(v))
	}
	var groups []stats.Group
	for _, p := range e.payloads {
		for _, op := range variant.Ops() {
			g := e.group(p, op.Name)
			r.Results = append(r.Results, e.results(p, g)...)
			if op.Name != variant.Size && len(g.Cells) > 0 && e.Time > 0 {
				groups = append(groups, g)
			}
		}
		if e.Plan.Totals {
			r.Results = append(r.Results, e.totals(p)...)
		}
	}
	r.Warnings = append(r.Warnings, stats.Warnings(e.Precision, groups...)...)
	return r
}

func (e *experiment) describe(v *variant.Variant) result.Variant {
	m := e.Module.Holding(v.Library)
	return result.Variant{
		Name: v.Name, Family: string(v.Family), Library: v.Library, Module: m.Path,
		Version: cmp.Or(v.Version, v.Needs.Version(), m.Version, e.programOf(v.Name).Standard(v.Library)),
		About:   v.About, Generator: v.Generator,
	}
}

// results returns the cells of one payload and operation in the order of the
// variants.
func (e *experiment) results(p *payload, g stats.Group) []result.Result {
	judged := map[string]*cell{}
	for _, v := range e.Variants {
		// What an interruption came before is left out.
		if c := e.cells[stats.Key{Payload: p.Name, Variant: v.Name, Op: g.Op}]; c != nil && c.judged {
			judged[v.Name] = c
		}
	}
	return e.estimates(p, g, judged)
}

// estimates turns the cells of the group, by variant, into results.
func (e *experiment) estimates(p *payload, g stats.Group, cells map[string]*cell) []result.Result {
	estimated := map[string]stats.Estimated{}
	if g.Op != variant.Size {
		for _, x := range stats.Estimate(g, e.Precision) {
			estimated[x.Variant] = x
		}
	}
	var out []result.Result
	for _, v := range e.Variants {
		c := cells[v.Name]
		if c == nil {
			continue
		}
		x, turns := estimated[v.Name], undisturbed(c.turns)
		r := result.Result{
			Suite: e.Suite.Name, Payload: p.Name, Variant: v.Name, Family: string(v.Family), Op: g.Op,
			NS: x.NS, Ratio: x.Ratio, Baseline: g.Baseline, Rank: x.Rank, Tied: x.Tied, Converged: x.Converged,
			Samples: len(turns), Iterations: iterations(turns), Turns: e.attributeGC(p, turns),
			Status: c.Status, Reason: c.Reason, Refused: c.Refused,
			Apart: e.apart(p, v, g.Op), Held: e.held[p.Name],
			Properties: e.properties[stats.Key{Payload: p.Name, Variant: v.Name}],
		}
		if c.Status == result.OK {
			r.BytesOp, r.AllocsOp = c.BytesOp, c.AllocsOp
			r.WireBytes, r.GzipBytes, r.ZstdBytes = c.Wire, c.Gzip, c.Zstd
			r.Capacity, r.Components = c.Capacity, c.components
		}
		out = append(out, r)
	}
	return out
}

// apart says what a variant asks of the caller in an operation, by what it declares and what
// probing has found.
func (e *experiment) apart(p *payload, v *variant.Variant, op string) result.Apart {
	found := e.properties[stats.Key{Payload: p.Name, Variant: v.Name}]
	switch {
	case op == variant.Size:
		return ""
	case v.Indexes && op == variant.Unmarshal:
		return result.Indexed
	case v.Reuses, found.Memory == "reused":
		return result.Reused
	case found.Input == "aliased" && !v.Indexes && slices.Contains(decoding, op):
		return result.Aliased
	}
	return ""
}

// decoding are the operations whose results come from bytes. What unmarshal+read reads of an
// index is read when the operation is over, and so is the input.
var decoding = []string{variant.Unmarshal, variant.UnmarshalRead, variant.UnmarshalConvert, variant.EnvelopeUnmarshal,
	variant.Unpack, result.TotalOp}

// iterations returns how many operations the turns timed.
func iterations(turns []runner.Turn) int {
	n := 0
	for _, t := range turns {
		n += t.Ops
	}
	return n
}
