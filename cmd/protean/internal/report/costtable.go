package report

import (
	"fmt"
	"slices"
)

// costs builds the cost section of the payload that g belongs to, if there is one.
func costs(r *Report, g *group) []section {
	at := slices.IndexFunc(r.Costs, func(p PayloadCost) bool { return p.Suite == g.suite && p.Payload == g.payload })
	if at < 0 {
		return nil
	}
	p := r.Costs[at]
	s := section{
		title: title(p.Suite, p.Payload, "cost at "+r.Load.Rate.String()),
		about: costAbout(p, r.Load),
		columns: []column{
			{head: "# "},
			{head: "variant", full: "Variant", left: true},
			{head: "cores", full: "Cores"},
			{head: "±", drop: 2},
			{full: "Cores interval", in: markdownOnly},
			{head: "marsh", full: "to marshal", drop: 1},
			{head: "unmar", full: "to unmarshal", drop: 1},
			{head: "TB/mo", full: "TB a month"},
			{head: "zstd", full: "TB with zstd", drop: 3},
			{head: "GB/s", full: "GB/s allocated", drop: 4},
			{head: "money", full: "Money a month"},
			{head: "zstd", full: "Money with zstd", in: roomy, drop: 5},
		},
	}
	for _, c := range p.Costs {
		s.rows = append(s.rows, costRow(c, len(p.Ops)))
	}
	s.notes, s.group, s.costs = p.Advice(r.Load), g, p.Costs
	return []section{s}
}

func costRow(c Cost, ops int) []cell {
	name := cell{text: clean(c.Variant), tint: familyTint(c.Family)}
	if c.Lossy {
		name.mark = " !"
	}
	row := []cell{
		{text: rankText(c.Rank, c.Tied)},
		name,
		{text: figure(positive(c.Cores.Median))},
		{}, {}, {}, {},
		{text: figure(c.TB)},
		{text: figure(c.ZstdTB)},
		{text: figure(c.AllocGB)},
		{text: money(c.Money)},
		{text: money(c.ZstdMoney)},
	}
	if c.Cores.Median > 0 {
		row[3] = cell{text: spread(c.Cores), tint: faint}
		row[4] = cell{text: unknown}
	}
	if c.Cores.Known() {
		row[4].text = figure(c.Cores.Low) + "–" + figure(c.Cores.High)
	}
	if ops > 1 { // else they are the sum
		row[5].text, row[6].text = figure(positive(c.Marshal.Median)), figure(positive(c.Unmarshal.Median))
	}
	return row
}

// money writes an amount of any currency.
func money(x float64) string {
	if x > 0 && x < 99.995 {
		return fmt.Sprintf("%.2f", x)
	}
	return figure(x)
}

// costAbout says what each message goes through, and at which prices.
func costAbout(p PayloadCost, l Load) string {
	var done []string
	for _, step := range []struct{ op, did string }{{"marshal", "marshalled"}, {"", "sent"},
		{"unmarshal", "unmarshalled"}} {
		if step.op == "" || slices.Contains(p.Ops, step.op) {
			done = append(done, step.did)
		}
	}
	about := "every message " + join(done) + " once"
	if l.Priced() {
		about += fmt.Sprintf(" · %s a core-month, %s a TB", money(l.CorePrice), money(l.TBPrice))
	}
	return about
}
