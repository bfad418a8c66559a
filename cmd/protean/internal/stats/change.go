package stats

import (
	"math"
	"slices"
	"sort"
	"sync"

	"github.com/aclements/go-moremath/stats"
)

// Change returns by what factor the values of after are above those of before: the
// median of all quotients of one by the other, and the interval that belongs to the
// Mann-Whitney U test (Hodges and Lehmann, 1963). It lies wholly on one side of 1
// exactly if that test tells the two apart.
//
// The two samples are independent: they come from two runs, and nothing pairs them.
// Low and High are NaN where there are too few values; four on either side suffice.
// Values may be 0 but not negative; 0/0 is 1.
func Change(before, after []float64) Interval {
	if len(before) == 0 || len(after) == 0 {
		return Interval{math.NaN(), math.NaN(), math.NaN()}
	}
	quotients := make([]float64, 0, len(before)*len(after))
	for _, b := range before {
		for _, a := range after {
			quotients = append(quotients, Quotient(b, a))
		}
	}
	slices.Sort(quotients)
	out := Interval{quantile(quotients, 0.5), math.NaN(), math.NaN()}
	if tail := tailOf(len(before), len(after)); tail > 0 {
		out.Low, out.High = quotients[tail-1], quotients[len(quotients)-tail]
	}
	return out
}

// Quotient is after/before, and 1 where both are 0.
func Quotient(before, after float64) float64 {
	if before == after {
		return 1
	}
	return after / before
}

// exactSize is up to how many values, on both sides together, the distribution of U
// is computed; above that, it is as good as normal.
const exactSize = 50

var tails sync.Map // by the sizes of the samples

// tailOf returns how many values of U, from 0 up, have together at most half the
// chance that the interval may miss.
func tailOf(n, m int) int {
	key := [2]int{n, m}
	if tail, ok := tails.Load(key); ok {
		return tail.(int)
	}
	tail := 0
	const miss = (1 - Confidence) / 2
	if n+m <= exactSize {
		u := stats.UDist{N1: n, N2: m}
		tail = sort.Search(n*m/2, func(k int) bool { return u.CDF(float64(k)) > miss })
	} else {
		pairs := float64(n) * float64(m)
		deviation := math.Sqrt(pairs * float64(n+m+1) / 12)
		tail = max(0, int(pairs/2-stats.StdNormal.InvCDF(1-miss)*deviation))
	}
	tails.Store(key, tail)
	return tail
}

// ChangeOf returns the factor between two medians of which only the intervals are
// known. The half-widths of their logarithms are added like those of independent
// errors (the method of variance estimates recovery, Zou and Donner, 2008).
func ChangeOf(before, after Interval) Interval {
	out := Interval{after.Median / before.Median, math.NaN(), math.NaN()}
	if !before.Known() || !after.Known() || before.Low <= 0 || after.Low <= 0 {
		return out
	}
	half := func(a, b, c, d float64) float64 { return math.Hypot(math.Log(a/b), math.Log(c/d)) }
	out.Low = out.Median * math.Exp(-half(after.Median, after.Low, before.High, before.Median))
	out.High = out.Median * math.Exp(half(after.High, after.Median, before.Median, before.Low))
	return out
}

// The error of one run's time beyond the scatter of its own draws and its shared error. One run cannot show it, since
// all its draws are of the same seconds: memory layout, placement by the kernel, other load. See docs/decisions/018 for
// the runs that the figures are from.
const (
	// LeastRunError is the standard error, as a fraction, of undisturbed runs.
	LeastRunError = 0.02
	// runShare is the share of the standard deviation of draws that is common to a whole run: what slows some draws
	// down lasts for seconds.
	runShare = 0.5
)

// RunError returns the standard error of a run whose draws have that standard deviation, as fractions.
func RunError(deviation float64) float64 { return math.Hypot(LeastRunError, runShare*deviation) }

// Deviation returns the standard deviation of values as a fraction of their median, by the quartiles:
// single draws may take ten times as long as the others. It is 0 with fewer than 4.
func Deviation(values []float64) float64 {
	if len(values) < 4 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := quantile(sorted, 0.5)
	if middle <= 0 {
		return 0
	}
	return (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / quartileScale / middle
}

// quartileScale is how many standard deviations the quartiles of a normal distribution lie apart.
const quartileScale = 1.349

// DeviationOf returns the deviation of n values of whose median only the interval is known.
func DeviationOf(i Interval, n int) float64 {
	if !i.Known() || n == 0 {
		return 0
	}
	const medianError = 1.2533 // the standard error of a median, as a multiple of a mean's
	return i.HalfWidth() * math.Sqrt(float64(n)) / normalQuantile / medianError
}

// ChangeOfRuns returns by what factor the runs of after are above those of before, where each run is one
// value: the ratio of the geometric means, and its interval by Student's t, for which the logarithms of
// both sides have one variance. What separates runs, of whatever kind, is in how the values spread.
//
// Low and High are NaN with fewer than [MinRuns] runs on both sides together.
func ChangeOfRuns(before, after []float64) Interval {
	b, squaresBefore := logMean(before)
	a, squaresAfter := logMean(after)
	ratio := math.Exp(a - b)
	free := len(before) + len(after) - 2
	if len(before) == 0 || len(after) == 0 || free < MinRuns-2 {
		return Interval{ratio, math.NaN(), math.NaN()}
	}
	deviation := math.Sqrt((squaresBefore + squaresAfter) / float64(free))
	half := tQuantile(float64(free)) * deviation * math.Sqrt(1/float64(len(before))+1/float64(len(after)))
	return Interval{ratio, ratio * math.Exp(-half), ratio * math.Exp(half)}
}

// OneRunLimit is the least change, as a fraction, that can count where each side is one run: what
// [LeastRunError] alone makes of an interval that is otherwise exact.
var OneRunLimit = Interval{1, 1, 1}.Widened(math.Sqrt2*LeastRunError).High - 1

// MeanOfRuns returns the geometric mean of runs and its interval, as [ChangeOfRuns] reckons; with fewer
// than three, the interval is not known.
func MeanOfRuns(values []float64) Interval {
	mean, squares := logMean(values)
	n := float64(len(values))
	out := Interval{math.Exp(mean), math.NaN(), math.NaN()}
	if len(values) >= MinRuns-1 {
		half := tQuantile(n-1) * math.Sqrt(squares/(n-1)/n)
		out.Low, out.High = math.Exp(mean-half), math.Exp(mean+half)
	}
	return out
}

// tQuantile is how many standard errors, with so many degrees of freedom, lie between a mean and an end
// of its interval.
func tQuantile(free float64) float64 {
	return stats.InvCDF(stats.TDist{V: free})(1 - (1-Confidence)/2)
}

// MinRuns is the fewest runs, both sides together, by whose spread a change can be judged.
const MinRuns = 4

// logMean returns the mean of the logarithms of values, and the sum of their squared distances from it.
func logMean(values []float64) (mean, squares float64) {
	for _, v := range values {
		mean += math.Log(v) / float64(len(values))
	}
	for _, v := range values {
		squares += (math.Log(v) - mean) * (math.Log(v) - mean)
	}
	return mean, squares
}
