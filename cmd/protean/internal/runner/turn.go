package runner

import "slices"

// minSlices is how many slices of a turn count at least: those with the fastest calibration loops.
const minSlices = 8

// collectionsOf returns the cost of each collection that ran during slices of a cell: the time that the slice took
// beyond its operations. Floor is that of the noise gate.
//
// A collection starts when all cells of a program together have allocated enough, in the slice of whichever cell
// allocates the last byte. So slices with a collection are kept apart, and the GC cost is attributed to cells by the
// bytes that they allocate (package lab does that, over all rounds: one round has too few collections).
func (c *cell) collectionsOf(limit, floor int64) []Collection {
	p := partOf(c.slices, max(limit, leastLimit(c.slices)))
	if p.withoutGC.count == 0 || p.mostCollect() {
		return nil
	}
	var out []Collection
	for _, s := range c.slices {
		if s.collections > 0 {
			// Such a slice is long enough to be preempted between two calibration loops, so CPU time is what counts.
			excess := float64(s.busy) - p.withoutGC.busy/p.withoutGC.ops*float64(s.ops)
			out = append(out, Collection{excess / float64(s.collections), float64(s.calibration) / float64(floor)})
		}
	}
	return out
}

// A turn sums up the slices of a cell in one round.
type turn struct {
	fastest []float64 // time of an operation in each slice that counts, sorted
	mean    float64   // the same over all of them, where collections are part of it
	garbage float64   // bytes that an operation allocates; 0 if their collection is part of its time
	ops     int       // how many operations they had
}

// turn sums up the undisturbed slices of a cell. Slices with a collection are left out, unless most slices have one.
func (c *cell) turn(limit int64) turn {
	limit = max(limit, leastLimit(c.slices))
	p := partOf(c.slices, limit)
	if p.mostCollect() {
		return turn{mean: p.undisturbed.perOp(), ops: int(p.undisturbed.ops)}
	}
	t := turn{garbage: c.BytesOp, ops: int(p.withoutGC.ops)}
	for _, s := range c.slices {
		if s.calibration <= limit && s.collections == 0 {
			t.fastest = append(t.fastest, s.perOp())
		}
	}
	slices.Sort(t.fastest)
	return t
}

// time returns the time of one operation, in nanoseconds: the expected minimum of so many slices.
func (t turn) time(slices int) float64 {
	if t.fastest == nil {
		return t.mean
	}
	return fastestOf(t.fastest, slices)
}

// fastestOf returns the expected minimum of k of the sorted values, over all choices of k. Noise only adds to the time
// of a slice, so the minimum is the best estimator; but it falls with the number of slices, so all cells that are
// compared use the same k.
func fastestOf(sorted []float64, k int) float64 {
	n := len(sorted)
	mean, chance := 0.0, float64(k)/float64(n) // of being the least chosen
	for i := range n - k + 1 {
		mean += chance * sorted[i]
		chance *= float64(n-i-k) / float64(n-i-1)
	}
	return mean
}

// leastLimit returns the calibration time up to which minSlices slices count, or all if there are fewer.
func leastLimit(all []slice) int64 {
	times := make([]int64, len(all))
	for i, s := range all {
		times[i] = s.calibration
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(times)
	return times[min(minSlices, len(all))-1]
}

// disturbed reports whether more than a quarter of the cells had fewer than minSlices undisturbed slices.
func disturbed(cells []*cell, limit int64) bool {
	running, noisy := 0, 0
	for _, c := range cells {
		if !c.runs() {
			continue
		}
		if running++; leastLimit(c.slices) > limit {
			noisy++
		}
	}
	return 4*noisy > running
}

// parts are the sums of a turn's undisturbed slices, and of those among them without a collection.
type parts struct {
	undisturbed, withoutGC sum
}

// mostCollect reports whether most slices have a collection of their own.
func (p *parts) mostCollect() bool { return p.withoutGC.count*2 < p.undisturbed.count }

type sum struct {
	count         int
	ops, ns, busy float64
}

func (s *sum) add(x slice) {
	s.count++
	s.ops += float64(x.ops)
	s.ns += float64(x.ns)
	s.busy += float64(x.busy)
}

func (s *sum) perOp() float64 { return s.ns / s.ops }

func partOf(all []slice, limit int64) (p parts) {
	for _, s := range all {
		if s.calibration > limit {
			continue
		}
		p.undisturbed.add(s)
		if s.collections == 0 {
			p.withoutGC.add(s)
		}
	}
	return p
}
