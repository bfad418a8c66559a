package main

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"google.golang.org/protobuf/proto"

	protean "github.com/protean-pb/protean/proto"
)

// A keepsake is something that was read or written some time ago.
type keepsake struct {
	name string
	got  func() string // what it holds now
	want string        // what it held
}

// board has what all workers keep, each of which checks the keepsakes of the others, also at the same time.
var board [4096]atomic.Pointer[keepsake]

// check checks a keepsake, which may be nil.
func (s *stress) check(k *keepsake) {
	if k == nil {
		return
	}
	if got := k.got(); got != k.want {
		s.mismatch("%s: %.300q, want %.300q", k.name, got, k.want)
	}
}

// swap puts a keepsake in the place of another, which it checks.
func (s *stress) swap(r *rand.Rand, k *keepsake) {
	place := &board[r.IntN(len(board))]
	s.check(place.Load())
	place.Store(k)
}

// checkBoard checks all that is left, and drops it.
func (s *stress) checkBoard() {
	for i := range board {
		s.check(board[i].Swap(nil))
	}
}

// A messageWorker reads messages.
type messageWorker struct {
	*picker
	own [64]ownMessage
}

// An ownMessage is of one worker alone, which reads into it again.
type ownMessage struct {
	m    proto.Message
	of   *group
	want string
	name string
}

func startMessages(s *stress, _ int, r *rand.Rand) (worker, error) {
	return &messageWorker{picker: newPicker(s, r)}, nil
}

func (w *messageWorker) turn() {
	own := &w.own[w.IntN(len(w.own))]
	if own.m != nil && w.IntN(2) == 0 {
		w.checkOwn(own)
		w.again(own)
		return
	}
	s := w.sample()
	m, name := s.group.empty(), s.group.name
	if w.IntN(2) == 0 { // in a place that was reachable before, so that the collector may have seen it
		*own = ownMessage{m, s.group, s.want, name}
		w.read(s.wire, m, &own.name, false)
		w.write(own)
		return
	}
	w.read(s.wire, m, &name, false)
	if len(s.pieces) > 0 && w.IntN(2) == 0 {
		p := s.pieces[w.IntN(len(s.pieces))]
		w.swap(w.Rand, &keepsake{"a piece of " + name, p.of(m.ProtoReflect()), p.want})
		return
	}
	w.swap(w.Rand, &keepsake{name, func() string { return content(m) }, s.want})
}

// read reads the wire form into m in one of several ways, which it adds to the name.
func (w *messageWorker) read(wire string, m proto.Message, name *string, merge bool) {
	o := protean.UnmarshalOptions{AllowPartial: true, Merge: merge}
	in := []byte(wire)
	switch w.IntN(6) {
	case 0:
		o.AliasInput = true
		*name += ", aliased"
	case 1: // a part of something larger
		o.AliasInput = true
		*name += ", aliased in part"
		in = append(append(make([]byte, 61), wire...), "behind"...)[61 : 61+len(wire) : 61+len(wire)]
	}
	onStacks(w.Rand, func() {
		if err := o.Unmarshal(in, m); err != nil {
			w.mismatch("%s: %v", *name, err)
		}
	})
	if !o.AliasInput {
		for i := range in {
			in[i] = 0xdb // nothing may refer to it
		}
	}
}

// again reads another sample into a message that was read before, which is reset, or into what it holds.
func (w *messageWorker) again(own *ownMessage) {
	s := own.of.samples[w.IntN(len(own.of.samples))]
	own.name = own.of.name + ", reused"
	own.want = s.want
	merge := w.IntN(2) == 0
	if merge {
		own.name += ", merged"
		other := own.of.samples[w.IntN(len(own.of.samples))]
		m := own.of.official()
		if readOfficial([]byte(other.wire), m) != nil || mergeOfficial([]byte(s.wire), m) != nil {
			merge = false // dynamicpb cannot merge some extension fields
		} else {
			own.want = content(m)
			w.read(other.wire, own.m, &own.name, false)
		}
	}
	w.read(s.wire, own.m, &own.name, merge)
}

func (w *messageWorker) checkOwn(own *ownMessage) {
	if got := content(own.m); got != own.want {
		w.mismatch("%s: %.300q, want %.300q", own.name, got, own.want)
	}
}

// write has several goroutines write, copy and compare a message at the same time, and keeps what was written.
func (w *messageWorker) write(own *ownMessage) {
	o := protean.MarshalOptions{AllowPartial: true, Deterministic: true}
	if w.IntN(8) == 0 {
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				w.checkOwn(own)
				if b, err := o.Marshal(own.m); err != nil || string(b) != own.want {
					w.mismatch("%s, written: %.300q, %v, want %.300q", own.name, b, err, own.want)
				}
			})
		}
		all.Wait()
	}
	b, err := o.Marshal(own.m)
	if err != nil {
		w.mismatch("%s: %v", own.name, err)
	}
	w.swap(w.Rand, &keepsake{own.name + ", written", func() string { return string(b) }, own.want})
	if w.IntN(4) == 0 {
		m := protean.Clone(own.m)
		want := content(m) // in which -0 may have become 0
		w.swap(w.Rand, &keepsake{own.name + ", cloned", func() string { return content(m) }, want})
	}
}

func (w *messageWorker) end() {
	for i := range w.own {
		if w.own[i].m != nil {
			w.checkOwn(&w.own[i])
		}
	}
}
