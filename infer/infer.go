// Package infer makes Protobuf schemas of JSON documents, and of data in other forms that JSON has a counterpart of.
//
// Documents are read once for their statistics ([Profile]), from which package decide makes a schema, and once more to
// prove that each comes back from a message of that schema ([Prove]). Statistics of parts add up to those of the whole,
// so that a corpus can be read in parts, by as many machines as one likes; see package profile.
package infer

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/infer/profile"
	"github.com/protean-pb/protean/infer/proof"
	"github.com/protean-pb/protean/infer/schema"
	"github.com/protean-pb/protean/records"
)

// An Input is documents, and how they are read.
type Input struct {
	Splits  []records.Split
	Options records.Options
	// Memory is how many bytes the profile takes at most; 0 means profile.DefaultMemory.
	Memory int
	// Workers is how many work at once; 0 means one a processor.
	Workers int
	// Broken, if not nil, is told of each document that is not JSON, or cannot be made JSON; the error that it returns
	// ends the work. If it is nil, the first such document does. Several workers may call at once.
	Broken func(b *records.Batch, fault *records.Error) error
}

func (in *Input) workers() int {
	if in.Workers > 0 {
		return in.Workers
	}
	return records.Workers()
}

// each gives all documents, as JSON text, to workers that work at once; where a worker's function fails, or a record is
// none, that is told to broken.
func (in *Input) each(ctx context.Context, work func(worker int, r records.Record, b *records.Batch) error,
	broken func(worker int, b *records.Batch, fault *records.Error) error) error {
	text := make([]*converter, in.workers())
	for i := range text {
		c, err := newConverter(in.Options.Form)
		if err != nil {
			return err
		}
		text[i] = c
	}
	return records.Each(ctx, in.Splits, in.Options, in.workers(), func(w int, b *records.Batch) error {
		for r := range b.Records() {
			original := r
			err := r.Err
			if err == nil {
				err = text[w].toJSON(&r)
			}
			if err == nil {
				err = work(w, r, b)
			}
			if err == nil {
				continue
			}
			if err := broken(w, b, fault(original, err)); err != nil {
				return err
			}
		}
		return nil
	})
}

// A converter makes JSON text of records.
type converter struct {
	c   *records.Converter // nil for records that are text
	buf []byte
}

func newConverter(f records.Form) (*converter, error) {
	if f == "" || f.IsText() {
		return &converter{}, nil
	}
	c, err := records.NewConverter(records.ConvertOptions{From: f, To: records.Lines, Alter: true})
	return &converter{c: c}, err
}

func (c *converter) toJSON(r *records.Record) error {
	if c.c == nil {
		return nil
	}
	text, err := c.c.Append(c.buf[:0], *r)
	if err != nil {
		return err
	}
	c.buf, r.Data = text, text
	return nil
}

// fault gives an error about a record its place in the file.
func fault(r records.Record, err error) *records.Error {
	var s *profile.SyntaxError
	if !errors.As(err, &s) {
		return r.Fault(err)
	}
	return r.Fault(&jsontext.SyntacticError{ByteOffset: int64(s.Offset), Err: errors.New(s.Message)})
}

// whole fails unless a document took all of a record.
func whole(r records.Record, end int, err error) error {
	if err == nil && end < len(r.Data) {
		return &profile.SyntaxError{Offset: end, Message: "expected nothing after the document"}
	}
	return err
}

// Profile returns the profile of all documents. The error is a *records.Error if a document is not JSON.
func Profile(ctx context.Context, in Input) (*profile.Profile, error) {
	memory := in.Memory
	if memory == 0 {
		memory = profile.DefaultMemory
	}
	builders := make([]*profile.Builder, in.workers())
	for i := range builders {
		builders[i] = profile.NewBuilder(memory / len(builders))
	}
	add := func(w int, r records.Record, _ *records.Batch) error {
		b := builders[w]
		if in.Broken != nil { // a document that is broken must not be counted in part
			if end, err := b.Check(r.Data); whole(r, end, err) != nil {
				return whole(r, end, err)
			}
		}
		end, err := b.Add(r.Data)
		return whole(r, end, err)
	}
	err := in.each(ctx, add, func(w int, b *records.Batch, f *records.Error) error {
		builders[w].Skip()
		if in.Broken == nil {
			return f
		}
		return in.Broken(b, f)
	})
	if err != nil {
		return nil, err
	}
	sum := builders[0].Profile()
	for _, b := range builders[1:] {
		sum.Merge(b.Profile(), memory)
	}
	return sum, nil
}

// Prove holds all documents against a schema whose root message was compiled to md. Those that are not JSON are left
// out.
func Prove(ctx context.Context, in Input, file *schema.File, md protoreflect.MessageDescriptor) (*proof.Report, error) {
	provers := make([]*proof.Prover, in.workers())
	checks := make([]*profile.Builder, in.workers())
	for i := range provers {
		provers[i], checks[i] = proof.New(file, md), profile.NewBuilder(0)
	}
	prove := func(w int, r records.Record, b *records.Batch) error {
		end, err := checks[w].Check(r.Data)
		if err = whole(r, end, err); err == nil {
			provers[w].Add(r.Data, r.Fault(nil).Place, proof.Order{Split: b.Split, Offset: r.Offset})
		}
		return err
	}
	err := in.each(ctx, prove, func(int, *records.Batch, *records.Error) error { return nil })
	if err != nil {
		return nil, fmt.Errorf("proving: %w", err)
	}
	return proof.Merge(provers...), nil
}
