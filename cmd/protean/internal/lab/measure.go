package lab

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/protean-pb/protean/cmd/protean/internal/harness"
	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

const (
	// generations is over how many sets of processes a payload's time is spread.
	// Within one process all slices share addresses and hash seeds, and err
	// together.
	generations = 8
	// minGenerations and minRounds are needed before measuring may end early.
	minGenerations = 4
	minRounds      = 10
	// minShare is how long a generation times at least.
	minShare = time.Second
)

// measure times payload by payload; what one leaves of its share of the time, the
// next ones have.
func (e *experiment) measure(ctx context.Context) error {
	left := e.Time
	for i, p := range e.payloads {
		if len(e.unsettled(p, 0)) == 0 {
			continue // sizes alone
		}
		start := time.Now()
		err := e.measurePayload(ctx, p, left/time.Duration(len(e.payloads)-i))
		spent := time.Since(start)
		e.measured += spent
		left = max(left-spent, 0)
		if err != nil {
			return err
		}
	}
	return nil
}

// measurePayload times the cells of a payload in one generation of processes after
// the other. An operation all of whose ratios are known well enough is left out
// from then on.
func (e *experiment) measurePayload(ctx context.Context, p *payload, share time.Duration) error {
	end := time.Now().Add(share)
	p.block = e.blockSize(p, e.unsettled(p, 0))
	for n := 0; n == 0 || time.Now().Before(end); n++ {
		groups := e.unsettled(p, n)
		if len(groups) == 0 {
			break
		}
		// A last generation too short to start is added to the one before.
		until := time.Now().Add(max(share/generations, minShare))
		if end.Sub(until) < minShare/2 {
			until = end
		}
		if err := e.generation(ctx, p, n, groups, until); err != nil {
			return err
		}
	}
	e.checkCoverage(p)
	return nil
}

// generation times the groups, round by round, in a new set of processes.
func (e *experiment) generation(ctx context.Context, p *payload, number int, groups []stats.Group, until time.Time) error {
	c := &crew{experiment: e, payload: p, number: number, workers: map[string]*harness.Worker{}}
	defer c.dismiss()
	if err := c.hire(ctx, groups); err != nil {
		return err
	}
	for first := true; first || time.Now().Before(until); first = false {
		e.say(p)
		if err := c.load(p.samplesOf(p.rounds)); err != nil {
			return err
		}
		for _, g := range groups {
			if err := c.round(ctx, g.Op); err != nil {
				return err
			}
		}
		p.rounds++
	}
	return nil
}

// fail takes a cell's time away.
func (e *experiment) fail(k stats.Key, reason string) {
	c := e.cells[k]
	c.Status, c.Reason, c.turns = report.Failed, reason, nil
}

// unsettled returns the groups to time in a generation.
func (e *experiment) unsettled(p *payload, generation int) []stats.Group {
	var groups []stats.Group
	for _, op := range variant.Ops() {
		g := e.group(p, op.Name)
		if op.Name == variant.Size || len(g.Cells) == 0 || generation >= minGenerations && settled(g, e.Precision) {
			continue
		}
		groups = append(groups, g)
	}
	return groups
}

func settled(g stats.Group, precision float64) bool {
	return !slices.ContainsFunc(g.Cells, func(c stats.Cell) bool { return len(c.Turns) < minRounds }) && stats.Converged(g, precision)
}

// group returns the cells of one operation that passed verification, with their
// turns, and the baseline among them.
func (e *experiment) group(p *payload, op string) stats.Group {
	g := stats.Group{Suite: e.Suite.Name, Payload: p.Name, Op: op}
	for _, v := range e.Variants {
		c := e.cells[stats.Key{Payload: p.Name, Variant: v.Name, Op: op}]
		if c == nil || c.Status != report.OK {
			continue
		}
		g.Cells = append(g.Cells, stats.Cell{Variant: v.Name, Turns: c.turns})
		if g.Baseline == "" || v.Name == e.Baseline {
			g.Baseline = v.Name
		}
	}
	return g
}

// ns returns what is known of the time of one operation of a cell, in nanoseconds.
func (e *experiment) ns(k stats.Key) float64 { return max(e.cells[k].NS, 1) }

const (
	// blockTime is how long the slowest cell may take for a walk through a block
	// of samples, and blockLimit the same where there are very many samples.
	blockTime  = 2 * time.Millisecond
	blockLimit = 50 * time.Millisecond
)

// blockSize says how many samples a round walks through: all, where the slowest
// cell manages; else so many that minRounds rounds see all of them.
func (e *experiment) blockSize(p *payload, groups []stats.Group) int {
	slowest := 1.0
	for _, g := range groups {
		for _, c := range g.Cells {
			slowest = max(slowest, e.ns(stats.Key{Payload: p.Name, Variant: c.Variant, Op: g.Op}))
		}
	}
	samples := len(p.Samples)
	fit := float64(blockTime) / slowest
	fit = max(fit, min(math.Ceil(float64(samples)/minRounds), float64(blockLimit)/slowest))
	return max(1, min(samples, int(fit)))
}

// samplesOf returns the indexes of the samples of a round: the next block of the
// order in which they were shuffled, so that blocks are alike and, one round after
// the other, all samples have their turn.
func (p *payload) samplesOf(round int) []int {
	block := make([]int, p.block)
	for i := range block {
		block[i] = p.order[(round*p.block+i)%len(p.order)]
	}
	return block
}

// checkCoverage warns if the time was too short for all samples.
func (e *experiment) checkCoverage(p *payload) {
	if seen := p.rounds * p.block; seen < len(p.Samples) {
		e.warnings = append(e.warnings, fmt.Sprintf("%s: the time sufficed for %d of %d samples, drawn at random; all were verified (--time gives it longer)", p.Name, seen, len(p.Samples)))
	}
}

// say tells how far measuring has come.
func (e *experiment) say(p *payload) {
	known, total := 0, 0
	for _, op := range variant.Ops() {
		if op.Name == variant.Size {
			continue
		}
		for _, x := range stats.Estimate(e.group(p, op.Name), e.Precision) {
			total++
			if x.Converged {
				known++
			}
		}
	}
	e.Progress(fmt.Sprintf("measuring %s: round %d, %d of %d ratios known to ±%.3g %%", p.Name, p.rounds, known, total, 100*e.Precision))
}
