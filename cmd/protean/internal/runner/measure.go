package runner

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

const (
	// sliceTime is how long a cell runs at a stretch. It is short because another process on the same core may halve
	// its speed from one millisecond to the next, and a slice counts only if none did.
	sliceTime = 200 * time.Microsecond
	// warmTime is how long the cell runs untimed before a slice, to warm the caches.
	warmTime = 50 * time.Microsecond
	// enoughSlices is how many slices of each cell are enough for a round, and leastTime the least that a round takes:
	// with few cells it would otherwise see hardly any collection.
	enoughSlices = 16
	leastTime    = 300 * time.Millisecond
	// maxTries is how often a cell may run in a pass if it is disturbed each time.
	maxTries = 3
	// collectionLimit is how long a slice runs on for a collection at most.
	collectionLimit = time.Second
	// baselineShare is how many times as many slices the baseline has as other cells: its noise is in every ratio.
	baselineShare = 3
	// collectorPercent is GOGC of the program. A collection marks the code and the data of all variants; with Go's
	// default of 100, garbage would cost more than it does where go test -bench runs one variant
	// (docs/decisions/013).
	collectorPercent = 140
)

// measure times the cells of a payload for one round. In each pass every cell runs for one slice, in shuffled order,
// all on the same samples.
func (r *run) measure(l *load) error {
	m, err := r.newMeasurement(l)
	if err != nil {
		return err
	}
	defer m.stopPeers()
	if err := m.startPeers(); err != nil {
		return err
	}
	if err := m.loadBlock(); err != nil {
		return err
	}
	pin(r.req.Round)
	debug.SetGCPercent(collectorPercent)
	m.gate.begin(r.req.CalibrationFloor)
	m.runSlices(time.Now().Add(time.Duration(r.req.Seconds * float64(time.Second))))
	return m.report()
}

// A measurement is the timing of one payload for one round.
type measurement struct {
	*run
	*load
	cells     []*cell
	codecs    map[string]variant.Codec
	block     []int // samples that are loaded
	collector *collector
	peers     []*peer
	garbage   map[string]*Garbage // by program; "" is this one
	gate      noiseGate
	last      int64 // the time of the last calibration loop, in nanoseconds
	mark      io.WriterAt
}

// A cell is one operation under the clock.
type cell struct {
	Cell
	index  int         // among the request's cells
	op     *variant.Op // nil if another program has it
	slices []slice
	err    error

	peer      *peer // the program that has it
	peerIndex int   // among that program's cells
}

// lost reports whether the program that has the cell has ended.
func (c *cell) lost() bool { return c.peer != nil && c.peer.dead }

// runs reports whether the cell has not failed.
func (c *cell) runs() bool { return c.err == nil && !c.lost() }

