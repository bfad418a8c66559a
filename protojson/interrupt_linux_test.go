package protojson_test

import (
	"math/rand/v2"
	"testing"

	"github.com/protean-pb/protean/internal/test/interrupt"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/protojson"
)

// TestInterruptedByFaults reads the text of messages of all types from memory of which ever less can be read, as if
// the file that is mapped there were shorter now.
func TestInterruptedByFaults(t *testing.T) {
	u := newTextUser(t)
	o := protojson.UnmarshalOptions{AllowPartial: true}
	for _, c := range choices() {
		u.name = c.String()
		r := rand.New(rand.NewPCG(1, 2))
		for round := range race.Rounds(2) {
			full := c.Type.New().Interface()
			testpb.Fill(full.ProtoReflect(), r, 4+12*round)
			full.ProtoReflect().SetUnknown(nil)
			testpb.Legalize(full.ProtoReflect(), r, 1)
			b, err := protojson.MarshalOptions{AllowPartial: true}.Marshal(full)
			m := c.Empty()
			if err != nil || o.Unmarshal(b, m) != nil {
				continue // it has no form in JSON
			}
			text, want := string(b), string(wire(t, m))
			half := m
			interrupt.Reads(t, b, race.Rounds(24), func(in []byte) {
				half = c.Empty()
				err = o.Unmarshal(in, half)
			}, func(bool) {
				if err != nil {
					t.Fatalf("%s: %v", c, err)
				}
				wire(t, half) // which comes by all that it holds
				u.use(text, want, half)
			})
		}
	}
}

// TestReadNoFurther has a text end where memory does that may be read, at any of its bytes.
func TestReadNoFurther(t *testing.T) {
	memory, err := interrupt.NewMemory(1 << 14)
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Free()
	o := protojson.UnmarshalOptions{AllowPartial: true}
	for _, test := range texts {
		b, err := protojson.MarshalOptions{AllowPartial: true}.Marshal(test.m)
		if err != nil {
			t.Fatal(err)
		}
		for end := range len(b) + 1 {
			got, want := test.m.ProtoReflect().New().Interface(), test.m.ProtoReflect().New().Interface()
			err, wantErr := o.Unmarshal(memory.Put(b[:end], end), got), o.Unmarshal(b[:end], want)
			if (err != nil) != (wantErr != nil) || string(wire(t, got)) != string(wire(t, want)) {
				t.Errorf("%s: %v, %v, want %v, %v", b[:end], got, err, want, wantErr)
			}
		}
	}
}
