package report

import (
	"math"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

func TestNumbers(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ got, want string }{
		{duration(0.5, ""), "0.500ns"},
		{duration(31.24, ""), "31.2ns"},
		{duration(999.4, ""), "999ns"},
		{duration(999.6, ""), "1.00µs"},
		{duration(9.999e3, " "), "10.0 µs"},
		{duration(486336, " "), "486 µs"},
		{duration(1.811368e6, ""), "1.81ms"},
		{duration(7.2e12, ""), "7200s"},
		{durations(stats.Interval{Median: 999, Low: 990, High: 1010}), "990.0–1010 ns"},
		{durations(stats.Interval{Median: 999, Low: nan, High: nan}), "?"},
		{ratio(0), ""}, {ratio(nan), ""},
		{ratio(0.0357), "0.036x"}, {ratio(0.096), "0.10x"}, {ratio(1), "1.00x"}, {ratio(9.999), "10.0x"},
		{ratio(13.68), "13.7x"}, {ratio(123.4), "123x"}, {ratio(1234), "1234x"},
		{ratios(stats.Interval{Median: 0.36, Low: 0.3541, High: 0.3669}), "0.354–0.367"},
		{ratios(stats.Interval{Median: 13, Low: 12.5, High: 13.5}), "12.50–13.50"},
		{spread(stats.Interval{Median: 100, Low: 99.5, High: 100.5}), "0.5%"},
		{spread(stats.Interval{Median: 100, Low: 87, High: 113}), "13%"},
		{spread(stats.Interval{Median: 100, Low: 0, High: 313}), ">99%"},
		{spread(stats.Interval{Median: 100, Low: nan, High: nan}), "?"},
		{percent(0.02), "2 %"}, {percent(0.005), "0.5 %"}, {percent(0.234), "23 %"}, {percent(0.0412), "4.1 %"},
		{count(0), "0"}, {count(2.5), "2.5"}, {count(9999), "9999"}, {count(123.4), "123"}, {count(9999.7), "10.0k"},
		{count(29201), "29.2k"}, {count(291106), "291k"}, {count(999600), "1.00M"}, {count(4.2e9), "4.20G"},
		{exact(29201), "29,201"}, {exact(999), "999"}, {exact(1234567), "1,234,567"}, {exact(29412.5), "29,412.5"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestCountFits(t *testing.T) {
	for x := 0.1; x < 9e11; x *= 1.003 {
		if n := width(count(x)); n > 5 {
			t.Errorf("count(%v) takes %d columns", x, n)
		}
		if n := width(duration(x, "")); n > 7 {
			t.Errorf("duration(%v) takes %d columns", x, n)
		}
	}
}

func TestParseFormat(t *testing.T) {
	for _, f := range Formats() {
		if got, err := ParseFormat(string(f)); err != nil || got != f {
			t.Errorf("ParseFormat(%q) = %q, %v", f, got, err)
		}
	}
	const want = `unknown format "xml"; want one of table, markdown, json, csv, bench`
	if _, err := ParseFormat("xml"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
