// Package lab runs an experiment from end to end: it builds the program of a
// suite, has every variant verified, times the cells that passed, in several
// processes, until their ratios are known well enough, and reports.
package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/protean-pb/protean/cmd/protean/internal/harness"
	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/runner"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// Options say what to measure, and how well.
type Options struct {
	Suite    *suite.Suite
	Payloads []*suite.Payload   // of the suite
	Variants []*variant.Variant // at least one
	Plan     suite.Plan         // whose columns and totals the report has
	Ops      []string           // all if empty
	// Baseline is what ratios are to, where it has the operation; else the first
	// variant that has it is.
	Baseline string
	// Precision is the half-width of the interval of a ratio at which measuring
	// may end, as a fraction.
	Precision float64
	// Time is the most that measuring may take, over all payloads. If it is 0,
	// nothing is timed: variants are verified, and sizes and allocations counted.
	Time time.Duration
	// Seed shuffles the turns.
	Seed   uint64
	Module *harness.Module
	// Keep, if not empty, is a folder to copy the program and its data to.
	Keep string
	// Progress is told what goes on. It may not be nil.
	Progress func(Progress)
}

// Progress is how far a part of an experiment has come.
type Progress struct {
	Text string // what goes on, in a line
	// Done and Of are how many units of the part are done, and how many there are; Of is 0 if that is unknown.
	Done, Of int
	// End is when the part ends at the latest; zero if that is unknown.
	End time.Time
}

// Run makes the experiment. When ctx ends, the report holds what was measured up
// to then and says so; an error means that there is nothing to report.
func Run(ctx context.Context, o Options) (*report.Report, error) {
	programs, err := build(ctx, &o)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "protean-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	e := &experiment{
		Options: o, programs: programs, dir: dir, cells: map[stats.Key]*cell{},
		properties: map[stats.Key]result.Properties{}, held: map[string]result.Held{},
	}
	if err := e.prepare(); err != nil {
		return nil, err
	}
	err = e.verify(ctx)
	if err == nil && o.Keep != "" {
		err = e.keep()
	}
	if err == nil {
		err = e.profile(ctx)
	}
	if err == nil {
		err = e.measure(ctx)
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		return nil, err
	}
	return e.report(err != nil), nil
}

// An experiment is a run under way.
type experiment struct {
	Options
	programs   []*program
	dir        string
	payloads   []*payload
	cells      map[stats.Key]*cell
	properties map[stats.Key]result.Properties // by payload and variant
	held       map[string]result.Held          // by payload
	warnings   []string
	checks     checks
	floors     []int64 // of the noise gate, one a round, in nanoseconds
	measured   time.Duration
}

// A payload is one payload under way.
type payload struct {
	*suite.Payload
	request runner.Payload
	pending []string // variants still to verify
	rounds  int
	cells   []string // those of each round, in one text
	gc      map[gcScope]*gcCost
}

// A cell is what is known of one operation of one variant on one payload.
type cell struct {
	runner.Verified
	judged     bool // verification has come to it
	turns      []runner.Turn
	components result.Components // its allocations by part of the program, if it is in a script
}

// prepare lists the cells and writes the samples for the program.
func (e *experiment) prepare() error {
	for _, p := range e.Payloads {
		path, err := harness.WriteSamples(e.dir, p)
		if err != nil {
			return err
		}
		q := &payload{
			Payload: p, gc: map[gcScope]*gcCost{},
			request: runner.Payload{Name: p.Name, Type: harness.TypeKey(p), Samples: path, Ops: e.Ops},
		}
		for _, v := range e.Variants {
			if len(e.ops(v)) == 0 {
				continue
			}
			q.pending = append(q.pending, v.Name)
			for _, op := range e.ops(v) {
				k := stats.Key{Payload: p.Name, Variant: v.Name, Op: op}
				e.cells[k] = &cell{Verified: runner.Verified{Key: k}}
			}
		}
		e.payloads = append(e.payloads, q)
		if p.DrawnFrom > 0 {
			e.warnings = append(e.warnings,
				fmt.Sprintf("%s: %d samples, drawn at random from %d (--samples)", p.Name, len(p.Samples), p.DrawnFrom))
		}
	}
	return nil
}

