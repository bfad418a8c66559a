package race

import "testing"

// Rounds returns how many of n rounds a random test takes: all, or under the race detector or
// with -short a quarter, but one at least. In a test of a single goroutine there is no race; what the
// detector finds there is a misused pointer, and each round uses the same pointers again.
func Rounds(n int) int {
	if Enabled || testing.Short() {
		return max(1, n/4)
	}
	return n
}
