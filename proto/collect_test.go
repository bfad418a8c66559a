package proto_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	official "google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/proto"
)

// TestReadWhileCollecting reads into messages whose former text is in use elsewhere, on a stack, while garbage is
// collected all the time. A store of the new text without a write barrier, which shades the old one, would free that.
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

// known are messages that the collector looks through before it looks through stacks.
var known struct {
	leaves   [1 << 12]benchpb.Leaf
	optional [1 << 12]benchpb.Optional
	trees    [1 << 8]benchpb.Tree
	strings  [1 << 4]benchpb.Strings
}

// TestReadKnownMessages reads into messages that the collector has marked already. A store without a write barrier of
// what nothing else refers to would free that.
func TestReadKnownMessages(t *testing.T) {
	stop := make(chan bool)
	var all sync.WaitGroup
	defer all.Wait()
	defer close(stop)
	for range 64 { // whose stacks take time
		all.Go(func() { waitDeep(2000, stop) })
	}
	all.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	})
	readKnown(t, 2*time.Second, known.leaves[:],
		func(i int) *benchpb.Leaf { return &benchpb.Leaf{Name: fmt.Sprintf("text of message %08d", i)} },
		func(a, b *benchpb.Leaf) bool { return a.Name == b.Name })
	readKnown(t, time.Second/2, known.optional[:], func(i int) *benchpb.Optional {
		return &benchpb.Optional{OptString: proto.String(fmt.Sprint("message ", i))}
	},
		func(a, b *benchpb.Optional) bool { return *a.OptString == *b.OptString })
	readKnown(t, time.Second/2, known.trees[:], func(i int) *benchpb.Tree { return tree(i % 5) },
		func(a, b *benchpb.Tree) bool { return official.Equal(a, b) })
	readKnown(t, time.Second/2, known.strings[:], func(i int) *benchpb.Strings { // more than a chunk
		return &benchpb.Strings{List: each(2000,
			func(j int) string { return fmt.Sprintf("string %08d of message %08d", j, i) })}
	}, func(a, b *benchpb.Strings) bool { return a.List[0] == b.List[0] && a.List[1999] == b.List[1999] })
}

// readKnown reads what f makes into the messages, again and again, and looks whether they still hold it.
func readKnown[T any, M interface {
	*T
	proto.Message
}](t *testing.T, during time.Duration, all []T, f func(i int) M, same func(a, b M) bool) {
	var want [16]M
	var wires [len(want)][]byte
	for i := range want {
		want[i] = f(i)
		wire, err := official.Marshal(want[i])
		if err != nil {
			t.Fatal(err)
		}
		wires[i] = wire
	}
	holds := make([]int, len(all)) // which of want, and one more; 0 if nothing yet
	r := rand.New(rand.NewPCG(1, 2))
	for end := time.Now().Add(during); time.Now().Before(end); {
		for range 16 {
			i := r.IntN(len(all))
			if k := holds[i]; k > 0 && !same(&all[i], want[k-1]) {
				t.Fatalf("message %d is not what was read any more: %.200v", i, M(&all[i]))
			}
			k := r.IntN(len(want))
			holds[i] = k + 1
			if err := proto.Unmarshal(wires[k], M(&all[i])); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// waitDeep waits with so many frames on its stack.
func waitDeep(n int, stop chan bool) (p *int) {
	if n == 0 {
		<-stop
		return new(int)
	}
	return waitDeep(n-1, stop)
}

// TestPointedStringsAreKept reads strings to which generated code points, of which the text is an allocation of its
// own: what points to it must be seen by the collector.
func TestPointedStringsAreKept(t *testing.T) {
	text := strings.Repeat("kept", 25_000)
	var all []*legacypb.Leaf
	for range 20 {
		wire, err := official.Marshal(&legacypb.Leaf{Id: proto.Int32(1), Name: proto.String(text)})
		if err != nil {
			t.Fatal(err)
		}
		m := new(legacypb.Leaf)
		if err := proto.Unmarshal(wire, m); err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	runtime.GC()
	for range 40 { // what has been freed is used again
		junk := []byte(strings.Repeat("junk", 25_000))
		runtime.KeepAlive(junk)
	}
	for i, m := range all {
		if m.GetName() != text {
			t.Fatalf("the text of message %d is %.20q", i, m.GetName())
		}
	}
}
