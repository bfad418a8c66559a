// Package migrate proves what a change of a schema does to data: what one side writes is read
// by the other, in binary form and in ProtoJSON, and the values are compared.
//
// [Prove] takes two sides and samples. What each side can write comes from the samples and
// from values of the package's own, at the edges of every field that differs. Readers are the
// official library for Go on dynamic messages; package dynamic of this repository reads
// everything too, and where it disagrees the result says so.
//
// # How values find each other
//
// In binary form a field is what its number says, in ProtoJSON what its name says. A field
// that neither number nor name give to the old side is new: old readers do not look for it, so
// nothing is lost, though a strict reader of JSON refuses its name, which the finding says.
// A field that the new side has no more is lost where an old writer sets it.
package migrate

import (
	"cmp"
	"context"
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
)

// A Side is one version of a message type. It is safe for concurrent use.
type Side struct {
	Schema  *suite.Schema
	Message protoreflect.MessageDescriptor
}

// NewSide returns the message of a full name in files, which are complete together and belong
// to the side from then on.
func NewSide(set *descriptorpb.FileDescriptorSet, message string) (*Side, error) {
	s, err := suite.NewSchema(set)
	if err != nil {
		return nil, err
	}
	md, err := s.Message(message)
	if err != nil {
		return nil, err
	}
	return &Side{Schema: s, Message: md}, nil
}

// A Sample is a message in binary form, and where it came from.
type Sample struct {
	Source string
	Wire   []byte
}

// Samples are messages that the sides are known to write.
type Samples struct{ Old, New []Sample }

// Options say what is tried.
type Options struct {
	Wires []Wire // nil is all
	// SamplesOnly leaves out the package's own values.
	SamplesOnly bool
	// BytesHoldMessages has own values of a bytes field that faces a message be that message's
	// wire form, as value.Marshal writes a google.protobuf.Value, and nothing else.
	BytesHoldMessages bool
}

func (o Options) wires() []Wire {
	if o.Wires == nil {
		return []Wire{Binary, JSON}
	}
	return o.Wires
}

// Prove writes messages by one side and reads them by the other, in both directions, and says
// what became of every value. It ends early, with the context's error, where that is done.
// Time and memory are bounded: they grow with the samples, and with the fields that differ
// up to a limit that [Result.Untried] tells of.
func Prove(ctx context.Context, before, after *Side, samples Samples, o Options) (*Result, error) {
	t := newTally()
	r := &Result{Old: string(before.Message.FullName()), New: string(after.Message.FullName()), Wires: o.wires()}
	r.Samples = [2]int{len(samples.Old), len(samples.New)}
	for _, d := range []Direction{OldToNew, NewToOld} {
		for _, w := range o.wires() {
			p := &prover{ctx: ctx, dir: d, wire: w, tally: t, result: r, from: before, to: after, given: samples.Old}
			if d == NewToOld {
				p.from, p.to, p.given = after, before, samples.New
			}
			if err := p.run(o); err != nil {
				return nil, err
			}
		}
	}
	r.Findings = t.findings()
	return r, nil
}

// A prover tries one direction in one form.
type prover struct {
	ctx      context.Context
	dir      Direction
	wire     Wire
	from, to *Side
	given    []Sample
	graph    *graph
	self     *graph // of the writer's schema with itself; made when needed
	tally    *tally
	result   *Result
	reads    int // left for looking for the cause of errors
}

// maxSearch bounds the reads that look for the fields that cause errors.
const maxSearch = 20000

func (p *prover) run(o Options) error {
	p.reads = maxSearch
	p.graph = newGraph(p.from, p.to, p.wire, p.dir)
	for _, s := range p.given {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		m := dynamicpb.NewMessage(p.from.Message)
		if err := unmarshalBinary(p.from, s.Wire, m); err != nil {
			return fmt.Errorf("%s: %w", s.Source, err)
		}
		dropUnknown(m)
		if p.wire == o.wires()[0] && depthOf(m) > depthElsewhere {
			p.result.Deep++
			p.result.DeepSource = cmp.Or(p.result.DeepSource, s.Source)
		}
		p.try(m, s.Source, false)
	}
	if o.SamplesOnly {
		return nil
	}
	e := newEdges(p.graph, o)
	for _, m := range e.messages() {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		p.try(m, ownValue, true)
	}
	p.result.Untried += e.untried
	return nil
}

