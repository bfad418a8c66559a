// Package runner is the inside of the benchmark program: it verifies every
// operation of every variant against the source payload, probes what the variants
// do with awkward data, and times slices of them.
//
// The program reads a [Request] and writes [Event] values, one JSON object a line. Package lab, which starts it,
// decides from the turns how many rounds are needed.
package runner

import (
	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// A Request is what one process of the program is to do.
type Request struct {
	// Payloads are what to verify; to time, there is one.
	Payloads []Payload `json:"payloads"`
	// Verify asks for verification, probing, sizes and allocation counts of the
	// variants named in each payload. Without it the cells are timed.
	Verify bool `json:"verify"`
	// Profile asks who makes the allocations of each cell.
	Profile bool `json:"profile,omitempty"`
	// Seconds is how long to time at most; every cell runs at least once.
	Seconds float64 `json:"seconds"`
	// CalibrationFloor is what the calibration loop took undisturbed in earlier processes, in nanoseconds; 0 for the
	// first.
	CalibrationFloor int64 `json:"calibration_floor,omitempty"`
	// Round numbers the rounds of a payload; each is a process of its own.
	Round int `json:"round"`
	// Seed shuffles samples and slices.
	Seed uint64 `json:"seed"`
	// Serve asks for single slices of the cells that standard input names, in place of a round.
	Serve bool `json:"serve,omitempty"`
	// Mark, if not empty, is the path of a file into which the process writes the index of the cell that it is timing,
	// so that the lab knows which cell crashed it.
	Mark string `json:"mark,omitempty"`
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
	// Cells are what to time. Cells of the same operation are compared, so they are timed in the same rounds.
	Cells []Cell `json:"cells,omitempty"`
	// Block is how many samples a round walks through. The samples are dealt into
	// blocks at random; a round takes the next block, the same for every cell.
	Block int `json:"block,omitempty"`
}

// A Cell is one operation of one variant, to be timed.
type Cell struct {
	Variant string `json:"variant"`
	Op      string `json:"op"`
	// Program is the path of the program that has the variant, if it is another one.
	Program string `json:"program,omitempty"`
	// Baseline says that the operation's ratios are to this cell, which is
	// therefore timed more often.
	Baseline bool `json:"baseline,omitempty"`
	// NS is what is known of the time of one operation, in nanoseconds, and
	// BytesOp what it allocates.
	NS      float64 `json:"ns"`
	BytesOp float64 `json:"bytes_op"`
}

// An Event is one line of the program's output; one of its fields is set.
type Event struct {
	// Begin names the cell that verification begins with, so that the lab knows which cell crashed the process.
	Begin *stats.Key `json:"begin,omitempty"`
	// Verified is the outcome of one operation's verification, and Failed a
	// failure inside a timed loop.
	Verified *Verified `json:"verified,omitempty"`
	Failed   *Verified `json:"failed,omitempty"`
	// Probed is what probing a variant found.
	Probed *Probed `json:"probed,omitempty"`
	// Held is what the samples of a payload hold that variants may lose.
	Held *Held `json:"held,omitempty"`
	// Turn is one timed turn, Garbage what a program allocated and collected in the round, and CalibrationFloor what
	// the calibration loop took undisturbed, in nanoseconds.
	Turn             *Turn    `json:"turn,omitempty"`
	Garbage          *Garbage `json:"garbage,omitempty"`
	CalibrationFloor int64    `json:"calibration_floor,omitempty"`
	// Ready says that the program waits to be told what to run; then it answers with a
	// slice each time.
	Ready bool   `json:"ready,omitempty"`
	Slice *Slice `json:"slice,omitempty"`
	// Profiled is who makes the allocations of a cell.
	Profiled *Profiled `json:"profiled,omitempty"`
	// Done is the last event of a process that did what was asked.
	Done bool `json:"done,omitempty"`
}

// A Turn is what one cell took in a round.
type Turn struct {
	stats.Turn
	// Garbage is how many bytes an operation allocates; 0 if NS includes their collection.
	Garbage float64 `json:"garbage"`
	// Disturbed says that many cells of the round had too few undisturbed slices.
	Disturbed bool `json:"disturbed,omitempty"`
	// Collections are those in slices of the cell.
	Collections []Collection `json:"collections,omitempty"`
}

// A Collection is one garbage collection during a slice of a cell.
type Collection struct {
	// NS is the time that the slice took beyond its operations, in nanoseconds.
	NS float64 `json:"ns"`
	// Slowdown is the mean time of the calibration loops meanwhile, as a multiple of the floor.
	Slowdown float64 `json:"slowdown"`
}

// Garbage is how many bytes a program allocated in a round, and how many collections there were.
type Garbage struct {
	Program     string  `json:"program,omitempty"` // as in [Cell]
	Bytes       float64 `json:"bytes"`
	Collections float64 `json:"collections"`
}

// A Slice is the outcome of one slice that a peer ran for another program.
type Slice struct {
	Ops         int    `json:"ops"`
	Warm        int    `json:"warm"` // operations before the clock started
	NS          int64  `json:"ns"`
	Busy        int64  `json:"busy"` // NS without the time for which the process had no processor
	Collections int    `json:"collections"`
	Calibration int64  `json:"calibration"`
	Error       string `json:"error,omitempty"`
}

// Verified is the outcome of one cell.
type Verified struct {
	stats.Key
	Status   result.Status `json:"status"`
	Reason   string        `json:"reason,omitempty"`
	Refused  bool          `json:"refused,omitempty"` // as [result.Result.Refused]
	Sample   int           `json:"sample"`            // the sample that Reason speaks of; -1 if of none
	NS       float64       `json:"ns,omitempty"`      // a first guess
	BytesOp  float64       `json:"bytes_op"`
	AllocsOp float64       `json:"allocs_op"`
	Wire     float64       `json:"wire,omitempty"` // mean bytes a sample
	Gzip     float64       `json:"gzip,omitempty"`
	Zstd     float64       `json:"zstd,omitempty"`
	Capacity float64       `json:"capacity,omitempty"` // mean capacity of the slices that marshal returns
}

// Profiled is who makes the allocations of one cell.
type Profiled struct {
	stats.Key
	Components result.Components `json:"components"`
}

// Held is what the samples of one payload hold of what some variants lose.
type Held struct {
	Payload string      `json:"payload"`
	Risks   result.Held `json:"risks"`
}

// Probed is what probing one variant on one payload found.
type Probed struct {
	Payload    string            `json:"payload"`
	Variant    string            `json:"variant"`
	Properties result.Properties `json:"properties"`
}
