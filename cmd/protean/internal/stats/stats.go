// Package stats turns timed turns into estimates: medians, ratios to the
// baseline, their intervals, and an order in which ties are called ties.
package stats

// A Key names a cell: one operation of one variant on one payload.
type Key struct {
	Payload, Variant, Op string
}

// A Turn is one timed run of a cell within a round.
type Turn struct {
	Key
	// Round numbers the rounds of a payload and operation from 0, across all
	// processes. In a round, every variant of that payload and operation has one turn.
	Round int
	// Process numbers the processes from 0.
	Process int
	// Ops is how many operations the turn ran.
	Ops int
	// NS is the wall time of one operation, in nanoseconds.
	NS float64
	// CPUNS is the processor time of one operation on all cores, the garbage
	// collector's included, in nanoseconds; 0 where the system does not tell.
	CPUNS float64
}

// An Interval is a median with its 95 % confidence interval. Low and High are
// NaN while there are too few values to give one.
type Interval struct {
	Median, Low, High float64
}
