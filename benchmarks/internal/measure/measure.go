// Package measure measures jobs: both sides take turns in one process, so that a machine that drifts drifts for both,
// and what is compared is the time of one turn with that of the other's turn beside it.
//
// Times are of the process (on Linux), with the collector's work in them; other processes on the machine disturb them
// less than they do the time that passes. With the collector off, memory is collected between turns.
package measure

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/protean-pb/protean/benchmarks/internal/job"
)

// Options say how long to measure.
type Options struct {
	Time       time.Duration // for each job on a message in a mode; 0 counts memory and times nothing
	Goroutines int           // in the mode parallel
}

// A Cost is what one side takes for doing a job once.
type Cost struct {
	Ns     float64 // median over the turns
	Bytes  float64 // allocated
	Allocs float64 // objects allocated
	Kept   float64 // bytes that the result keeps alive
	// Speedup says how many times as much gets done in parallel as by one goroutine on one processor; 0 in other modes.
	Speedup float64 `json:",omitempty"`
}

// A Ratio says how many times as fast Protean is as its rival: the median over all rounds, and its 95 % interval. In
// each round both had their turn.
type Ratio struct {
	Median, Low, High float64
	Rounds            int
}

// Memory counts what both sides allocate, and what their results keep.
func Memory(p job.Pair) (rival, protean Cost, err error) {
	if rival, err = memory(p.Rival); err == nil {
		protean, err = memory(p.Protean)
	}
	return rival, protean, err
}

// Times measures one mode and adds times to the costs. It needs a function that binds the job, since each goroutine has
// a pair of its own.
func Times(mode Mode, o Options, bind func() job.Pair, rival, protean *Cost) (Ratio, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	m := meter{mode: mode, rounds: int(o.Time / (2 * mode.turn))}
	if mode.parallel {
		m.rounds /= 2 // since each side has two turns
	}
	m.rounds = max(m.rounds, 5)
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	if !mode.collector {
		debug.SetGCPercent(-1)
	}
	goroutines := 1
	if mode.parallel {
		goroutines = o.Goroutines
	}
	var r, p []job.Side
	for range goroutines {
		pair := bind()
		r, p = append(r, pair.Rival), append(p, pair.Protean)
	}
	// The rival's first, since the order of rounds alternates from there.
	all := []*contender{{sides: r, allocated: rival.Bytes}, {sides: p, allocated: protean.Bytes}}
	if mode.parallel {
		all = append(all, &contender{sides: r[:1]}, &contender{sides: p[:1]})
	}
	if err := m.measure(all); err != nil {
		return Ratio{}, err
	}
	rival.Ns, protean.Ns = median(all[0].ns), median(all[1].ns)
	if mode.parallel {
		rival.Speedup = median(quotients(all[2].ns, all[0].ns))
		protean.Speedup = median(quotients(all[3].ns, all[1].ns))
	}
	return ratio(quotients(all[0].ns, all[1].ns)), nil
}

// A contender takes turns: one side of a job, on one goroutine or several.
type contender struct {
	sides     []job.Side
	allocated float64 // bytes each time
	n         int     // how often the job is done in a turn, on each goroutine
	ns        []float64
}

// A meter measures contenders in one mode.
type meter struct {
	mode      Mode
	rounds    int
	allocated float64 // since the last collection, where the collector is off
}

// uncollected is how much may be allocated, with the collector off, before memory is collected between turns.
const uncollected = 64 << 20

func (m *meter) measure(all []*contender) error {
	for _, c := range all {
		if err := m.calibrate(c); err != nil {
			return err
		}
	}
	for round := range m.rounds {
		for i := range all {
			if round%2 == 1 {
				i = len(all) - 1 - i
			}
			if err := m.take(all[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// calibrate finds out how often the job fits into a turn.
func (m *meter) calibrate(c *contender) error {
	for _, s := range c.sides {
		if err := warmUp(s); err != nil {
			return err
		}
	}
	for n := 1; ; n *= 2 {
		t, err := m.turn(c, n)
		if err != nil {
			return err
		}
		if t > m.mode.turn/2 || n > 1<<30 {
			c.n = max(1, int(float64(n)*float64(m.mode.turn)/float64(t)))
			return nil
		}
	}
}

// take is one turn.
func (m *meter) take(c *contender) error {
	t, err := m.turn(c, c.n)
	c.ns = append(c.ns, float64(t.Nanoseconds())/float64(c.n*len(c.sides)))
	return err
}

// turn does the job n times on each goroutine, after a collection where it is time for one.
func (m *meter) turn(c *contender, n int) (time.Duration, error) {
	more := c.allocated * float64(n)
	if m.allocated += more; m.mode.collector || m.allocated > uncollected {
		m.allocated = more
		runtime.GC()
		if err := c.sides[0].Loop(1); err != nil { // the collector emptied pools
			return 0, err
		}
	}
	if m.mode.parallel {
		return together(c.sides, n)
	}
	start := processTime()
	err := c.sides[0].Loop(n)
	return time.Duration(processTime() - start), err
}

// together has each side work on a goroutine and a processor of its own, and returns the time that passes until all are
// done.
func together(sides []job.Side, n int) (time.Duration, error) {
	runtime.GOMAXPROCS(len(sides))
	start, done := make(chan struct{}), make(chan error, len(sides))
	for _, s := range sides {
		go func() {
			<-start
			done <- s.Loop(n)
		}()
	}
	runtime.Gosched() // most of them wait by now
	began := wallTime()
	close(start)
	var failed error
	for range sides {
		if err := <-done; err != nil {
			failed = fmt.Errorf("in parallel: %w", err)
		}
	}
	return time.Duration(wallTime() - began), failed
}

var began = time.Now()

// wallTime returns how much time has passed, in nanoseconds.
func wallTime() int64 { return int64(time.Since(began)) }
