package report

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

func TestParseRate(t *testing.T) {
	for text, want := range map[string]struct {
		rate Rate
		text string
	}{
		"20000/s":  {20000, "20,000/s"},
		"20000":    {20000, "20,000/s"},
		"20k":      {20000, "20,000/s"},
		"1.5M/m":   {25000, "25,000/s"},
		"1M/m":     {1e6 / 60.0, "1,000,000/m"},
		"500k/h":   {500e3 / 3600.0, "500,000/h"},
		"2M/d":     {2e6 / 86400.0, "2,000,000/d"},
		"1G/d":     {1e9 / 86400.0, "1,000,000,000/d"},
		"1/d":      {1 / 86400.0, "1/d"},
		"0.7/s":    {0.7, "42/m"},
		"12.345/s": {12.345, "44,442/h"},
		"1.2345/d": {1.2345 / 86400, "0.0000143/s"},
		"20 k / s": {20000, "20,000/s"},
	} {
		got, err := ParseRate(text)
		if err != nil || math.Abs(float64(got/want.rate)-1) > 1e-12 || got.String() != want.text {
			t.Errorf("%s: %v as %s, %v; want %v as %s", text, float64(got), got, err, float64(want.rate), want.text)
		}
	}
	for _, text := range []string{"", "/s", "k", "fast", "-5/s", "0/s", "5m", "5/w", "5/", "5kk", "5/s/s", "1e6",
		"0x10", "inf", "NaN", "1_000", "1.2.3", ".", strings.Repeat("9", 400)} {
		if got, err := ParseRate(text); err == nil || !strings.Contains(err.Error(), "expected messages in a time") {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}

func TestFigure(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 0.00001: "<0.0001", 0.00005: "0.0001", 0.001234: "0.0012", 0.01234: "0.0123", 0.5: "0.500",
		12.345: "12.3", 999.4: "999", 999.6: "1,000", 1234567.8: "1,234,568", math.NaN(): "",
	} {
		if got := figure(x); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
	}
}

// costOf returns what a variant costs in the only payload.
func costOf(t *testing.T, costs []PayloadCost, variant string) *Cost {
	t.Helper()
	if len(costs) != 1 {
		t.Fatalf("%d payloads", len(costs))
	}
	for i := range costs[0].Costs {
		if c := &costs[0].Costs[i]; c.Variant == variant {
			return c
		}
	}
	return nil
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }

// A thousandth of a second of work a thousand times a second is a core; a thousand
// bytes as often are 2.592 TB in thirty days.
func TestCosts(t *testing.T) {
	r := only("small", "", concreteName, jsonName)
	for i := range r.Results {
		switch c := &r.Results[i]; {
		case c.Variant != concreteName:
		case c.Op == "size":
			c.WireBytes, c.ZstdBytes = 1000, 500
		case c.Op == "marshal":
			c.NS, c.BytesOp = stats.Interval{Median: 1e6, Low: 0.9e6, High: 1.2e6}, 2000
		case c.Op == "unmarshal":
			c.NS, c.BytesOp = stats.Interval{Median: 3e6, Low: 2.5e6, High: 4e6}, 7000
		}
	}
	costs := Costs(r, Load{Rate: 1000, CorePrice: 30, TBPrice: 10})
	c := costOf(t, costs, concreteName)
	for _, f := range []struct {
		name      string
		got, want float64
	}{
		{"marshal", c.Marshal.Median, 1}, {"marshal low", c.Marshal.Low, 0.9}, {"unmarshal", c.Unmarshal.Median, 3},
		{"unmarshal high", c.Unmarshal.High, 4},
		{"cores", c.Cores.Median, 4}, {"cores low", c.Cores.Low, 3.4}, {"cores high", c.Cores.High, 5.2},
		{"TB", c.TB, 2.592}, {"TB with zstd", c.ZstdTB, 1.296}, {"GB/s", c.AllocGB, 0.009},
		{"money", c.Money, 145.92}, {"money with zstd", c.ZstdMoney, 132.96},
	} {
		if !near(f.got, f.want) {
			t.Errorf("%s: %v, want %v", f.name, f.got, f.want)
		}
	}
	if c.Lossy || !costOf(t, costs, jsonName).Lossy {
		t.Error("the wrong variant is marked lossy")
	}
	if costs[0].Costs[0].Variant != jsonName {
		t.Errorf("%s is first, not the cheapest", costs[0].Costs[0].Variant)
	}
	if c := costOf(t, Costs(r, Load{Rate: 1000}), concreteName); !math.IsNaN(c.Money) || !math.IsNaN(c.ZstdMoney) {
		t.Errorf("money without prices: %v, %v", c.Money, c.ZstdMoney)
	}
}

func TestCostsOfPartOfARun(t *testing.T) {
	load := Load{Rate: 1000}
	marshal := Costs(only("small", "marshal", concreteName, jsonName), load)
	if c := costOf(t, marshal, concreteName); !near(c.Cores.Median, 98.1e-6) || !math.IsNaN(c.TB) ||
		c.Unmarshal.Median != 0 || len(marshal[0].Choices) > 0 {
		t.Errorf("marshal alone: %+v, choices %v", c, marshal[0].Choices)
	}
	size := Costs(only("small", "size", concreteName, jsonName), load)
	if c := costOf(t, size, concreteName); c.Cores.Median != 0 || !near(c.TB, 25*1000*2592e3*1e-12) ||
		!math.IsNaN(c.AllocGB) || len(size[0].Ops) > 0 {
		t.Errorf("size alone: %+v", c)
	}
	if c := costOf(t, Costs(only("large", "", concreteName, "hyperpb (proto, reuse)"), load),
		"hyperpb (proto, reuse)"); c == nil || !math.IsNaN(c.TB) {
		t.Errorf("without a size: %+v", c)
	}
	failed := failing(only("small", "", concreteName, jsonName),
		func(c *result.Result) bool { return c.Op == "unmarshal" && c.Variant == jsonName })
	if c := costOf(t, Costs(failed, load), jsonName); c != nil {
		t.Errorf("what cannot be read back costs %+v", c)
	}
	if got := Costs(only("small", "construct", valueName), load); len(got) > 0 {
		t.Errorf("%+v of construct alone", got)
	}
	if got := Costs(&Report{}, load); len(got) > 0 {
		t.Errorf("%+v of nothing", got)
	}
}

// chosen makes a report of variants with so many cells: nanoseconds to marshal and
// bytes. The names are letters.
func chosen(ns, bytes []float64, spread float64) *Report {
	r := &Report{Suite: "s", Baseline: "a", Env: result.Env{Precision: 0.02}}
	for i := range ns {
		name := string(rune('a' + i))
		kept := result.Properties{Int64: "kept"}
		r.Results = append(r.Results,
			result.Result{Payload: "p", Variant: name, Op: "size", Status: result.OK, WireBytes: bytes[i],
				Properties: kept},
			result.Result{Payload: "p", Variant: name, Op: "marshal", Status: result.OK, NS: around(ns[i], spread),
				Properties: kept})
	}
	return r
}

// rangesOf returns the ranges of the only choice in words: "a 3 b".
func rangesOf(t *testing.T, r *Report) string {
	t.Helper()
	costs := Costs(r, Load{Rate: 1})
	if len(costs) != 1 || len(costs[0].Choices) != 1 {
		t.Fatalf("%+v", costs)
	}
	var out []string
	for i, g := range costs[0].Choices[0].Ranges {
		if i > 0 {
			out = append(out, figure(g.From.Median))
		}
		out = append(out, strings.Join(g.Variants, "="))
	}
	return strings.Join(out, " ")
}

// At one message a second, 1e9 ns are a core, and 1e6/2.592 bytes are a terabyte.
func TestChoice(t *testing.T) {
	const tb, core = 1e12 / monthSeconds, 1e9
	for _, c := range []struct {
		name   string
		ns     []float64 // in cores
		bytes  []float64 // in terabytes
		spread float64
		want   string
	}{
		{"one", []float64{1}, []float64{1}, 0, "a"},
		{"best in both", []float64{2, 1}, []float64{2, 1}, 0, "b"},
		{"flip", []float64{3, 1}, []float64{1, 7}, 0, "a 3.00 b"},
		{"order does not matter", []float64{1, 3}, []float64{7, 1}, 0, "b 3.00 a"},
		{"three", []float64{4, 2, 1}, []float64{1, 3, 8}, 0, "a 1.00 b 5.00 c"},
		{"never the cheapest", []float64{4, 3.9, 1}, []float64{1, 7, 8}, 0, "a 2.33 c"},
		{"three in one point", []float64{3, 2, 1}, []float64{1, 2, 3}, 0, "a 1.00 c"},
		{"equal", []float64{1, 1}, []float64{1, 1}, 0, "a=b"},
		{"equal bytes, one faster", []float64{2, 1}, []float64{1, 1}, 0, "b"},
		{"equal bytes, not told apart", []float64{1, 1.01}, []float64{1, 1}, 0.05, "a=b"},
		{"more bytes, not told to be faster", []float64{1.01, 1}, []float64{1, 2}, 0.05, "a"},
		{"equals in the second range", []float64{3, 1, 1}, []float64{1, 7, 7}, 0, "a 3.00 b=c"},
	} {
		for i := range c.ns {
			c.ns[i], c.bytes[i] = c.ns[i]*core, c.bytes[i]*tb
		}
		if got := rangesOf(t, chosen(c.ns, c.bytes, c.spread)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Whatever the price, the range that it lies in names a variant than which none is
// cheaper.
func TestChoiceIsCheapest(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + rnd.IntN(8)
		ns, bytes := make([]float64, n), make([]float64, n)
		for i := range n {
			ns[i], bytes[i] = float64(1+rnd.IntN(20))*1e8, float64(1+rnd.IntN(20))*1e5
		}
		p := Costs(chosen(ns, bytes, 0), Load{Rate: 1})[0]
		ranges := p.Choices[0].Ranges
		for range 20 {
			price := math.Exp(rnd.Float64()*12 - 6)
			at := len(ranges) - 1
			for at > 0 && ranges[at].From.Median > price {
				at--
			}
			money := func(c Cost) float64 { return c.Cores.Median*price + c.TB }
			best := slices.MinFunc(p.Costs, func(a, b Cost) int { return int(math.Copysign(1, money(a)-money(b))) })
			named := p.Costs[slices.IndexFunc(p.Costs,
				func(c Cost) bool { return c.Variant == ranges[at].Variants[0] })]
			if money(named) > money(best)*(1+1e-9) {
				t.Fatalf("ns %v, bytes %v: at %v TB a core-month %s is said to be the cheapest, and %s is", ns, bytes,
					price, named.Variant, best.Variant)
			}
		}
		for i := 1; i < len(ranges); i++ {
			if f := ranges[i].From; !f.Known() || f.Low > f.Median || f.High < f.Median || i > 1 &&
				f.Median <= ranges[i-1].From.Median {
				t.Fatalf("ns %v, bytes %v: from %+v after %+v", ns, bytes, f, ranges[i-1].From)
			}
		}
	}
}

// The interval of a flip is that of what it is computed from.
func TestFlipInterval(t *testing.T) {
	r := chosen([]float64{3e9, 1e9}, []float64{1e12 / monthSeconds, 7e12 / monthSeconds}, 0.1)
	from := Costs(r, Load{Rate: 1})[0].Choices[0].Ranges[1].From
	// The ratio is between 2.7/1.1 and 3.3/0.9, the faster takes 0.9 to 1.1 cores.
	if low, high := 6/(1.1*(3.3/0.9-1)),
		6/(0.9*(2.7/1.1-1)); !near(from.Low, low) || !near(from.High, high) || !near(from.Median, 3) {
		t.Errorf("%+v, want 3 within %v and %v", from, low, high)
	}
}

func TestAdvice(t *testing.T) {
	r := chosen([]float64{4e9, 2e9, 1e9, 1e9}, []float64{1e6, 3e6, 8e6, 8e6}, 0)
	for i := range r.Results {
		if c := &r.Results[i]; c.Op == "size" {
			c.ZstdBytes = 100
		}
		if c := &r.Results[i]; c.Variant == "b" {
			c.Properties.Int64, c.Held = "altered", "int64"
		}
	}
	got := strings.Join(Costs(r,
		Load{Rate: 1, CorePrice: 30, TBPrice: 10})[0].Advice(Load{Rate: 1, CorePrice: 30, TBPrice: 10}), "\n")
	want := `At these prices b ! is the cheapest: 138 a month; next is a: 146. A core-month costs as much as 3.00 TB on the wire.
a is the cheapest while a core-month costs less than 2.59 TB (2.59–2.59) on the wire; then, up to 13.0 TB (13.0–13.0), b !; above that, c and d.
Of those that lose no data: a is the cheapest while a core-month costs less than 6.05 TB (6.05–6.05) on the wire; above that, c and d.
Compressed with zstd: c and d are the cheapest at any price of cores and bytes.`
	if got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
	r.Results = slices.DeleteFunc(r.Results, func(c result.Result) bool { return c.Variant == "b" })
	for i := range r.Results {
		r.Results[i].NS.Low, r.Results[i].NS.High = math.NaN(), math.NaN()
	}
	short := Costs(r, Load{Rate: 1})[0]
	if got := short.Advice(Load{Rate: 1}); len(short.Choices) != 0 || len(got) != 1 ||
		!strings.HasPrefix(got[0], "There were too few rounds") {
		t.Errorf("without intervals: %q", got)
	}
	one := Costs(only("small", "", concreteName), Load{Rate: 1})[0].Advice(Load{Rate: 1})
	if want := concreteName + " is the cheapest at any price of cores and bytes, with zstd or without."; len(one) != 1 || one[0] != want {
		t.Errorf("%q, want %q", one, want)
	}
}

// Variants that cannot be told apart by what they cost share a rank: in cores where there are no prices, else in money.
func TestCostsTie(t *testing.T) {
	ranks := func(r *Report, l Load) string {
		var out []string
		for _, c := range Costs(r, l)[0].Costs {
			out = append(out, rankText(c.Rank, c.Tied)+c.Variant)
		}
		return strings.Join(out, " ")
	}
	r := chosen([]float64{100, 101, 150, 151}, []float64{10, 10, 10, 40}, 0.02)
	for _, tt := range []struct {
		name string
		l    Load
		want string
	}{
		{"in cores", Load{Rate: 1e6}, "1=a 1=b 3=c 3=d"},
		{"in money for cores alone", Load{Rate: 1e6, CorePrice: 30}, "1=a 1=b 3=c 3=d"},
		{"bytes are exact", Load{Rate: 1e6, CorePrice: 30, TBPrice: 10}, "1=a 1=b 3 c 4 d"},
	} {
		if got := ranks(r, tt.l); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
