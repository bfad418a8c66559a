package runner

import (
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

const (
	// turnTime is how long a turn lasts at least: long beside the first
	// operations, which find cold caches; short beside the drift of a machine.
	turnTime = 10 * time.Millisecond
	// turnLimit is how long a turn waits for a garbage collection to end, so
	// that each turn pays for whole cycles.
	turnLimit = 4 * turnTime
	// warmTime is how long a turn runs untimed first.
	warmTime = 500 * time.Microsecond
	// chunkTime is how often, within a turn, the clock is read.
	chunkTime = 200 * time.Microsecond
)

// measure times the cells of a payload in rounds. In each round every cell has one
// turn, in shuffled order, on the same block of samples.
func (r *run) measure(l *load) (rounds int, err error) {
	cells := make([]*cell, 0, len(l.Cells))
	for _, c := range l.Cells {
		v := r.find(c.Variant)
		codec, err := v.Open(l.typ)
		if err != nil {
			return 0, err
		}
		cells = append(cells, &cell{Cell: c, codec: codec, op: op(codec, c.Op)})
	}
	deal := l.deal()
	shuffle := rand.New(rand.NewPCG(r.req.Seed, uint64(r.req.Process)))
	end := time.Now().Add(time.Duration(r.req.Seconds * float64(time.Second)))
	for round := r.req.Round; round == r.req.Round || time.Now().Before(end); round++ {
		samples := deal(round)
		shuffle.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		for _, c := range cells {
			if c.failed {
				continue
			}
			key := r.begin(l.Name, c.Variant, c.Op)
			turn := &stats.Turn{Key: key, Round: round, Process: r.req.Process}
			err := guard(func() error { return c.turn(l, samples, turn) })
			if err != nil {
				c.failed = true
				r.emit(Event{Failed: &Verified{Key: key, Status: report.Failed, Reason: "in the timed loop: " + err.Error(), Sample: -1}})
				continue
			}
			r.emit(Event{Turn: turn})
		}
		rounds++
	}
	return rounds, nil
}

// deal returns a function that gives the indexes of the samples of a round. The
// samples are shuffled once, the same way in every process, so that blocks are
// alike and, one round after the other, all samples have their turn.
func (l *load) deal() func(round int) []int {
	order := rand.New(rand.NewPCG(1, uint64(len(l.samples)))).Perm(len(l.samples))
	size := min(max(l.Block, 1), len(order))
	return func(round int) []int {
		block := make([]int, size)
		for i := range block {
			block[i] = order[(round*size+i)%len(order)]
		}
		return block
	}
}

// A cell is one operation under the clock.
type cell struct {
	Cell
	codec  variant.Codec
	op     *variant.Op
	failed bool
}

// turn times the operation on the samples of the given indexes. Only this cell's
// data are in memory meanwhile. The heap is collected before, so that nobody
// pays for the garbage of the turn before; and the clock runs on until the
// garbage collection that the turn itself has caused is done.
func (c *cell) turn(l *load, samples []int, t *stats.Turn) error {
	ms, err := l.messages(samples)
	if err != nil {
		return err
	}
	if err := c.codec.Load(ms); err != nil {
		return err
	}
	defer c.codec.Load(nil)

	n := len(samples)
	walkTime := max(time.Duration(c.NS*float64(n)), 1)
	if err := c.loop(1+int(warmTime/walkTime), n); err != nil {
		return err
	}
	walks := 1 + int(chunkTime/walkTime)
	limit := turnTime
	if c.collects() {
		limit = turnLimit
	}

	runtime.GC()
	cycles, cpu, start := gcCycles(), cpuTime(), time.Now()
	var spent time.Duration
	for ended := false; spent < turnTime || spent < limit && !ended; {
		if err := c.loop(walks, n); err != nil {
			return err
		}
		t.Ops += walks * n
		before := cycles
		cycles, spent = gcCycles(), time.Since(start)
		ended = cycles > before
	}
	t.NS = float64(spent.Nanoseconds()) / float64(t.Ops)
	t.CPUNS = float64((cpuTime() - cpu).Nanoseconds()) / float64(t.Ops)
	c.NS = t.NS
	return nil
}

// loop walks so many times through the n loaded samples.
func (c *cell) loop(walks, n int) error {
	run := c.op.Run
	for range walks {
		for i := range n {
			if err := run(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// minHeap is the least heap at which Go's garbage collector starts a cycle, with
// the default GOGC.
const minHeap = 4 << 20

// collects reports whether the operation allocates enough for the collector to
// run within a turn.
func (c *cell) collects() bool {
	return c.BytesOp/c.NS*float64(turnLimit.Nanoseconds()) > minHeap
}

var gcCycleSample = []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}

// gcCycles returns how many garbage collections have ended.
func gcCycles() uint64 {
	metrics.Read(gcCycleSample)
	return gcCycleSample[0].Value.Uint64()
}
