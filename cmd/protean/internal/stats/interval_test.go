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

// times makes turns of these times, a round each.
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
