package runner

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"time"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

const (
	// sliceTime is how long a cell runs at a stretch: short, since a neighbour on
	// the same core may halve its speed from one millisecond to the next, and a
	// slice counts only if there was none.
	sliceTime = 500 * time.Microsecond
	// warmTime is how long it runs untimed before, to find its caches as they are
	// in a loop.
	warmTime = 150 * time.Microsecond
	// turnSlices is how many quiet slices make a turn. On a restless machine a
	// round goes on for them, up to maxPasses slices of each cell; less where
	// operations are so slow that a round would take longer than roundTime.
	turnSlices = 8
	maxPasses  = 60
	roundTime  = 2 * time.Second
	// baselineTurn is how many times as many slices the baseline has: its noise is
	// in every ratio.
	baselineTurn = 4
	// collectorPercent is the collector's GOGC. This process holds the code and the
	// data of all variants, which each collection looks through; with Go's own 100
	// garbage would cost more than it does where go test -bench runs one variant
	// (docs/measurement.md has the experiment).
	collectorPercent = 160
)

// measure times the cells of a payload in rounds. In each round every cell has one
// turn, which consists of many short slices, in shuffled order, on the same block of
// samples.
func (r *run) measure(l *load) error {
	m, err := r.newMeasurement(l)
	if err != nil {
		return err
	}
	pin(r.req.Process)
	debug.SetGCPercent(collectorPercent)
	for range firstWitnesses {
		m.quiet.add(witness())
	}
	end := time.Now().Add(time.Duration(r.req.Seconds * float64(time.Second)))
	for first := true; first || time.Now().Before(end); first = false {
		if err := m.loadBlock(); err != nil {
			return err
		}
		for _, group := range m.groups {
			m.runSlices(group)
			if err := m.report(group); err != nil {
				return err
			}
		}
		m.round++
	}
	return nil
}

// A measurement is the timing of one payload.
type measurement struct {
	*run
	*load
	groups    [][]*cell // by operation
	codecs    map[string]variant.Codec
	round     int
	order     []int // of the samples
	block     []int // samples that are loaded
	collector *collector
	bill      bill
	quiet     quiet
	shuffle   *rand.Rand
	mark      io.WriterAt
}

// A cell is one operation under the clock.
type cell struct {
	Cell
	index       int // among the request's cells
	op          *variant.Op
	warm, walks int
	slices      []slice // of this turn
	err         error
}

func (r *run) newMeasurement(l *load) (*measurement, error) {
	m := &measurement{
		run: r, load: l, round: r.req.Round,
		codecs:    map[string]variant.Codec{},
		order:     rand.New(rand.NewPCG(r.req.Seed, 0)).Perm(len(l.samples)), // the same in every process
		collector: watchCollector(),
		shuffle:   rand.New(rand.NewPCG(r.req.Seed, uint64(r.req.Process)+1)),
	}
	if r.req.Mark != "" {
		file, err := os.Create(r.req.Mark)
		if err != nil {
			return nil, err
		}
		m.mark = file
	}
	byOp := map[string]int{}
	for i, c := range l.Cells {
		codec, err := m.codec(c.Variant)
		if err != nil {
			return nil, err
		}
		x := &cell{Cell: c, index: i, op: op(codec, c.Op)}
		if x.op == nil {
			return nil, fmt.Errorf("%s has no operation %s", c.Variant, c.Op)
		}
		if _, ok := byOp[c.Op]; !ok {
			byOp[c.Op] = len(m.groups)
			m.groups = append(m.groups, nil)
		}
		m.groups[byOp[c.Op]] = append(m.groups[byOp[c.Op]], x)
	}
	return m, nil
}

func (m *measurement) codec(name string) (c variant.Codec, err error) {
	if m.codecs[name] == nil {
		if m.codecs[name], err = m.find(name).Open(m.typ); err != nil {
			return nil, err
		}
	}
	return m.codecs[name], nil
}

// loadBlock has every codec load the samples of the round, unless it has them all.
func (m *measurement) loadBlock() error {
	if len(m.block) == len(m.samples) {
		return nil
	}
	m.block = m.deal(m.round)
	for _, c := range m.codecs {
		ms, err := m.messages(m.block)
		if err != nil {
			return err
		}
		if err := c.Load(ms); err != nil {
			return err
		}
	}
	return nil
}

// deal returns the indexes of the samples of a round: the next block, so that
// blocks are alike and, one round after the other, all samples have their turn.
func (m *measurement) deal(round int) []int {
	block := make([]int, min(max(m.Block, 1), len(m.order)))
	for i := range block {
		block[i] = m.order[(round*len(block)+i)%len(m.order)]
	}
	return block
}