// ops returns the operations of v that were asked for.
func (e *experiment) ops(v *variant.Variant) []string {
	return slices.DeleteFunc(slices.Clone(v.Ops), func(op string) bool {
		return len(e.Ops) > 0 && !slices.Contains(e.Ops, op)
	})
}

// verify has every program check its variants.
func (e *experiment) verify(ctx context.Context) error {
	e.checks = checks{start: time.Now()}
	for _, p := range e.payloads {
		e.checks.total += len(p.pending)
	}
	for _, p := range e.programs {
		if err := e.verifyIn(ctx, p); err != nil {
			return err
		}
	}
	if took := time.Since(e.checks.start); e.Time > 0 && took > max(e.Time, minTold) {
		e.warnings = append(e.warnings, fmt.Sprintf(
			"verification took %s, which is not part of --time: fewer samples take less (--samples)",
			took.Round(time.Second)))
	}
	return nil
}

// minTold is how long verification takes at least where the report says so.
const minTold = 10 * time.Second

// checks is the progress of verification, which covers all samples and is not part of Options.Time.
type checks struct {
	start        time.Time
	total, begun int
	last         stats.Key // that was begun
}

// begin counts the variants whose verification has begun, and returns the progress.
func (c *checks) begin(k stats.Key) Progress {
	if k.Payload != c.last.Payload || k.Variant != c.last.Variant {
		c.begun, c.last = c.begun+1, k
	}
	text := fmt.Sprintf("verifying %s: %d of %d: %s", k.Payload, c.begun, c.total, k.Variant)
	return Progress{Text: text, Done: c.begun - 1, Of: c.total}
}

// verifyIn has one program verify its variants. A variant that crashes the program is marked as failed, and the program
// is started again for the rest.
func (e *experiment) verifyIn(ctx context.Context, in *program) error {
	for {
		req := &runner.Request{Verify: true}
		for _, p := range e.payloads {
			q := p.request
			q.Variants = slices.DeleteFunc(slices.Clone(p.pending),
				func(name string) bool { return e.programOf(name) != in })
			if len(q.Variants) > 0 {
				req.Payloads = append(req.Payloads, q)
			}
		}
		if len(req.Payloads) == 0 {
			return nil
		}
		err := in.Run(ctx, e.dir, req, e.verified)
		var crash *harness.CrashError
		switch {
		case err == nil:
			for _, p := range e.payloads {
				p.pending = slices.DeleteFunc(p.pending, func(name string) bool { return e.programOf(name) == in })
			}
		case errors.As(err, &crash) && e.blame(crash):
		default:
			return err
		}
	}
}

// verified records one event of verification.
func (e *experiment) verified(ev runner.Event) {
	switch {
	case ev.Begin != nil:
		e.Progress(e.checks.begin(*ev.Begin))
	case ev.Verified != nil:
		if c := e.cells[ev.Verified.Key]; c != nil {
			c.Verified, c.judged = *ev.Verified, true
			c.Reason = e.placed(ev.Verified)
		}
	case ev.Held != nil:
		e.held[ev.Held.Payload] = ev.Held.Risks
	case ev.Probed != nil:
		e.properties[stats.Key{Payload: ev.Probed.Payload, Variant: ev.Probed.Variant}] = ev.Probed.Properties
	}
}

// placed returns the reason of a verdict, after the source of its sample where there are several.
func (e *experiment) placed(v *runner.Verified) string {
	for _, p := range e.payloads {
		if p.Name == v.Payload && v.Sample >= 0 && len(p.Samples) > 1 {
			return p.Samples[v.Sample].Source + ": " + v.Reason
		}
	}
	return v.Reason
}

// blame marks all cells of the variant that crashed the program as failed, and takes it from the pending ones; false if
// the program crashed before it came to a variant.
func (e *experiment) blame(crash *harness.CrashError) bool {
	for _, p := range e.payloads {
		i := slices.Index(p.pending, crash.During.Variant)
		if p.Name != crash.During.Payload || i < 0 {
			continue
		}
		p.pending = slices.Delete(p.pending, i, i+1)
		for k, c := range e.cells {
			if k.Payload == p.Name && k.Variant == crash.During.Variant {
				c.Status, c.Reason, c.judged = result.Failed, "it crashed the program: "+crash.Message, true
			}
		}
		return true
	}
	return false
}
