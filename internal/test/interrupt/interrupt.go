// Package interrupt ends calls by a panic in their midst, for tests of what is left behind: a panic of a function of
// the caller's that the call makes use of ([Steps]), or one because the rest of the input cannot be read ([Faults],
// on Linux). Only tests import it.
package interrupt

import "testing"

// stepped is what the step of [Steps] panics with.
type stepped struct{}

// maxSteps ends a test whose call is never done.
const maxSteps = 100_000

// Steps runs call again and again until it gets by without a panic, and returns how many runs did not. In the first
// run the step that is handed to call panics when it is called first, in the second run when it is called for the
// second time, and so on. After each panic check is called, which is to find out whether everything still works.
func Steps(t testing.TB, call func(step func()), check func()) int {
	t.Helper()
	for n := range maxSteps {
		left, thrown := n, false
		panicked := recovered(func() {
			call(func() {
				if left--; left == -1 {
					thrown = true
					panic(stepped{})
				}
			})
		})
		if thrown && !panicked {
			t.Errorf("the panic in step %d has been swallowed", n)
		}
		if !panicked {
			return n
		}
		check()
	}
	t.Fatalf("there are more than %d steps", maxSteps)
	return 0
}

// recovered runs f and reports whether it ended with the panic of a step. Other panics go on.
func recovered(f func()) (panicked bool) {
	defer func() {
		switch p := recover(); p.(type) {
		case nil:
		case stepped:
			panicked = true
		default:
			panic(p)
		}
	}()
	f()
	return false
}
