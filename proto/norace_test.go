//go:build !race

package proto_test

// raceEnabled says that allocations are not counted: the race detector makes some.
const raceEnabled = false
