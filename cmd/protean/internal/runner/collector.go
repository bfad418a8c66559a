package runner

import (
	"runtime/debug"
	"runtime/metrics"
)

// A collector tells whether Go's garbage collector is at work. A collection stops
// the world twice, when it begins to mark and when it has marked, so while one is
// under way the number of such pauses is odd. Rarely it stops it once more, since
// there was something left to mark after all; then the count must be set anew.
type collector struct {
	pauses []metrics.Sample
	idle   uint64 // number of pauses while no collection was under way
}

func watchCollector() *collector {
	c := &collector{pauses: []metrics.Sample{{Name: "/sched/pauses/total/gc:seconds"}}}
	c.settle()
	return c
}

// settle waits for a collection under way, and starts to count anew.
func (c *collector) settle() {
	percent := debug.SetGCPercent(-1) // which waits for a collection under way
	c.idle = c.count()
	debug.SetGCPercent(percent)
}

func (c *collector) running() bool { return (c.count()-c.idle)%2 == 1 }

// count returns how many pauses there have been. The histogram is read into the
// memory of the last reading.
func (c *collector) count() uint64 {
	metrics.Read(c.pauses)
	n := uint64(0)
	if c.pauses[0].Value.Kind() == metrics.KindFloat64Histogram {
		for _, k := range c.pauses[0].Value.Float64Histogram().Counts {
			n += k
		}
	}
	return n
}
