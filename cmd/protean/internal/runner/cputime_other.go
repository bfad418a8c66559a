//go:build !linux

package runner

// cpuTime does not know on this system.
func cpuTime() (ns int64, ok bool) { return 0, false }
