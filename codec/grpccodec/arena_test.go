package grpccodec

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	testpb "google.golang.org/grpc/interop/grpc_testing"

	"github.com/protean-pb/protean/proto"
)

// named is a request with a text, whose type the server has seen.
func named(name string) *testpb.SimpleRequest {
	return &testpb.SimpleRequest{Payload: &testpb.Payload{Body: []byte(name)},
		ExpectCompressed: &testpb.BoolValue{Value: true}}
}

// TestArenaResets keeps the payload of a request beyond the call, against the rules: it is overwritten when the
// response has been written, and not before.
func TestArenaResets(t *testing.T) {
	var mu sync.Mutex
	var kept [][]byte
	service := &echo{unary: func(_ context.Context, req *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
		mu.Lock()
		defer mu.Unlock()
		kept = append(kept, req.Payload.Body)
		return &testpb.SimpleResponse{Payload: req.Payload}, nil
	}}
	c := testpb.NewTestServiceClient(dial(t, service, ArenaServer(ArenaOptions{Poison: true})))
	for i, name := range []string{"the first of its type", "the second", "the third"} {
		resp, err := c.UnaryCall(limited(t), named(name))
		if err != nil || string(resp.Payload.Body) != name {
			t.Fatalf("%v, %v", resp, err)
		}
		mu.Lock()
		got := string(kept[i])
		mu.Unlock()
		if i == 0 && got != name {
			t.Errorf("a request of a type that was not known: %q", got)
		}
		if i > 0 && !strings.HasPrefix("used after Reset used after Reset", got) {
			t.Errorf("a request after its call: %q", got)
		}
	}
}

// TestArenaErrors has handlers fail, with an error that refers to the request, and panic: what they hold stays as it
// is.
func TestArenaErrors(t *testing.T) {
	var last *testpb.SimpleRequest
	service := &echo{unary: func(_ context.Context, req *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
		last = req
		if string(req.Payload.Body) == "panic" {
			panic("as asked for")
		}
		return nil, errors.New(string(req.Payload.Body))
	}}
	options := append(ArenaServer(ArenaOptions{Poison: true}), grpc.ChainUnaryInterceptor(
		func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
			defer func() {
				if r := recover(); r != nil {
					err = errors.New("recovered")
				}
			}()
			return handler(ctx, req)
		}))
	c := testpb.NewTestServiceClient(dial(t, service, options))
	for range 3 {
		for _, name := range []string{"failed", "panic"} {
			if _, err := c.UnaryCall(limited(t), named(name)); err == nil {
				t.Fatal("no error")
			}
			if got := string(last.Payload.Body); got != name {
				t.Errorf("%q, want %q", got, name)
			}
		}
	}
}

// TestArenaStreams keeps what a stream has received: it is not overwritten, also when the type has come by a unary call
// before.
func TestArenaStreams(t *testing.T) {
	s := &arenaServer{codec: newCodec(Options{})}
	s.learn(new(testpb.SimpleRequest), unary)
	s.learn(new(testpb.SimpleRequest), streamed)
	s.learn(new(testpb.SimpleRequest), unary)
	data, err := s.Marshal(named("streamed"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Unmarshal(data, new(testpb.SimpleRequest)); err != nil { // which would panic: there are no Arenas
		t.Error(err)
	}
	c := testpb.NewTestServiceClient(dial(t, &echo{}, ArenaServer(ArenaOptions{Poison: true})))
	for range 3 {
		if err := callAll(limited(t), c, []byte("payload")); err != nil {
			t.Error(err)
		}
	}
}

// TestArenaIsUsedAgain counts that a call finds the Arena of the one before.
func TestArenaIsUsedAgain(t *testing.T) {
	made := 0
	s := &arenaServer{codec: newCodec(Options{})}
	s.arenas.New = func() any { made++; return new(proto.Arena) }
	s.learn(new(testpb.SimpleRequest), unary)
	data, err := s.Marshal(named("again"))
	if err != nil {
		t.Fatal(err)
	}
	const calls = 100
	for range calls {
		req := new(testpb.SimpleRequest)
		if err := s.Unmarshal(data, req); err != nil {
			t.Fatal(err)
		}
		resp, err := s.unary(t.Context(), req, nil, func(context.Context, any) (any, error) { return req, nil })
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Marshal(resp); err != nil {
			t.Fatal(err)
		}
	}
	if made > calls*3/4 { // under the race detector the pool forgets some
		t.Errorf("%d Arenas in %d calls", made, calls)
	}
	if len(s.requests.arenas) > 0 || len(s.responses.arenas) > 0 {
		t.Error("Arenas are left in the tables")
	}
}

// TestWaiting fills a table beyond its end: the oldest go, and nothing else is kept.
func TestWaiting(t *testing.T) {
	var w waiting
	for range slots + 10 {
		w.put(&struct{ x int }{}, new(proto.Arena))
	}
	if len(w.arenas) != slots {
		t.Errorf("%d Arenas, want %d", len(w.arenas), slots)
	}
	key, arena := &struct{ x int }{}, new(proto.Arena)
	w.put(key, new(proto.Arena))
	w.put(key, arena)
	if w.take(key) != arena || w.take(key) != nil || w.take("no pointer") != nil {
		t.Error("the wrong Arena")
	}
	for _, m := range w.order {
		if m != nil {
			w.take(m)
		}
	}
	if len(w.arenas) != 0 || w.count.Load() != 0 {
		t.Errorf("%d Arenas are left", len(w.arenas))
	}
}
