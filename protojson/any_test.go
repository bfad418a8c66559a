package protojson_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"

	official "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/protojson"
)

// sameAny checks that an Any with those bytes has the official library's text, or an error
// in both.
func sameAny(t *testing.T, a *anypb.Any) {
	t.Helper()
	var want bytes.Buffer
	text, wantErr := official.Marshal(a)
	if wantErr == nil {
		if err := json.Compact(&want, text); err != nil {
			t.Fatal(err)
		}
	}
	got, err := protojson.Marshal(a)
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("%s %.200x: %v, official: %v", a.TypeUrl, a.Value, err, wantErr)
	}
	if wantErr == nil && !bytes.Equal(got, want.Bytes()) {
		t.Fatalf("%s %.200x:\n%.1000s\nofficial:\n%.1000s", a.TypeUrl, a.Value, got, want.Bytes())
	}
}

// filledAny returns an Any that holds a message of a type, filled at random.
func filledAny(t testing.TB, mt, size int, seed uint64) *anypb.Any {
	types := testpb.Types()
	m := types[mt%len(types)].New()
	testpb.Fill(m, rand.New(rand.NewPCG(seed, seed)), size)
	b, err := proto.MarshalOptions{AllowPartial: true}.Marshal(m.Interface())
	if err != nil {
		b = nil // a message set
	}
	return &anypb.Any{TypeUrl: "a/" + string(m.Descriptor().FullName()), Value: b}
}

// TestAnyWire writes messages of all types in an Any: as libraries write them, cut off at
// every place, and twice over, so that what comes twice is merged.
func TestAnyWire(t *testing.T) {
	for mt := range testpb.Types() {
		for seed := range uint64(4) {
			a := filledAny(t, mt, 12, seed)
			sameAny(t, a)
			whole := a.Value
			for n := 0; n < len(whole); n += 1 + len(whole)/16 {
				a.Value = whole[:n:n]
				sameAny(t, a)
			}
			a.Value = bytes.Repeat(whole, 2)
			sameAny(t, a)
		}
	}
}

// FuzzAny changes the bytes in an Any.
func FuzzAny(f *testing.F) {
	for mt := range 40 {
		a := filledAny(f, 10*mt, 10, 1)
		f.Add(10*mt, a.Value)
	}
	f.Fuzz(func(t *testing.T, mt int, b []byte) {
		a := filledAny(t, int(uint(mt)>>1), 0, 1)
		a.Value = b
		sameAny(t, a)
	})
}
