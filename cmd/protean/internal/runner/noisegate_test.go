package runner

import (
	"math"
	"testing"
	"time"
)

// TestNoiseGate checks that slices next to a busy neighbour do not count.
func TestNoiseGate(t *testing.T) {
	noisy := func(i int) int64 { return 10 + int64(i%2)*7 }
	c := &cell{slices: turnOf(20, 50, 0, noisy)}
	for i := range c.slices {
		if i%2 == 1 {
			c.slices[i].ns *= 2 // disturbed
		}
	}
	var g noiseGate
	for _, s := range c.slices {
		g.add(s.calibration)
	}
	g.settle()
	limit := g.limit()
	if limit != 10 {
		t.Fatalf("slices count up to %d ns; want 10", limit)
	}
	if got, ops := timeOf(c, limit); math.Abs(got-50) > 1e-9 || ops != 1000 {
		t.Errorf("%v ns over %d operations; want 50 over 1000", got, ops)
	}
}

// TestNoiseGateFloor checks that the floor is the lower of this process's and of earlier ones', and not a lucky
// minimum.
func TestNoiseGateFloor(t *testing.T) {
	for _, x := range []struct{ known, here, want int64 }{{0, 300, 300}, {200, 300, 200}, {400, 300, 300}} {
		g := noiseGate{otherFloor: x.known}
		for range 1000 {
			g.add(x.here)
		}
		for range 9 {
			g.add(100) // lucky
		}
		g.settle()
		if g.floor != x.want {
			t.Errorf("%d elsewhere and %d here: %d ns; want %d", x.known, x.here, g.floor, x.want)
		}
	}
}

// TestNoiseGatePatience checks that the gate opens after gatePatience, and closes again after an undisturbed loop.
func TestNoiseGatePatience(t *testing.T) {
	const noisy = int64(10 * time.Millisecond)
	g := noiseGate{floor: noisy / 2}
	wait := func() (n int) {
		for ; !g.opens(noisy); n++ {
		}
		return n
	}
	want := int(gatePatience.Nanoseconds() / noisy)
	if n := wait(); n != want {
		t.Errorf("waited for %d loops; want %d", n, want)
	}
	if n := wait(); n != 0 {
		t.Errorf("waited for %d more, in vain", n)
	}
	if !g.opens(g.limit()) {
		t.Error("did not open after an undisturbed loop")
	}
	if n := wait(); n != want {
		t.Errorf("after an undisturbed one, waited for %d loops; want %d", n, want)
	}
}

// TestAwait checks that a slice waits for an undisturbed calibration loop, until the time is up.
func TestAwait(t *testing.T) {
	m := &measurement{last: 1000, gate: noiseGate{floor: 1}} // which no loop reaches
	start := time.Now()
	if m.await(start.Add(20 * time.Millisecond)) {
		t.Error("there is time, when it is up")
	}
	if took := time.Since(start); took < 20*time.Millisecond || len(m.gate.times) == 0 {
		t.Errorf("waited for %v, with %d loops", took, len(m.gate.times))
	}
	m.gate.floor = math.MaxInt32 // which each does
	if !m.await(time.Now().Add(time.Minute)) || m.gate.closed != 0 {
		t.Error("closed after an undisturbed loop")
	}
}
