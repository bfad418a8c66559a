package runner

import (
	"math"
	"runtime"
	"runtime/debug"
)

// A usage is what a function allocated.
type usage struct {
	bytes, objects float64
}

// heapWhileCounting bounds what is allocated while the garbage collector rests.
const heapWhileCounting = 64 << 20

// allocations returns what one run of f allocates, from three times up to reps
// runs. The garbage collector rests meanwhile, so that no pool is emptied; the
// least of the three leaves out what the Go runtime allocated for itself.
func allocations(f func() error, reps int) (usage, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	if err := f(); err != nil { // fills pools and caches
		return usage{}, err
	}
	least, err := allocated(f, 1)
	if err != nil {
		return usage{}, err
	}
	reps = max(1, min(reps, int(heapWhileCounting/max(least.bytes, 1))))
	for range 3 {
		u, err := allocated(f, reps)
		if err != nil {
			return usage{}, err
		}
		least.bytes, least.objects = math.Min(least.bytes, u.bytes), math.Min(least.objects, u.objects)
		if u.bytes*float64(reps) > heapWhileCounting/4 {
			runtime.GC()
		}
	}
	return least, nil
}

func allocated(f func() error, reps int) (usage, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range reps {
		if err := f(); err != nil {
			return usage{}, err
		}
	}
	runtime.ReadMemStats(&after)
	n := float64(reps)
	return usage{float64(after.TotalAlloc-before.TotalAlloc) / n, float64(after.Mallocs-before.Mallocs) / n}, nil
}