// runSlices runs the slices of one round of a group: pass after pass, until every
// cell has enough quiet ones.
func (m *measurement) runSlices(group []*cell) {
	for _, c := range group {
		m.size(c)
	}
	limit := m.quiet.limit()
	for range m.passes(group) {
		m.shuffle.Shuffle(len(group), func(i, j int) { group[i], group[j] = group[j], group[i] })
		missing := false
		for _, c := range group {
			want := turnSlices
			if c.Baseline {
				want *= baselineTurn
			}
			for range m.share(c) {
				if c.err == nil && countQuiet(c.slices, limit) < want {
					missing = true
					m.runSlice(c)
				}
			}
		}
		if !missing {
			return
		}
	}
}

// share is how many slices a cell has in a pass at most.
func (m *measurement) share(c *cell) int {
	if c.Baseline {
		return baselineTurn
	}
	return 1
}

func (m *measurement) runSlice(c *cell) {
	c.err = guard(func() error {
		if err := m.note(c); err != nil {
			return err
		}
		s, err := m.slice(c)
		if err == nil {
			c.slices = append(c.slices, s)
			m.quiet.add(s.witness)
		}
		return err
	})
}

// size says how often a cell walks through the block in a slice.
func (m *measurement) size(c *cell) {
	walk := max(time.Duration(c.NS*float64(len(m.block))), 1)
	c.walks, c.warm, c.slices = max(1, int(sliceTime/walk)), 0, c.slices[:0]
	if walk < 2*sliceTime {
		c.warm = max(1, int(warmTime/walk))
	}
}

// passes returns how many passes a round has at most.
func (m *measurement) passes(group []*cell) int {
	one := 0.0
	for _, c := range group {
		one += float64(m.share(c)) * max(float64(sliceTime), c.NS*float64(len(m.block)*(c.walks+c.warm)))
	}
	return max(1, min(maxPasses, int(float64(roundTime)/one)))
}

// note leaves the index of the cell that runs next where a crash does not take it.
func (m *measurement) note(c *cell) error {
	if m.mark == nil {
		return nil
	}
	_, err := m.mark.WriteAt(binary.LittleEndian.AppendUint32(nil, uint32(c.index)), 0)
	return err
}

// A slice is a stretch of operations under the clock.
type slice struct {
	ops         int
	ns          int64
	collections int   // garbage collections that ended meanwhile
	witness     int64 // the longer of what the witness took before and after
}

func (m *measurement) slice(c *cell) (slice, error) {
	before := witness()
	if err := c.walk(c.warm, len(m.block)); err != nil {
		return slice{}, err
	}
	pauses, start := m.collector.count(), time.Now()
	if err := c.walk(c.walks, len(m.block)); err != nil {
		return slice{}, err
	}
	// A collection under way would go on in the next slice: run on beside it until
	// it ends, as a program would.
	walks, more := c.walks, 1+c.walks/8
	for ; m.collector.running(); walks += more {
		if err := c.walk(more, len(m.block)); err != nil {
			return slice{}, err
		}
	}
	s := slice{ops: walks * len(m.block), ns: time.Since(start).Nanoseconds()}
	s.collections = int(m.collector.count()-pauses+1) / 2 // one that the warming began counts
	s.witness = max(before, witness())
	m.bill.allocated(c.BytesOp*float64(s.ops+c.warm*len(m.block)), s.collections)
	return s, nil
}

// walk runs the operation on all loaded samples, so many times over. What it adds
// to an operation is one call through a function value.
func (c *cell) walk(times, n int) error {
	run := c.op.Run
	for range times {
		for i := range n {
			if err := run(i); err != nil {
				return fmt.Errorf("in the timed loop: %w", err)
			}
		}
	}
	return nil
}

// report turns the slices of a round into turns.
func (m *measurement) report(group []*cell) error {
	limit := m.quiet.limit()
	for _, c := range group {
		m.bill.collected(c.slices, limit)
	}
	for _, c := range group {
		key := stats.Key{Payload: m.Name, Variant: c.Variant, Op: c.Op}
		if c.err != nil {
			if err := m.emit(Event{Failed: &Verified{Key: key, Status: report.Failed, Reason: c.err.Error(), Sample: -1}}); err != nil {
				return err
			}
			continue
		}
		ns, ops := m.bill.turn(c, limit)
		c.NS = ns // sizes the next slices
		if err := m.emit(Event{Turn: &stats.Turn{Key: key, Round: m.round, Process: m.req.Process, Ops: ops, NS: ns}}); err != nil {
			return err
		}
	}
	return nil
}
