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

func TestWidened(t *testing.T) {
	i := Interval{100, 98, 103}
	check(t, "by nothing", i.Widened(0), i)
	got := i.Widened(0.05)
	if got.Median != 100 || !(got.Low < 100/1.1 && got.Low > 90) || !(got.High > 110 && got.High < 112) {
		t.Errorf("by 5 %%: %v", got)
	}
	check(t, "what is not known", Interval{100, nan, nan}.Widened(0.1), Interval{100, nan, nan})
}

// What the turns of a run have in common is in the intervals of its times and ratios, and makes ties of what
// the turns alone would tell apart.
func TestSharedErrorIsInIntervals(t *testing.T) {
	shared := func(ns float64) []Turn {
		turns := around(ns, 30, 1)
		for i := range turns {
			turns[i].Shared = 0.1 * ns
		}
		return turns
	}
	a, b := shared(100), around(110, 30, 2)
	if i := Time(a); i.HalfWidth() < 0.19 {
		t.Errorf("time: %v", i)
	}
	if i := Ratio(b, a); i.HalfWidth() < 0.19 || different(a, b, 0.01) {
		t.Errorf("ratio: %v", i)
	}
	if !different(around(100, 30, 1), b, 0.01) {
		t.Error("without it they are not told apart")
	}
}

func TestChangeOfRuns(t *testing.T) {
	for _, tt := range []struct {
		before, after []float64
		known         bool
	}{
		{[]float64{100, 101}, []float64{200, 202}, true}, {[]float64{100}, []float64{200, 202, 201}, true},
		{[]float64{100}, []float64{200, 202}, false}, {[]float64{100}, []float64{200}, false},
		{nil, []float64{1, 2, 3, 4}, false},
	} {
		got := ChangeOfRuns(tt.before, tt.after)
		if got.Known() != tt.known || tt.before != nil && math.Abs(got.Median-2) > 0.02 || tt.known &&
			!(got.Low > 1.7 && got.High < 2.3) {
			t.Errorf("%v and %v: %v", tt.before, tt.after, got)
		}
	}
	// Two and two differ by Student's t if they lie 4.3 standard errors apart.
	e := math.Exp(0.01)
	if got := ChangeOfRuns([]float64{1, e * e},
		[]float64{1, e * e}); math.Abs(math.Log(got.High)-4.3027*math.Sqrt2*0.01) > 1e-4 {
		t.Errorf("two and two: %v", got)
	}
	if i := MeanOfRuns([]float64{90, 100}); i.Known() || math.Abs(i.Median-math.Sqrt(9000)) > 1e-9 {
		t.Errorf("the mean of two: %v", i)
	}
	if i := MeanOfRuns([]float64{90, 100, 110}); !i.Known() || i.Low > 80 || i.High < 120 {
		t.Errorf("the mean of three: %v", i)
	}
}
