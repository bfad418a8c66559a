// Package report renders the results of a run for people and for programs.
//
// For people there are two formats, [Table] and [Markdown]. Both lay out the same
// document: a table for each payload and operation, the fastest first, a table of
// properties, an explanation of the marks, and a [Summary] in words; [WriteHTML]
// makes a page with charts of it. For programs
// there are [JSON], [CSV] with the same fields, and [Bench], the raw turns as
// benchstat reads them. [Read] reads all but the last.
//
// A cell that failed or does not apply has no figures in any format, but is never
// left out: tables name it below, JSON and CSV have its status and reason, and the
// benchmark format tells of it as go test does.
package report

import (
	"fmt"

	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// Status says what became of a cell.
type Status string

// The states of a cell.
const (
	OK            Status = "ok"
	Failed        Status = "failed"         // verification or a timed loop found an error
	NotApplicable Status = "not-applicable" // the variant cannot serve this schema
)

func (s Status) check() error {
	switch s {
	case OK, Failed, NotApplicable:
		return nil
	}
	return fmt.Errorf("unknown status %q", s)
}

// A Report is everything that one run found.
type Report struct {
	Env      Env
	Suite    string
	Baseline string    // name of the baseline variant
	Variants []Variant // in registry order
	Results  []Result  // one a cell, payload by payload, operation by operation, variant by variant
	Warnings []string  // about the machine or the run as a whole, a sentence each
	Columns  []string  // of tables, besides the usual ones; see [ExtraColumns]
	// Interrupted says that the user ended the run before it was done.
	Interrupted bool
	// Costs are what [Costs] returns for Load; without a rate there are none.
	Load  Load
	Costs []PayloadCost
}

// Reckon gives r the costs at a load.
func (r *Report) Reckon(l Load) {
	r.Load, r.Costs = l, nil
	if l.Rate > 0 {
		r.Costs = Costs(r, l)
	}
}

// Env is where and how the run was made.
type Env struct {
	Date       string  `json:"date"`    // RFC 3339, UTC
	Command    string  `json:"command"` // the command line that repeats the run
	Protean    string  `json:"protean"` // version of the command
	Go         string  `json:"go"`      // version of the toolchain that built the program
	GOOS       string  `json:"goos"`
	GOARCH     string  `json:"goarch"`
	CPU        string  `json:"cpu"` // the processor's model name
	GOMAXPROCS int     `json:"gomaxprocs"`
	Precision  float64 `json:"precision"` // wanted half-width of the interval of a ratio, as a fraction
	Time       float64 `json:"time"`      // seconds that were measured
}

// A Variant is one strategy as the report shows it.
type Variant struct {
	Name    string `json:"name"`
	Family  string `json:"family"`
	Library string `json:"library"`          // Go import path of the library
	Module  string `json:"module,omitempty"` // that holds the library; empty for the standard library
	Version string `json:"version"`          // its version; Go's own for the standard library
	About   string `json:"about"`
}

// A Result is one cell: one operation of one variant on one payload.
type Result struct {
	Suite, Payload, Variant, Family, Op string

	NS        stats.Interval // nanoseconds an operation
	Ratio     stats.Interval // to the baseline's time, paired by round
	Baseline  string         // the variant that Ratio is to, within this payload and operation
	Rank      int            // 1 is fastest; variants that tie share a rank; 0 where there is no time
	Tied      bool           // another variant shares the rank
	Converged bool           // the ratio is known to the wanted precision
	BytesOp   float64        // bytes allocated an operation
	AllocsOp  float64        // allocations an operation

	// Encoded sizes in bytes, the mean over the samples; in cells of the operation size only.
	WireBytes, GzipBytes, ZstdBytes float64
	// BytesWithin and the like are how far from the figure the true one may be, where it
	// was read from a page that rounds; 0 where it is exact.
	BytesWithin, AllocsWithin, WireWithin, GzipWithin, ZstdWithin float64
	// Capacity is that of the slices that marshal returns, likewise; 0 where it is not known.
	Capacity float64

	Samples    int // timed turns
	Iterations int // operations that they timed
	Status     Status
	Reason     string // why, where Status is not OK
	// Properties are what probing found, by the names in PropertyNames. They
	// belong to the variant on this payload and are equal in all its cells.
	Properties Properties

	// Components are who makes the allocations, in cells of operations in scripts; nil in
	// others, and where it was not looked into.
	Components Components

	Turns []stats.Turn // raw, in order; not in JSON
}

// Properties are a variant's traits on one payload's message type, found by
// probing. An empty string means that the schema gives no way to tell.
type Properties struct {
	UTF8          string `json:"utf8,omitempty"`          // invalid UTF-8 in a string: "refused", "replaced", "passed"
	Input         string `json:"input,omitempty"`         // after unmarshal: "copied" or "aliased"
	Deterministic string `json:"deterministic,omitempty"` // equal messages give equal bytes: "yes", "no"
	Int64         string `json:"int64,omitempty"`         // integers above 2^53: "kept", "altered", "refused"
	NaN           string `json:"nan,omitempty"`           // "kept", "altered", "refused"
	Empty         string `json:"empty,omitempty"`         // present but empty against absent: "kept", "altered", "refused"
	Unknown       string `json:"unknown,omitempty"`       // unknown fields: "kept", "dropped", "refused"
	Order         string `json:"order,omitempty"`         // order of fields as received: "kept", "dropped"
	Memory        string `json:"memory,omitempty"`        // results after the next call: "fresh" or "reused"
}

// Lossy reports whether the variant silently alters or drops data.
func (p Properties) Lossy() bool { return len(p.Losses()) > 0 }

// Losses names in words what the variant silently alters or drops, such as
// "int64 above 2^53", in a fixed order.
func (p Properties) Losses() []string {
	var out []string
	for _, l := range []struct{ found, what string }{
		{p.Int64, "int64 above 2^53"},
		{p.NaN, "NaN"},
		{p.Empty, "empty against absent"},
		{p.Unknown, "unknown fields"},
	} {
		if l.found == "altered" || l.found == "dropped" {
			out = append(out, l.what)
		}
	}
	return out
}
