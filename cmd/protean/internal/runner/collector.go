package runner

import (
	"runtime/debug"
	"runtime/metrics"
)

// A collector detects whether a garbage collection is under way. A collection stops the world twice, before and after
// marking, so while one is under way the number of such pauses is odd. Mark termination that finds work left stops the
// world once more, which is rare; then the count is set anew.
type collector struct {
	pauses []metrics.Sample
	idle   uint64 // number of pauses while no collection was under way
}

func watchCollector() *collector {
	c := &collector{pauses: []metrics.Sample{{Name: "/sched/pauses/total/gc:seconds"}}}
	c.settle()
	return c
}

// settle waits until no collection is under way, and starts to count anew.
func (c *collector) settle() {
	percent := debug.SetGCPercent(-1) // which waits for a collection under way
	c.idle = c.count()
	debug.SetGCPercent(percent)
}

func (c *collector) running() bool { return (c.count()-c.idle)%2 == 1 }

// count returns how many pauses there have been. It reads the histogram into the memory of the last reading, and so
// allocates nothing.
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
