package runner

import "slices"

const (
	// quietMargin is by how much the witness of a quiet slice may exceed that of
	// the quietest tenth of all slices.
	quietMargin = 1.05
	// minSlices is how many slices of a turn count at least: its quietest.
	minSlices = 3
	// firstWitnesses is how many witnesses are heard before the first slice.
	firstWitnesses = 300
)

// A quiet knows what the witness takes while nobody disturbs it.
type quiet struct {
	witnesses []int64 // of this process
	sorted    int     // how many are in order
}

func (q *quiet) add(witness int64) { q.witnesses = append(q.witnesses, witness) }

// limit returns the witness time up to which a slice is quiet.
func (q *quiet) limit() int64 {
	if q.sorted != len(q.witnesses) {
		slices.Sort(q.witnesses)
		q.sorted = len(q.witnesses)
	}
	return int64(quietMargin * float64(q.witnesses[len(q.witnesses)/10]))
}

func countQuiet(all []slice, limit int64) int {
	n := 0
	for _, s := range all {
		if s.witness <= limit {
			n++
		}
	}
	return n
}

// A bill knows what garbage costs in this process. The garbage collector runs when
// all cells together have allocated so many bytes, in the slice of whoever happens
// to allocate the last. So slices with a collection are kept apart, and each cell
// pays for the bytes that it allocates, at the price that a collection took beyond
// the operations that ran beside it.
type bill struct {
	bytes, collections float64 // of all slices: how often garbage is collected
	quiet, excess      float64 // collections in quiet slices, and nanoseconds that they took
}

// allocated enters what a slice allocated and how many collections it saw.
func (b *bill) allocated(bytes float64, collections int) {
	b.bytes += bytes
	b.collections += float64(collections)
}

// collected enters what collections took in the quiet slices of a cell.
func (b *bill) collected(all []slice, limit int64) {
	p := partOf(all, limit)
	if p.clean.count == 0 || p.clean.count*2 < p.quiet.count { // see turn
		return
	}
	b.quiet += p.quiet.collections
	b.excess += p.quiet.ns - p.clean.ns - p.clean.perOp()*(p.quiet.ops-p.clean.ops)
}

// price returns what garbage costs, in nanoseconds a byte.
func (b *bill) price() float64 {
	if b.quiet == 0 || b.bytes == 0 {
		return 0
	}
	return max(0, b.excess/b.quiet*b.collections/b.bytes)
}

// turn returns the time of one operation in the quiet slices of a cell, the price of
// its garbage included, and how many operations they had. Where most slices have a
// collection of their own, their time includes it.
func (b *bill) turn(c *cell, limit int64) (ns float64, ops int) {
	p := partOf(c.slices, max(limit, leastLimit(c.slices)))
	if p.clean.count*2 < p.quiet.count {
		return p.quiet.perOp(), int(p.quiet.ops)
	}
	return p.clean.perOp() + c.BytesOp*b.price(), int(p.clean.ops)
}

// leastLimit returns the witness time up to which minSlices slices count.
func leastLimit(all []slice) int64 {
	witnesses := make([]int64, len(all))
	for i, s := range all {
		witnesses[i] = s.witness
	}
	slices.Sort(witnesses)
	return witnesses[min(minSlices, len(all))-1]
}

// parts are the sums of a turn's quiet slices, and of those without a collection.
type parts struct {
	quiet, clean sum
}

type sum struct {
	count                int
	ops, ns, collections float64
}

func (s *sum) add(x slice) {
	s.count++
	s.ops += float64(x.ops)
	s.ns += float64(x.ns)
	s.collections += float64(x.collections)
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
