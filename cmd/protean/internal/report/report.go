// Package report renders the results of a run for people and for programs.
//
// For people there are two formats, [Table] and [Markdown]. Both lay out the same
// document: a table for each payload and operation, the fastest first, a table of
// properties, an explanation of the marks, and a [Summary] in words; [WriteHTML]
// makes a page with charts of it. For programs
// there are [JSON], [CSV] with the same fields, and [Bench], the raw turns as
// benchstat reads them. [Read] reads JSON, CSV, and the JSON that is embedded in a page.
//
// A cell that failed or does not apply has no figures in any format, but is never
// left out: tables name it below, JSON and CSV have its status and reason, and the
// benchmark format tells of it as go test does.
package report

import (
	"fmt"
	"slices"
	"strings"

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
	// Generator names what generates the code for the schema that the variant needs, or is
	// "none"; empty where it is not known.
	Generator string `json:"generator,omitempty"`
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
	// Capacity is that of the slices that marshal returns, likewise; 0 where it is not known.
	Capacity float64

	Samples    int // timed turns
	Iterations int // operations that they timed
	Status     Status
	Reason     string // why, where Status is not OK
	// Refused says of a cell that is NotApplicable that the variant can serve the schema, but
	// has no form for these samples: it refuses them, and alters nothing.
	Refused bool
	// Apart says what the variant asks of the caller that others do not, so that the cell is
	// ranked among its like; "" for most.
	Apart Apart
	// Held is what the samples of the payload hold of what some variants lose.
	Held Held
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
	Mutable       string `json:"mutable,omitempty"`       // what unmarshal returns can be changed: "yes", "no"
}

// An Apart says why cells are ranked by themselves.
type Apart string

// The reasons.
const (
	Indexed Apart = "index" // fields are decoded when they are read, which is not in the time
	Aliased Apart = "alias" // the input may not change as long as what was read from it is in use
	Reused  Apart = "reuse" // a result holds until the next call
)

// Aparts lists the reasons in the order in which reports show them.
var Aparts = []Apart{Indexed, Aliased, Reused}

// Held names what the samples of a payload hold, of that which variants are known to lose,
// separated by spaces: "int64" an integer beyond ±2^53, "nan" a number that is not finite,
// "empty" a field that is present and has the value of its absence.
type Held string

// NewHeld returns what samples hold.
func NewHeld(int64, nan, empty bool) Held {
	var out []string
	for _, h := range []struct {
		held bool
		name string
	}{{int64, "int64"}, {nan, "nan"}, {empty, "empty"}} {
		if h.held {
			out = append(out, h.name)
		}
	}
	return Held(strings.Join(out, " "))
}

func (h Held) has(name string) bool { return slices.Contains(strings.Fields(string(h)), name) }

// Lossy reports whether the variant silently alters data of a kind that the samples hold.
func (c *Result) Lossy() bool { return len(c.Losses()) > 0 }

// Losses names in words what the variant silently alters of what the samples hold, such as
// "integers beyond 2^53", in a fixed order.
func (c *Result) Losses() []string { return c.losses(true) }

// Risks names likewise what the variant alters and the samples do not hold, but others of
// the same schema may.
func (c *Result) Risks() []string { return c.losses(false) }

func (c *Result) losses(held bool) []string {
	var out []string
	for _, l := range []struct{ found, name, what string }{
		{c.Properties.Int64, "int64", "integers beyond 2^53"},
		{c.Properties.NaN, "nan", "NaN and infinity"},
		{c.Properties.Empty, "empty", "empty against absent"},
	} {
		if l.found == "altered" && c.Held.has(l.name) == held {
			out = append(out, l.what)
		}
	}
	return out
}
