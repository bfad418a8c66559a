package runner

import "golang.org/x/sys/unix"

// cpuTime returns how long the threads of this process have run on any processor, in nanoseconds; false
// if the system does not say. The kernel takes the processor from a process for milliseconds, which is
// many times what there is to measure.
func cpuTime() (ns int64, ok bool) {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t) != nil {
		return 0, false
	}
	return t.Nano(), true
}
