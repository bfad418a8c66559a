package race

import "testing"

// Brief reports whether tests are to leave out what only takes longer: under the race detector, and with -short, as
// where they run once more with other settings of the compiler or on an emulated processor.
func Brief() bool { return Enabled || testing.Short() }

// Rounds returns how many of n rounds a random test takes: all, or under the race detector or
// with -short a quarter, but one at least. In a test of a single goroutine there is no race; what the
// detector finds there is a misused pointer, and each round uses the same pointers again.
func Rounds(n int) int {
	if Brief() {
		return max(1, n/4)
	}
	return n
}
