package interrupt

import (
	"slices"
	"testing"
)

// A recorder is a test that is allowed to fail.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failed = true }

func TestStepsInterruptsEachStep(t *testing.T) {
	var runs, checks []int
	done := 0
	n := Steps(t, func(step func()) {
		done = 0
		for range 3 {
			step()
			done++
		}
		runs = append(runs, done)
	}, func() { checks = append(checks, done) })
	if n != 3 || !slices.Equal(checks, []int{0, 1, 2}) || !slices.Equal(runs, []int{3}) {
		t.Errorf("%d, %v, %v", n, checks, runs)
	}
}

func TestStepsFindsSwallowedPanics(t *testing.T) {
	for name, call := range map[string]func(step func()){
		"all": func(step func()) {
			defer func() { _ = recover() }()
			step()
		},
		"the second": func(step func()) {
			step()
			defer func() { _ = recover() }()
			step()
		},
	} {
		r := &recorder{TB: t}
		if Steps(r, call, func() {}); !r.failed {
			t.Errorf("%s: not noticed", name)
		}
	}
}

func TestStepsLeavesOtherPanics(t *testing.T) {
	defer func() {
		if p := recover(); p != "another" {
			t.Errorf("%v", p)
		}
	}()
	Steps(t, func(func()) { panic("another") }, func() {})
}
