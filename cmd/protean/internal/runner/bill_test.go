package runner

import (
	"errors"
	"math"
	"math/bits"
	"testing"
)

// turnOf makes a turn of so many slices of 100 operations, of which those at the
// given places saw a collection and took so much longer.
func turnOf(n int, perOp, excess float64, witness func(i int) int64, collected ...int) []slice {
	out := make([]slice, n)
	for i := range out {
		out[i] = slice{ops: 100, ns: int64(100 * perOp), witness: witness(i)}
	}
	for _, i := range collected {
		out[i].ns += int64(excess)
		out[i].collections = 1
	}
	return out
}

func always(w int64) func(int) int64 { return func(int) int64 { return w } }

func timeOf(b *bill, c *cell, limit int64) (ns float64, ops int) {
	t := c.turn(limit)
	return t.time(minSlices) + t.garbage*b.price(), t.ops
}

// TestFastestOf holds the expected least of k values against all choices.
func TestFastestOf(t *testing.T) {
	values := []float64{1, 2, 4, 8, 16}
	for k := 1; k <= len(values); k++ {
		sum, n := 0.0, 0
		for set := range 1 << len(values) {
			if bits.OnesCount(uint(set)) == k {
				sum += values[bits.TrailingZeros(uint(set))]
				n++
			}
		}
		if got, want := fastestOf(values, k), sum/float64(n); math.Abs(got-want) > 1e-9 {
			t.Errorf("the least of %d: %v; want %v", k, got, want)
		}
	}
}

// TestBill checks that each cell pays for its own garbage, whoever's slices the
// collections fell into.
func TestBill(t *testing.T) {
	litter := &cell{Cell: Cell{BytesOp: 900}, slices: turnOf(20, 50, 0, always(10))}
	tidy := &cell{Cell: Cell{BytesOp: 100}, slices: turnOf(20, 70, 2000, always(10), 3, 8)} // in the wrong slices
	var b bill
	for _, c := range []*cell{litter, tidy} {
		for _, s := range c.slices {
			b.allocated(c.BytesOp*float64(s.ops), s.collections)
		}
	}
	for _, c := range []*cell{litter, tidy} {
		b.collected(c.slices, 10)
	}
	// 2 collections of 2000 ns for 20·100·(900+100) bytes.
	const price = 2 * 2000 / (20 * 100 * 1000.0)
	for _, x := range []struct {
		name string
		c    *cell
		want float64
	}{{"litter", litter, 50 + 900*price}, {"tidy", tidy, 70 + 100*price}} {
		if got, ops := timeOf(&b, x.c, 10); math.Abs(got-x.want) > 1e-9 || ops == 0 {
			t.Errorf("%s: %v ns over %d operations; want %v ns", x.name, got, ops, x.want)
		}
	}
}

// TestRestless checks that on a machine that is never quiet the quietest slices
// count all the same.
func TestRestless(t *testing.T) {
	c := &cell{slices: turnOf(20, 50, 0, func(i int) int64 { return int64(10 + 10*i) })}
	var b bill
	if _, ops := timeOf(&b, c, 0); ops != minSlices*100 {
		t.Errorf("%d operations count where no slice is quiet; want those of the quietest %d slices", ops, minSlices)
	}
}

// TestCollectsAlways checks that where most slices have a collection of their own,
// their time includes it.
func TestCollectsAlways(t *testing.T) {
	c := &cell{Cell: Cell{BytesOp: 1 << 20}, slices: turnOf(4, 50, 1000, always(10), 0, 1, 2)}
	var b bill
	b.collected(c.slices, 10)
	if got, _ := timeOf(&b, c, 10); got != 50+3*1000/400.0 {
		t.Errorf("%v ns; want %v", got, 50+3*1000/400.0)
	}
	b.collected([]slice{}, 10) // a cell that failed
	if p := b.price(); p != 0 {
		t.Errorf("a price of %v out of nothing", p)
	}
}

// TestDisturbed checks that a round counts as disturbed when many cells found no quiet slices.
func TestDisturbed(t *testing.T) {
	still := func() *cell { return &cell{slices: turnOf(minSlices+4, 50, 0, always(10))} }
	restless := func() *cell {
		return &cell{slices: turnOf(minSlices+4, 50, 0, func(i int) int64 { return int64(10 + 10*(i%2)) })}
	}
	for _, x := range []struct {
		cells []*cell
		want  bool
	}{
		{[]*cell{still(), still(), still(), restless()}, false},
		{[]*cell{still(), still(), restless()}, true},
		{[]*cell{restless()}, true},
		{[]*cell{{err: errors.New("failed")}}, false},
	} {
		if got := disturbed(x.cells, 10); got != x.want {
			t.Errorf("%d cells: %v", len(x.cells), got)
		}
	}
}
