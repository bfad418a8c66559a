// Package infer makes Protobuf schemas of JSON documents.
//
// Documents are read once for their statistics ([Profile]), from which package decide makes a schema, and once more to
// prove that each comes back from a message of that schema ([Prove]). Statistics of parts add up to those of the whole,
// so that a corpus can be read in parts, by as many machines as one likes; see package profile.
package infer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/infer/profile"
	"github.com/protean-pb/protean/infer/proof"
	"github.com/protean-pb/protean/infer/read"
	"github.com/protean-pb/protean/infer/schema"
)

// An Input is documents, and how they are read.
type Input struct {
	Splits []read.Split
	Stdin  io.Reader // what the path "-" is
	// Other, if not nil, gives documents of further sources as batches.
	Other func(yield func(read.Batch) error) error
	// Skip leaves out documents that are not JSON, instead of ending with an error.
	Skip bool
	// Memory is how many bytes the profile takes at most; 0 means profile.DefaultMemory.
	Memory int
	// Workers is how many work at once; 0 means one a processor.
	Workers int
	// Progress, if not nil, is told how many bytes of files have been read.
	Progress func(done int64)
	// OnSkip, if not nil, is told of each document that is left out. Calls do not overlap.
	OnSkip func(*read.Fault)
}

// job is one batch with its place among all.
type job struct {
	read.Batch
	order uint64
}

// each gives every batch to one of several workers, which work at once, and returns the first error of any.
func (in *Input) each(ctx context.Context, work func(worker int, j job) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	jobs := make(chan job, in.workers())
	var wg sync.WaitGroup
	for w := range in.workers() {
		wg.Go(func() {
			for j := range jobs {
				if ctx.Err() != nil {
					continue
				}
				if err := work(w, j); err != nil {
					cancel(err)
				}
			}
		})
	}
	err := in.batches(ctx, jobs)
	close(jobs)
	wg.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

func (in *Input) workers() int {
	if in.Workers > 0 {
		return in.Workers
	}
	return runtime.GOMAXPROCS(0)
}

func (in *Input) batches(ctx context.Context, jobs chan<- job) error {
	order := uint64(0)
	yield := func(b read.Batch) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case jobs <- job{b, order}:
		}
		order += uint64(len(b.Text)) + 1
		return nil
	}
	var done atomic.Int64
	tell := func(n int64) {
		if total := done.Add(n); in.Progress != nil {
			in.Progress(total)
		}
	}
	for _, s := range in.Splits {
		if err := read.File(s, in.Stdin, tell, yield); err != nil {
			return fileError(s.Path, err)
		}
	}
	if in.Other != nil {
		return in.Other(yield)
	}
	return nil
}

// fileError names the file of an error.
func fileError(path string, err error) error {
	var pe *os.PathError
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s: no such file", path)
	case errors.As(err, &pe):
		return fmt.Errorf("%s: %s", path, pe.Err)
	case path == "-":
		path = "stdin"
	}
	return fmt.Errorf("%s: %w", path, err)
}

// Profile returns the profile of all documents. The error is a *read.Fault if a document is not JSON.
func Profile(ctx context.Context, in Input) (*profile.Profile, error) {
	memory := in.Memory
	if memory == 0 {
		memory = profile.DefaultMemory
	}
	builders := make([]*profile.Builder, in.workers())
	for i := range builders {
		builders[i] = profile.NewBuilder(memory / len(builders))
	}
	var mu sync.Mutex
	err := in.each(ctx, func(w int, j job) error {
		b := builders[w]
		add := b.Add
		if in.Skip { // a document that is broken must not be counted in part
			add = func(text []byte) (int, error) {
				if _, err := b.Check(text); err != nil {
					return 0, err
				}
				return b.Add(text)
			}
		}
		return j.Documents(add, func(f *read.Fault) error {
			if !in.Skip {
				return f
			}
			b.Skip()
			mu.Lock()
			defer mu.Unlock()
			if in.OnSkip != nil {
				in.OnSkip(f)
			}
			return nil
		})
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
	err := in.each(ctx, func(w int, j job) error {
		add := func(text []byte) (int, error) {
			end, err := checks[w].Check(text)
			if err != nil {
				return 0, err
			}
			at := cap(j.Text) - cap(text)
			where := func() string { return place(j.Batch, at) }
			provers[w].Add(text[:end], where, j.order+uint64(at))
			return end, nil
		}
		return j.Documents(add, func(*read.Fault) error { return nil })
	})
	if err != nil {
		return nil, err
	}
	return proof.Merge(provers...), nil
}

// place names a byte of a batch: file:line, or the file alone.
func place(b read.Batch, at int) string {
	name := filepath.ToSlash(b.File)
	if name == "-" {
		name = "stdin"
	}
	if line := b.LineOf(at); line > 0 {
		return fmt.Sprintf("%s:%d", name, line)
	}
	return name
}
