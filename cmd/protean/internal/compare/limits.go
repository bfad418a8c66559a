package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
)

// Limits say how much worse a metric may become. The zero Limits allow everything.
type Limits struct {
	all      float64 // for metrics that are not named; NaN if these are not limited
	byMetric map[string]float64
	text     string // as the user wrote them
}

// slack keeps a figure that is worse by exactly the limit from exceeding it by the
// last bit.
const slack = 1e-9

// ParseLimits reads a list such as "5%" (for all metrics) or "time=10%", "allocs=0%";
// metrics that it does not name may become anything, unless it has one for all.
func ParseLimits(list []string) (Limits, error) {
	l := Limits{all: math.NaN(), byMetric: map[string]float64{}, text: strings.Join(list, ", ")}
	for _, entry := range list {
		name, percent, named := strings.Cut(entry, "=")
		if !named {
			name, percent = "", entry
		}
		number, ok := strings.CutSuffix(strings.TrimSpace(percent), "%")
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if !ok || err != nil || !(v >= 0) || math.IsInf(v, 0) {
			return Limits{}, fmt.Errorf("%q: expected a percentage such as 5%%, or METRIC=PERCENTAGE", entry)
		}
		if named {
			l.byMetric[strings.TrimSpace(name)] = v / 100
		} else {
			l.all = v / 100
		}
	}
	return l, nil
}

// check looks the metrics up that the limits name; afterwards they are known by their
// names, not by their units.
func (l *Limits) check(have []Metric) error {
	byName := map[string]float64{}
	for name, v := range l.byMetric {
		m, err := find(have, name)
		if err != nil {
			return err
		}
		byName[m.Name] = v
	}
	l.byMetric = byName
	return nil
}

// of returns the limit of a metric; none for one that may become anything.
func (l *Limits) of(m Metric) (limit float64, limited bool) {
	if v, ok := l.byMetric[m.Name]; ok {
		return v, true
	}
	return l.all, l.any() && !math.IsNaN(l.all)
}

// any reports whether there are limits at all.
func (l *Limits) any() bool { return l.text != "" }

// String is "than 5 %", or "than allowed (time=10%, allocs=0%)".
func (l *Limits) String() string {
	if len(l.byMetric) == 0 {
		return "than " + report.Percent(l.all)
	}
	return "than allowed (" + l.text + ")"
}