// ownValue is the source of a value that no sample has.
const ownValue = "own value"

// try writes a message, reads it and records what became of it.
func (p *prover) try(m *dynamicpb.Message, source string, own bool) {
	if proto.CheckInitialized(m) != nil {
		return // the writer's library refuses it
	}
	rec := &recorder{tally: p.tally, graph: p.graph, source: source, own: own}
	if _, err := p.write(p.from, m); err != nil {
		if !own {
			p.result.Unwritable[p.wire]++
		}
		return
	}
	sent := m
	if p.wire == JSON {
		sent = p.withoutAdded(m, rec)
	}
	p.deliver(sent, rec)
}

// deliver reads a message that can be written, looks for the fields that cause an error, and
// compares the rest.
func (p *prover) deliver(m *dynamicpb.Message, rec *recorder) {
	got, err := p.transfer(m)
	if err != nil {
		if p.failsAlone(m) {
			p.result.Unwritable[p.wire]++
			return
		}
		m = p.blame(m, err, rec, "", func(x *dynamicpb.Message) error {
			_, err := p.transfer(x)
			if err != nil && p.failsAlone(x) {
				return nil
			}
			return err
		})
		if m == nil {
			return
		}
		if got, err = p.transfer(m); err != nil {
			rec.record(nil, outcome{class: Error, wrote: showMessage(m), why: errorText(err)})
			return
		}
	}
	p.checkRequired(m, got, rec)
	p.checkRewrite(m, got, rec)
	p.compare(m, got, rec)
}

// failsAlone reports whether the writer's own schema refuses what it has written, so that no
// change of it is to blame.
func (p *prover) failsAlone(m *dynamicpb.Message) bool {
	_, err := p.read(p.from, m)
	return err != nil
}

// compare records what became of the values. What the writer's own schema reads as badly is no
// fault of the change: JSON has null for every number of google.protobuf.NullValue, for example.
func (p *prover) compare(m, got *dynamicpb.Message, rec *recorder) {
	type event struct {
		at *place
		outcome
	}
	var events []event
	c := &comparison{graph: p.graph, wire: p.wire, dir: p.dir}
	c.record = func(at *place, o outcome) { events = append(events, event{at, o}) }
	if c.messages(m, got, nil) <= Form {
		for _, e := range events {
			rec.record(e.at, e.outcome)
		}
		return
	}
	alone := p.alone(m)
	for _, e := range events {
		if e.class.Bad() && alone[e.at.exact()] >= e.class {
			e.outcome = outcome{class: Same, wrote: e.wrote, read: e.read, why: "as the writer's own schema reads it"}
		}
		rec.record(e.at, e.outcome)
	}
}

// alone is what becomes of the values, by path, where the writer's own schema reads them.
func (p *prover) alone(m *dynamicpb.Message) map[string]Class {
	if p.self == nil {
		p.self = newGraph(p.from, p.from, p.wire, OldToNew)
	}
	found := map[string]Class{}
	got, err := p.read(p.from, m)
	if err != nil {
		return found
	}
	c := &comparison{graph: p.self, wire: p.wire, dir: OldToNew}
	c.record = func(at *place, o outcome) {
		if o.class.Bad() {
			found[at.exact()] = max(found[at.exact()], o.class)
		}
	}
	c.messages(m, got, nil)
	return found
}

// checkRequired records required fields of the reader that are not set.
func (p *prover) checkRequired(m, got *dynamicpb.Message, rec *recorder) {
	if proto.CheckInitialized(got) == nil {
		return
	}
	if at := missingRequired(got, nil); at != nil {
		rec.record(at, outcome{class: Error, wrote: absent, why: "required field " + at.generic() + " is not set"})
	}
}

// checkRewrite records what the reader has read but cannot write, though the writer can.
func (p *prover) checkRewrite(m, got *dynamicpb.Message, rec *recorder) {
	if _, err := writeJSON(p.to, got); err == nil {
		return
	} else if _, own := writeJSON(p.from, m); own != nil {
		return
	} else {
		p.blame(m, err, rec, "read, but cannot be written as JSON: ", func(x *dynamicpb.Message) error {
			got, err := p.transfer(x)
			if err != nil {
				return nil
			}
			_, err = writeJSON(p.to, got)
			return err
		})
	}
}
