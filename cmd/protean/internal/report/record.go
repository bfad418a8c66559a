package report

import (
	"fmt"
	"math"
	"strconv"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// A record is one cell as the JSON and CSV formats write it; its fields are the
// columns, in this order.
type record struct {
	Suite     string            `json:"suite"`
	Payload   string            `json:"payload"`
	Variant   string            `json:"variant"`
	Family    string            `json:"family"`
	Op        string            `json:"op"`
	NS        number            `json:"ns"`
	NSLow     number            `json:"ns_low"`
	NSHigh    number            `json:"ns_high"`
	Ratio     number            `json:"ratio"`
	RatioLow  number            `json:"ratio_low"`
	RatioHigh number            `json:"ratio_high"`
	BytesOp   number            `json:"bytes_op"`
	AllocsOp  number            `json:"allocs_op"`
	Wire      number            `json:"wire_bytes"`
	Gzip      number            `json:"gzip_bytes"`
	Zstd      number            `json:"zstd_bytes"`
	Samples   int               `json:"samples"`
	Status    result.Status     `json:"status"`
	Reason    string            `json:"reason"`
	Baseline  *string           `json:"baseline"`
	Rank      *int              `json:"rank"`
	Tied      *bool             `json:"tied"`
	Converged *bool             `json:"converged"`
	Lossy     *bool             `json:"lossy"`
	Iters     *int              `json:"iterations"`
	Capacity  number            `json:"capacity_bytes"`
	Refused   bool              `json:"refused"`
	Apart     result.Apart      `json:"apart"`
	Held      result.Held       `json:"held"`
	Parts     result.Components `json:"components"`
	Found     result.Properties `json:"properties"`
}

// A number is null where it is NaN, which stands for a value that does not exist.
type number float64

var none = number(math.NaN())

func (n number) exists() bool { return !math.IsNaN(float64(n)) && !math.IsInf(float64(n), 0) }

// String writes integers as such and never an exponent; "" for none.
func (n number) String() string {
	if !n.exists() {
		return ""
	}
	return strconv.FormatFloat(float64(n), 'f', -1, 64)
}

// MarshalJSON implements json.Marshaler.
func (n number) MarshalJSON() ([]byte, error) {
	if !n.exists() {
		return []byte("null"), nil
	}
	return []byte(n.String()), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *number) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*n = none
		return nil
	}
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return fmt.Errorf("expected a number, found %s", b)
	}
	*n = number(f)
	return nil
}

// timeDigits are the significant digits that times and ratios are written with:
// more than any measurement is worth, few enough to read.
const timeDigits = 5

// measure rounds a time or a ratio; 0 is no measurement.
func measure(x float64) number {
	if x == 0 {
		return none
	}
	return number(significant(x, timeDigits))
}

// amount rounds a mean of counts to what a mean of few samples can have.
func amount(x float64) number { return number(math.Round(x*1000) / 1000) }

func newRecord(c *result.Result) record {
	r := record{
		Suite: c.Suite, Payload: c.Payload, Variant: c.Variant, Family: c.Family, Op: c.Op,
		NS: none, NSLow: none, NSHigh: none, Ratio: none, RatioLow: none, RatioHigh: none,
		BytesOp: none, AllocsOp: none, Wire: none, Gzip: none, Zstd: none, Capacity: none,
		Samples: c.Samples, Status: c.Status, Reason: c.Reason,
		Refused: c.Refused, Apart: c.Apart, Held: c.Held,
		Parts: c.Components, Found: c.Properties,
	}
	if c.Properties != (result.Properties{}) {
		lossy := c.Lossy()
		r.Lossy = &lossy
	}
	switch {
	case c.Timed():
		r.setTimes(c)
	case c.Status == result.OK && c.Op == result.SizeOp:
		r.Wire, r.Gzip, r.Zstd, r.Capacity = amount(c.WireBytes), known(c.GzipBytes), known(c.ZstdBytes),
			known(c.Capacity)
	case c.Status == result.OK: // verified, but never timed
		r.BytesOp, r.AllocsOp = amount(c.BytesOp), amount(c.AllocsOp)
	}
	return r
}

func (r *record) setTimes(c *result.Result) {
	r.NS, r.NSLow, r.NSHigh = measure(c.NS.Median), measure(c.NS.Low), measure(c.NS.High)
	r.Ratio, r.RatioLow, r.RatioHigh = measure(c.Ratio.Median), measure(c.Ratio.Low), measure(c.Ratio.High)
	r.BytesOp, r.AllocsOp = amount(c.BytesOp), amount(c.AllocsOp)
	if c.Baseline != "" {
		r.Baseline = &c.Baseline
	}
	if c.Rank > 0 {
		r.Rank, r.Tied = &c.Rank, &c.Tied
	}
	r.Converged = &c.Converged
	if c.Iterations > 0 {
		r.Iters = &c.Iterations
	}
}

// known is a size that is not known where it is 0.
func known(bytes float64) number {
	if bytes == 0 {
		return none
	}
	return amount(bytes)
}

// result turns a record back. What JSON does not keep is lost: digits and raw
// turns.
func (r *record) result() result.Result {
	return result.Result{
		Suite: r.Suite, Payload: r.Payload, Variant: r.Variant, Family: r.Family, Op: r.Op,
		NS:    interval(r.NS, r.NSLow, r.NSHigh),
		Ratio: interval(r.Ratio, r.RatioLow, r.RatioHigh),
		Rank:  value(r.Rank), Tied: value(r.Tied), Converged: value(r.Converged), Baseline: value(r.Baseline),
		BytesOp: orZero(r.BytesOp), AllocsOp: orZero(r.AllocsOp),
		WireBytes: orZero(r.Wire), GzipBytes: orZero(r.Gzip), ZstdBytes: orZero(r.Zstd), Capacity: orZero(r.Capacity),
		Samples: r.Samples, Iterations: value(r.Iters), Status: r.Status, Reason: r.Reason, Properties: r.Found,
		Refused: r.Refused, Apart: r.Apart, Held: r.Held, Components: r.Parts,
	}
}

// interval is zero if there is no median.
func interval(median, low, high number) stats.Interval {
	if !median.exists() {
		return stats.Interval{}
	}
	return stats.Interval{Median: float64(median), Low: float64(low), High: float64(high)}
}

func orZero(n number) float64 {
	if !n.exists() {
		return 0
	}
	return float64(n)
}

func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
