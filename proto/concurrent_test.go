package proto_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/proto"
)

// fresh is set in the environment of a process in which no type has been compiled yet.
const fresh = "PROTEAN_TEST_FRESH"

// TestConcurrent has goroutines compile the same types at the same time, in a process of
// its own.
func TestConcurrent(t *testing.T) {
	if os.Getenv(fresh) == "" {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestConcurrent$", "-test.timeout", "10m")
		cmd.Env = append(os.Environ(), fresh+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	const goroutines = 8
	types := testpb.Types()
	start := make(chan struct{})
	failed := make(chan error, goroutines)
	for g := range goroutines {
		go func() {
			<-start
			failed <- useAll(types, g)
		}()
	}
	close(start)
	for range goroutines {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
}

// useAll writes and reads messages of every type. Half of the seeds begin in the middle.
func useAll(types []protoreflect.MessageType, seed int) error {
	for i := range types {
		mt := types[(i+seed%2*len(types)/2)%len(types)]
		for _, k := range kinds {
			m := k.New(mt)
			testpb.Fill(m.ProtoReflect(), rand.New(rand.NewPCG(uint64(i), 1)), 10)
			b, err := proto.MarshalOptions{AllowPartial: true, Deterministic: true}.Marshal(m)
			if err != nil {
				continue // the same for all: TestCodecAgreesWithOfficial looks at it
			}
			got := k.New(mt)
			if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(b, got); err != nil {
				return fmt.Errorf("%s: %w", mt.Descriptor().FullName(), err)
			}
			again, err := proto.MarshalOptions{AllowPartial: true, Deterministic: true}.Marshal(got)
			if err != nil || !bytes.Equal(again, b) {
				return fmt.Errorf("%s: %x, %w, want %x", mt.Descriptor().FullName(), again, err, b)
			}
		}
	}
	return nil
}
