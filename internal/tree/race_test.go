//go:build race

package tree

// raceEnabled says that the race detector is on, under which allocation counts mean
// nothing.
const raceEnabled = true
