package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"

	official "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	protean "github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protojson"
	"github.com/protean-pb/protean/value"
)

// A changeWorker reads input that another goroutine changes meanwhile, as somebody may with whom memory is shared. Any
// content may come of that, and errors; but nothing else in memory may change.
type changeWorker struct {
	*picker
	page   int
	memory []byte // of two pages
	stop   atomic.Bool
	turns  int
	guards [][]byte
	panics int
}

func startChanges(s *stress, _ int, r *rand.Rand) (worker, error) {
	w := &changeWorker{picker: newPicker(s, r), page: syscall.Getpagesize()}
	var err error
	w.memory, err = sharedMemory(2 * w.page)
	return w, err
}

// sharedMemory returns memory that is a file's, so that a page of it that has been given back has its content again as
// soon as it is looked at.
func sharedMemory(size int) ([]byte, error) {
	f, err := os.CreateTemp("", "stress")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := errors.Join(os.Remove(f.Name()), f.Truncate(int64(size))); err != nil {
		return nil, err
	}
	return syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
}

// guard is what nobody changes: the content of neighbours, of the sizes that readers allocate.
const guard = "left to itself, "

func (w *changeWorker) turn() {
	if w.turns++; w.turns%64 == 1 {
		w.renewGuards()
	}
	if w.IntN(2) == 0 {
		w.packed()
		return
	}
	s := w.sample()
	m := s.group.official()
	if err := readOfficial([]byte(s.wire), m); err != nil || len(s.wire) == 0 {
		return
	}
	if w.IntN(2) == 0 {
		at := w.IntN(len(s.wire))
		w.wire([]byte(s.wire), at, min(len(s.wire), at+1+w.IntN(32)), s.group)
		return
	}
	if text, err := (official.MarshalOptions{AllowPartial: true}).Marshal(m); err == nil {
		at := w.IntN(len(text))
		w.text(text, at, min(len(text), at+1+w.IntN(32)), s.group)
	}
}

// renewGuards checks the guards, and makes others.
func (w *changeWorker) renewGuards() {
	w.checkGuards()
	w.guards = nil
	for range 4096 {
		w.guards = append(w.guards, bytes.Repeat([]byte(guard), 1+w.IntN(8)))
	}
	for i := 0; i < len(w.guards); i += 8 { // holes that readers fill
		w.guards[i] = nil
	}
	runtime.GC()
}

// packed has a list of varints read of which the number changes: a reader that counts them before it allocates memory
// for them finds more of them when it stores them.
func (w *changeWorker) packed() {
	const n = 32
	in := protowire.AppendTag(nil, protowire.Number(3+w.IntN(6)), protowire.BytesType) // of benchpb.Packed
	in = protowire.AppendVarint(in, n)
	start := len(in)
	for i := range n {
		c := byte(0x80)
		if i%8 == 7 {
			c = 1
		}
		in = append(in, c)
	}
	w.wire(in, start, start+n/2, packedGroups[w.IntN(len(packedGroups))])
}

// packedGroups have the lists that packed needs.
var packedGroups = []*group{
	{name: "generated", empty: func() proto.Message { return new(benchpb.Packed) }},
	{name: "dynamic",
		empty: func() proto.Message { return dynamic.NewMessage(new(benchpb.Packed).ProtoReflect().Descriptor()) }},
}

// changing calls read with the input, of which the bytes from one place to another change all the time. They end a
// page. The page behind is not there at first, so that reading takes a while in its midst.
func (w *changeWorker) changing(in []byte, from, to int, read func(in []byte)) {
	if to > w.page || len(in)-to > w.page {
		return
	}
	b := w.memory[w.page-to:][:len(in):len(in)]
	copy(b, in)
	done := make(chan struct{})
	w.stop.Store(false)
	go func() {
		defer close(done)
		w.change(b[from:to], in[from:to])
	}()
	for range 64 {
		if syscall.Madvise(w.memory[w.page:], syscall.MADV_DONTNEED) != nil {
			break
		}
		func() {
			defer func() {
				if recover() != nil {
					w.panics++
				}
			}()
			read(b)
		}()
	}
	w.stop.Store(true)
	<-done
}

// change changes b until the worker stops it, to what it was and to something else.
func (w *changeWorker) change(b, was []byte) {
	other := bytes.Clone(was)
	for i := range other {
		other[i] = []byte{0x01, 0x01, 0x01, 0x80, 0xff, '"', was[i] ^ 1, was[i]}[i*len(was)%8]
	}
	if len(b) == 16 { // with one store each
		for !w.stop.Load() {
			*(*[16]byte)(b) = [16]byte(bytes.Repeat([]byte{1}, 16))
			*(*[16]byte)(b) = [16]byte(was)
		}
		return
	}
	for !w.stop.Load() {
		copy(b, other)
		copy(b, was)
	}
}

// wire has the wire form read, as a message and as a Value, which it may be.
func (w *changeWorker) wire(wire []byte, from, to int, g *group) {
	w.changing(wire, from, to, func(in []byte) {
		m := g.empty()
		_ = protean.UnmarshalOptions{AllowPartial: true}.Unmarshal(in, m)
		if g.samples == nil {
			return // packed
		}
		content(m)
		_ = protean.UnmarshalOptions{AllowPartial: true, AliasInput: true}.Unmarshal(in, g.empty())
		var v any
		_ = value.Unmarshal(in, &v)
		_, _ = value.AppendJSON(nil, in)
		_, _ = value.AppendCanonical(nil, in)
		_, _ = value.Set(in, "x", "key")
	})
}

// text has text read.
func (w *changeWorker) text(text []byte, from, to int, g *group) {
	w.changing(text, from, to, func(in []byte) {
		m := g.empty()
		_ = protojson.UnmarshalOptions{AllowPartial: true}.Unmarshal(in, m)
		content(m)
		_, _ = value.AppendFromJSON(nil, in)
	})
}

func (w *changeWorker) checkGuards() {
	for _, g := range w.guards {
		if len(g) != bytes.Count(g, []byte(guard))*len(guard) {
			w.mismatch("memory that nobody writes to has become %q", g)
		}
	}
}

func (w *changeWorker) end() {
	w.checkGuards()
	_ = syscall.Munmap(w.memory)
	if w.panics > 0 {
		w.say("%d reads of changing input ended with a panic", w.panics)
	}
}
