package runner

import (
	"slices"
	"time"
)

const (
	// gateMargin is the factor over the floor up to which a calibration loop counts as undisturbed.
	gateMargin = 1.05
	// firstCalibrations is how many calibration loops run before the first slice, to find the floor.
	firstCalibrations = 300
	// gatePatience bounds how long the gate stays closed. After so long without an undisturbed calibration loop,
	// slices run as they come.
	gatePatience = time.Second
)

// A noiseGate holds slices back while something else uses the core. It compares each run of the calibration loop (see
// [calibrate]) with the floor, the time that the loop takes undisturbed. Times are in nanoseconds.
type noiseGate struct {
	times      []int64 // of calibration loops in this process; sorted but for the last few
	otherFloor int64   // the floor that earlier processes found; 0 if there is none
	floor      int64   // what the calibration loop takes undisturbed
	closed     int64   // for how long no calibration loop was undisturbed
}

// begin runs the first calibration loops and sets the floor.
func (g *noiseGate) begin(otherFloor int64) {
	g.otherFloor = otherFloor
	for range firstCalibrations {
		g.add(calibrate())
	}
	g.settle()
}

func (g *noiseGate) add(ns int64) { g.times = append(g.times, ns) }

// settle sets the floor anew: the first percentile of this process, or the floor of earlier ones if that is lower. The
// minimum would not do: a processor runs above its nominal speed for a moment now and then.
func (g *noiseGate) settle() {
	slices.Sort(g.times)
	g.floor = g.times[len(g.times)/100]
	if g.otherFloor > 0 {
		g.floor = min(g.floor, g.otherFloor)
	}
}

// limit returns the longest time of a calibration loop that counts as undisturbed.
func (g *noiseGate) limit() int64 { return int64(gateMargin * float64(g.floor)) }

// opens reports whether a slice may run after a calibration loop that took ns: the loop was undisturbed, or the gate
// has been closed for gatePatience.
func (g *noiseGate) opens(ns int64) bool {
	switch {
	case ns <= g.limit():
		g.closed = 0
	case g.closed < gatePatience.Nanoseconds():
		g.closed += ns
		return false
	}
	return true
}