func (r *run) newMeasurement(l *load) (*measurement, error) {
	m := &measurement{
		run: r, load: l, codecs: map[string]variant.Codec{},
		collector: watchCollector(), garbage: map[string]*Garbage{},
	}
	if r.req.Mark != "" {
		file, err := os.Create(r.req.Mark)
		if err != nil {
			return nil, err
		}
		m.mark = file
	}
	for i, c := range l.Cells {
		if m.garbage[c.Program] == nil {
			m.garbage[c.Program] = &Garbage{Program: c.Program}
		}
		if c.Program != "" {
			m.cells = append(m.cells, &cell{Cell: c, index: i})
			continue
		}
		codec, err := m.codec(c.Variant)
		if err != nil {
			return nil, err
		}
		x := &cell{Cell: c, index: i, op: op(codec, c.Op)}
		if x.op == nil {
			return nil, fmt.Errorf("%s has no operation %s", c.Variant, c.Op)
		}
		m.cells = append(m.cells, x)
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

// loadBlock loads the samples of the round into every codec.
func (m *measurement) loadBlock() error {
	m.block = m.deal()
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

// deal returns the indexes of the samples of the round: the next block of one random order. All processes derive the
// same order from the seed, so that successive rounds walk through all samples.
func (m *measurement) deal() []int {
	order := rand.New(rand.NewPCG(m.req.Seed, 0)).Perm(len(m.samples))
	block := make([]int, min(max(m.Block, 1), len(order)))
	for i := range block {
		block[i] = order[(m.req.Round*len(block)+i)%len(order)]
	}
	return block
}

// runSlices runs slices of all cells, pass after pass, until there are enough of each or the time is up. It runs at
// least one slice of each.
func (m *measurement) runSlices(end time.Time) {
	var pass []*cell
	for _, c := range m.cells {
		pass = append(pass, c)
		if c.Baseline {
			pass = append(pass, slices.Repeat([]*cell{c}, baselineShare-1)...)
		}
	}
	shuffle := rand.New(rand.NewPCG(m.req.Seed, uint64(m.req.Round)+1))
	shuffled := func() []*cell {
		shuffle.Shuffle(len(pass), func(i, j int) { pass[i], pass[j] = pass[j], pass[i] })
		return pass
	}
	m.last = calibrate()
	for _, c := range shuffled() {
		if len(c.slices) == 0 && c.runs() {
			m.runSlice(c)
		}
	}
	start := time.Now()
	for passes := 0; passes < enoughSlices || time.Since(start) < leastTime; passes++ {
		m.gate.settle()
		for _, c := range shuffled() {
			for tries := 0; tries < maxTries && c.runs(); tries++ {
				if !m.await(end) {
					return
				}
				if m.runSlice(c); c.undisturbed(m.gate.limit()) {
					break
				}
			}
		}
	}
}

// await runs calibration loops until the noise gate opens, and reports whether there is time left for a slice. A slice
// that starts on a disturbed core would not count.
func (m *measurement) await(end time.Time) bool {
	for time.Now().Before(end) {
		if m.gate.opens(m.last) {
			return true
		}
		m.last = calibrate()
		m.gate.add(m.last)
	}
	return false
}

// undisturbed reports whether the last slice of the cell had the core for itself.
func (c *cell) undisturbed(limit int64) bool {
	return c.runs() && c.slices[len(c.slices)-1].calibration <= limit
}

func (m *measurement) runSlice(c *cell) {
	c.err = guard(func() error {
		if err := m.note(c); err != nil {
			return err
		}
		s, err := m.sliceOf(c)
		if err == nil {
			c.slices = append(c.slices, s)
			m.gate.add(s.calibration)
			g := m.garbage[c.Program]
			g.Bytes += c.BytesOp * float64(s.ops+s.warm)
			g.Collections += float64(s.collections)
		}
		return err
	})
}

// sliceOf runs a slice of a cell, in this program or in the peer that has it.
func (m *measurement) sliceOf(c *cell) (slice, error) {
	if c.peer == nil {
		return m.slice(c)
	}
	s, err := c.peer.slice(c)
	m.last = calibrate()
	return s, err
}

// note writes the index of the cell that runs next into the mark file, from which the lab tells the cell that crashed
// the process.
func (m *measurement) note(c *cell) error {
	if m.mark == nil {
		return nil
	}
	_, err := m.mark.WriteAt(binary.LittleEndian.AppendUint32(nil, uint32(c.index)), 0)
	return err
}

// A slice is a stretch of operations under the clock.
type slice struct {
	ops  int
	warm int // operations before the clock started
	ns   int64
	// busy is ns without the time for which the kernel gave the processor to another process.
	busy        int64
	collections int // garbage collections that ended meanwhile
	// calibration is the longer of the calibration loops before and after the slice; for a slice with a collection, the
	// mean of all loops before, during and after. In nanoseconds.
	calibration int64
}

func (s slice) perOp() float64 { return float64(s.ns) / float64(s.ops) }

// run times so many walks through a block of n samples, and adds them to the slice.
func (s *slice) run(c *cell, walks, n int) error {
	cpu, known := cpuTime()
	start := time.Now()
	err := c.walk(walks, n)
	ns := time.Since(start).Nanoseconds()
	s.ns += ns
	if after, _ := cpuTime(); known {
		ns = min(ns, after-cpu) // CPU time includes the calls that read it
	}
	s.busy += ns
	s.ops += walks * n
	return err
}

func (m *measurement) slice(c *cell) (slice, error) {
	walks, warm := c.size(len(m.block))
	if err := c.walk(warm, len(m.block)); err != nil {
		return slice{}, err
	}
	pauses, before := m.collector.count(), m.last
	s := slice{warm: warm * len(m.block)}
	if err := s.run(c, walks, len(m.block)); err != nil {
		return slice{}, err
	}
	// A collection under way would go on in the next slice, so the slice goes on until the collection has ended. That
	// takes long enough for calibration loops in between.
	sum, count := before, int64(1)
	for more := 1 + walks/4; m.collector.running(); count++ {
		if s.ns > (collectionLimit + sliceTime).Nanoseconds() {
			m.collector.settle()
			break
		}
		sum += calibrate()
		if err := s.run(c, more, len(m.block)); err != nil {
			return slice{}, err
		}
	}
	s.collections = int(m.collector.count()-pauses+1) / 2 // one that began during the warm-up counts
	m.last = calibrate()
	s.calibration = max(before, m.last)
	if count > 1 {
		s.calibration = (sum + m.last) / (count + 1)
	}
	c.NS = min(c.NS, s.perOp())
	if len(c.slices) == 0 {
		c.NS = s.perOp() // the estimate so far is of another process
	}
	return s, nil
}

// size returns how often a cell walks through the block in a slice, and before it to warm up.
func (c *cell) size(block int) (walks, warm int) {
	walk := max(time.Duration(c.NS*float64(block)), 1)
	walks = max(1, int(sliceTime/walk))
	if walk < 2*sliceTime {
		warm = max(1, int(warmTime/walk))
	}
	return walks, warm
}

// walk runs the operation on all loaded samples, so many times over. Its overhead is one call through a function value
// an operation; for an operation with a loop of its own, one iteration of that loop.
func (c *cell) walk(times, n int) error {
	if err := walk(c.op, times, n); err != nil {
		return fmt.Errorf("in the timed loop: %w", err)
	}
	return nil
}

// walk runs an operation on samples 0 to n-1, so many times over.
func walk(op *variant.Op, times, n int) error {
	if op.Loop != nil && times > 0 {
		return op.Loop(times, n)
	}
	run := op.Run
	for range times {
		for i := range n {
			if err := run(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// report emits the turns of the round.
func (m *measurement) report() error {
	m.gate.settle()
	if err := m.emit(Event{CalibrationFloor: m.gate.floor}); err != nil {
		return err
	}
	limit := m.gate.limit()
	noisy := disturbed(m.cells, limit)
	for _, program := range slices.Sorted(maps.Keys(m.garbage)) {
		if err := m.emit(Event{Garbage: m.garbage[program]}); err != nil {
			return err
		}
	}
	turns, count := make([]turn, len(m.cells)), map[string]int{}
	for i, c := range m.cells {
		if !c.runs() {
			continue
		}
		turns[i] = c.turn(limit)
		if n := len(turns[i].fastest); n > 0 {
			count[c.Op] = min(n, cmp.Or(count[c.Op], enoughSlices))
		}
	}
	for i, c := range m.cells {
		key := stats.Key{Payload: m.Name, Variant: c.Variant, Op: c.Op}
		ev := Event{}
		if c.err == nil && c.lost() {
			continue // its program crashed in another cell
		}
		if c.err != nil {
			ev.Failed = &Verified{Key: key, Status: result.Failed, Reason: c.err.Error(), Sample: -1}
		} else {
			ev.Turn = &Turn{
				Turn:    stats.Turn{Key: key, Round: m.req.Round, Ops: turns[i].ops, NS: turns[i].time(count[c.Op])},
				Garbage: turns[i].garbage, Disturbed: noisy, Collections: c.collectionsOf(limit, m.gate.floor),
			}
		}
		if err := m.emit(ev); err != nil {
			return err
		}
	}
	return nil
}

func (m *measurement) stopPeers() {
	for _, p := range m.peers {
		p.stop()
	}
}
