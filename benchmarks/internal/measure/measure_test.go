package measure

import (
	"errors"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/protean-pb/protean/benchmarks/internal/job"
)

// made keeps what the sides below allocate on the heap.
var made []byte

// side allocates so many bytes, and makes so many rounds of arithmetic.
func side(size, work int) job.Side {
	do := func() []byte {
		x := uint32(1)
		for range work {
			x = x*1664525 + 1013904223
		}
		b := make([]byte, size)
		b[0] = byte(x)
		return b
	}
	return job.Side{
		Loop: func(n int) error {
			for range n {
				made = do()
			}
			return nil
		},
		Keep: func(n int) (any, error) {
			all := make([][]byte, n)
			for i := range all {
				all[i] = do()
			}
			return all, nil
		},
	}
}

func TestMemory(t *testing.T) {
	r, p, err := Memory(job.Pair{Rival: side(4096, 1), Protean: side(1024, 1)})
	if err != nil {
		t.Fatal(err)
	}
	// An occasional allocation of the runtime may be in it, and a slice for each result.
	for _, c := range []struct {
		cost Cost
		size float64
	}{{r, 4096}, {p, 1024}} {
		if c.cost.Bytes < c.size || c.cost.Bytes > c.size*1.1 || c.cost.Allocs < 1 || c.cost.Allocs > 2 {
			t.Errorf("%+v, want 1 allocation of %v bytes", c.cost, c.size)
		}
		if c.cost.Kept < c.size || c.cost.Kept > c.size*1.1 {
			t.Errorf("%v bytes kept, want %v", c.cost.Kept, c.size)
		}
	}
}

// TestTimes looks whether each figure is there, not how large it is.
func TestTimes(t *testing.T) {
	for _, mode := range Modes {
		t.Run(mode.Name, func(t *testing.T) {
			var r, p Cost
			bind := func() job.Pair { return job.Pair{Rival: sideOf(2000), Protean: sideOf(1000)} }
			ratio, err := Times(mode, Options{Time: time.Millisecond, Goroutines: 2}, bind, &r, &p)
			if err != nil {
				t.Fatal(err)
			}
			if r.Ns <= 0 || p.Ns <= 0 {
				t.Errorf("rival %v ns, protean %v ns", r.Ns, p.Ns)
			}
			if ratio.Low <= 0 || ratio.Low > ratio.Median || ratio.High < ratio.Median || ratio.Rounds < 5 {
				t.Errorf("ratio %+v, want five rounds or more, and the median in the interval", ratio)
			}
			parallel := mode.Name == "parallel"
			if (r.Speedup > 0) != parallel || (p.Speedup > 0) != parallel {
				t.Errorf("speed-ups %v and %v, want them in the mode parallel alone", r.Speedup, p.Speedup)
			}
		})
	}
}

// TestTurns looks whether both sides have as many turns, and take them in alternating order.
func TestTurns(t *testing.T) {
	var order []string
	side := func(name string) job.Side {
		return job.Side{Loop: func(int) error {
			order = append(order, name)
			return nil
		}}
	}
	m := meter{mode: Mode{turn: time.Nanosecond}, rounds: 4}
	contenders := []*contender{{sides: []job.Side{side("rival")}}, {sides: []job.Side{side("protean")}}}
	if err := m.measure(contenders); err != nil {
		t.Fatal(err)
	}
	want := []string{"rival", "protean", "protean", "rival", "rival", "protean", "protean", "rival"}
	if turns := order[len(order)-8:]; !slices.Equal(turns, want) {
		t.Errorf("turns %v, want %v", turns, want)
	}
	for _, c := range contenders {
		if len(c.ns) != 4 {
			t.Errorf("%d times, want one for each round", len(c.ns))
		}
	}
}

// sideOf does arithmetic alone, and writes to nothing that goroutines share.
func sideOf(work int) job.Side {
	return job.Side{Loop: func(n int) error {
		x := uint32(n)
		for range n * work {
			x = x*1664525 + 1013904223
		}
		runtime.KeepAlive(x)
		return nil
	}}
}

func TestErrorsEndTheMeasurement(t *testing.T) {
	failure := errors.New("failure")
	for _, mode := range Modes {
		calls := 0
		failing := job.Side{Loop: func(int) error {
			if calls++; calls > 3 {
				return failure
			}
			return nil
		}}
		bind := func() job.Pair { return job.Pair{Rival: sideOf(1000), Protean: failing} }
		_, err := Times(mode, Options{Time: time.Millisecond, Goroutines: 1}, bind, new(Cost), new(Cost))
		if !errors.Is(err, failure) {
			t.Errorf("%s: error %v, want that of the job", mode.Name, err)
		}
	}
}

func TestEstimates(t *testing.T) {
	r := ratio([]float64{5, 1, 3, 2, 4})
	if r.Median != 3 || r.Low != 1 || r.High != 5 {
		t.Errorf("%+v, want 3 from 1 to 5", r)
	}
	var many []float64
	for i := range 101 {
		many = append(many, float64(i))
	}
	if r := ratio(many); r.Median != 50 || r.Low < 38 || r.Low > 41 || r.High < 59 || r.High > 62 {
		t.Errorf("%+v, want 50 from 40 to 60", r)
	}
	if m := median([]float64{4, 1, 2, 3}); m != 2.5 {
		t.Errorf("median of four is %v", m)
	}
}
