package lab

import (
	"context"
	"errors"

	"github.com/protean-pb/protean/cmd/protean/internal/harness"
	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/runner"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// profile finds out who makes the allocations of what is done in scripts: the engine, or
// what lies between it and the messages. A program that crashes over it says so in a
// warning: all that is lost is this table.
func (e *experiment) profile(ctx context.Context) error {
	req := &runner.Request{Profile: true}
	for _, p := range e.payloads {
		q := p.request
		q.Cells = e.scripted(p)
		if len(q.Cells) > 0 {
			req.Payloads = append(req.Payloads, q)
		}
	}
	if len(req.Payloads) == 0 {
		return nil
	}
	e.Progress(Progress{Text: "looking into who allocates in scripts"})
	err := e.programs[0].Run(ctx, e.dir, req, func(ev runner.Event) {
		if ev.Profiled != nil {
			e.cells[ev.Profiled.Key].components = ev.Profiled.Components
		}
	})
	var crash *harness.CrashError
	if errors.As(err, &crash) {
		e.warnings = append(e.warnings, "who allocates in scripts is not known: "+crash.Error())
		return nil
	}
	return err
}

// scripted lists the cells of variants in scripts that passed verification, but for libraries
// from npm: theirs are all the engine's, and many.
func (e *experiment) scripted(p *payload) []runner.Cell {
	var cells []runner.Cell
	for _, v := range e.Variants {
		if v.Family != variant.JS || v.Version != "" {
			continue
		}
		for _, op := range e.ops(v) {
			c := e.cells[stats.Key{Payload: p.Name, Variant: v.Name, Op: op}]
			if c != nil && c.judged && c.Status == result.OK {
				cells = append(cells, runner.Cell{Variant: v.Name, Op: op})
			}
		}
	}
	return cells
}
