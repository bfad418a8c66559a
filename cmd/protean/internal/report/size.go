package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// jsonName is the variant whose size is 100 %, where it is there.
const jsonName = "Concrete (JSON)"

const sizesAbout = "bytes, the mean over the samples"

// sizes builds the table of encoded sizes.
func sizes(r *Report, g *group) section {
	cells := slices.DeleteFunc(slices.Clone(g.results), func(c *result.Result) bool { return !c.Measured() })
	slices.SortStableFunc(cells, func(a, b *result.Result) int { return cmp.Compare(a.WireBytes, b.WireBytes) })
	hundred := reference(g.results)
	s := section{
		title: title(g.suite, g.payload, g.op),
		about: sizesAbout,
		columns: []column{
			{head: "# "},
			{head: "variant", full: "Variant", left: true},
			{head: "bytes", full: "Bytes"},
			{head: "of JSON", full: "% of JSON", drop: 3},
			{left: true, in: terminalOnly, drop: 4},
			{head: "gzip", drop: 2},
			{head: "zstd", drop: 1},
		},
		of: cells,
	}
	if hundred != nil {
		s.about += " · 100 % is " + clean(hundred.Variant)
	}
	for i, c := range cells {
		s.rows = append(s.rows, sizeRow(cells, i, hundred, c))
	}
	s.extend(extrasOf(r, true), cells, encoded(r, g))
	return s
}

// reference returns the cell that is 100 %: plain JSON, or the first of its family.
func reference(cells []*result.Result) *result.Result {
	usable := func(c *result.Result) bool { return c.Measured() && c.WireBytes > 0 }
	for _, c := range cells {
		if c.Variant == jsonName && usable(c) {
			return c
		}
	}
	for _, c := range cells {
		if c.Family == "json" && usable(c) {
			return c
		}
	}
	return nil
}

func sizeRow(cells []*result.Result, i int, hundred, c *result.Result) []cell {
	row := []cell{
		{text: sizeRank(cells, i)},
		nameCell(c),
		{text: exact(c.WireBytes)},
		{}, {},
		{text: compressed(c.GzipBytes)},
		{text: compressed(c.ZstdBytes)},
	}
	b, longest := sizeBar{}, cells[len(cells)-1].WireBytes
	if hundred != nil {
		row[3].text = fmt.Sprintf("%.1f%%", 100*c.WireBytes/hundred.WireBytes)
		b.tick = hundred.WireBytes / longest
	}
	if len(cells) > 1 && longest > 0 {
		b.share = c.WireBytes / longest
		row[4] = cell{bar: b, tint: familyTint(c.Family)}
	}
	return row
}

// compressed is empty for a size that is not known: no compressed form is empty.
func compressed(bytes float64) string {
	if bytes == 0 {
		return ""
	}
	return exact(bytes)
}

// sizeRank ranks by bytes; sizes are exact, so only equal ones tie.
func sizeRank(cells []*result.Result, i int) string {
	size := cells[i].WireBytes
	first := slices.IndexFunc(cells, func(c *result.Result) bool { return c.WireBytes == size })
	tied := first < i || i+1 < len(cells) && cells[i+1].WireBytes == size
	return rankText(first+1, tied)
}
