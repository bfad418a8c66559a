package stats

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var nan = math.NaN()

// near compares intervals: NaN equals NaN, and the last bits do not count.
var near = cmp.Options{cmpopts.EquateNaNs(), cmpopts.EquateApprox(1e-9, 0)}

func check(t *testing.T, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got, near); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   Interval
	}{
		{nil, Interval{nan, nan, nan}},
		{[]float64{7}, Interval{7, nan, nan}},
		{[]float64{5, 1, 3, 2, 4}, Interval{3, nan, nan}},
		{[]float64{6, 5, 1, 3, 2, 4}, Interval{3.5, 1, 6}},
		{[]float64{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, Interval{5.5, 2, 9}},
	} {
		before := slices.Clone(c.values)
		check(t, "median", Median(c.values), c.want)
		check(t, "the values after it", c.values, before)
	}
}

// times makes turns of these times, a round each, all of one process.
func times(ns ...float64) []Turn {
	var out []Turn
	for i, v := range ns {
		out = append(out, Turn{Round: i, Ops: 1, NS: v})
	}
	return out
}

func TestRatioPairsByRound(t *testing.T) {
	// Every round is twice as slow as the one before; only the paired quotient is steady.
	den := times(1, 2, 4, 8, 16, 32, 64)
	num := times(3, 6, 12, 24, 48, 96, 192)
	check(t, "ratio", Ratio(num, den), Interval{3, 3, 3})

	// Rounds that one side lacks do not count, in whatever order the rest come.
	num = append(num[1:], Turn{Round: 99, NS: 1})
	slices.Reverse(num)
	check(t, "ratio of 6 rounds", Ratio(num, den), Interval{3, 3, 3})
	check(t, "ratio of 5 rounds", Ratio(num[3:], den), Interval{3, nan, nan})
	check(t, "ratio of none", Ratio(num[:1], den), Interval{nan, nan, nan})
}

func TestGuard(t *testing.T) {
	turns := times(99, 100, 101, 99, 100, 101, 99, 100, 101, 99, 100, 101)
	alone := Time(turns)
	check(t, "one process", alone, Median(values(turns)))

	for i := range turns {
		turns[i].Process = i / 6
	}
	check(t, "two processes that agree", Time(turns), alone)

	for i := range turns {
		turns[i].NS += float64(10 * turns[i].Process)
	}
	pooled := Median(values(turns))
	if got := Time(turns); got.High-got.Low < 3*(pooled.High-pooled.Low) || got.Low < 0 || got.Median != pooled.Median {
		t.Errorf("two processes 10 apart: %v, pooled %v", got, pooled)
	}
}

// TestGuardOneRoundAProcess has no scatter within processes to go by.
func TestGuardOneRoundAProcess(t *testing.T) {
	turns := times(100, 101, 102, 103, 104, 105, 106, 107)
	pooled := Time(turns)
	for i := range turns {
		turns[i].Process = i
	}
	if got := Time(turns); got.HalfWidth() <= pooled.HalfWidth() || got.HalfWidth() > 2*pooled.HalfWidth() {
		t.Errorf("got ±%v, pooled ±%v", got.HalfWidth(), pooled.HalfWidth())
	}
}

// beside gives turns their bases, a round each.
func beside(turns []Turn, bases ...float64) []Turn {
	for i := range turns {
		turns[i].Base = bases[i]
	}
	return turns
}

func TestRelative(t *testing.T) {
	for _, c := range []struct {
		name string
		turn Turn
		want float64
	}{
		{"slower than the baseline", Turn{NS: 300, Base: 200}, 1.5},
		{"faster than the baseline", Turn{NS: 50, Base: 200}, 0.25},
		{"the baseline", Turn{NS: 200, Base: 200}, 1},
		{"no baseline beside it", Turn{NS: 300}, 300},
	} {
		check(t, c.name, c.turn.relative(), c.want)
	}
}

func TestRatioOfRelativeTimes(t *testing.T) {
	for _, c := range []struct {
		name     string
		num, den []Turn
		want     Interval
	}{
		{"each side by its own base",
			beside(times(30, 30, 30, 30, 30, 30), 10, 10, 10, 10, 10, 10),
			beside(times(40, 40, 40, 40, 40, 40), 20, 20, 20, 20, 20, 20),
			Interval{1.5, 1.5, 1.5}},
		{"what slows one side and its base down cancels out",
			beside(times(30, 60, 33, 90, 30, 45), 10, 20, 11, 30, 10, 15),
			beside(times(20, 20, 40, 20, 26, 20), 10, 10, 20, 10, 13, 10),
			Interval{1.5, 1.5, 1.5}},
		{"what slows the side alone down does not",
			beside(times(30, 60, 33, 90, 30, 45), 10, 10, 10, 10, 10, 10),
			beside(times(20, 20, 20, 20, 20, 20), 10, 10, 10, 10, 10, 10),
			Interval{1.95, 1.5, 4.5}},
		{"to the baseline, whose base is itself",
			beside(times(30, 60, 33, 90, 30, 45), 10, 20, 11, 30, 10, 15),
			beside(times(7, 9, 8, 7, 9, 8), 7, 9, 8, 7, 9, 8),
			Interval{3, 3, 3}},
		{"no bases",
			times(30, 60, 33, 90, 30, 45),
			times(20, 40, 22, 60, 20, 30),
			Interval{1.5, 1.5, 1.5}},
		{"bases on one side only: time by time",
			beside(times(30, 60, 33, 90, 30, 45), 10, 20, 11, 30, 10, 15),
			times(20, 40, 22, 60, 20, 30),
			Interval{1.5, 1.5, 1.5}},
		{"a base is missing in one round: time by time in that round",
			beside(times(30, 60, 33, 90, 30, 45), 10, 20, 11, 30, 10, 15),
			beside(times(20, 40, 22, 60, 20, 30), 10, 20, 0, 30, 10, 15),
			Interval{1.5, 1.5, 1.5}},
	} {
		check(t, c.name, Ratio(c.num, c.den), c.want)
	}
}
