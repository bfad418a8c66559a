package main

import (
	"bytes"
	"math/rand/v2"
	"testing/iotest"

	official "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/protojson"
)

// A jsonWorker reads and writes ProtoJSON.
type jsonWorker struct{ *picker }

func startJSON(s *stress, _ int, r *rand.Rand) (worker, error) {
	return &jsonWorker{newPicker(s, r)}, nil
}

func (w *jsonWorker) turn() {
	s := w.sample()
	m := s.group.official()
	if err := readOfficial([]byte(s.wire), m); err != nil {
		w.mismatch("%s: the official library: %v", s.group.name, err)
		return
	}
	m.ProtoReflect().SetUnknown(nil)
	testpb.Legalize(m.ProtoReflect(), w.Rand, 1)
	text, err := official.MarshalOptions{AllowPartial: true}.Marshal(m)
	if err != nil {
		return // what is in it has no form in JSON, such as unknown types in an Any
	}
	want := s.group.official()
	if err := (official.UnmarshalOptions{AllowPartial: true}).Unmarshal(text, want); err != nil {
		return
	}
	got, name := s.group.empty(), s.group.name+", from JSON"
	onStacks(w.Rand, func() { err = w.read(text, got) })
	for i := range text {
		text[i] = 0xdb // nothing may refer to it
	}
	if err != nil {
		w.mismatch("%s: %v", name, err)
		return
	}
	expect := content(want)
	w.swap(w.Rand, &keepsake{name, func() string { return content(got) }, expect})
	w.write(s.group, got, expect)
}

// read reads the text in one of several ways.
func (w *jsonWorker) read(text []byte, m proto.Message) error {
	o := protojson.UnmarshalOptions{AllowPartial: true}
	switch w.IntN(4) {
	case 0:
		return o.UnmarshalRead(iotest.HalfReader(bytes.NewReader(text)), m)
	case 1:
		return o.NewDecoder(iotest.OneByteReader(bytes.NewReader(text))).Decode(m)
	}
	return o.Unmarshal(text, m)
}

// write writes m as text and as Go values, keeps the text, and reads the Go values again.
func (w *jsonWorker) write(g *group, m proto.Message, expect string) {
	o := protojson.MarshalOptions{AllowPartial: true}
	text, err := o.Marshal(m)
	if err != nil {
		w.mismatch("%s, to JSON: %v", g.name, err)
		return
	}
	w.swap(w.Rand, &keepsake{g.name + ", as JSON", func() string { return string(text) }, string(bytes.Clone(text))})
	var b bytes.Buffer
	if err := o.MarshalWrite(&b, m); err != nil || !bytes.Equal(b.Bytes(), text) {
		w.mismatch("%s, written as JSON: %.300s, %v, want %.300s", g.name, b.Bytes(), err, text)
	}
	v, err := o.ToAny(m)
	if err != nil {
		return // 10,000 levels are the most
	}
	back := g.empty()
	if err := (protojson.UnmarshalOptions{AllowPartial: true}).FromAny(v, back); err != nil {
		w.mismatch("%s, from Go values: %v", g.name, err)
		return
	}
	w.swap(w.Rand, &keepsake{g.name + ", from Go values", func() string { return content(back) }, expect})
}

func (w *jsonWorker) end() {}
