package measure

import (
	"math"
	"slices"
)

// ratio is the median of values, with the interval of its order statistics that holds the true one in 95 % of cases.
func ratio(values []float64) Ratio {
	sorted := slices.Sorted(slices.Values(values))
	n := float64(len(sorted))
	// The number of values below the true median has a binomial distribution, for which this is the normal one.
	half := 0.98 * math.Sqrt(n)
	low, high := int(math.Floor((n-1)/2-half)), int(math.Ceil((n-1)/2+half))
	return Ratio{
		Median: median(values),
		Low:    sorted[max(low, 0)],
		High:   sorted[min(high, len(sorted)-1)],
		Rounds: len(sorted),
	}
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// quotients divides round by round.
func quotients(a, b []float64) []float64 {
	q := make([]float64, len(a))
	for i := range a {
		q[i] = a[i] / b[i]
	}
	return q
}
