// Package stats turns timed turns into estimates: medians, ratios to the
// baseline, their intervals, and an order in which ties are called ties.
//
// # Turns
//
// A turn is a number of short slices of one cell, spread over a round in which all
// cells of the operation take turns. A run consists of several processes of the same
// program, one after the other, each with many rounds.
//
// # Intervals
//
// An interval is that of the median by order statistics, as benchstat's: it
// assumes nothing of the distribution, but takes the values for independent.
// The rounds of one process are not quite: they share the layout of memory and
// the seeds of hash tables, and one process may be faster than the next in all
// its rounds. Intervals of pooled rounds would then be too narrow.
//
// The guard is the random-effects model of "Rigorous benchmarking in reasonable
// time" (Kalibera and Jones, 2013), taken to medians. Each process has a median of
// its own; the variance of those medians, less what the scatter within processes
// explains, is the variance between processes. Its share in the variance of the
// pooled median, with Student's t for the number of processes, is added to the
// order-statistic interval as independent errors add: by the squares. Processes
// that agree leave the interval as it is. Two processes can tell little about how
// processes differ: with two that disagree, intervals are wide until there is a
// third.
//
// A bootstrap of so few clusters comes out too narrow, and random; this is neither.
// Coverage by simulation is in coverage_test.go.
//
// # Order
//
// See [Estimate] for what is called a tie.
package stats

// A Key names a cell: one operation of one variant on one payload.
type Key struct {
	Payload, Variant, Op string
}

// A Turn is what one cell took in a round.
type Turn struct {
	Key
	// Round numbers the rounds of a payload and operation from 0, across all
	// processes. In a round, every variant of that payload and operation has one turn,
	// unless it fails.
	Round int
	// Process numbers the processes from 0.
	Process int
	// Ops is how many operations the turn ran.
	Ops int
	// NS is the wall time of one operation, in nanoseconds.
	NS float64
}
