package interrupt

import (
	"runtime"
	"testing"
)

// Kept has what calls returned after others were interrupted. If memory was handed out twice, or let go too early, that
// changes afterwards.
type Kept struct {
	t   testing.TB
	all [64]result
	n   int
}

// A result is what a call returned.
type result struct {
	name string
	got  func() string // what it holds now
	want string        // what it held
}

// Keep returns what keeps results until the end of the test.
func Keep(t testing.TB) *Kept {
	k := &Kept{t: t}
	t.Cleanup(func() {
		runtime.GC()
		for i := range k.all {
			k.check(&k.all[i])
		}
	})
	return k
}

// Add checks what a call returned, and keeps it in the place of an older result, which is checked once more. Every so
// often it collects garbage.
func (k *Kept) Add(name, want string, got func() string) {
	k.t.Helper()
	if k.n++; k.n%256 == 0 {
		runtime.GC()
	}
	r := &k.all[k.n%len(k.all)]
	k.check(r)
	*r = result{name, got, want}
	k.check(r)
}

func (k *Kept) check(r *result) {
	k.t.Helper()
	if r.got == nil {
		return
	}
	if got := r.got(); got != r.want {
		k.t.Fatalf("%s: %q, want %q", r.name, got, r.want)
	}
}
