//go:build !race

// What this package does is neither concurrent nor unsafe.

package testpb_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/testpb"
)

// TestLegalize checks that the official library writes as JSON what is legalized, but for
// message sets, and that the same random numbers give the same message.
func TestLegalize(t *testing.T) {
	legalized := func(mt protoreflect.MessageType, seed uint64) protoreflect.Message {
		m, r := mt.New(), rand.New(rand.NewPCG(seed, 5))
		testpb.Fill(m, r, 20)
		testpb.Legalize(m, r, 3)
		return m
	}
	packed := 0
	for _, mt := range testpb.Types() {
		for seed := range uint64(6) {
			m := legalized(mt, seed)
			if !bytes.Equal(marshal(t, m.Interface()), marshal(t, legalized(mt, seed).Interface())) {
				t.Fatalf("%s: seed %d gives two messages", mt.Descriptor().FullName(), seed)
			}
			text, err := protojson.MarshalOptions{AllowPartial: true}.Marshal(m.Interface())
			if err != nil && !strings.Contains(err.Error(), "MessageSet") {
				t.Errorf("%s: %v", mt.Descriptor().FullName(), err)
			}
			packed += strings.Count(string(text), `"@type"`)
		}
	}
	if packed < 150 {
		t.Errorf("%d messages are in Any", packed)
	}
}
