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
