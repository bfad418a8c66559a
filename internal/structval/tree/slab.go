package tree

import "unsafe"

// How many bytes a slab has at most.
const (
	slabSize = 16 << 10
	textSize = 64 << 10
)

// capacity returns how many T a slab has at most.
func capacity[T any]() int {
	switch size := int(unsafe.Sizeof(*new(T))); size {
	case 0:
		return slabSize // where T takes no memory
	case 1:
		return textSize
	default:
		return slabSize / size
	}
}

// isLong reports whether a run of n has memory of its own. All others waste little at the
// end of a slab.
func isLong[T any](n int) bool { return n > capacity[T]()/8 }

// A slab is memory for many things, of which so many have been asked for. What is used is
// counted, since to cut it off would write a pointer, which costs more while garbage is
// collected.
type slab[T any] struct {
	items []T
	used  int
	left  int // of those asked for, for which there is no memory yet
}

// reserve asks for n, and if there is no memory for them for so many times as much.
func (s *slab[T]) reserve(n, times int) {
	if have := len(s.items) - s.used; n > have {
		s.left = n*times - have
	}
}

// one returns the next T.
func (s *slab[T]) one() *T {
	if s.used >= len(s.items) {
		s.refill(1)
	}
	p := &s.items[s.used]
	s.used++
	return p
}

// run returns the next n of T, nil for none. It has no capacity beyond them: an append by
// its owner must not reach into the next run.
func (s *slab[T]) run(n int) []T {
	switch {
	case n == 0:
		return nil
	case isLong[T](n):
		return make([]T, n)
	case n > len(s.items)-s.used:
		s.refill(n)
	}
	end := s.used + n
	p := s.items[s.used:end:end]
	s.used = end
	return p
}

// refill allocates a slab for n at least. One of unknown size is
// for twice as many as the last, and the first for as many as left is below 0.
//
//go:noinline
func (s *slab[T]) refill(n int) {
	if s.left < 0 {
		n = max(n, min(max(2*len(s.items), -s.left), capacity[T]()))
		s.items, s.used = make([]T, n), 0
		return
	}
	size := max(n, min(s.left, capacity[T]()))
	s.items, s.used = make([]T, size), 0
	s.left = max(s.left-size, 0)
}
