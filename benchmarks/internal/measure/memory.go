package measure

import (
	"runtime"
	"runtime/debug"

	"github.com/protean-pb/protean/benchmarks/internal/job"
)

// memory counts what a side allocates in a steady state, and how much of it the result keeps alive.
func memory(s job.Side) (Cost, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	if err := warmUp(s); err != nil {
		return Cost{}, err
	}
	const times = 20
	before := stats()
	if err := s.Loop(times); err != nil {
		return Cost{}, err
	}
	after := stats()
	c := Cost{
		Bytes:  float64(after.TotalAlloc-before.TotalAlloc) / times,
		Allocs: float64(after.Mallocs-before.Mallocs) / times,
	}
	var err error
	c.Kept, err = kept(s, c.Bytes)
	return c, err
}

// kept has many results alive at the same time, enough that what else lives on the heap does not count.
func kept(s job.Side, allocated float64) (float64, error) {
	n := min(max(10, int((2<<20)/(allocated+16))), 20_000)
	collect()
	before := stats()
	results, err := s.Keep(n)
	collect()
	after := stats()
	runtime.KeepAlive(results)
	if after.HeapAlloc < before.HeapAlloc {
		return 0, err
	}
	return float64(after.HeapAlloc-before.HeapAlloc) / float64(n), err
}

// warmUp does the job often enough that whoever learns from messages has learned, but not for long.
func warmUp(s job.Side) error {
	start := wallTime()
	for n := 0; n < 10 || n < 200 && wallTime()-start < 5e7; n++ {
		if err := s.Loop(1); err != nil {
			return err
		}
	}
	return nil
}

// collect collects twice: what a sync.Pool holds survives one collection.
func collect() {
	runtime.GC()
	runtime.GC()
}

func stats() *runtime.MemStats {
	m := new(runtime.MemStats)
	runtime.ReadMemStats(m)
	return m
}
