package protojson_test

import (
	"iter"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/testpb"
)

// choose returns a type and a kind of messages.
func choose(which uint16) (protoreflect.MessageType, kind) {
	c := choices()[int(which)%len(choices())]
	return c.Type, c.Kind
}

// seeds are the choices that fuzzing begins with.
func seeds() iter.Seq[uint16] {
	return func(yield func(uint16) bool) {
		for which := range len(choices()) {
			if testpb.Seed(which) && !yield(uint16(which)) {
				return
			}
		}
	}
}

// random returns a message of the type with random contents, and its text.
func random(mt protoreflect.MessageType, r *rand.Rand, size int) (proto.Message, []byte) {
	for range 8 {
		m := mt.New()
		testpb.Fill(m, r, size)
		testpb.Legalize(m, r, 3)
		o := marshalWay(uint16(r.Uint32()))
		o.AllowPartial = true
		if text, err := officialMarshal(o).Marshal(m.Interface()); err == nil {
			return m.Interface(), text
		}
	}
	return mt.New().Interface(), []byte(`{}`)
}

// FuzzMarshal writes random messages in all ways.
func FuzzMarshal(f *testing.F) {
	for which := range seeds() {
		f.Add(which, uint64(which), uint8(which), which*7)
	}
	f.Fuzz(func(t *testing.T, which uint16, seed uint64, size uint8, way uint16) {
		mt, k := choose(which)
		m := k.New(mt)
		fill(m.ProtoReflect(), rand.New(rand.NewPCG(seed, 0)), int(size)/4)
		checkMarshal(t, m, marshalWay(way))
		switch way >> 8 & 3 {
		case 1:
			checkCanonical(t, m, marshalWay(way))
		case 2:
			checkInt64Numbers(t, m, marshalWay(way))
		}
	})
}

// FuzzUnmarshal reads any text into messages of any type, made in any way.
func FuzzUnmarshal(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for which := range seeds() {
		mt, _ := choose(which)
		_, text := random(mt, r, 10)
		f.Add(which, which, text)
	}
	for i, token := range oddTokens {
		f.Add(whichOf("google.protobuf.Value"), uint16(i), []byte(token))
		f.Add(whichOf("google.protobuf.Any"), uint16(i), []byte(token))
	}
	f.Fuzz(func(t *testing.T, which, way uint16, text []byte) {
		mt, k := choose(which)
		checkUnmarshal(t, text, k.New(mt), unmarshalWay(way))
	})
}

// whichOf is the number of a generated type.
func whichOf(name protoreflect.FullName) uint16 {
	for i, mt := range testpb.Types() {
		if mt.Descriptor().FullName() == name {
			return uint16(i)
		}
	}
	panic("no test type " + name)
}

// FuzzMutated reads text that is like that of a message of the type.
func FuzzMutated(f *testing.F) {
	for which := range seeds() {
		f.Add(which, which*3, uint64(which))
	}
	f.Fuzz(func(t *testing.T, which, way uint16, seed uint64) {
		mt, k := choose(which)
		r := rand.New(rand.NewPCG(seed, 1))
		_, text := random(mt, r, r.IntN(16))
		_, other := random(mt, r, r.IntN(8))
		for range 4 {
			checkUnmarshal(t, mutate(mt.Descriptor(), text, other, r), k.New(mt), unmarshalWay(way))
		}
	})
}
