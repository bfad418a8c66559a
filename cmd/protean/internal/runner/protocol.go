// Package runner is the inside of the benchmark program: it verifies every
// operation of every variant against the source payload, probes what the variants
// do with awkward data, and times slices of them.
//
// The program reads a [Request] and writes [Event] values, JSON objects a line
// each. Verification is one process for all variants. For timing there is a
// process for each variant, which answers each [Command] on its standard input
// with a [Slice]: so a variant's garbage, pools and caches are its own, while
// whoever started the processes decides whose turn it is.
package runner

import (
	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// A Request is what one process of the program is to do.
type Request struct {
	// Payloads are what to verify; to time, there is one.
	Payloads []Payload `json:"payloads"`
	// Verify asks for verification, probing, sizes and allocation counts of the
	// variants named in each payload. Without it the process waits for commands.
	Verify bool `json:"verify"`
	// Processor is the number of the processor to time on, where the system lets
	// one choose.
	Processor int `json:"processor"`
}

// A Payload is one payload of a request.
type Payload struct {
	Name string `json:"name"`
	// Type is the key of the message type among the program's types.
	Type string `json:"type"`
	// Samples is the path of a file of length-delimited messages.
	Samples string `json:"samples"`
	// Variants are the variants to verify.
	Variants []string `json:"variants,omitempty"`
	// Ops are the operations to verify; all if empty.
	Ops []string `json:"ops,omitempty"`
	// Cells are what to time, all of one variant (of several where go test -bench
	// has the clock).
	Cells []Cell `json:"cells,omitempty"`
}

// A Cell is one operation of one variant, to be timed.
type Cell struct {
	Variant string `json:"variant"`
	Op      string `json:"op"`
}

// An Event is one line of the program's output; one of its fields is set.
type Event struct {
	// Begin names the cell that is worked on, so that a crash has a culprit.
	Begin *stats.Key `json:"begin,omitempty"`
	// Verified is the outcome of one operation's verification.
	Verified *Verified `json:"verified,omitempty"`
	// Probed is what probing a variant found.
	Probed *Probed `json:"probed,omitempty"`
	// Slice answers a command.
	Slice *Slice `json:"slice,omitempty"`
	// Done is the last event of a process that did what was asked.
	Done bool `json:"done,omitempty"`
}

// A Command is a line that a timing process reads.
type Command struct {
	// Samples, if not empty, are the indexes of the samples to load first,
	// untimed, in place of those loaded before.
	Samples []int `json:"samples,omitempty"`
	// Op is the operation to run; if empty, nothing is.
	Op string `json:"op,omitempty"`
	// Warm and Walks are how often to walk through the loaded samples: first
	// untimed, then timed.
	Warm  int `json:"warm,omitempty"`
	Walks int `json:"walks,omitempty"`
}

// A Slice is what one command took.
type Slice struct {
	// Ops is how many operations were timed.
	Ops int `json:"ops"`
	// NS is the wall time of all of them, in nanoseconds.
	NS int64 `json:"ns"`
	// Error is set if an operation failed; the slice then has no time.
	Error string `json:"error,omitempty"`
}

// Verified is the outcome of one cell.
type Verified struct {
	stats.Key
	Status   report.Status `json:"status"`
	Reason   string        `json:"reason,omitempty"`
	Sample   int           `json:"sample"`       // the sample that Reason speaks of; -1 if of none
	NS       float64       `json:"ns,omitempty"` // a first guess
	BytesOp  float64       `json:"bytes_op"`
	AllocsOp float64       `json:"allocs_op"`
	Wire     float64       `json:"wire,omitempty"` // mean bytes a sample
	Gzip     float64       `json:"gzip,omitempty"`
	Zstd     float64       `json:"zstd,omitempty"`
}

// Probed is what probing one variant on one payload found.
type Probed struct {
	Payload    string            `json:"payload"`
	Variant    string            `json:"variant"`
	Properties report.Properties `json:"properties"`
}
