package beam

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local" // for files without a scheme
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/protean-pb/protean/infer"
	"github.com/protean-pb/protean/infer/profile"
	"github.com/protean-pb/protean/records"
)

func init() {
	register.DoFn3x1[context.Context, []byte, func([]byte), error](&profileFn{})
	register.DoFn2x1[context.Context, []byte, error](&writeFn{})
	register.Combiner1[[]byte](&mergeFn{})
	register.Emitter1[[]byte]()
}

// Options say how documents are read. They go to the workers as JSON.
type Options struct {
	// Form, Framing and MaxSize are those of [records.Options].
	Form    records.Form
	Framing records.Framing
	MaxSize int
	// Memory is how many bytes a profile takes at most; 0 means profile.DefaultMemory. Where that is not enough, the
	// result depends on how the documents were divided, as that of protean infer does.
	Memory int
	// SkipInvalid leaves out documents that are broken, and counts them in the profile and in the counter
	// protean/invalid_documents; otherwise the first one ends the pipeline.
	SkipInvalid bool
}

// Profile returns the profile of the documents of all splits: a collection of one element, of type []byte, which is
// what profile.Unmarshal reads. Workers open the files by their names.
func Profile(s beam.Scope, splits []records.Split, o Options) beam.PCollection {
	s = s.Scope("protean.Profile")
	if len(splits) == 0 {
		panic("protean: no splits")
	}
	elements := make([][]byte, len(splits))
	for i, split := range splits {
		var err error
		if elements[i], err = json.Marshal(split); err != nil {
			panic(err) // a struct of a string and numbers
		}
	}
	// Without the shuffle one worker would get all splits.
	col := beam.Reshuffle(s, beam.CreateList(s, elements))
	return beam.Combine(s, &mergeFn{Memory: o.Memory}, beam.ParDo(s, &profileFn{Options: o}, col))
}

// Write writes an element of type []byte to a file, by the file system that its name begins with.
func Write(s beam.Scope, file string, col beam.PCollection) {
	beam.ParDo0(s.Scope("protean.Write"), &writeFn{File: file}, col)
}

// A profileFn makes profiles of splits.
type profileFn struct {
	Options Options
}

var invalid = beam.NewCounter("protean", "invalid_documents")

// ProcessElement emits the profile of a split.
func (f *profileFn) ProcessElement(ctx context.Context, element []byte, emit func([]byte)) error {
	var split records.Split
	if err := json.Unmarshal(element, &split); err != nil {
		return fmt.Errorf("split %q: %w", element, err)
	}
	in := infer.Input{
		Splits:  []records.Split{split},
		Options: records.Options{Form: f.Options.Form, Framing: f.Options.Framing, MaxSize: f.Options.MaxSize},
		Memory:  f.Options.Memory,
		Workers: 1, // there are splits for the others
	}
	var tally records.Tally
	if f.Options.SkipInvalid {
		in.Broken = tally.Add
	}
	p, err := infer.Profile(ctx, in)
	if err != nil {
		return err
	}
	for _, fault := range tally.First() {
		log.Warnf(ctx, "left out: %v", fault)
	}
	invalid.Inc(ctx, tally.Count())
	text, err := p.Marshal()
	if err != nil {
		return err
	}
	emit(text)
	return nil
}

// A mergeFn merges profiles.
type mergeFn struct {
	Memory int
}

// CreateAccumulator returns the profile of no documents.
func (f *mergeFn) CreateAccumulator() ([]byte, error) { return profile.New().Marshal() }

// AddInput merges a profile.
func (f *mergeFn) AddInput(sum, one []byte) ([]byte, error) { return f.MergeAccumulators(sum, one) }

// MergeAccumulators merges two profiles.
func (f *mergeFn) MergeAccumulators(a, b []byte) ([]byte, error) {
	sum, err := profile.Unmarshal(a)
	if err != nil {
		return nil, err
	}
	one, err := profile.Unmarshal(b)
	if err != nil {
		return nil, err
	}
	sum.Merge(one, f.Memory)
	return sum.Marshal()
}

// A writeFn writes files.
type writeFn struct {
	File string
}

// ProcessElement writes the file.
func (f *writeFn) ProcessElement(ctx context.Context, data []byte) (err error) {
	fs, err := filesystem.New(ctx, f.File)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, fs.Close()) }()
	out, err := fs.OpenWrite(ctx, f.File)
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	return errors.Join(err, out.Close())
}
