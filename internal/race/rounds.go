package race

// Rounds returns how many of n rounds a random test takes: all, or under the race detector a
// quarter, but one at least. In a test of a single goroutine there is no race; what the
// detector finds there is a misused pointer, and each round uses the same pointers again.
func Rounds(n int) int {
	if Enabled {
		return max(1, n/4)
	}
	return n
}
