package lab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/protean-pb/protean/cmd/protean/internal/harness"
	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/runner"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
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
		share := left / time.Duration(len(e.payloads)-i)
		err := e.measurePayload(ctx, p, share)
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
	slice := max(share/processes, minSlice)
	end := time.Now().Add(share)
	for process := 0; process == 0 || time.Now().Before(end); process++ {
		p.request.Cells = e.unsettled(p, process)
		if len(p.request.Cells) == 0 {
			break
		}
		if process == 0 {
			p.request.Block = blockSize(len(p.Samples), p.request.Cells)
		}
		remaining := max(time.Until(end), minSlice)
		req := &runner.Request{
			Payloads: []runner.Payload{p.request},
			Seconds:  min(slice, remaining).Seconds(),
			Process:  process,
			Round:    p.rounds,
			Seed:     e.Seed,
		}
		e.say(p, end)
		err := e.program.Run(ctx, e.dir, req, func(ev runner.Event) { e.timed(p, ev) })
		var crash *harness.CrashError
		if errors.As(err, &crash) && e.cells[crash.During] != nil {
			e.fail(crash.During, "it crashed the program: "+crash.Message)
			err = nil
		}
		if err != nil {
			return err
		}
	}
	e.checkCoverage(p)
	return nil
}

// timed takes in one event of a timing process.
func (e *experiment) timed(p *payload, ev runner.Event) {
	switch {
	case ev.Turn != nil:
		c := e.cells[ev.Turn.Key]
		c.turns = append(c.turns, *ev.Turn)
		p.rounds = max(p.rounds, ev.Turn.Round+1)
	case ev.Failed != nil:
		e.fail(ev.Failed.Key, ev.Failed.Reason)
	}
}

// fail takes a cell's time away.
func (e *experiment) fail(k stats.Key, reason string) {
	c := e.cells[k]
	c.Status, c.Reason, c.turns = report.Failed, reason, nil
}

// unsettled returns the cells to time in the next process.
func (e *experiment) unsettled(p *payload, process int) []runner.Cell {
	var cells []runner.Cell
	for _, op := range variant.Ops() {
		g := e.group(p, op.Name)
		if op.Name == variant.Size || len(g.Cells) == 0 || process >= minProcesses && settled(g, e.Precision) {
			continue
		}
		for _, c := range g.Cells {
			known := e.cells[stats.Key{Payload: p.Name, Variant: c.Variant, Op: op.Name}]
			cells = append(cells, runner.Cell{Variant: c.Variant, Op: op.Name, NS: known.NS, BytesOp: known.BytesOp})
		}
	}
	return cells
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
	blockTime  = 20 * time.Millisecond
	blockLimit = 250 * time.Millisecond
)

// blockSize says how many samples a turn walks through: all, where the slowest
// cell manages; else so many that minRounds rounds see all of them.
func blockSize(samples int, cells []runner.Cell) int {
	slowest := 1.0
	for _, c := range cells {
		slowest = max(slowest, c.NS)
	}
	fit := float64(blockTime) / slowest
	fit = max(fit, min(math.Ceil(float64(samples)/minRounds), float64(blockLimit)/slowest))
	return max(1, min(samples, int(fit)))
}

// checkCoverage warns if the time was too short for all samples.
func (e *experiment) checkCoverage(p *payload) {
	if seen := p.rounds * p.request.Block; seen < len(p.Samples) && p.rounds > 0 {
		e.warnings = append(e.warnings, fmt.Sprintf("%s: the time sufficed for %d of %d samples, drawn at random; all were verified (--time gives it longer)", p.Name, seen, len(p.Samples)))
	}
}

// say tells how far measuring has come.
func (e *experiment) say(p *payload, end time.Time) {
	known, total := 0, 0
	for _, op := range variant.Ops() {
		if op.Name == variant.Size {
			continue
		}
		for _, c := range stats.Estimate(e.group(p, op.Name), e.Precision) {
			total++
			if c.Converged {
				known++
			}
		}
	}
	e.Progress(fmt.Sprintf("measuring %s: round %d, %d of %d ratios known to ±%.3g %%, at most %s left",
		p.Name, p.rounds, known, total, 100*e.Precision, time.Until(end).Round(time.Second)))
}
