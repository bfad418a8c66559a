package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
)

// The measures of a picture, in its own units: pixels where it is shown as wide as it is.
const (
	svgWidth  = 860
	svgMargin = 16
	svgGap    = 14  // between columns
	svgChar   = 6.8 // of text of 12 units, in the widest of the usual fonts
	svgLine   = 16
	svgBar    = 7   // height of a bar
	svgFoot   = 128 // characters of a line below or above a table
	// Where the picture is shown on a telephone, rows have larger text, and only names and times.
	svgNarrowName = 372
)

// svgStyle has the colours of the page. The picture has a background of its own: where it is shown
// in a page that does not follow the reader's preference, its text stays legible.
const svgStyle = `
text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; fill: #1a1f24; }
.number { font-variant-numeric: tabular-nums; }
.title { font-size: 15px; font-weight: 600; }
.name { font-weight: 600; }
.quiet, .head { fill: #57616b; }
.foot { font-size: 11px; fill: #57616b; }
.end { text-anchor: end; }
.ground { fill: #ffffff; stroke: #d5dbe1; }
.rule { stroke: #d5dbe1; }
.base { stroke: #57616b; }
.faster { fill: #12805c; }
.slower { fill: #d36a06; }
.narrow { display: none; }
.large { font-size: 22px; }
@media (max-width: 560px) {
  .narrow { display: inline; }
  .wide { display: none; }
  .title { font-size: 26px; }
}
@media (prefers-color-scheme: dark) {
  text { fill: #e7eaee; }
  .quiet, .head, .foot { fill: #a0abb6; }
  .ground { fill: #171c22; stroke: #303943; }
  .rule { stroke: #303943; }
  .base { stroke: #a0abb6; }
  .faster { fill: #43c49e; }
  .slower { fill: #f29a45; }
}
`

