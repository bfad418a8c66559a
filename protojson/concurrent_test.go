package protojson_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/protojson"
)

// fresh is set in the environment of a process in which no type has been compiled yet.
const fresh = "PROTEAN_TEST_FRESH"

// TestConcurrent has goroutines use the same types for the first time at the same time, in a
// process of its own.
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

// useAll writes and reads messages of every type. Half of the seeds begin in the middle, and
// half of them with reading.
func useAll(types []protoreflect.MessageType, seed int) error {
	for i := range types {
		mt := types[(i+seed%2*len(types)/2)%len(types)]
		for _, k := range kinds[:2] {
			if seed&2 != 0 {
				if err := (protojson.UnmarshalOptions{AllowPartial: true}).Unmarshal([]byte(`x`), k.New(mt)); err == nil {
					return fmt.Errorf("%s takes an x", mt.Descriptor().FullName())
				}
			}
			if err := use(mt, k, uint64(i)); err != nil {
				return fmt.Errorf("%s, %s: %w", k.Name, mt.Descriptor().FullName(), err)
			}
		}
	}
	return nil
}

func use(mt protoreflect.MessageType, k kind, seed uint64) error {
	m := k.New(mt)
	fill(m.ProtoReflect(), seeded(seed), 10)
	o := protojson.MarshalOptions{AllowPartial: true, UseProtoNames: seed%2 == 0}
	b, err := o.Marshal(m)
	if err != nil {
		return nil // the same for all: TestCodecAgreesWithOfficial looks at it
	}
	got := k.New(mt)
	if err := (protojson.UnmarshalOptions{AllowPartial: true}).Unmarshal(b, got); err != nil {
		return err
	}
	again, err := o.Marshal(got)
	if err != nil || !bytes.Equal(again, b) {
		return fmt.Errorf("%s, %w, want %s", again, err, b)
	}
	return nil
}

// TestMarshalOfSharedMessages has goroutines write one message at a time.
func TestMarshalOfSharedMessages(t *testing.T) {
	m := structOf(map[string]any{"a": []any{1, "two", nil, map[string]any{"b": true}}})
	want, err := protojson.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	for range 4 {
		go func() {
			for range 200 {
				got := proto.Clone(m)
				b, err := protojson.Marshal(m)
				if err == nil {
					err = protojson.Unmarshal(b, got)
				}
				if err != nil || !bytes.Equal(b, want) || !proto.Equal(got, m) {
					done <- fmt.Errorf("%s, %w", b, err)
					return
				}
			}
			done <- nil
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
