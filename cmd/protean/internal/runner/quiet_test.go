package runner

import (
	"math"
	"testing"
	"time"
)

// TestQuiet checks that slices beside a neighbour do not count.
func TestQuiet(t *testing.T) {
	restless := func(i int) int64 { return 10 + int64(i%2)*7 }
	c := &cell{slices: turnOf(20, 50, 0, restless)}
	for i := range c.slices {
		if i%2 == 1 {
			c.slices[i].ns *= 2 // beside a neighbour
		}
	}
	var q quiet
	for _, s := range c.slices {
		q.add(s.witness)
	}
	q.settle()
	limit := q.limit()
	if limit != 10 {
		t.Fatalf("slices are quiet up to %d ns; want 10", limit)
	}
	if got, ops := timeOf(c, limit); math.Abs(got-50) > 1e-9 || ops != 1000 {
		t.Errorf("%v ns over %d operations; want 50 over 1000", got, ops)
	}
}

// TestKnownQuiet checks that a process that has never been alone believes the others, and
// that one that has learnt better does not.
func TestKnownQuiet(t *testing.T) {
	for _, x := range []struct{ known, heard, want int64 }{{0, 300, 300}, {200, 300, 200}, {400, 300, 300}} {
		q := quiet{known: x.known}
		for range 1000 {
			q.add(x.heard)
		}
		for range 9 {
			q.add(100) // luck
		}
		q.settle()
		if q.least != x.want {
			t.Errorf("known to be %d and heard as %d: %d ns; want %d", x.known, x.heard, q.least, x.want)
		}
	}
}

// TestPatience checks that the wait for a quiet witness has an end, and begins anew after one.
func TestPatience(t *testing.T) {
	const restless = int64(10 * time.Millisecond)
	q := quiet{least: restless / 2}
	wait := func() (n int) {
		for ; !q.goAhead(restless); n++ {
		}
		return n
	}
	want := int(patience.Nanoseconds() / restless)
	if n := wait(); n != want {
		t.Errorf("waited for %d witnesses; want %d", n, want)
	}
	if n := wait(); n != 0 {
		t.Errorf("waited for %d more, in vain", n)
	}
	if !q.goAhead(q.limit()) {
		t.Error("did not go ahead after a quiet witness")
	}
	if n := wait(); n != want {
		t.Errorf("after a quiet one, waited for %d witnesses; want %d", n, want)
	}
}

// TestAwait checks that a slice waits for a quiet witness, until the time is up.
func TestAwait(t *testing.T) {
	m := &measurement{last: 1000, quiet: quiet{least: 1}} // which no witness is
	start := time.Now()
	if m.await(start.Add(20 * time.Millisecond)) {
		t.Error("there is time, when it is up")
	}
	if took := time.Since(start); took < 20*time.Millisecond || len(m.quiet.heard) == 0 {
		t.Errorf("waited for %v, with %d witnesses", took, len(m.quiet.heard))
	}
	m.quiet.least = math.MaxInt32 // which each is
	if !m.await(time.Now().Add(time.Minute)) || m.quiet.waited != 0 {
		t.Error("a quiet witness does not do")
	}
}
