package runner

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// pin ties the calling goroutine to one of the processors that the process may
// use: processors of a shared machine are slowed down by its other tenants each
// at its own time, so what is to be compared runs on the same one. The garbage
// collector's threads stay free. The number counts the usable processors round
// and round. Where the system refuses, nothing is tied.
func pin(number int) {
	runtime.LockOSThread()
	var usable, one unix.CPUSet
	if unix.SchedGetaffinity(0, &usable) != nil || usable.Count() == 0 {
		return
	}
	number %= usable.Count()
	for cpu := 0; ; cpu++ {
		if !usable.IsSet(cpu) {
			continue
		}
		if number--; number < 0 {
			one.Set(cpu)
			break
		}
	}
	_ = unix.SchedSetaffinity(0, &one) // without it, the kernel may move the thread
}
