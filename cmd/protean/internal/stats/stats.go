// Package stats turns timed turns into estimates: medians, ratios to the
// baseline, their intervals, and an order in which ties are called ties.
//
// # Turns
//
// A run consists of rounds. Each is a process of its own, in which all cells of an
// operation run in short slices, in shuffled order. What a cell took in a round is
// its turn.
//
// # Intervals
//
// An interval is that of the median by order statistics, as benchstat's: it assumes
// nothing of the distribution, but takes the values for independent. Slices of one
// process are not: they share the layout of memory and the seeds of hash tables, and
// one process may be faster than the next in all of them. Rounds are, since each is
// a process, which is why there is one value a process and no more ("Rigorous
// benchmarking in reasonable time", Kalibera and Jones, 2013). How often the
// interval holds the true value is in coverage_test.go, by simulation. What the rounds of a
// run do not show, since they have it in common, is added: see Turn.Shared. What runs a minute
// apart differ by beyond that, no run can tell of; see [Change], [ChangeOfRuns] and [RunError].
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
	// Round numbers the rounds of a payload from 0. In a round, every cell that is
	// still to be known better has one turn, unless it fails.
	Round int
	// Ops is how many operations the turn ran.
	Ops int
	// NS is the wall time of one operation, in nanoseconds.
	NS float64
	// Shared is the standard error, in nanoseconds, that the NS of all turns of the cell in this run have in common:
	// the GC cost, which is estimated once for all of them. It does not show in their scatter, so it widens intervals.
	Shared float64
}
