package report

import "github.com/protean-pb/protean/cmd/protean/internal/stats"

// Round rounds every figure to what the formats for programs keep. All formats then round the same
// figures: a page, a table and what either shows of results that were saved and read back agree to the
// last digit, which they do not where one of them rounds twice.
func (r *Report) Round() {
	for i := range r.Results {
		c := &r.Results[i]
		c.NS, c.Ratio = rounded(c.NS), rounded(c.Ratio)
		for _, x := range []*float64{&c.BytesOp, &c.AllocsOp, &c.WireBytes, &c.GzipBytes, &c.ZstdBytes, &c.Capacity} {
			*x = float64(amount(*x))
		}
	}
}

func rounded(i stats.Interval) stats.Interval {
	return stats.Interval{
		Median: significant(i.Median, timeDigits),
		Low:    significant(i.Low, timeDigits),
		High:   significant(i.High, timeDigits),
	}
}
