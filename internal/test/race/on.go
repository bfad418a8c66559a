//go:build race

// Package race says whether a test runs under the race detector, where it takes ten times as long and counts other
// allocations.
package race

// Enabled is whether the race detector is on.
const Enabled = true
