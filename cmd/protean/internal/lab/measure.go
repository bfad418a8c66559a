package lab

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/protean-pb/protean/cmd/protean/internal/harness"
	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/runner"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

const (
	// processes is over how many processes a payload's time is spread. Within one
	// process all slices share addresses and hash seeds, and err together.
	processes = 8
	// minProcesses and minRounds are needed before measuring may end early.
	minProcesses = 4
	minRounds    = 10
	// minShare is how long a process times at least.
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

// measurePayload times the cells of a payload in one process after the other. An
// operation all of whose ratios are known well enough is left out from then on.
func (e *experiment) measurePayload(ctx context.Context, p *payload, share time.Duration) error {
	p.request.Block = e.blockSize(p, e.unsettled(p, 0))
	end := time.Now().Add(share)
	for n := 0; n == 0 || time.Until(end) > minShare/2; n++ {
		groups := e.unsettled(p, n)
		if len(groups) == 0 {
			break
		}
		e.say(p)
		slice := max(share/processes, minShare)
		if left := time.Until(end); left < slice+minShare/2 {
			slice = left // no rest too short for a process
		}
		if err := e.process(ctx, p, n, groups, slice); err != nil {
			return err
		}
	}
	e.checkCoverage(p)
	return nil
}

// process times the groups in a new process of the program.
func (e *experiment) process(ctx context.Context, p *payload, number int, groups []stats.Group, slice time.Duration) error {
	q := p.request
	q.Cells = e.request(groups)
	req := &runner.Request{
		Payloads: []runner.Payload{q},
		Seconds:  slice.Seconds(),
		Process:  number,
		Round:    p.rounds,
		Seed:     e.Seed,
		Mark:     filepath.Join(e.dir, "mark"),
	}
	err := e.program.Run(ctx, e.dir, req, func(ev runner.Event) {
		switch {
		case ev.Turn != nil:
			c := e.cells[ev.Turn.Key]
			c.turns = append(c.turns, *ev.Turn)
			c.NS = ev.Turn.NS // sizes the slices of the next process
			p.rounds = max(p.rounds, ev.Turn.Round+1)
		case ev.Failed != nil:
			e.fail(ev.Failed.Key, ev.Failed.Reason)
		}
	})
	var crash *harness.CrashError
	if errors.As(err, &crash) {
		mark, _ := os.ReadFile(req.Mark)
		if len(mark) != 4 {
			return err // it crashed before it came to a cell
		}
		c := q.Cells[binary.LittleEndian.Uint32(mark)]
		e.fail(stats.Key{Payload: p.Name, Variant: c.Variant, Op: c.Op}, "it crashed the program: "+crash.Message)
		return nil
	}
	return err
}

// request lists the cells of the groups.
func (e *experiment) request(groups []stats.Group) []runner.Cell {
	var cells []runner.Cell
	for _, g := range groups {
		for _, c := range g.Cells {
			known := e.cells[stats.Key{Payload: g.Payload, Variant: c.Variant, Op: g.Op}]
			cells = append(cells, runner.Cell{
				Variant: c.Variant, Op: g.Op, Baseline: c.Variant == g.Baseline,
				NS: max(known.NS, 1), BytesOp: known.BytesOp,
			})
		}
	}
	return cells
}

// fail takes a cell's time away.
func (e *experiment) fail(k stats.Key, reason string) {
	c := e.cells[k]
	c.Status, c.Reason, c.turns = report.Failed, reason, nil
}

// unsettled returns the groups to time in a process.
func (e *experiment) unsettled(p *payload, process int) []stats.Group {
	var groups []stats.Group
	for _, op := range variant.Ops() {
		g := e.group(p, op.Name)
		if op.Name == variant.Size || len(g.Cells) == 0 || process >= minProcesses && settled(g, e.Precision) {
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
	for _, c := range e.request(groups) {
		slowest = max(slowest, c.NS)
	}
	samples := len(p.Samples)
	fit := float64(blockTime) / slowest
	fit = max(fit, min(math.Ceil(float64(samples)/minRounds), float64(blockLimit)/slowest))
	return max(1, min(samples, int(fit)))
}

// checkCoverage warns if the time was too short for all samples.
func (e *experiment) checkCoverage(p *payload) {
	if seen := p.rounds * p.request.Block; seen < len(p.Samples) {
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
