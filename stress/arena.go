package main

import (
	"math/rand/v2"

	"google.golang.org/protobuf/proto"

	protean "github.com/protean-pb/protean/proto"
)

// An arenaWorker reads messages into an arena, checks them until it resets that, and afterwards looks at what refers to
// memory that is used again: it may be anything, but memory must stay sound.
type arenaWorker struct {
	*picker
	arena protean.Arena
	own   []ownMessage
	stale []func() string
}

func startArenas(s *stress, _ int, r *rand.Rand) (worker, error) {
	w := &arenaWorker{picker: newPicker(s, r)}
	w.arena.Poison = r.IntN(4) == 0
	return w, nil
}

func (w *arenaWorker) turn() {
	s := w.sample()
	m := s.group.empty()
	w.own = append(w.own, ownMessage{m, s.group, s.want, s.group.name + ", in an arena"})
	w.read(s.wire, m)
	if len(s.pieces) > 0 {
		p := s.pieces[w.IntN(len(s.pieces))]
		w.stale = append(w.stale, p.of(m.ProtoReflect()))
	}
	if w.IntN(30) > 0 {
		return
	}
	w.checkAll()
	for _, own := range w.own {
		w.stale = append(w.stale, func() string { return content(own.m) })
	}
	w.arena.Reset()
	for range min(len(w.own), 8) { // so that some of it is used again
		s := w.sample()
		w.read(s.wire, s.group.empty())
	}
	for _, read := range w.stale {
		ignorePanic(read)
	}
	w.own, w.stale = w.own[:0], nil
	w.arena.Reset()
}

func (w *arenaWorker) read(wire string, m proto.Message) {
	in := []byte(wire)
	onStacks(w.Rand, func() {
		if err := (protean.UnmarshalOptions{AllowPartial: true, Arena: &w.arena}).Unmarshal(in, m); err != nil {
			w.mismatch("%T in an arena: %v", m, err)
		}
	})
	for i := range in {
		in[i] = 0xdb // nothing may refer to it
	}
}

// ignorePanic reads what has changed meanwhile: a list may be shorter than it was, and a field of another type of
// message. Corrupted memory ends the program by an error of the Go runtime that is no panic.
func ignorePanic(read func() string) {
	defer func() { _ = recover() }()
	read()
}

func (w *arenaWorker) checkAll() {
	for i := range w.own {
		if own := &w.own[i]; content(own.m) != own.want {
			w.mismatch("%s: %.300q, want %.300q", own.name, content(own.m), own.want)
		}
	}
}

func (w *arenaWorker) end() { w.checkAll() }
