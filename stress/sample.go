package main

import (
	"math/rand/v2"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/testpb"
)

// The official library, which says what is right, with options that take incomplete messages and sort maps.
var (
	readOfficial  = proto.UnmarshalOptions{AllowPartial: true}.Unmarshal
	mergeOfficial = proto.UnmarshalOptions{AllowPartial: true, Merge: true}.Unmarshal
)

// content returns what a message holds: messages with the same content are equal.
func content(m proto.Message) string {
	b, err := proto.MarshalOptions{AllowPartial: true, Deterministic: true}.Marshal(m)
	if err != nil {
		return "error: " + err.Error()
	}
	return string(b)
}

// A sample is a wire form that is read again and again.
type sample struct {
	wire   string
	want   string // the content of the message
	group  *group
	pieces []piece // that may be kept of the message
}

// A group has the samples of one type, of messages that are generated or dynamic.
type group struct {
	name     string
	empty    func() proto.Message // as this module makes it
	official func() proto.Message // as the official library makes it
	samples  []*sample
}

// makeSamples returns samples of all types of package testpb, generated and dynamic, and of descriptors, which are real
// data.
func makeSamples(seed uint64) []*sample {
	r := rand.New(rand.NewPCG(seed, 0))
	var all []*sample
	for _, mt := range testpb.Types() {
		all = append(all, samplesOf(mt, randomWires(mt, r), r)...)
	}
	file := protodesc.ToFileDescriptorProto(testpb.Types()[0].Descriptor().ParentFile())
	return append(all, samplesOf(file.ProtoReflect().Type(), []string{content(file)}, r)...)
}

// randomWires returns small and larger messages of the type.
func randomWires(mt protoreflect.MessageType, r *rand.Rand) (wires []string) {
	for _, size := range []int{2, 8, 40} {
		m := mt.New()
		testpb.Fill(m, r, size)
		wires = append(wires, content(m.Interface()))
	}
	return wires
}

// samplesOf returns the wire forms as samples of a generated type, and of a dynamic one.
func samplesOf(mt protoreflect.MessageType, wires []string, r *rand.Rand) (all []*sample) {
	md := mt.Descriptor()
	generated := func() proto.Message { return mt.New().Interface() }
	for _, g := range []*group{
		{name: "generated " + string(md.FullName()), empty: generated, official: generated},
		{
			name:     "dynamic " + string(md.FullName()),
			empty:    func() proto.Message { return dynamic.NewMessage(md) },
			official: func() proto.Message { return dynamicpb.NewMessage(md) },
		},
	} {
		for _, wire := range wires {
			m := g.official()
			if readOfficial([]byte(wire), m) != nil {
				continue // a message set, which only generated code can read
			}
			s := &sample{wire: wire, want: content(m), group: g, pieces: piecesOf(m.ProtoReflect(), r)}
			g.samples = append(g.samples, s)
		}
		all = append(all, g.samples...)
	}
	return all
}

// A picker picks samples at random.
type picker struct {
	*stress
	*rand.Rand
}

// newPicker makes the samples, unless they have been made.
func newPicker(s *stress, r *rand.Rand) *picker {
	s.samples()
	return &picker{s, r}
}

func (p *picker) sample() *sample {
	all := p.samples()
	return all[p.IntN(len(all))]
}
