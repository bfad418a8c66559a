package runner

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/cmd/protean/internal/native"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// A chunk is what is held decoded at a time while verifying: so many samples, or
// fewer where they are large.
const (
	chunkSize  = 64
	chunkBytes = 4 << 20
)

// verify checks, sizes, counts and probes every variant of a payload. It goes on if an event cannot be written: the
// last event cannot either, and its error ends the process.
func (r *run) verify(l *load) {
	if risks, err := l.held(); err == nil { // else no sample can be read, which every variant says
		_ = r.emit(Event{Held: &Held{l.Name, risks}})
	}
	for _, name := range l.Variants {
		v := r.find(name)
		checks, err := r.check(l, v)
		if err != nil { // of the variant as a whole
			var at *sampleError
			sample := -1
			if errors.As(err, &at) {
				sample = at.sample
			}
			found := outcome(err)
			found.Sample = sample
			for _, op := range wanted(v.Ops, l.Ops) {
				one := found
				one.Key = stats.Key{Payload: l.Name, Variant: name, Op: op}
				_ = r.emit(Event{Verified: &one})
			}
			continue
		}
		ok := false
		for _, c := range checks {
			_ = r.emit(Event{Verified: c.verified(len(l.samples))})
			ok = ok || c.err == nil
		}
		if ok {
			r.begin(l.Name, name, "")
			_ = r.emit(Event{Probed: &Probed{Payload: l.Name, Variant: name, Properties: probe(l, v)}})
		}
	}
}

// wanted keeps the operations that the request asks for.
func wanted(have, asked []string) []string {
	if len(asked) == 0 {
		return have
	}
	return slices.DeleteFunc(slices.Clone(have), func(op string) bool { return !slices.Contains(asked, op) })
}

// A sampleError is an error that one sample causes.
type sampleError struct {
	sample int
	err    error
}

func (e *sampleError) Error() string { return e.err.Error() }
func (e *sampleError) Unwrap() error { return e.err }

// A check gathers what verifying one operation found, over all chunks.
type check struct {
	key    stats.Key
	op     *variant.Op // nil for the operation size
	err    error
	ns     float64 // sums over samples
	bytes  float64
	allocs float64
	sizes  [3]float64 // wire, gzip, zstd
	room   float64    // of the slices that marshal returns
}

func (c *check) verified(samples int) *Verified {
	n := float64(samples)
	out := outcome(c.err)
	out.Key, out.NS, out.BytesOp, out.AllocsOp = c.key, c.ns/n, c.bytes/n, c.allocs/n
	out.Wire, out.Gzip, out.Zstd, out.Capacity = c.sizes[0]/n, c.sizes[1]/n, c.sizes[2]/n, max(0, c.room/n)
	var at *sampleError
	if errors.As(c.err, &at) {
		out.Sample = at.sample
	}
	return &out
}

// check verifies one variant on all samples. The error is of the variant as a
// whole; an operation's own is in its check.
func (r *run) check(l *load, v *variant.Variant) ([]*check, error) {
	r.begin(l.Name, v.Name, "")
	var codec variant.Codec
	err := guard(func() (err error) {
		codec, err = v.Open(l.typ)
		return err
	})
	if err != nil {
		return nil, err
	}
	var checks []*check
	for _, name := range wanted(v.Ops, l.Ops) {
		c := &check{key: stats.Key{Payload: l.Name, Variant: v.Name, Op: name}}
		if i := slices.IndexFunc(codec.Ops(), func(o *variant.Op) bool { return o.Name == name }); i >= 0 {
			c.op = codec.Ops()[i]
		} else if name != variant.Size {
			return nil, fmt.Errorf("the variant lists the operation %s and does not have it", name)
		}
		if c.op != nil {
			c.err = c.op.Unfit
		}
		checks = append(checks, c)
	}
	for first := 0; first < len(l.samples); {
		end := l.chunkEnd(first)
		if err := r.checkChunk(l, v, codec, checks, first, end); err != nil {
			return nil, err
		}
		first = end
	}
	return checks, nil
}

// chunkEnd returns the end of the chunk that begins at first.
func (l *load) chunkEnd(first int) int {
	end, size := first, 0
	for end < len(l.samples) && end-first < chunkSize && (end == first || size+l.samples[end].size <= chunkBytes) {
		size += l.samples[end].size
		end++
	}
	return end
}

// checkChunk verifies the samples from first to end. Behind them it loads a copy of
// the first with one field changed: a variant that answers from memory what it was
// asked before is found even where the payload is a single sample.
func (r *run) checkChunk(l *load, v *variant.Variant, codec variant.Codec, checks []*check, first, end int) error {
	var indexes []int
	for i := first; i < end; i++ {
		indexes = append(indexes, i)
	}
	source, err := l.messages(indexes)
	if err != nil {
		return err
	}
	if changed := altered(source[0]); changed != nil {
		source = append(source, changed)
	}
	if err := guard(func() error { return codec.Load(source) }); err != nil {
		// Name the sample, by loading one after the other.
		for i, m := range source[:len(indexes)] {
			if err := guard(func() error { return codec.Load([]proto.Message{m}) }); err != nil {
				return &sampleError{first + i, err}
			}
		}
		if !errors.As(err, new(*variant.RefusalError)) {
			return err
		}
		// It is the changed copy that has no form, which is no sample of the payload.
		source = source[:len(indexes)]
		if err := guard(func() error { return codec.Load(source) }); err != nil {
			return err
		}
	}
	for _, c := range checks {
		if c.err != nil {
			continue
		}
		r.begin(l.Name, v.Name, c.key.Op)
		c.err = guard(func() error {
			if c.op == nil {
				return c.measureSize(codec, len(indexes))
			}
			if err := checkOp(c.op, v.Reuses, source, first, len(indexes)); err != nil {
				return err
			}
			return c.count(first, len(indexes))
		})
	}
	return nil
}

