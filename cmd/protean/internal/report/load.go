package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Load is what the cost section reckons with.
type Load struct {
	Rate Rate
	// CorePrice is what a core costs a month, TBPrice what a terabyte costs on
	// the wire, in one currency; both are 0 where prices are not known.
	CorePrice, TBPrice float64
}

// Priced reports whether costs can be told in money.
func (l Load) Priced() bool { return l.CorePrice > 0 || l.TBPrice > 0 }

// A Rate is a number of messages a second.
type Rate float64

// A period is a unit of time that rates are given in.
type period struct {
	name    string
	seconds float64
}

var periods = []period{{"s", 1}, {"m", 60}, {"h", 3600}, {"d", 24 * 3600}}

// monthSeconds is a month of 30 days.
const monthSeconds = 30 * 24 * 3600

var multiples = map[string]float64{"": 1, "k": 1e3, "M": 1e6, "G": 1e9}

// ParseRate reads a rate such as "20000/s", "1.5M/d" or "20k", which is a second's.
func ParseRate(s string) (Rate, error) {
	bad := fmt.Errorf("%q: expected messages in a time, such as 20000/s, 500k/h or 2M/d (s, m, h, d; k, M, G)", s)
	number, per, found := strings.Cut(strings.ReplaceAll(s, " ", ""), "/")
	if !found {
		per = "s"
	}
	digits := strings.TrimRight(number, "kMG")
	multiple, known := multiples[number[len(digits):]]
	x, err := ParseAmount(digits)
	if err != nil || !known || x == 0 {
		return 0, bad
	}
	for _, p := range periods {
		if p.name == per {
			return Rate(x * multiple / p.seconds), nil
		}
	}
	return 0, bad
}

// ParseAmount reads a number that is not negative, in digits and at most one point.
func ParseAmount(s string) (float64, error) {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || strings.Trim(s, "0123456789.") != "" {
		return 0, fmt.Errorf("%q: expected a number such as 25 or 0.09", s)
	}
	return x, nil
}

// String writes the rate in the shortest time in which it is a whole number, such
// as "20,000/s" or "1/d"; as a second's where it is in none.
func (r Rate) String() string {
	for _, p := range periods {
		x := float64(r) * p.seconds
		if whole := math.Round(x); whole > 0 && math.Abs(x-whole) < 1e-9*whole {
			return exact(whole) + "/" + p.name
		}
	}
	return digits(float64(r), max(3, wholeDigits(float64(r)))) + "/s"
}

// figure writes x with three significant digits, or all before the point, but no
// more than four after it: what is less is next to nothing in cores and terabytes.
func figure(x float64) string {
	switch {
	case math.IsNaN(x):
		return ""
	case x >= 999.5:
		return exact(math.Round(x))
	case x > 0 && x < 0.00005:
		return "<0.0001"
	case x > 0 && x < 0.01:
		return strconv.FormatFloat(x, 'f', 4, 64)
	default:
		return digits(x, 3)
	}
}
