package runner

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// obey answers commands until there are no more.
func (r *run) obey(l *load) error {
	if len(l.Cells) == 0 {
		return fmt.Errorf("payload %s: nothing to time", l.Name)
	}
	codec, err := r.find(l.Cells[0].Variant).Open(l.typ)
	if err != nil {
		return err
	}
	pin(r.req.Processor)
	t := &timer{load: l, codec: codec, collector: watchCollector()}
	for {
		var c Command
		if err := r.commands.Decode(&c); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		var s Slice
		if err := guard(func() error { return t.do(&c, &s) }); err != nil {
			s = Slice{Error: err.Error()}
		}
		if err := r.emit(Event{Slice: &s}); err != nil {
			return err
		}
	}
}

// A timer runs the operations of one codec under the clock.
type timer struct {
	*load
	codec     variant.Codec
	loaded    int // samples
	collector *collector
}

func (t *timer) do(c *Command, s *Slice) error {
	if len(c.Samples) > 0 {
		ms, err := t.messages(c.Samples)
		if err != nil {
			return err
		}
		if err := t.codec.Load(ms); err != nil {
			return err
		}
		t.loaded = len(ms)
	}
	if c.Op == "" {
		return nil
	}
	o := op(t.codec, c.Op)
	if o == nil {
		return fmt.Errorf("no operation %s", c.Op)
	}
	if err := t.walk(o, c.Warm); err != nil {
		return err
	}
	start := time.Now()
	if err := t.walk(o, c.Walks); err != nil {
		return err
	}
	// A garbage collection under way belongs to this variant, whose process has
	// only its garbage: run on beside it until it ends, as a program would.
	walks, more := c.Walks, 1+c.Walks/8
	for ; t.collector.running(); walks += more {
		if err := t.walk(o, more); err != nil {
			return err
		}
	}
	s.NS = time.Since(start).Nanoseconds()
	s.Ops = walks * t.loaded
	return nil
}

// walk runs the operation on all loaded samples, so many times over. What it adds
// to an operation is one call through a function value.
func (t *timer) walk(o *variant.Op, times int) error {
	run, n := o.Run, t.loaded
	for range times {
		for i := range n {
			if err := run(i); err != nil {
				return fmt.Errorf("in the timed loop: %w", err)
			}
		}
	}
	return nil
}
