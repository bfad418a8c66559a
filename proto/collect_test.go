package proto_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	official "google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/proto"
)

// TestReadWhileCollecting reads into messages whose former text is in use elsewhere, on a stack, while garbage is
// collected all the time. Who stores the new text without telling the collector of the old
// one makes it free that.
func TestReadWhileCollecting(t *testing.T) {
	const messages, kept = 100_000, 64
	all := make([]*benchpb.Leaf, messages)
	wires := make([][]byte, messages)
	text := func(i, round int) string { return fmt.Sprintf("text %06d of %07d", i, round) }
	for i := range all {
		all[i] = &benchpb.Leaf{Name: strings.Clone(text(i, 0))}
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		for end := time.Now().Add(2 * time.Second); time.Now().Before(end); {
			runtime.GC()
		}
	}()
	var old, want [kept]string
	r := rand.New(rand.NewPCG(1, 2))
	for round := 1; ; round++ {
		select {
		case <-done:
			return
		default:
		}
		i, k := r.IntN(messages), round%kept
		if old[k] != want[k] {
			t.Fatalf("the text that was %q has become %q", want[k], old[k])
		}
		m := all[i]
		old[k], want[k] = m.Name, strings.Clone(m.Name)
		wire, err := official.MarshalOptions{}.MarshalAppend(wires[i][:0], &benchpb.Leaf{Name: text(i, round)})
		if err != nil {
			t.Fatal(err)
		}
		wires[i] = wire
		if err := (proto.UnmarshalOptions{Merge: true}).Unmarshal(wire, m); err != nil {
			t.Fatal(err)
		}
	}
}