// WriteSVG draws the overview of r as a picture that needs no other file: a table a payload, with
// the figures of the tables, and a bar below each time, on the logarithmic scale of theirs.
func WriteSVG(w io.Writer, r *Report) error {
	p := &picture{y: svgMargin}
	for i, s := range overviews(r) {
		if i > 0 {
			p.y += svgLine
		}
		p.table(s)
	}
	day, _, _ := strings.Cut(r.Env.Date, "T")
	p.paragraph(machine(r))
	p.paragraph(strings.Join(libraries(r), ", "))
	p.paragraph(title(versioned("protean", r.Env.Protean), day))
	height := p.y + svgMargin - 6
	name := title(r.Suite, "what each variant costs")
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" role="img"
  width="%d" height="%d" viewBox="0 0 %[1]d %[2]d">
<title>%s</title>
<desc>%s</desc>
<style>%s</style>
<rect class="ground" x="0.5" y="0.5" width="%d" height="%d" rx="8"/>
%s</svg>
`, svgWidth, height, xmlText(name), xmlText(Verdict(r)), svgStyle, svgWidth-1, height-1, p.body.String())
	return err
}

// xmlText escapes what is markup in XML, and what may not be in it at all.
func xmlText(s string) string {
	var b bytes.Buffer
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		panic(err) // a buffer takes all that is written to it
	}
	return b.String()
}

// A picture is drawn from the top down.
type picture struct {
	body strings.Builder
	y    int // below all that has been drawn
}

// text draws a line whose left end, or right end if class says so, is at x.
func (p *picture) text(class string, x, y float64, s string) {
	if class != "" {
		class = ` class="` + class + `"`
	}
	if s != "" {
		fmt.Fprintf(&p.body, "<text%s x=\"%.1f\" y=\"%.1f\">%s</text>\n", class, x, y, xmlText(s))
	}
}

// paragraph breaks text into lines of the whole width.
func (p *picture) paragraph(s string) {
	for _, line := range wrap(s, svgFoot, svgFoot) {
		p.text("wide foot", svgMargin, float64(p.y+11), line)
		p.y += svgLine
	}
}

// An svgColumn is where a column lies: its left end and its width.
type svgColumn struct{ x, width float64 }

func (p *picture) table(s section) {
	columns := svgColumns(&s)
	p.text("title", svgMargin, float64(p.y+svgLine), s.title)
	p.y += 28
	p.paragraph(s.about)
	p.y += 6
	for i, c := range s.columns {
		if columns[i].width > 0 {
			p.cell("head", columns[i], c.left, float64(p.y+12), c.head)
		}
	}
	for i, x := range s.narrowColumns() {
		if i > 0 {
			p.text("narrow large head end", x.x+x.width, float64(p.y+12), x.head)
		}
	}
	p.y += 20
	for i := range s.rows {
		p.row(&s, columns, i)
	}
	p.rule()
	p.y += 8
	for _, n := range s.notes {
		p.paragraph(n)
	}
}

func (p *picture) rule() {
	fmt.Fprintf(&p.body, "<path class=\"rule\" d=\"M%d %d.5H%d\"/>\n", svgMargin, p.y, svgWidth-svgMargin)
}

func (p *picture) cell(class string, c svgColumn, left bool, y float64, text string) {
	class = strings.TrimSpace("wide " + class)
	if left {
		p.text(class, c.x, y, text)
	} else {
		p.text(class+" number end", c.x+c.width, y, text)
	}
}

// row draws a row as high as its longest cell. A bar lies below the two columns before it, which are
// its figures.
func (p *picture) row(s *section, columns []svgColumn, at int) {
	p.rule()
	lines := 2
	for i := range s.columns {
		lines = max(lines, len(s.svgLines(at, i)))
	}
	for i, c := range s.rows[at] {
		if b, ok := c.bar.(ratioBar); ok {
			p.bar("wide", b, p.y+25, columns[i-2].x, columns[i-1].x+columns[i-1].width-columns[i-2].x)
			continue
		}
		in := s.svgLines(at, i)
		y := float64(p.y) + 17 + float64(svgLine*(lines-len(in)))/2
		if s.barred(at, i) {
			y = float64(p.y) + 17
		}
		for n, line := range in {
			class := ""
			switch {
			case i == 0 && n == 0:
				class = "name"
			case i == 0, c.text == absent:
				class = "quiet"
			}
			p.cell(class, columns[i], s.columns[i].left, y+float64(n*svgLine), line)
		}
	}
	p.narrowRow(s, at)
	p.y += svgLine*lines + 10
}

// A narrowColumn is the name, or an operation: its time and ratio in one, with the bar below.
type narrowColumn struct {
	svgColumn
	head string
	bar  int // the column of the bar; the figures are in the two before it
}

func (s *section) narrowColumns() []narrowColumn {
	out := []narrowColumn{{svgColumn: svgColumn{svgMargin, svgNarrowName}}}
	for i, c := range s.columns {
		if c.in == terminalOnly {
			out = append(out, narrowColumn{head: s.columns[i-2].head, bar: i})
		}
	}
	each := float64(svgWidth-2*svgMargin-svgNarrowName) / float64(len(out)-1)
	for i := range out[1:] {
		out[i+1].svgColumn = svgColumn{svgMargin + svgNarrowName + float64(i)*each + svgGap, each - svgGap}
	}
	return out
}

func (p *picture) narrowRow(s *section, at int) {
	for i, x := range s.narrowColumns() {
		row := s.rows[at]
		if i == 0 {
			p.text("narrow large", x.x, float64(p.y+27), shorten(row[0].text, svgNarrow))
			continue
		}
		time, ratio := row[x.bar-2], row[x.bar-1].text
		figures := strings.TrimSpace(either(time.full, time.text) + " " + strings.TrimSpace(ratio))
		p.text("narrow large number end", x.x+x.width, float64(p.y+24), figures)
		if b, ok := row[x.bar].bar.(ratioBar); ok {
			p.bar("narrow", b, p.y+31, x.x, x.width)
		}
	}
}

// barred reports whether there is a bar below a cell.
func (s *section) barred(row, column int) bool {
	for _, c := range s.rows[row][column:min(column+3, len(s.columns))] {
		if c.bar != nil {
			return true
		}
	}
	return false
}

// bar draws a ratio: from the baseline to the left what is faster, to the right what is slower.
func (p *picture) bar(class string, b ratioBar, top int, x, width float64) {
	unit := width / max(b.high-b.low, 1)
	base := x - b.low*unit
	length := math.Abs(b.doublings) * unit
	side, from := "slower", base
	if b.doublings < 0 {
		side, from = "faster", base-length
	}
	if length > 0 {
		fmt.Fprintf(&p.body, "<rect class=\"%s %s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n",
			class, side, from, top, length, svgBar)
	}
	fmt.Fprintf(&p.body, "<path class=\"%s base\" d=\"M%.1f %dv%d\"/>\n", class, base, top-2, svgBar+4)
}

// svgName is how long a name may be that is not broken, and svgNarrow what room there is for it where
// it cannot be.
const (
	svgName   = 22
	svgNarrow = 30
)

// svgLines breaks a cell into lines: a long name before its parentheses, a list after each comma.
// Below a name that is not broken stands its library.
func (s *section) svgLines(row, column int) []string {
	c := s.rows[row][column]
	text := strings.TrimSpace(either(c.full, c.text))
	switch name, kind, ok := strings.Cut(text, " ("); {
	case column > 0:
		lines := strings.SplitAfter(text, ", ")
		for i := range lines {
			lines[i] = strings.TrimSpace(lines[i])
		}
		return lines
	case ok && width(text) > svgName:
		return []string{name, "(" + kind}
	case s.under[row] == "":
		return []string{text}
	default:
		return []string{text, shorten(s.under[row], svgName)}
	}
}

// svgColumns gives each column as much as its longest line takes, and what is left to those with
// bars; where nothing is left, columns come closer. Columns without anything in them have no width.
func svgColumns(s *section) []svgColumn {
	out := make([]svgColumn, len(s.columns))
	left, gap, shown, bars := float64(svgWidth-2*svgMargin+svgGap), float64(svgGap), 0, 0
	for i, c := range s.columns {
		switch {
		case s.empty(i):
		case c.in == terminalOnly:
			bars++
		default:
			out[i].width = float64(s.longestLine(i)) * svgChar
			left -= out[i].width + svgGap
			shown++
		}
	}
	if left < 0 && shown > 1 {
		gap = max(gap/4, gap+left/float64(shown-1))
	}
	x := float64(svgMargin)
	for i := range out {
		if i+2 < len(out) && s.columns[i+2].in == terminalOnly && !s.empty(i+2) {
			out[i].width += max(0, left) / float64(bars)
		}
		out[i].x = x
		if out[i].width > 0 {
			x += out[i].width + gap
		}
	}
	return out
}

// longestLine returns how many characters the longest line of a column has.
func (s *section) longestLine(column int) int {
	longest := width(s.columns[column].head)
	for row := range s.rows {
		for _, line := range s.svgLines(row, column) {
			longest = max(longest, width(line))
		}
	}
	return longest
}
