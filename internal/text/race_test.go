//go:build race

package text

// raceEnabled says that the race detector is on, under which allocation counts mean
// nothing.
const raceEnabled = true
