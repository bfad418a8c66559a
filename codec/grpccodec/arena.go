package grpccodec

import (
	"context"
	"reflect"
	"sync"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/grpc/mem"

	"github.com/protean-pb/protean/proto"
)

// ArenaOptions are those of [ArenaServer].
type ArenaOptions struct {
	Options
	// Poison overwrites what a call's request held as soon as its response is written, so that tests find handlers that
	// use it later: see proto.Arena. It is always so in programs that are built with the race detector.
	Poison bool
}

// ArenaServer returns the options of a server that reads the requests of unary calls into memory that is used again: a
// proto.Arena a call, which is Reset when the handler has returned and its response is written. The options must come
// before all others that have interceptors, so that these have returned by then, too:
//
//	options := append(grpccodec.ArenaServer(grpccodec.ArenaOptions{}), grpc.ChainUnaryInterceptor(logging))
//	server := grpc.NewServer(options...)
//
// The rules are those of proto.Arena. The request, and all that refers to it (its messages, strings, bytes, lists,
// maps), is in use until the handler has returned and the response is written. So:
//
//   - The response may hold parts of the request, or be the request.
//   - What is kept for longer is copied: in a cache, a queue, a log that writes later, by a goroutine that the
//     handler starts. Messages are copied by proto.Clone, strings by strings.Clone.
//   - A response that is shared by calls must not refer to any request.
//   - A stats.Handler must not look into the Payload of stats.OutPayload or of any later event. With
//     grpc.EnableTracing, which shows messages later, there must be no Arena.
//   - Errors may refer to the request: where a handler returns an error, or panics, the memory is left to the
//     garbage collector.
//
// To break a rule does not corrupt memory, but what is used too late has changed: Poison shows that in tests.
//
// Requests of streams are read into memory of their own, and so is the first request of each Go type, since the codec
// does not know yet what it is for. A type that a stream has received is never read into an Arena from then on. An
// Arena of more than 1 MiB is not used again.
func ArenaServer(o ArenaOptions) []grpc.ServerOption {
	s := &arenaServer{codec: newCodec(o.Options)}
	s.arenas.New = func() any { return &proto.Arena{Poison: o.Poison} }
	return []grpc.ServerOption{
		grpc.ForceServerCodecV2(s), grpc.ChainUnaryInterceptor(s.unary), grpc.ChainStreamInterceptor(s.stream),
	}
}

// largestArena is the largest Arena that is used again.
const largestArena = 1 << 20

// An arenaServer is the codec and the interceptors of one server. A request comes to the codec first, which leaves its
// Arena in requests; the interceptor takes it from there, and leaves it in responses for the codec, which writes the
// response next. What is never taken, since a call ended in between, falls out of these tables and to the garbage
// collector.
type arenaServer struct {
	*codec
	arenas    sync.Pool // of *proto.Arena
	kinds     sync.Map  // reflect.Type → kind
	requests  waiting
	responses waiting
}

// A kind says what messages of a Go type have come as.
type kind int

const (
	unary    kind = iota // requests of unary calls only
	streamed             // requests of streams, too
)

func (s *arenaServer) Unmarshal(data mem.BufferSlice, v any) error {
	if k, ok := s.kinds.Load(reflect.TypeOf(v)); !ok || k.(kind) == streamed {
		return s.unmarshal(data, v, nil)
	}
	arena := s.arenas.Get().(*proto.Arena)
	if err := s.unmarshal(data, v, arena); err != nil {
		return err // what has been read refers to the Arena
	}
	s.requests.put(v, arena)
	return nil
}

func (s *arenaServer) Marshal(v any) (mem.BufferSlice, error) {
	data, err := s.codec.Marshal(v)
	if arena := s.responses.take(v); arena != nil && err == nil {
		if arena.Reset(); arena.Size() <= largestArena {
			s.arenas.Put(arena)
		}
	}
	return data, err
}

func (s *arenaServer) unary(
	ctx context.Context, req any, _ *grpc.UnaryServerInfo, handler grpc.UnaryHandler,
) (any, error) {
	arena := s.requests.take(req)
	if arena == nil {
		s.learn(req, unary)
		return handler(ctx, req)
	}
	resp, err := handler(ctx, req)
	if err == nil && isPointer(resp) {
		s.responses.put(resp, arena)
	}
	return resp, err
}

func (s *arenaServer) stream(
	srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, handler grpc.StreamHandler,
) error {
	return handler(srv, &arenaStream{stream, s})
}

// An arenaStream tells the server which types streams receive, before the codec gets to see a message.
type arenaStream struct {
	grpc.ServerStream
	server *arenaServer
}

func (s *arenaStream) RecvMsg(m any) error {
	s.server.learn(m, streamed)
	return s.ServerStream.RecvMsg(m)
}

func (s *arenaServer) learn(m any, k kind) {
	if !isPointer(m) {
		return
	}
	t := reflect.TypeOf(m)
	if old, ok := s.kinds.Load(t); ok && old.(kind) >= k {
		return
	}
	if k == streamed {
		s.kinds.Store(t, k)
	} else {
		s.kinds.LoadOrStore(t, k)
	}
}

// isPointer reports whether m, which may be nil, is a pointer, by which it can be found again.
func isPointer(m any) bool {
	t := reflect.TypeOf(m)
	return t != nil && t.Kind() == reflect.Pointer
}

// slots is how many Arenas wait at most in one table. Each waits only while grpc-go goes from the codec to the
// interceptor, or back.
const slots = 1024

// waiting are Arenas by the message that each belongs to. When there are too many, the oldest is dropped.
type waiting struct {
	count  atomic.Int32
	mu     sync.Mutex
	arenas map[any]place
	order  [slots]any // the messages, in a ring
	next   int        // where the next one goes, and the oldest is
}

// A place is an Arena, and where its message is in the ring.
type place struct {
	arena *proto.Arena
	at    int
}

func (w *waiting) put(message any, arena *proto.Arena) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.arenas == nil {
		w.arenas = map[any]place{}
	}
	if old, ok := w.arenas[message]; ok { // whose call has failed, or which several calls share
		w.order[old.at] = nil
	}
	if oldest := w.order[w.next]; oldest != nil {
		delete(w.arenas, oldest)
	}
	w.order[w.next] = message
	w.arenas[message] = place{arena, w.next}
	w.next = (w.next + 1) % slots
	w.count.Store(int32(len(w.arenas)))
}

// take returns the message's Arena, or nil if there is none.
func (w *waiting) take(message any) *proto.Arena {
	if w.count.Load() == 0 || !isPointer(message) {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	p, ok := w.arenas[message]
	if !ok {
		return nil
	}
	delete(w.arenas, message)
	w.order[p.at] = nil
	w.count.Store(int32(len(w.arenas)))
	return p.arena
}
