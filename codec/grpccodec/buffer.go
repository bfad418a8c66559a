package grpccodec

import (
	"reflect"
	"sync"
	"sync/atomic"

	"google.golang.org/grpc/mem"
)

// largestPooled is the largest message that is written to a buffer of grpc-go's pool. The next size in the pool is 1
// MiB, which is cleared each time, and kept from all others as long as the message is on its way.
const largestPooled = 32 << 10

func isPooled(length int) bool {
	return !mem.IsBelowBufferPoolingThreshold(length) && length <= largestPooled
}

// lengths has how long the last message of each Go type was. Types are as many as the program has.
type lengths struct {
	types sync.Map // reflect.Type → *length
}

func (l *lengths) of(v any) *length {
	t := reflect.TypeOf(v)
	if n, ok := l.types.Load(t); ok {
		return n.(*length)
	}
	n, _ := l.types.LoadOrStore(t, new(length))
	return n.(*length)
}

// A length is a prediction, so that it does not matter which of two calls writes it last.
type length struct{ atomic.Int64 }

// update notes the length of another message. Processors share the number, so it is not written where the same buffer
// serves.
func (l *length) update(expected, got int) {
	if got > expected || got < expected/2 {
		l.Store(int64(got + got/8))
	}
}

// The largest buffers that are kept for joining: of those that serve most messages, and of those for large ones, up to
// the limit of messages that grpc-go has by default.
const (
	largestSmall = 1 << 20
	largestKept  = 4 << 20
)

// joins has buffers of either size, so that small messages do not keep large buffers in use.
var joins [2]sync.Pool

// joinsOf returns the pool of buffers with that capacity.
func joinsOf(capacity int) *sync.Pool {
	if capacity <= largestSmall {
		return &joins[0]
	}
	return &joins[1]
}

// A buffer is memory in which buffers of grpc-go are joined. It is not cleared before it is used again, as those of
// grpc-go's pool are.
type buffer struct{ data []byte }

func join(s mem.BufferSlice) *buffer {
	n := s.Len()
	b := bufferFor(n)
	b.data = b.data[:0]
	if cap(b.data) < n {
		b.data = make([]byte, 0, n)
	}
	for _, part := range s {
		b.data = append(b.data, part.ReadOnlyData()...)
	}
	return b
}

func bufferFor(n int) *buffer {
	if n <= largestKept {
		if b, ok := joinsOf(n).Get().(*buffer); ok {
			return b
		}
	}
	return new(buffer)
}

func (b *buffer) release() {
	if n := cap(b.data); n <= largestKept {
		joinsOf(n).Put(b)
	}
}
