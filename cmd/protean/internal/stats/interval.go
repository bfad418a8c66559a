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
// For turns of several processes see [Time]. Values stay as they are. Without
// any, all three numbers are NaN.
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

// Time returns the median wall time of turns and its interval, with the guard
// against too narrow intervals that the package documentation describes.
func Time(turns []Turn) Interval {
	return guarded(measures(turns, func(t Turn) float64 { return t.NS }))
}

// Ratio returns the median of the quotients num/den and its interval, guarded
// like that of [Time]. Only turns of the same round are divided, so that what
// slows a whole round down cancels out; rounds that only one side has are left
// out.
func Ratio(num, den []Turn) Interval { return guarded(paired(num, den)) }

// paired returns the quotients of the rounds that both sides have.
func paired(num, den []Turn) []measure {
	byRound := make(map[int]float64, len(den))
	for _, t := range den {
		byRound[t.Round] = t.NS
	}
	out := make([]measure, 0, min(len(num), len(den)))
	for _, t := range num {
		if d := byRound[t.Round]; d > 0 {
			out = append(out, measure{t.Process, t.NS / d})
		}
	}
	return out
}

// A measure is one value and the process that it comes from.
type measure struct {
	process int
	value   float64
}

func measures(turns []Turn, value func(Turn) float64) []measure {
	out := make([]measure, len(turns))
	for i, t := range turns {
		out[i] = measure{t.Process, value(t)}
	}
	return out
}

// guarded returns the median of all values with an interval that also allows for
// what differs from process to process.
func guarded(ms []measure) Interval {
	all := make([]float64, len(ms))
	for i, m := range ms {
		all[i] = m.value
	}
	i := median(all)
	if !i.Known() {
		return i
	}
	extra := betweenProcesses(ms)
	i.Low = max(0, i.Median-math.Hypot(i.Median-i.Low, extra)) // no time is negative
	i.High = i.Median + math.Hypot(i.High-i.Median, extra)
	return i
}

// betweenProcesses returns half the width that the differences between processes
// add to an interval: 0 for one process, and where the processes' medians scatter
// no more than the scatter within them explains.
func betweenProcesses(ms []measure) float64 {
	ms = slices.Clone(ms)
	slices.SortFunc(ms, func(a, b measure) int { return a.process - b.process })
	var (
		medians   []float64
		deviation = make([]float64, 0, len(ms)) // of each value from its process's median
		perRound  float64                       // sum of 1/rounds
		weight    float64                       // sum of squared shares in the rounds
		total     = float64(len(ms))
	)
	for len(ms) > 0 {
		one := ms
		if end := slices.IndexFunc(ms, func(m measure) bool { return m.process != ms[0].process }); end > 0 {
			one = ms[:end]
		}
		ms = ms[len(one):]
		m := middle(one)
		medians = append(medians, m)
		for _, v := range one {
			deviation = append(deviation, math.Abs(v.value-m))
		}
		n := float64(len(one))
		perRound += 1 / n
		weight += n / total * n / total
	}
	k := float64(len(medians))
	if k < 2 {
		return 0
	}
	// What variance the medians have from the scatter within processes alone: π/2
	// of a mean's. That scatter is taken from the median deviation (1.4826 of it is
	// a normal σ) so that a few disturbed rounds do not hide a process's bias.
	within := 0.0
	if total > k {
		slices.Sort(deviation)
		sigma := 1.4826 * quantile(deviation, 0.5)
		within = math.Pi / 2 * sigma * sigma * total / (total - k) * perRound / k
	}
	between := max(0, variance(medians)-within)
	return student95(len(medians)-1) * math.Sqrt(between*weight)
}

// middle returns the median of one process's values.
func middle(ms []measure) float64 {
	values := make([]float64, len(ms))
	for i, m := range ms {
		values[i] = m.value
	}
	slices.Sort(values)
	return quantile(values, 0.5)
}

func variance(values []float64) float64 {
	mean, sum := 0.0, 0.0
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return sum / float64(len(values)-1)
}

// quantile interpolates between the two nearest of the sorted values.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}

// student95 returns the two-sided 95 % quantile of Student's t distribution.
func student95(freedom int) float64 {
	table := [...]float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
		2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086}
	// Beyond the table the last entry is at most 6 % too cautious.
	return table[min(freedom, len(table))-1]
}
