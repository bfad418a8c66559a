package main

import (
	"math/rand/v2"
	"strings"
	"sync"

	official "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/test/interrupt"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	protean "github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protojson"
	"github.com/protean-pb/protean/value"
)

var linuxParts = []part{
	{name: "faults", about: "panics in the midst of reading, since the input cannot be read to its end",
		start: startFaults},
	{name: "changes", about: "input that changes while it is read", workers: 4, start: startChanges},
}

// faulted are messages that the collector marks before it looks through stacks. The reading of each has been ended by
// a fault.
var faulted [32][128]benchpb.Label

// A faultWorker reads input that ends before its end, and goes on.
type faultWorker struct {
	*picker
	labels *[128]benchpb.Label
	memory *interrupt.Memory // of its own
}

// longLabel is a label whose value is nearly as long as the memory that the reader takes for text at once. To allocate
// that begins a collection so often that many reads begin in one cycle and end in the next. Only the first bytes of the
// value can be read.
var longLabel = sync.OnceValues(func() ([]byte, error) {
	wire, err := proto.Marshal(&benchpb.Label{Key: "the key", Value: strings.Repeat("v", 60_000)})
	if err != nil {
		return nil, err
	}
	for range 200 { // the reader learns how much text there is
		if err := protean.Unmarshal(wire, new(benchpb.Label)); err != nil {
			return nil, err
		}
	}
	m, err := interrupt.NewMemory(len(wire))
	if err != nil {
		return nil, err
	}
	return m.Put(wire, 4096), nil
})

// maxInput is how long an input may be.
const maxInput = 1 << 17

func startFaults(s *stress, id int, r *rand.Rand) (worker, error) {
	m, err := interrupt.NewMemory(maxInput)
	return &faultWorker{picker: newPicker(s, r), labels: &faulted[id%len(faulted)], memory: m}, err
}

func (w *faultWorker) turn() {
	if w.IntN(8) > 0 {
		w.label()
		return
	}
	w.anySample()
}

// label reads into an old message in which nothing is left, so that what it gets is to be stored in it.
func (w *faultWorker) label() {
	in, err := longLabel()
	if err != nil {
		w.mismatch("%v", err)
		return
	}
	for range 64 {
		m := &w.labels[w.IntN(len(w.labels))]
		w.checkLabel(m)
		m.Key, m.Value = "", ""
		if !interrupt.Faults(func() { _ = protean.UnmarshalOptions{Merge: true}.Unmarshal(in, m) }) {
			w.mismatch("a label has been read that cannot be")
		}
	}
}

// checkLabel checks the part of a message that was read before the fault.
func (w *faultWorker) checkLabel(m *benchpb.Label) {
	if m.Key != "" && m.Key != "the key" || m.Value != "" {
		w.mismatch("half a message holds %q, %.20q", m.Key, m.Value)
	}
}

// anySample has one of the readers end at any place, and then read the same again.
func (w *faultWorker) anySample() {
	s := w.sample()
	if len(s.wire) > maxInput {
		return
	}
	m := s.group.empty()
	in := w.memory.Put([]byte(s.wire), w.IntN(len(s.wire)+1))
	onStacks(w.Rand, func() {
		interrupt.Faults(func() { _ = protean.UnmarshalOptions{AllowPartial: true}.Unmarshal(in, m) })
	})
	content(m) // which comes by all that the message has got
	if err := (protean.UnmarshalOptions{AllowPartial: true}).Unmarshal([]byte(s.wire), m); err != nil {
		w.mismatch("%s, after a fault: %v", s.group.name, err)
	}
	w.swap(w.Rand, &keepsake{s.group.name + ", after a fault", func() string { return content(m) }, s.want})
	w.others(s)
}

// others has the readers of text and of values end, which then read something else.
func (w *faultWorker) others(s *sample) {
	m := s.group.official()
	if readOfficial([]byte(s.wire), m) != nil {
		return
	}
	text, err := official.MarshalOptions{AllowPartial: true}.Marshal(m)
	if err != nil || len(text) > maxInput {
		return
	}
	in := w.memory.Put(text, w.IntN(len(text)+1))
	half := s.group.empty()
	interrupt.Faults(func() { _ = protojson.UnmarshalOptions{AllowPartial: true}.Unmarshal(in, half) })
	content(half)
	wire, err := value.AppendFromJSON(nil, text)
	if err != nil {
		return // a name comes twice, or so
	}
	interrupt.Faults(func() { _, _ = value.AppendFromJSON(nil, in) })
	in = w.memory.Put(wire, w.IntN(len(wire)+1))
	interrupt.Faults(func() { _, _ = value.AppendJSON(nil, in) })
	var v any
	interrupt.Faults(func() { _ = value.Unmarshal(in, &v) })
	if again, err := value.AppendFromJSON(nil, text); err != nil || string(again) != string(wire) {
		w.mismatch("value.AppendFromJSON after a fault: %.300x, %v, want %.300x", again, err, wire)
	}
}

func (w *faultWorker) end() {
	for i := range w.labels {
		w.checkLabel(&w.labels[i])
		w.labels[i].Reset()
	}
	_ = w.memory.Free() // nothing to be done about it, and the program ends
}
