//go:build !unix

package runner

import "time"

// cpuTime returns 0: this system's clock of processor time is too coarse for a turn.
func cpuTime() time.Duration { return 0 }
