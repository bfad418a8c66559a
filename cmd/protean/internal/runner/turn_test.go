package runner

import (
	"errors"
	"math"
	"math/bits"
	"slices"
	"testing"
)

// turnOf makes a turn of so many slices of 100 operations, of which those at the
// given places saw a collection and took so much longer.
func turnOf(n int, perOp, excess float64, calibration func(i int) int64, collected ...int) []slice {
	out := make([]slice, n)
	for i := range out {
		out[i] = slice{ops: 100, ns: int64(100 * perOp), busy: int64(100 * perOp), calibration: calibration(i)}
	}
	for _, i := range collected {
		out[i].ns += int64(excess)
		out[i].busy += int64(excess)
		out[i].collections = 1
	}
	return out
}

func always(w int64) func(int) int64 { return func(int) int64 { return w } }

func timeOf(c *cell, limit int64) (ns float64, ops int) {
	t := c.turn(limit)
	return t.time(minSlices), t.ops
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

// TestCollections checks that the cost of a collection is what its slice took beyond its operations.
func TestCollections(t *testing.T) {
	c := &cell{slices: turnOf(20, 70, 2000, func(i int) int64 { return 10 + int64(i)/12 }, 3, 18)}
	c.slices[18].busy += 1000
	c.slices[18].collections = 2
	c.slices[3].ns += 4000000 // for which another process had the processor
	want := []Collection{{2000, 1}, {1500, 1.1}}
	if got := c.collectionsOf(10, 10); !slices.Equal(got, want) {
		t.Errorf("collections took %v; want %v", got, want)
	}
	if ns, ops := timeOf(c, 10); ns != 70 || ops != 1100 {
		t.Errorf("%v ns over %d operations; want 70 ns over the 11 undisturbed slices without a collection", ns, ops)
	}
}

// TestNoisyMachine checks that on a machine that is always disturbed the least disturbed slices count.
func TestNoisyMachine(t *testing.T) {
	c := &cell{slices: turnOf(20, 50, 0, func(i int) int64 { return int64(10 + 10*i) })}
	if _, ops := timeOf(c, 0); ops != minSlices*100 {
		t.Errorf("%d operations count where every slice is disturbed; want those of the best %d slices", ops, minSlices)
	}
}

// TestCollectsAlways checks that where most slices have a collection of their own,
// their time includes it.
func TestCollectsAlways(t *testing.T) {
	c := &cell{Cell: Cell{BytesOp: 1 << 20}, slices: turnOf(4, 50, 1000, always(10), 0, 1, 2)}
	if got, _ := timeOf(c, 10); got != 50+3*1000/400.0 || c.turn(10).garbage != 0 {
		t.Errorf("%v ns and %v bytes; want %v ns and none", got, c.turn(10).garbage, 50+3*1000/400.0)
	}
	if got := c.collectionsOf(10, 10); got != nil {
		t.Errorf("its collections, which are in its time, count again: %v", got)
	}
	if got := (&cell{}).collectionsOf(10, 10); got != nil {
		t.Errorf("collections %v out of nothing", got)
	}
}

// TestDisturbed checks that a round counts as disturbed when many cells had too few undisturbed slices.
func TestDisturbed(t *testing.T) {
	still := func() *cell { return &cell{slices: turnOf(minSlices+4, 50, 0, always(10))} }
	noisy := func() *cell {
		return &cell{slices: turnOf(minSlices+4, 50, 0, func(i int) int64 { return int64(10 + 10*(i%2)) })}
	}
	for _, x := range []struct {
		cells []*cell
		want  bool
	}{
		{[]*cell{still(), still(), still(), noisy()}, false},
		{[]*cell{still(), still(), noisy()}, true},
		{[]*cell{noisy()}, true},
		{[]*cell{{err: errors.New("failed")}}, false},
	} {
		if got := disturbed(x.cells, 10); got != x.want {
			t.Errorf("%d cells: %v", len(x.cells), got)
		}
	}
}