// checkOp runs the operation on every sample and compares each result with its
// source: after all have run, so that a result in memory that the next call
// overwrites is found, unless the variant declares that.
func checkOp(op *variant.Op, reuses bool, source []proto.Message, first, n int) error {
	results := make([]any, len(source))
	compare := func(i int) error {
		err := compareResult(op, results[i], source[i])
		switch {
		case err == nil:
			return nil
		case i >= n:
			return fmt.Errorf("on a copy with one field changed: %w", err)
		}
		return &sampleError{first + i, err}
	}
	for i := range source {
		if err := op.Run(i); err != nil {
			if i >= n {
				return fmt.Errorf("on a copy with one field changed: %w", err)
			}
			return &sampleError{first + i, err}
		}
		results[i] = op.Result()
		if reuses {
			if err := compare(i); err != nil {
				return err
			}
		}
	}
	if reuses {
		return nil
	}
	for i := range source {
		if err := compare(i); err != nil {
			return err
		}
	}
	return nil
}

// compareResult decodes a result fully and compares it with the source.
func compareResult(op *variant.Op, result any, source proto.Message) error {
	got, err := op.Message(result)
	if err != nil {
		return fmt.Errorf("its result cannot be read: %w", err)
	}
	if d := native.Difference(source.ProtoReflect(), got.ProtoReflect()); d != "" {
		return errors.New(d)
	}
	return nil
}

// count adds up what the n samples from first on take: time roughly, allocations
// exactly.
func (c *check) count(first, n int) error {
	if c.op.Loop != nil {
		return c.countLoop(n)
	}
	walk := func() error {
		for i := range n {
			if err := c.op.Run(i); err != nil {
				return &sampleError{first + i, err}
			}
		}
		return nil
	}
	a, err := allocations(walk, 100/n)
	if err != nil {
		return err
	}
	return c.add(a, walk, 1)
}

// longLoop is about how long a loop takes whose allocations are counted.
const longLoop = 20 * time.Millisecond

// countLoop does the same for an operation with a loop of its own. What the way into the
// loop allocates is in both a long and a short one.
func (c *check) countLoop(n int) error {
	loop := func(times int) func() error { return func() error { return c.op.Loop(times, n) } }
	start := time.Now()
	short, err := allocations(loop(1), 1)
	if err != nil {
		return err
	}
	fit := 5 * longLoop / max(time.Since(start), 1) // five are the loops that were counted
	more := max(1, min(100/n, int(fit), int(heapWhileCounting/4/max(short.bytes, 1))))
	long, err := allocations(loop(1+more), 1)
	if err != nil {
		return err
	}
	share := usage{(long.bytes - short.bytes) / float64(more), (long.objects - short.objects) / float64(more)}
	return c.add(share, loop(more), more)
}

// add adds what a walk through samples allocates, and how long so many walks take.
func (c *check) add(a usage, walk func() error, times int) error {
	c.bytes += a.bytes
	c.allocs += a.objects
	best, walks := time.Duration(0), 0
	for spent := time.Duration(0); walks < 3 || spent < time.Millisecond && walks < 1000; walks++ {
		start := time.Now()
		if err := walk(); err != nil {
			return err
		}
		d := time.Since(start)
		spent += d
		if walks == 0 || d < best {
			best = d
		}
	}
	c.ns += float64(best.Nanoseconds()) / float64(times)
	return nil
}

// measureSize adds up the encoded sizes of n samples.
func (c *check) measureSize(codec variant.Codec, n int) error {
	for i := range n {
		for _, piece := range codec.Wire(i) {
			b := codec.Canonical(piece)
			zipped, err := gzipSize(b)
			if err != nil {
				return err
			}
			c.sizes[0] += float64(len(b))
			c.sizes[1] += float64(zipped)
			c.sizes[2] += float64(len(zstdEncoder.EncodeAll(b, nil)))
		}
	}
	c.measureRoom(codec, n)
	return nil
}

// measureRoom adds up how much memory lies behind what marshal returns for n samples.
// Where marshal fails there is nothing to add, and its own check says why.
func (c *check) measureRoom(codec variant.Codec, n int) {
	o := op(codec, variant.Marshal)
	if o == nil {
		return
	}
	sum := 0
	if guard(func() error {
		for i := range n {
			if err := o.Run(i); err != nil {
				return err
			}
			for _, piece := range variant.Pieces(o.Result()) {
				sum += cap(piece)
			}
		}
		return nil
	}) != nil {
		c.room = math.Inf(-1) // not known, whatever the other samples have
	}
	c.room += float64(sum)
}

// zstdEncoder compresses at the library's default level, one frame a message.
var zstdEncoder = func() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err) // of the options alone
	}
	return e
}()

func gzipSize(b []byte) (int, error) {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(b); err != nil {
		return 0, err
	}
	err := w.Close()
	return out.Len(), err
}
