package runner

import "slices"

const (
	// quietMargin is by how much the witness of a quiet slice may exceed that of
	// the quietest tenth of a round.
	quietMargin = 1.05
	// quietLeast is the share of a round's slices that count at least, however
	// restless the machine.
	quietLeast = 0.25
	// minSlices is how many slices of a turn count at least: its quietest.
	minSlices = 3
)

// quietLimit returns the witness time up to which a slice of the round counts.
func quietLimit(group []*cell) int64 {
	var witnesses []int64
	for _, c := range group {
		for _, s := range c.slices {
			witnesses = append(witnesses, s.witness)
		}
	}
	if len(witnesses) == 0 {
		return 0
	}
	slices.Sort(witnesses)
	at := func(share float64) int64 { return witnesses[int(share*float64(len(witnesses)-1))] }
	return max(int64(quietMargin*float64(at(0.1))), at(quietLeast))
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
