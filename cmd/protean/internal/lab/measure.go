package lab

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/protean-pb/protean/cmd/protean/internal/harness"
	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/runner"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

const (
	// rounds is for how many rounds the time of a payload suffices at least. Each round is a process of its own: within
	// one process all slices share addresses and hash seeds, so their errors are correlated. A round takes less on an
	// undisturbed machine.
	rounds = 12
	// minRounds are needed before a cell may be left out.
	minRounds = 9
	// minShare and maxShare bound the time of a round.
	minShare = 300 * time.Millisecond
	maxShare = 5 * time.Second
	// lastRounds is how many rounds the floor of the noise gate is taken from: a processor may become slower for good.
	lastRounds = 4
)

// measure times payload by payload. The time that one payload leaves of its share goes to the following ones.
func (e *experiment) measure(ctx context.Context) error {
	if e.Time == 0 {
		return nil // verification has counted
	}
	left := e.Time
	for i, p := range e.payloads {
		if len(e.unsettled(p)) == 0 {
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

// measurePayload times the cells of a payload, round after round. A cell whose ratio
// is known well enough is left out from then on.
func (e *experiment) measurePayload(ctx context.Context, p *payload, share time.Duration) error {
	groups := e.unsettled(p)
	p.request.Block = e.blockSize(p, groups)
	most := max(min(share/rounds, maxShare), minShare) // for a round
	for end := time.Now().Add(share); len(groups) > 0; groups = e.unsettled(p) {
		left := time.Until(end)
		if p.rounds > 0 && left < most/2 {
			break
		}
		e.say(p, end)
		if err := e.runRound(ctx, p, groups, max(min(most, left), minShare)); err != nil {
			return err
		}
		p.rounds++
	}
	e.checkCoverage(p)
	return nil
}

// runRound times the groups in a new process of the program, which may take so long.
func (e *experiment) runRound(ctx context.Context, p *payload, groups []stats.Group, most time.Duration) error {
	q := p.request
	q.Cells = e.request(groups)
	p.cells = append(p.cells, fmt.Sprint(names(q.Cells)))
	req := &runner.Request{
		Payloads: []runner.Payload{q},
		Seconds:  most.Seconds(),
		Round:    p.rounds,
		Seed:     e.Seed,
		Mark:     filepath.Join(e.dir, "mark"),
	}
	if n := len(e.floors); n > 0 {
		req.CalibrationFloor = slices.Min(e.floors[max(n-lastRounds, 0):])
	}
	// The mark of the last round would blame a cell for a crash before the first slice.
	if err := os.Remove(req.Mark); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err := e.programs[0].Run(ctx, e.dir, req, func(ev runner.Event) {
		switch {
		case ev.Turn != nil:
			c := e.cells[ev.Turn.Key]
			c.turns = append(c.turns, *ev.Turn)
			c.NS = ev.Turn.NS // sizes the first slices of the next round
			p.gcCostOf(e.path(c.Variant), p.rounds).addTurn(ev.Turn)
		case ev.Garbage != nil:
			p.gcCostOf(ev.Garbage.Program, p.rounds).addRound(ev.Garbage)
		case ev.CalibrationFloor > 0:
			e.floors = append(e.floors, ev.CalibrationFloor)
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

// attributeGC adds the GC cost of a variant's allocations to its turns. All rounds of the same scope have one price a
// byte, since one round has too few collections to estimate it. The error of that price, which the turns share, goes
// into their Shared field.
func (e *experiment) attributeGC(p *payload, turns []runner.Turn) []stats.Turn {
	if turns = undisturbed(turns); len(turns) == 0 {
		return nil
	}
	out := make([]stats.Turn, len(turns))
	var (
		last            *gcCost // most turns are of the same scope as the one before
		price, priceErr float64
	)
	for i, t := range turns {
		out[i] = t.Turn
		if t.Garbage == 0 {
			continue
		}
		if g := p.gcCostOf(e.path(t.Variant), t.Round); g != last {
			last, price, priceErr = g, g.price(t.Key), g.priceError(t.Key)
		}
		out[i].NS += t.Garbage * price
		out[i].Shared = t.Garbage * priceErr
	}
	return out
}

// undisturbed returns the turns of undisturbed rounds, or all turns if those are fewer than minRounds.
func undisturbed(turns []runner.Turn) []runner.Turn {
	out := slices.DeleteFunc(slices.Clone(turns), func(t runner.Turn) bool { return t.Disturbed })
	if len(out) < minRounds {
		return turns
	}
	return out
}

// request lists the cells of the groups.
func (e *experiment) request(groups []stats.Group) []runner.Cell {
	var cells []runner.Cell
	for _, g := range groups {
		for _, c := range g.Cells {
			known := e.cells[stats.Key{Payload: g.Payload, Variant: c.Variant, Op: g.Op}]
			cells = append(cells, runner.Cell{
				Variant: c.Variant, Op: g.Op, Program: e.path(c.Variant),
				Baseline: c.Variant == g.Baseline && len(g.Cells) > 1,
				NS:       max(known.NS, 1), BytesOp: known.BytesOp,
			})
		}
	}
	return cells
}

// names returns the variant and operation of each cell.
func names(cells []runner.Cell) [][2]string {
	var out [][2]string
	for _, c := range cells {
		out = append(out, [2]string{c.Variant, c.Op})
	}
	return out
}

// fail marks a cell as failed and drops its times.
func (e *experiment) fail(k stats.Key, reason string) {
	c := e.cells[k]
	c.Status, c.Reason, c.turns = result.Failed, reason, nil
}

// unsettled returns the cells to time in a round: for each operation those that have not converged, and the baseline.
func (e *experiment) unsettled(p *payload) []stats.Group {
	var groups []stats.Group
	for _, op := range variant.Ops() {
		if op.Name == variant.Size {
			continue
		}
		g := e.group(p, op.Name)
		if g.Cells = vague(g, e.Precision); len(g.Cells) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// vague returns the cells that need more rounds, and the baseline to hold them
// against.
func vague(g stats.Group, precision float64) []stats.Cell {
	need := map[string]bool{}
	for _, c := range stats.Unconverged(g, precision) {
		need[c.Variant] = true
	}
	for _, c := range g.Cells {
		if len(c.Turns) < minRounds {
			need[c.Variant] = true
		}
	}
	if len(need) == 0 {
		return nil
	}
	need[g.Baseline] = true
	return slices.DeleteFunc(slices.Clone(g.Cells), func(c stats.Cell) bool { return !need[c.Variant] })
}

// group returns the cells of one operation that passed verification, with their
// turns, and the baseline among them.
func (e *experiment) group(p *payload, op string) stats.Group {
	g := stats.Group{Suite: e.Suite.Name, Payload: p.Name, Op: op}
	for _, v := range e.Variants {
		c := e.cells[stats.Key{Payload: p.Name, Variant: v.Name, Op: op}]
		if c == nil || c.Status != result.OK {
			continue
		}
		g.Cells = append(g.Cells, stats.Cell{Variant: v.Name, Turns: e.attributeGC(p, c.turns),
			Apart: string(e.apart(p, v, op))})
		if g.Baseline == "" || v.Name == e.Baseline {
			g.Baseline = v.Name
		}
	}
	return g
}

const (
	// blockTime bounds how long the slowest cell takes for a walk through a block of samples; blockLimit is the bound
	// where there are very many samples.
	blockTime  = 2 * time.Millisecond
	blockLimit = 50 * time.Millisecond
)

// blockSize returns how many samples a round walks through: all of them if the slowest cell can within blockTime, else
// so many that minRounds rounds walk through all.
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
		e.warnings = append(e.warnings,
			fmt.Sprintf("%s: the time sufficed for %d of %d samples, drawn at random; all were verified (--time "+
				"gives it longer)", p.Name, seen, len(p.Samples)))
	}
}

// say reports the progress of measuring; end is when it ends at the latest.
func (e *experiment) say(p *payload, end time.Time) {
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
	text := fmt.Sprintf("measuring %s, round %d: %d of %d ratios known to ±%.3g %%", p.Name, p.rounds, known, total,
		100*e.Precision)
	e.Progress(Progress{Text: text, Done: known, Of: total, End: end})
}
