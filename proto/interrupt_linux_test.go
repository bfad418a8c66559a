package proto_test

import (
	"math/rand/v2"
	"testing"

	official "google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/test/interrupt"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/proto"
)

// TestInterruptedByFaults reads messages of all types from memory of which ever less can be read, as if the file that
// is mapped there were shorter now, into empty messages and into such that hold something.
func TestInterruptedByFaults(t *testing.T) {
	u := newWireUser(t)
	for _, c := range choices() {
		if testpb.IsMessageSet(c.Type.Descriptor()) && c.Kind.Name == "dynamic" {
			continue // they are refused
		}
		u.name = c.String()
		r := rand.New(rand.NewPCG(1, 2))
		for round := range race.Rounds(4) {
			m := c.Empty()
			testpb.Fill(m.ProtoReflect(), r, 4+8*round)
			want := content(m)
			o := proto.UnmarshalOptions{AllowPartial: true, AliasInput: round%4 == 2, Merge: round%4 == 3}
			var half proto.Message
			var err error
			interrupt.Reads(t, []byte(want), race.Rounds(32), func(in []byte) {
				half = c.Empty()
				if o.Merge {
					testpb.Fill(half.ProtoReflect(), rand.New(rand.NewPCG(1, 2)), 4)
				}
				err = o.Unmarshal(in, half)
			}, func(faulted bool) {
				if err != nil {
					t.Fatalf("%s: %v", c, err)
				}
				if !o.AliasInput { // else it has bytes that cannot be read
					content(half)
					u.use(want, half)
				}
				u.use(want, c.Empty())
			})
		}
	}
}

// TestReadNoFurther has an input end where memory does that may be read.
func TestReadNoFurther(t *testing.T) {
	memory, err := interrupt.NewMemory(1 << 12)
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Free()
	read := func(wire []byte, m proto.Message) {
		in := memory.Put(wire, len(wire))
		for _, alias := range []bool{false, true} {
			got, want := m.ProtoReflect().New().Interface(), emptyOfficial(m)
			err := (proto.UnmarshalOptions{AliasInput: alias}).Unmarshal(in, got)
			if wantErr := official.Unmarshal(in, want); (err != nil) != (wantErr != nil) ||
				err == nil && !official.Equal(got, want) {
				t.Fatalf("Unmarshal %x: %v %v, official: %v %v", wire, err, got, wantErr, want)
			}
		}
	}
	for _, m := range []proto.Message{new(benchpb.Packed), new(benchpb.Expanded), new(benchpb.Wide),
		new(benchpb.Optional), new(benchpb.Strings)} {
		fds := m.ProtoReflect().Descriptor().Fields()
		for i := range fds.Len() {
			for n := 1; n < 40; n += 1 + n/20*5 {
				r := m.ProtoReflect().New()
				setPlain(r, fds.Get(i), n)
				wire, err := official.Marshal(r.Interface())
				if err != nil {
					t.Fatal(err)
				}
				for range 2 { // there is a chunk once it is known how much there is
					for end := max(len(wire)-40, 1); end <= len(wire); end++ {
						read(wire[:end], m)
					}
				}
			}
		}
	}
}
