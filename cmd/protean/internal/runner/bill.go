package runner

import "slices"

// minSlices is how many slices of a turn count at least: its quietest.
const minSlices = 8

// collectionsOf returns what collections took in the slices of a cell beyond the operations
// that ran beside them. Least is what the witness takes undisturbed.
//
// Garbage is collected when all cells of a program together have allocated so many bytes, in
// the slice of whoever happens to allocate the last. So slices with a collection are kept apart,
// and each cell pays for the bytes that it allocates. What a collection takes is known badly
// from one round; whoever reads the turns takes those of all rounds together.
func (c *cell) collectionsOf(limit, least int64) []Collection {
	p := partOf(c.slices, max(limit, leastLimit(c.slices)))
	if p.clean.count == 0 || p.collects() {
		return nil
	}
	var out []Collection
	for _, s := range c.slices {
		if s.collections > 0 {
			// Such a slice is long enough to lose its processor in the middle, where no witness hears it.
			excess := float64(s.busy) - p.clean.busy/p.clean.ops*float64(s.ops)
			out = append(out, Collection{excess / float64(s.collections), float64(s.witness) / float64(least)})
		}
	}
	return out
}

// turn is what the slices of a cell say of one round.
type turn struct {
	fastest []float64 // time of an operation in each slice that counts, sorted
	mean    float64   // the same over all of them, where collections are part of it
	garbage float64   // bytes of an operation whose collection is not part of it
	ops     int       // how many operations they had
}

// turn sums the quiet slices of a cell up. Those with a collection do not count,
// unless most slices have one of their own.
func (c *cell) turn(limit int64) turn {
	limit = max(limit, leastLimit(c.slices))
	p := partOf(c.slices, limit)
	if p.collects() {
		return turn{mean: p.quiet.perOp(), ops: int(p.quiet.ops)}
	}
	t := turn{garbage: c.BytesOp, ops: int(p.clean.ops)}
	for _, s := range c.slices {
		if s.witness <= limit && s.collections == 0 {
			t.fastest = append(t.fastest, s.perOp())
		}
	}
	slices.Sort(t.fastest)
	return t
}

// time returns the time of one operation: what the fastest of so many slices is
// expected to take.
func (t turn) time(slices int) float64 {
	if t.fastest == nil {
		return t.mean
	}
	return fastestOf(t.fastest, slices)
}

// fastestOf returns the mean, over all choices of k of the sorted values, of the
// least of them. What disturbs a slice only ever adds to it, so the least tells
// most; but the least of many is less than that of few, hence the same k for
// everything that is compared.
func fastestOf(sorted []float64, k int) float64 {
	n := len(sorted)
	mean, chance := 0.0, float64(k)/float64(n) // of being the least chosen
	for i := range n - k + 1 {
		mean += chance * sorted[i]
		chance *= float64(n-i-k) / float64(n-i-1)
	}
	return mean
}

// leastLimit returns the witness time up to which minSlices slices count, or all if there are fewer.
func leastLimit(all []slice) int64 {
	witnesses := make([]int64, len(all))
	for i, s := range all {
		witnesses[i] = s.witness
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(witnesses)
	return witnesses[min(minSlices, len(all))-1]
}

// disturbed reports whether more than a quarter of the cells had fewer quiet slices than count.
func disturbed(cells []*cell, limit int64) bool {
	running, restless := 0, 0
	for _, c := range cells {
		if !c.runs() {
			continue
		}
		if running++; leastLimit(c.slices) > limit {
			restless++
		}
	}
	return 4*restless > running
}

// parts are the sums of a turn's quiet slices, and of those without a collection.
type parts struct {
	quiet, clean sum
}

// collects reports whether most slices have a collection of their own.
func (p *parts) collects() bool { return p.clean.count*2 < p.quiet.count }

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
		if s.witness > limit {
			continue
		}
		p.quiet.add(s)
		if s.collections == 0 {
			p.clean.add(s)
		}
	}
	return p
}
