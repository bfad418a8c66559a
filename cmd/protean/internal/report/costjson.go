package report

import (
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// A costFile is the costs as the JSON format writes them. Readers that do not know
// them lose nothing.
type costFile struct {
	Rate      number        `json:"rate"` // messages a second
	CorePrice number        `json:"core_price"`
	TBPrice   number        `json:"tb_price"`
	Payloads  []payloadFile `json:"payloads"`
}

type payloadFile struct {
	Suite    string       `json:"suite"`
	Payload  string       `json:"payload"`
	Ops      []string     `json:"ops"`
	Variants []costRecord `json:"variants"`
	Choices  []choiceFile `json:"choices"`
}

type costRecord struct {
	Variant       string `json:"variant"`
	Family        string `json:"family"`
	Lossy         bool   `json:"lossy"`
	Cores         number `json:"cores"`
	CoresLow      number `json:"cores_low"`
	CoresHigh     number `json:"cores_high"`
	Marshal       number `json:"marshal_cores"`
	MarshalLow    number `json:"marshal_cores_low"`
	MarshalHigh   number `json:"marshal_cores_high"`
	Unmarshal     number `json:"unmarshal_cores"`
	UnmarshalLow  number `json:"unmarshal_cores_low"`
	UnmarshalHigh number `json:"unmarshal_cores_high"`
	TB            number `json:"tb_month"`
	ZstdTB        number `json:"zstd_tb_month"`
	AllocGB       number `json:"alloc_gb_s"`
	Money         number `json:"money_month"`
	ZstdMoney     number `json:"zstd_money_month"`
	Rank          int    `json:"rank"`
	Tied          bool   `json:"tied"`
}

type choiceFile struct {
	Zstd     bool        `json:"zstd"`
	Lossless bool        `json:"lossless"`
	Ranges   []rangeFile `json:"ranges"`
}

type rangeFile struct {
	From     number   `json:"from_tb"` // null in the first
	FromLow  number   `json:"from_tb_low"`
	FromHigh number   `json:"from_tb_high"`
	Variants []string `json:"variants"`
	Lossy    []string `json:"lossy"`
}

// newCostFile is nil without costs.
func newCostFile(r *Report) *costFile {
	if r.Load.Rate == 0 {
		return nil
	}
	f := &costFile{Rate: number(r.Load.Rate), CorePrice: none, TBPrice: none, Payloads: []payloadFile{}}
	if r.Load.Priced() {
		f.CorePrice, f.TBPrice = number(r.Load.CorePrice), number(r.Load.TBPrice)
	}
	for _, p := range r.Costs {
		out := payloadFile{Suite: p.Suite, Payload: p.Payload, Ops: append([]string{}, p.Ops...),
			Choices: []choiceFile{}}
		for _, c := range p.Costs {
			out.Variants = append(out.Variants, newCostRecord(c))
		}
		for _, c := range p.Choices {
			out.Choices = append(out.Choices, newChoiceFile(c))
		}
		f.Payloads = append(f.Payloads, out)
	}
	return f
}

func newCostRecord(c Cost) costRecord {
	r := costRecord{Variant: c.Variant, Family: c.Family, Lossy: c.Lossy, TB: cost(c.TB), ZstdTB: cost(c.ZstdTB),
		AllocGB: cost(c.AllocGB), Money: cost(c.Money), ZstdMoney: cost(c.ZstdMoney), Rank: c.Rank, Tied: c.Tied}
	r.Cores, r.CoresLow, r.CoresHigh = measures(c.Cores)
	r.Marshal, r.MarshalLow, r.MarshalHigh = measures(c.Marshal)
	r.Unmarshal, r.UnmarshalLow, r.UnmarshalHigh = measures(c.Unmarshal)
	return r
}

func newChoiceFile(c Choice) choiceFile {
	out := choiceFile{Zstd: c.Zstd, Lossless: c.Lossless}
	for _, r := range c.Ranges {
		one := rangeFile{Variants: r.Variants, Lossy: append([]string{}, r.Lossy...)}
		one.From, one.FromLow, one.FromHigh = measures(r.From)
		out.Ranges = append(out.Ranges, one)
	}
	return out
}

// measures rounds an interval; one without a median does not exist.
func measures(i stats.Interval) (median, low, high number) {
	if i.Median == 0 {
		return none, none, none
	}
	return measure(i.Median), measure(i.Low), measure(i.High)
}

// cost rounds what may be 0.
func cost(x float64) number { return number(significant(x, timeDigits)) }

// read gives r the costs of a file; f may be nil.
func (f *costFile) read(r *Report) {
	if f == nil {
		return
	}
	r.Load = Load{Rate: Rate(f.Rate), CorePrice: orZero(f.CorePrice), TBPrice: orZero(f.TBPrice)}
	for _, p := range f.Payloads {
		out := PayloadCost{Suite: p.Suite, Payload: p.Payload, Ops: p.Ops}
		for _, c := range p.Variants {
			out.Costs = append(out.Costs, c.cost())
		}
		for _, c := range p.Choices {
			out.Choices = append(out.Choices, c.choice())
		}
		r.Costs = append(r.Costs, out)
	}
}

func (r costRecord) cost() Cost {
	return Cost{
		Variant: r.Variant, Family: r.Family, Lossy: r.Lossy,
		Cores:     interval(r.Cores, r.CoresLow, r.CoresHigh),
		Marshal:   interval(r.Marshal, r.MarshalLow, r.MarshalHigh),
		Unmarshal: interval(r.Unmarshal, r.UnmarshalLow, r.UnmarshalHigh),
		TB:        float64(r.TB), ZstdTB: float64(r.ZstdTB), AllocGB: float64(r.AllocGB),
		Money: float64(r.Money), ZstdMoney: float64(r.ZstdMoney), Rank: r.Rank, Tied: r.Tied,
	}
}

func (f choiceFile) choice() Choice {
	out := Choice{Zstd: f.Zstd, Lossless: f.Lossless}
	for _, r := range f.Ranges {
		out.Ranges = append(out.Ranges,
			Range{From: interval(r.From, r.FromLow, r.FromHigh), Variants: r.Variants, Lossy: r.Lossy})
	}
	return out
}
