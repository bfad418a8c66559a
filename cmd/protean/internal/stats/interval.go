package stats

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// An Interval is a median with its 95 % confidence interval. Low and High are
// NaN while there are too few values to give one.
type Interval struct {
	Median, Low, High float64
}

// Confidence is the level of every interval of this package.
const Confidence = 0.95

// MinRounds is the fewest values that have an interval at [Confidence]: the
// chance that 5 values lie all on one side of the median is above 5 %.
const MinRounds = 6

// HalfWidth returns half the width of the interval as a fraction of the median;
// NaN if there is no interval.
func (i Interval) HalfWidth() float64 { return (i.High - i.Low) / 2 / i.Median }

// Known reports whether there is an interval.
func (i Interval) Known() bool { return i.Median != 0 && !math.IsNaN(i.Low) && !math.IsNaN(i.High) }

// Median returns the median of values and its interval by order statistics,
// which assumes nothing of their distribution but that they are independent.
// Values stay as they are. Without any, all three numbers are NaN.
func Median(values []float64) Interval { return median(slices.Clone(values)) }

// median is Median, but sorts values in place.
func median(values []float64) Interval {
	if len(values) == 0 {
		return Interval{math.NaN(), math.NaN(), math.NaN()}
	}
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(values, &benchmath.DefaultThresholds), Confidence)
	if math.IsInf(s.Lo, 0) || math.IsInf(s.Hi, 0) {
		return Interval{s.Center, math.NaN(), math.NaN()} // half an interval helps nobody
	}
	return Interval{s.Center, s.Lo, s.Hi}
}

// Time returns the median wall time of turns and its interval.
func Time(turns []Turn) Interval {
	times := make([]float64, len(turns))
	for i, t := range turns {
		times[i] = t.NS
	}
	return median(times).Widened(SharedError(turns))
}

// SharedError returns the standard error, as a fraction, that the times of turns have in common.
func SharedError(turns []Turn) float64 {
	var shared, ns float64
	for _, t := range turns {
		shared, ns = shared+t.Shared, ns+t.NS
	}
	if shared == 0 {
		return 0
	}
	return shared / ns
}

// normalQuantile is how many standard errors lie between a value and an end of its interval.
const normalQuantile = 1.959964 // at Confidence

// Widened returns the interval of a value that has another, independent error, of this standard error
// as a fraction. The half-widths of the logarithms are added as those of [ChangeOf] are.
func (i Interval) Widened(by float64) Interval {
	if by == 0 || !(i.Low > 0) || math.IsInf(i.High, 1) {
		return i
	}
	widen := func(ratio float64) float64 { return math.Exp(math.Hypot(math.Log(ratio), normalQuantile*by)) }
	return Interval{i.Median, i.Median / widen(i.Median/i.Low), i.Median * widen(i.High/i.Median)}
}

// Ratio returns the median of the quotients num/den and its interval. Only turns of
// the same round are divided, so that what slows a whole round down cancels out;
// rounds that only one side has are left out.
func Ratio(num, den []Turn) Interval {
	byRound := make(map[int]float64, len(den))
	for _, t := range den {
		byRound[t.Round] = t.NS
	}
	ratios := make([]float64, 0, min(len(num), len(den)))
	for _, t := range num {
		if d := byRound[t.Round]; d > 0 {
			ratios = append(ratios, t.NS/d)
		}
	}
	return median(ratios).Widened(math.Hypot(SharedError(num), SharedError(den)))
}

// quantile interpolates between the two nearest of the sorted values.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	if sorted[low] == sorted[high] { // which may be infinite
		return sorted[low]
	}
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}
