package kafkacodec_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/sr"

	"github.com/protean-pb/protean/codec/kafkacodec"
)

// recordOf is an empty message of the first type of a schema.
func recordOf(id int) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{0}, uint32(id)), 0)
}

var message = sr.Schema{Schema: `syntax = "proto3"; message M { string s = 1; }`, Type: sr.TypeProtobuf}

var (
	errNotFound = &sr.ResponseError{StatusCode: 404, ErrorCode: 40403, Message: "Schema not found"}
	errAway     = errors.New("connection refused")
)

// TestSingleFlight has many goroutines ask for a schema that takes long: it is fetched once, and a caller that gives up
// does not disturb the others.
func TestSingleFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		codec := kafkacodec.New(stub{byID: func(ctx context.Context, id int) (sr.Schema, error) {
			asked.Add(1)
			select {
			case <-time.After(10 * time.Second):
				return message, nil
			case <-ctx.Done():
				return sr.Schema{}, ctx.Err()
			}
		}}, kafkacodec.Options{})
		impatient, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, _, err := codec.Type(impatient, recordOf(5)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the caller that gives up: %v", err)
		}
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				if _, _, err := codec.Type(t.Context(), recordOf(5)); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if n := asked.Load(); n != 1 {
			t.Errorf("the registry was asked %d times", n)
		}
	})
}

// TestFailures counts how often the registry is asked for a schema that it does not have, that cannot be compiled, and
// while it does not answer.
func TestFailures(t *testing.T) {
	for name, tt := range map[string]struct {
		schema sr.Schema
		err    error
		want   int32 // times in two minutes, with a record each half second
	}{
		"not found": {err: errNotFound, want: 2}, "not to be compiled": {schema: sr.Schema{Schema: "message", Type: sr.TypeProtobuf}, want: 2},
		"away": {err: errAway, want: 60},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var asked atomic.Int32
				codec := kafkacodec.New(stub{byID: func(context.Context, int) (sr.Schema, error) {
					asked.Add(1)
					return tt.schema, tt.err
				}}, kafkacodec.Options{})
				for range 240 {
					if _, _, err := codec.Type(t.Context(), recordOf(5)); err == nil ||
						tt.err != nil && !errors.Is(err, tt.err) {
						t.Fatal(err)
					}
					time.Sleep(500 * time.Millisecond)
				}
				if n := asked.Load(); n < tt.want || n > tt.want*3/2 {
					t.Errorf("the registry was asked %d times, want about %d", n, tt.want)
				}
			})
		})
	}
}

func TestRecovers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var away atomic.Bool
		away.Store(true)
		codec := kafkacodec.New(stub{byID: func(context.Context, int) (sr.Schema, error) {
			if away.Load() {
				return sr.Schema{}, errAway
			}
			return message, nil
		}}, kafkacodec.Options{})
		if _, _, err := codec.Type(t.Context(), recordOf(1)); !errors.Is(err, errAway) {
			t.Fatal(err)
		}
		away.Store(false)
		time.Sleep(2 * time.Second)
		if _, _, err := codec.Type(t.Context(), recordOf(1)); err != nil {
			t.Error(err)
		}
	})
}

// TestTimeout asks a registry that never answers.
func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		codec := kafkacodec.New(stub{byID: func(ctx context.Context, _ int) (sr.Schema, error) {
			<-ctx.Done()
			return sr.Schema{}, ctx.Err()
		}}, kafkacodec.Options{Timeout: 3 * time.Second})
		start := time.Now()
		_, _, err := codec.Type(t.Context(), recordOf(1))
		if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took != 3*time.Second {
			t.Errorf("%v after %v", err, took)
		}
	})
}

// TestEviction reads records of more schemas than are kept, and of as many ids that there are not: what was used last
// is kept, and failures push no schema out.
func TestEviction(t *testing.T) {
	asked := map[int]int{}
	codec := kafkacodec.New(stub{byID: func(_ context.Context, id int) (sr.Schema, error) {
		asked[id]++
		if id >= 1000 {
			return sr.Schema{}, errNotFound
		}
		return message, nil
	}}, kafkacodec.Options{MaxSchemas: 4})
	use := func(id int) *kafkacodec.Type {
		typ, _, err := codec.Type(background, recordOf(id))
		if (err != nil) != (id >= 1000) {
			t.Fatalf("%d: %v", id, err)
		}
		return typ
	}
	first := use(1)
	for id := 2; id <= 4; id++ {
		use(id)
	}
	for id := range 100 {
		use(1000 + id)
	}
	use(1)
	use(5) // in place of 2
	use(3)
	use(4)
	use(1)
	if fmt.Sprint(asked[1], asked[2], asked[3], asked[4], asked[5]) != "1 1 1 1 1" {
		t.Errorf("asked %d %d %d %d %d times", asked[1], asked[2], asked[3], asked[4], asked[5])
	}
	if use(2); asked[2] != 2 {
		t.Errorf("schema 2 was not forgotten: %v", asked[2])
	}
	for id := 6; id < 12; id++ {
		use(id)
	}
	if record, err := first.Append(nil, first.New()); err != nil || string(record) != string(recordOf(1)) {
		t.Errorf("a type whose schema is forgotten: %x %v", record, err)
	}
	if _, err := codec.Append(nil, first.New()); !errors.Is(err, kafkacodec.ErrSchema) {
		t.Errorf("a descriptor whose schema is forgotten: %v", err)
	}
}

// TestConcurrent reads and writes records of more schemas than are kept, from many goroutines.
func TestConcurrent(t *testing.T) {
	codec := kafkacodec.New(stub{byID: func(_ context.Context, id int) (sr.Schema, error) {
		if id%10 == 0 {
			return sr.Schema{}, errNotFound
		}
		return message, nil
	}}, kafkacodec.Options{MaxSchemas: 20, FailureTTL: time.Microsecond})
	decoder := codec.Decoder(kafkacodec.DecodeOptions{Paths: []string{"s"}})
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 300 {
				id := (g*7 + i) % 40
				record := append(recordOf(id), fmt.Sprintf("\x0a\x05%05d", i)...)
				text, err := decoder.AppendJSON(background, nil, record)
				if want := fmt.Sprintf(`{"s":"%05d"}`, i); (err != nil) != (id%10 == 0) || err == nil && string(text) != want {
					t.Errorf("%d: %s %v", id, text, err)
				}
			}
		})
	}
	wg.Wait()
}
