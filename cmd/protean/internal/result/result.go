// Package result holds what the lab found out about each cell, for the benchmark program that finds it out as for the
// packages that evaluate and show it. It depends on package stats alone: what it imports, every benchmark program
// links.
package result

import (
	"fmt"

	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// The operations that the lab itself gives a meaning to.
const (
	SizeOp  = "size"              // encoded sizes, not timed
	TotalOp = "marshal+unmarshal" // of cells that have the times of both together
)

// Status says what became of a cell.
type Status string

// The states of a cell.
const (
	OK            Status = "ok"
	Failed        Status = "failed"         // verification or a timed loop found an error
	NotApplicable Status = "not-applicable" // the variant cannot serve this schema
)

// Check returns an error for a status that is none of these.
func (s Status) Check() error {
	switch s {
	case OK, Failed, NotApplicable:
		return nil
	}
	return fmt.Errorf("unknown status %q", s)
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

// Sized reports whether the cell is one of encoded sizes.
func (c *Result) Sized() bool { return c.Op == SizeOp }

// Timed reports whether the cell has a time.
func (c *Result) Timed() bool { return c.Status == OK && c.Op != SizeOp && c.NS.Median > 0 }

// Counted reports whether the cell was verified and its allocations counted, but has no time.
func (c *Result) Counted() bool { return c.Status == OK && c.Op != SizeOp && !c.Timed() }

// Measured reports whether the cell has what the table of its operation shows.
func (c *Result) Measured() bool { return c.Timed() || c.Status == OK && c.Op == SizeOp }
