package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// A unit is a unit of time.
type unit struct {
	name string
	ns   float64
}

var units = []unit{{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}

func named(name string) func(unit) bool { return func(u unit) bool { return u.name == name } }

// unitFor returns the unit in which ns has one to three digits before the point.
func unitFor(ns float64) unit {
	for _, u := range units {
		if ns/u.ns < 999.5 {
			return u
		}
	}
	return units[len(units)-1]
}

// duration writes a time with three digits: "4.87µs". Prose wants a space before
// the unit, tables have none to spare.
func duration(ns float64, space string) string {
	u := unitFor(ns)
	return digits(ns/u.ns, 3) + space + u.name
}

// digits writes x with n significant digits and no exponent.
func digits(x float64, n int) string {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	rounded := significant(x, n)
	whole := int(math.Floor(math.Log10(math.Abs(rounded)))) + 1
	return strconv.FormatFloat(rounded, 'f', max(0, n-whole), 64)
}

// significant rounds x to n significant digits.
func significant(x float64, n int) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', n-1, 64), 64)
	return rounded
}

// durations writes an interval of times: "122.4–123.9 ns".
func durations(i stats.Interval) string {
	if !i.Known() {
		return unknown
	}
	u := unitFor(i.Median)
	return digits(i.Low/u.ns, 4) + "–" + digits(i.High/u.ns, 4) + " " + u.name
}

// unknown stands for an interval that does not exist.
const unknown = "?"

// ratio writes "0.36x", "13.7x", "0.036x".
func ratio(x float64) string {
	switch {
	case x == 0 || math.IsNaN(x):
		return ""
	case x < 0.095:
		return fmt.Sprintf("%.3fx", x)
	case x < 9.995:
		return fmt.Sprintf("%.2fx", x)
	default:
		return digits(x, max(3, wholeDigits(x))) + "x"
	}
}

func wholeDigits(x float64) int { return len(strconv.FormatFloat(math.Floor(x), 'f', 0, 64)) }

func ratios(i stats.Interval) string {
	if !i.Known() {
		return unknown
	}
	decimals := max(0, 4-wholeDigits(i.Median))
	return fmt.Sprintf("%.*f–%.*f", decimals, i.Low, decimals, i.High)
}

// spread writes the relative half-width of an interval in at most four columns.
func spread(i stats.Interval) string {
	p := 100 * i.HalfWidth()
	switch {
	case !i.Known():
		return unknown
	case p < 9.95:
		return fmt.Sprintf("%.1f%%", p)
	case p < 99.5:
		return fmt.Sprintf("%.0f%%", p)
	default:
		return ">99%"
	}
}

// percent writes a share in prose: "2 %", "0.5 %".
func percent(fraction float64) string {
	return strconv.FormatFloat(significant(100*fraction, 2), 'f', -1, 64) + " %"
}

// count writes a number of bytes or allocations in at most five columns.
func count(x float64) string {
	switch {
	case x == math.Trunc(x) && x < 10e3:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case x < 99.95:
		return fmt.Sprintf("%.1f", x)
	case x < 9999.5:
		return fmt.Sprintf("%.0f", x)
	case x < 999.5e3:
		return digits(x/1e3, 3) + "k"
	case x < 999.5e6:
		return digits(x/1e6, 3) + "M"
	default:
		return digits(x/1e9, 3) + "G"
	}
}

// exact writes a number in full: "29,201", "162.3".
func exact(x float64) string {
	decimals := 0
	if x != math.Trunc(x) {
		decimals = 1
	}
	text := strconv.FormatFloat(x, 'f', decimals, 64)
	whole, rest, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if rest != "" {
		whole += "." + rest
	}
	return whole
}

// Duration writes nanoseconds with so many significant digits and their unit, such
// as "4.871µs".
func Duration(ns float64, significant int) string {
	u := unitFor(ns)
	return digits(ns/u.ns, significant) + u.name
}

// Exact writes a count in full, such as "29,201"; one that is not whole has a decimal.
func Exact(x float64) string { return exact(x) }

// Percent writes a fraction with two significant digits, such as "0.5 %".
func Percent(fraction float64) string { return percent(fraction) }
