package lab

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/protean-pb/protean/cmd/protean/internal/harness"
	"github.com/protean-pb/protean/cmd/protean/internal/runner"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

const (
	// sliceTime is how long a variant runs at a stretch. A neighbour on the same
	// machine may halve its speed from one millisecond to the next, so what is to
	// be compared must run within one.
	sliceTime = 500 * time.Microsecond
	// warmTime is how long it runs untimed before, to find its caches as they are
	// in a loop.
	warmTime = 30 * time.Microsecond
	// maxPasses is how many slices make a turn; fewer where operations are so slow
	// that a round would take longer than roundTime.
	maxPasses = 20
	roundTime = 2 * time.Second
)

// A crew is one generation of processes, one a variant, of which only one works
// at any time.
type crew struct {
	*experiment
	payload *payload
	number  int // of the generation
	workers map[string]*harness.Worker
	loaded  int // samples
}

// hire starts a process for every variant in the groups.
func (c *crew) hire(ctx context.Context, groups []stats.Group) error {
	for _, g := range groups {
		for _, x := range g.Cells {
			if c.workers[x.Variant] != nil {
				continue
			}
			request := c.payload.request
			request.Cells = []runner.Cell{{Variant: x.Variant, Op: g.Op}}
			w, err := c.program.Start(ctx, c.dir, request, c.number)
			if err != nil {
				return err
			}
			c.workers[x.Variant] = w
		}
	}
	return nil
}

func (c *crew) dismiss() {
	for _, w := range c.workers {
		w.Close()
	}
}

// load has every worker load the samples of a round, unless it has them all.
func (c *crew) load(samples []int) error {
	if c.loaded == len(c.payload.Samples) {
		return nil
	}
	c.loaded = len(samples)
	for v, w := range c.workers { // all at once: loading is not timed
		if err := c.lost(v, w.Send(&runner.Command{Samples: samples})); err != nil {
			return err
		}
	}
	for v, w := range c.workers {
		s, err := w.Receive()
		if err := c.lost(v, err); err != nil {
			return err
		}
		if s.Error != "" {
			c.fire(v, s.Error)
		}
	}
	return nil
}

// lost deals with the end of a variant's process: a crash takes the variant's
// times away, any other error ends the experiment.
func (c *crew) lost(variant string, err error) error {
	var crash *harness.CrashError
	if err == nil || !errors.As(err, &crash) {
		return err
	}
	c.fire(variant, "it crashed the program: "+crash.Message)
	return nil
}

// fire ends a variant's process and fails its cells.
func (c *crew) fire(variant, reason string) {
	c.workers[variant].Close()
	delete(c.workers, variant)
	for k := range c.cells {
		if k.Payload == c.payload.Name && k.Variant == variant {
			c.fail(k, reason)
		}
	}
}

// A tally adds up the slices of a cell in a round.
type tally struct {
	stats.Key
	warm, walks int
	own         sum
	base        sum // of the baseline's slices next to its own
	failed      bool
}

type sum struct {
	ops int
	ns  int64
}

func (s *sum) add(x runner.Slice) {
	s.ops += x.Ops
	s.ns += x.NS
}

func (s *sum) perOp() float64 { return float64(s.ns) / float64(s.ops) }

// round gives every cell of a group one turn, in slices: each slice of a cell runs
// between two of the baseline, and the order of the cells is shuffled in each pass.
func (c *crew) round(ctx context.Context, op string) error {
	g := c.group(c.payload, op)
	var base *tally
	var cells []*tally
	for _, x := range g.Cells {
		t := c.tally(stats.Key{Payload: g.Payload, Variant: x.Variant, Op: op})
		if x.Variant == g.Baseline {
			base = t
		} else {
			cells = append(cells, t)
		}
	}
	if base == nil {
		return nil
	}
	shuffle := rand.New(rand.NewPCG(c.Seed, uint64(c.payload.rounds)))
	for range c.passes(base, cells) {
		shuffle.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		if err := c.pass(ctx, base, cells); err != nil {
			return err
		}
	}
	base.base = base.own
	for _, t := range append(cells, base) {
		c.record(t)
	}
	return nil
}

// tally prepares the turn of a cell: how often it walks through the samples in a
// slice.
func (c *crew) tally(k stats.Key) *tally {
	walk := time.Duration(c.ns(k) * float64(c.loaded))
	t := &tally{Key: k, walks: max(1, int(sliceTime/walk))}
	if walk < 2*sliceTime {
		t.warm = max(1, int(warmTime/walk))
	}
	return t
}

// passes returns how many slices each cell has in a round.
func (c *crew) passes(base *tally, cells []*tally) int {
	slice := func(t *tally) float64 {
		return max(float64(sliceTime), c.ns(t.Key)*float64(c.loaded*(t.walks+t.warm)))
	}
	one := slice(base)
	for _, t := range cells {
		one += slice(t) + slice(base)
	}
	return max(1, min(maxPasses, int(float64(roundTime)/one)))
}

// pass runs one slice of each cell.
func (c *crew) pass(ctx context.Context, base *tally, cells []*tally) error {
	before, err := c.slice(ctx, base)
	if err != nil {
		return err
	}
	for _, t := range cells {
		if _, err := c.slice(ctx, t); err != nil {
			return err
		}
		after, err := c.slice(ctx, base)
		if err != nil {
			return err
		}
		t.base.add(before)
		t.base.add(after)
		before = after
	}
	return nil
}

// slice runs one slice of a cell. A cell that fails has no more.
func (c *crew) slice(ctx context.Context, t *tally) (runner.Slice, error) {
	w := c.workers[t.Variant]
	if t.failed || w == nil {
		t.failed = true
		return runner.Slice{}, ctx.Err()
	}
	err := w.Send(&runner.Command{Op: t.Op, Warm: t.warm, Walks: t.walks})
	var s runner.Slice
	if err == nil {
		s, err = w.Receive()
	}
	switch {
	case err != nil:
		t.failed = true
		return runner.Slice{}, c.lost(t.Variant, err)
	case s.Error != "":
		t.failed = true
		c.fail(t.Key, s.Error)
		return runner.Slice{}, nil
	}
	t.own.add(s)
	return s, nil
}

// record turns a tally into the turn that it stands for.
func (c *crew) record(t *tally) {
	if t.failed || t.own.ops == 0 {
		return
	}
	turn := stats.Turn{Key: t.Key, Round: c.payload.rounds, Process: c.number, Ops: t.own.ops, NS: t.own.perOp()}
	if t.base.ops > 0 {
		turn.Base = t.base.perOp()
	}
	x := c.cells[t.Key]
	x.turns = append(x.turns, turn)
	x.NS = turn.NS // sizes the next slices
}
