package runner

import "time"

// calibrate runs the calibration loop and returns how long it took, in nanoseconds. The loop does a fixed amount of
// work in registers, some ten microseconds of it, and keeps all arithmetic units of the core busy: whatever else runs
// on the core, a sibling hyperthread included, slows it down. Run before and after a slice, it tells whether the slice
// had the core for itself, independently of the slice's own time.
func calibrate() int64 {
	start := time.Now()
	a, b, c, d := uint64(1), uint64(2), uint64(3), uint64(4)
	e, f, g, h := uint64(5), uint64(6), uint64(7), uint64(8)
	for range 2500 {
		a, b, c, d = a^a<<13, b^b<<13, c^c<<13, d^d<<13
		e, f, g, h = e^e<<13, f^f<<13, g^g<<13, h^h<<13
		a, b, c, d = a^a>>7, b^b>>7, c^c>>7, d^d>>7
		e, f, g, h = e^e>>7, f^f>>7, g^g>>7, h^h>>7
	}
	ns := time.Since(start).Nanoseconds()
	if a|b|c|d|e|f|g|h == 0 { // never; but the compiler cannot know, and leaves the work in
		ns = 0
	}
	return ns
}
