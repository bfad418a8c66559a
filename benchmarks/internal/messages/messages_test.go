package messages

import (
	"bytes"
	"testing"

	"google.golang.org/protobuf/proto"
)

// TestSameEachTime makes each message twice: maps of Go, which come in another order each time, must not show.
func TestSameEachTime(t *testing.T) {
	for _, m := range All() {
		first, again := wire(t, m.New()), wire(t, m.New())
		if !bytes.Equal(first, again) {
			t.Errorf("%s is not the same when it is made again", m.Name())
		}
	}
}

func TestNamesAndSizes(t *testing.T) {
	names, sizes := map[string]bool{}, map[string]int{}
	for _, m := range All() {
		if names[m.Name()] {
			t.Errorf("%s is there twice", m.Name())
		}
		names[m.Name()] = true
		n := len(wire(t, m.New()))
		if n <= sizes[m.Type] {
			t.Errorf("%s has %d bytes, and a smaller one has %d", m.Name(), n, sizes[m.Type])
		}
		sizes[m.Type] = n
		if m.Module == "" || m.Shape == "" {
			t.Errorf("%s does not say what it is", m.Name())
		}
	}
	if len(sizes) < 18 {
		t.Errorf("%d types, want 18 or more", len(sizes))
	}
}

func wire(t *testing.T, m proto.Message) []byte {
	t.Helper()
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
