package anybuilder

import "unsafe"

// maxRoom is how many bytes are allocated at once for several of a type, so that whoever
// keeps one of them keeps no more than that.
const maxRoom = 8 << 10

// A slab is memory for things of one type. What is used is counted, since to cut it off
// would write a pointer, which costs more while garbage is collected.
type slab[T any] struct {
	items []T
	used  int
	next  int // how many are to be allocated the next time
	total int // how many have been allocated
}

// expect says that n are needed next, and as many for each of so many parts, this one
// included.
func (r *slab[T]) expect(n, parts int) {
	if missing := n - (len(r.items) - r.used); missing > 0 {
		r.next = max(n*parts-(n-missing), r.total/2)
	}
}

// one returns memory for one.
func (r *slab[T]) one() *T {
	if r.used >= len(r.items) {
		r.refill(1)
	}
	p := &r.items[r.used]
	r.used++
	return p
}

// run returns n, one after the other. There is no capacity beyond them: an append by their
// owner must not reach into the next run.
func (r *slab[T]) run(n int) []T {
	end := r.used + n
	if end > len(r.items) {
		if n > most[T]()/8 {
			return make([]T, n) // and the rest is left for shorter ones
		}
		r.refill(n)
		end = n
	}
	p := r.items[r.used:end:end]
	r.used = end
	return p
}

// most returns how many T are allocated at once.
func most[T any]() int { return maxRoom / max(int(unsafe.Sizeof(*new(T))), 1) }

// refill allocates memory for as many as are expected, n at least; where more come than
// were expected, for half as many as there have been.
//
//go:noinline
func (r *slab[T]) refill(n int) {
	size := max(n, min(max(r.next, r.total/2), most[T]()))
	r.items, r.used, r.next, r.total = make([]T, size), 0, 0, r.total+size
}
