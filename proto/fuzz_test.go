package proto_test

import (
	"math/rand/v2"
	"testing"

	official "google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/proto"
)

// eachSeed calls add with the wire form of a random message of each type that is a seed.
func eachSeed(f *testing.F, add func(which int, b []byte)) {
	r := rand.New(rand.NewPCG(3, 4))
	for which, c := range choices() {
		if !testpb.Seed(which) {
			continue
		}
		m := c.Type.New()
		testpb.Fill(m, r, 20)
		b, err := official.MarshalOptions{AllowPartial: true}.Marshal(m.Interface())
		if err != nil {
			f.Fatal(err)
		}
		add(which, b)
	}
}

// FuzzUnmarshal reads any bytes into messages of any type, made in any way.
func FuzzUnmarshal(f *testing.F) {
	eachSeed(f, func(which int, b []byte) { f.Add(uint16(which), uint8(which), b) })
	f.Fuzz(func(t *testing.T, which uint16, way uint8, b []byte) {
		o := proto.UnmarshalOptions{Merge: way&1 != 0, AllowPartial: way&2 != 0, DiscardUnknown: way&4 != 0,
			AliasInput: way&8 != 0}
		if way&16 != 0 {
			o.RecursionLimit = 1 + int(way>>5)
		}
		checkWay(t, b, chosen(which).Empty(), o)
	})
}

// FuzzMarshal writes random messages.
func FuzzMarshal(f *testing.F) {
	for which := range choices() {
		if testpb.Seed(which) {
			f.Add(uint16(which), uint64(which), uint8(which))
		}
	}
	f.Fuzz(func(t *testing.T, which uint16, seed uint64, size uint8) {
		m := chosen(which).Empty()
		testpb.Fill(m.ProtoReflect(), rand.New(rand.NewPCG(seed, 0)), int(size)/4)
		checkMarshal(t, m)
	})
}

// FuzzSize calculates the sizes of random messages, and of what is read from any bytes, and appends the messages where
// there is room for them.
func FuzzSize(f *testing.F) {
	eachSeed(f, func(which int, b []byte) { f.Add(uint16(which), uint64(which), b) })
	f.Fuzz(func(t *testing.T, which uint16, seed uint64, b []byte) {
		m := chosen(which).Empty()
		testpb.Fill(m.ProtoReflect(), rand.New(rand.NewPCG(seed, 0)), int(seed%64))
		checkSize(t, m)
		m = chosen(which).Empty()
		if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(b, m); err == nil {
			checkSize(t, m)
		}
	})
}
