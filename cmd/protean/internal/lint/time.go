package lint

import (
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/cmd/protean/internal/stats"
	"github.com/protean-pb/protean/lint/schema"
	"github.com/protean-pb/protean/value"
)

// Times is what one value of a field takes, in nanoseconds on the average over those of the
// samples: the median of rounds in which the three take turns. It is all zero if nothing was timed.
type Times struct {
	// Unmarshal and Marshal are the official library's, of structpb's messages.
	Unmarshal, Marshal stats.Interval
	// Parse is value.Parse of the same bytes, as a bytes field has them.
	Parse  stats.Interval
	Rounds int
	// Problem says why nothing was timed, if something failed.
	Problem string
}

// Known reports whether there are times.
func (t *Times) Known() bool { return t.Rounds > 0 }

// rounds is how many a field gets, if time is not up before.
const rounds = 15

// Clock times the fields of struct.proto's types that the samples have, with an equal part of the
// time for each; a field gets at least stats.MinRounds rounds. Anys are not timed: what
// they cost depends on what is in them.
func (d *Data) Clock(total time.Duration) {
	var timed []*Field
	for i := range d.Fields {
		if f := &d.Fields[i]; f.Rule != schema.Any && len(f.bodies) > 0 {
			timed = append(timed, f)
		}
	}
	for _, f := range timed {
		times, err := newClock(f).run(total / time.Duration(len(timed)))
		if err != nil {
			times.Problem = err.Error()
		}
		f.Times = times
	}
}

// A clock times one field. Its three functions work on all values once.
type clock struct {
	bodies  [][]byte
	trees   []proto.Message
	fresh   func() proto.Message
	parse   func([]byte) (value.Doc, error)
	scratch []byte
}

func newClock(f *Field) *clock {
	c := &clock{bodies: f.bodies}
	switch f.Rule {
	case schema.Struct:
		c.fresh, c.parse = func() proto.Message { return new(structpb.Struct) }, value.ParseStruct
	case schema.ListValue:
		c.fresh, c.parse = func() proto.Message { return new(structpb.ListValue) }, value.ParseList
	default:
		c.fresh, c.parse = func() proto.Message { return new(structpb.Value) }, value.Parse
	}
	return c
}

func (c *clock) unmarshal() error {
	c.trees = c.trees[:0]
	for _, b := range c.bodies {
		m := c.fresh()
		if err := proto.Unmarshal(b, m); err != nil {
			return err
		}
		c.trees = append(c.trees, m)
	}
	return nil
}

func (c *clock) marshal() (err error) {
	for _, m := range c.trees {
		if c.scratch, err = (proto.MarshalOptions{}).MarshalAppend(c.scratch[:0], m); err != nil {
			return err
		}
	}
	return nil
}

func (c *clock) index() error {
	for _, b := range c.bodies {
		if _, err := c.parse(b); err != nil {
			return err
		}
	}
	return nil
}

// run takes turns. How often a turn does its work is found out in the first round, which does not
// count.
func (c *clock) run(total time.Duration) (Times, error) {
	work := []func() error{c.unmarshal, c.marshal, c.index}
	samples := make([][]float64, len(work))
	turn := total / time.Duration(rounds*len(work))
	often := make([]int, len(work))
	for i, w := range work {
		start := time.Now()
		if err := w(); err != nil {
			return Times{}, err
		}
		often[i] = 1 + int(turn/max(time.Since(start), 1))
	}
	start := time.Now()
	for r := range rounds {
		if r >= stats.MinRounds && time.Since(start) > total {
			break
		}
		for i, w := range work {
			begun := time.Now()
			for range often[i] {
				if err := w(); err != nil {
					return Times{}, err
				}
			}
			samples[i] = append(samples[i], float64(time.Since(begun).Nanoseconds())/float64(often[i]*len(c.bodies)))
		}
	}
	return Times{Unmarshal: stats.Median(samples[0]), Marshal: stats.Median(samples[1]),
		Parse:  stats.Median(samples[2]),
		Rounds: len(samples[0])}, nil
}
