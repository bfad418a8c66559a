package report

import (
	"bufio"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	defaultWidth = 80
	leastWidth   = 40
	roomyWidth   = 100
	barLeast     = 5  // columns of a bar that is still worth having
	barGood      = 8  // columns that are worth more than air between the other columns
	barMost      = 12 // beyond that, a bar takes the eye too far
	nameLeast    = 12
)

// A terminal lays a document out for a terminal.
type terminal struct {
	w       *bufio.Writer
	width   int
	color   bool
	started bool // something was written
}

func writeTable(w io.Writer, d *document, o Options) error {
	t := &terminal{w: bufio.NewWriter(w), width: o.Width, color: o.Color}
	if t.width == 0 {
		t.width = defaultWidth
	}
	t.width = max(t.width, leastWidth)
	t.document(d)
	return t.w.Flush()
}

func (t *terminal) document(d *document) {
	if d.wordsLast {
		t.head(d)
		t.started = true // a page may be a part of one, below others
		t.warnings(d)
	} else {
		t.words(d)
	}
	for _, s := range d.sections {
		t.section(s, d.short)
	}
	if d.wordsLast {
		t.foot(d)
		t.words(d)
		return
	}
	t.warnings(d)
	t.foot(d)
	t.head(d)
	if d.more != "" {
		t.text("", "  ", d.more, plain)
	}
}

func (t *terminal) words(d *document) {
	if d.summary == "" {
		return
	}
	for _, paragraph := range strings.Split(d.summary, "\n\n") {
		t.gap()
		t.text("", "", paragraph, plain)
	}
}

func (t *terminal) warnings(d *document) {
	if len(d.warnings) > 0 {
		t.gap()
	}
	for _, warning := range d.warnings {
		t.text("warning: ", "  ", warning, bad)
	}
}

// head writes what the machine and the command were.
func (t *terminal) head(d *document) {
	if len(d.head) > 0 {
		t.gap()
	}
	for _, line := range d.head {
		t.text("", "  ", line, faint)
	}
}

// gap leaves a line empty, but not the first.
func (t *terminal) gap() {
	if t.started {
		t.line("")
	}
}

func (t *terminal) section(s section, short bool) {
	if short && len(s.rows)+len(s.short) == 0 {
		return // it has notes alone, which come later
	}
	t.gap()
	t.heading(s.title)
	if len(s.rows) > 0 {
		if s.about != "" {
			t.text("", "", s.about, faint)
		}
		t.rows(s)
	}
	if !short {
		for _, n := range s.notes {
			t.text("", "  ", n, plain)
		}
		return
	}
	if len(s.short) > 0 {
		t.gap()
	}
	for _, n := range s.short {
		t.text("", "  ", cutNote(n, noteLines*t.width-noteSlack), plain)
	}
}

// In short, a note has so many lines at most; what breaking them leaves empty is within the
// slack.
const (
	noteLines = 2
	noteSlack = 14
)

// cutNote makes a note at most so wide. What is in parentheses at its end stays so.
func cutNote(note string, w int) string {
	if width(note) > w && strings.HasSuffix(note, ")") {
		return shorten(note, w-1) + ")"
	}
	return shorten(note, w)
}

func (t *terminal) heading(s string) {
	for _, line := range wrap(s, t.width, t.width) {
		t.line(t.paint(line, heading))
	}
}

// foot explains the marks.
func (t *terminal) foot(d *document) {
	if len(d.losses)+len(d.risks) > 0 {
		t.gap()
	}
	for _, l := range d.losses {
		t.text(lossMark, "  ", l, plain)
	}
	for _, l := range d.risks {
		t.text(riskMark, "  ", l, plain)
	}
	legend := slices.DeleteFunc(slices.Clone(d.legend), func(e entry) bool { return e.in == markdownOnly })
	if len(legend) == 0 {
		return
	}
	if d.short {
		t.shortLegend(legend, len(d.losses)+len(d.risks) == 0)
		return
	}
	t.gap()
	widest := 0
	for _, e := range legend {
		widest = max(widest, width(e.mark))
	}
	for _, e := range legend {
		t.text(pad(e.mark, widest, true)+"  ", strings.Repeat(" ", widest+2), e.text, faint)
	}
}

// shortLegend explains the marks in a paragraph. The columns of a property table are
// explained in full, since they cannot be guessed.
func (t *terminal) shortLegend(legend []entry, gap bool) {
	var list []string
	for _, e := range legend {
		if e.short != "" {
			list = append(list, e.mark+": "+e.short)
		}
	}
	if gap && len(list) > 0 {
		t.gap()
	}
	if len(list) > 0 {
		t.text("", "  ", strings.Join(list, "; "), faint)
	}
	for _, e := range legend {
		if e.short == "" && e.long {
			t.text(e.mark+": ", "  ", e.text, faint)
		}
	}
}

// text writes a paragraph, its first line after first and the others after rest.
func (t *terminal) text(first, rest, text string, c tint) {
	for i, line := range wrap(text, t.width-width(first), t.width-width(rest)) {
		if i == 0 {
			t.line(t.paint(first+line, c))
		} else {
			t.line(t.paint(rest+line, c))
		}
	}
}

func (t *terminal) line(s string) {
	t.w.WriteString(strings.TrimRight(s, " "))
	t.w.WriteByte('\n')
	t.started = true
}

// rows writes the head and the rows of a table.
func (t *terminal) rows(s section) {
	l := t.layout(s)
	var head []string
	for _, i := range l.shown {
		head = append(head, t.paint(pad(s.columns[i].head, l.widths[i], s.columns[i].left), faint))
	}
	t.line(strings.Join(head, l.gap))
	for at, row := range s.rows {
		if h := s.headingAt(at); h != "" {
			t.line(t.paint(shorten(h, t.width), faint))
		}
		var parts []string
		for _, i := range l.shown {
			parts = append(parts, t.paint(show(row[i], l.widths[i], s.columns[i].left), row[i].tint))
		}
		t.line(strings.Join(parts, l.gap))
	}
}

// show fills w columns with a cell.
func show(c cell, w int, left bool) string {
	if c.bar != nil {
		return c.bar.draw(w)
	}
	return pad(shorten(c.text, w-width(c.mark))+c.mark, w, left)
}

// A layout is which columns are shown, and how wide.
type layout struct {
	shown  []int
	widths []int // by column, shown or not
	gap    string
}

// layout gives every column what it needs, then widens the bar, or gives up, in
// this order, the air between the columns, the length of the bar, the columns that
// may be dropped, and the ends of long names.
func (t *terminal) layout(s section) layout {
	l := layout{widths: make([]int, len(s.columns)), gap: "  "}
	for i, c := range s.columns {
		if t.shows(s, i) {
			l.shown = append(l.shown, i)
		}
		l.widths[i] = width(c.head)
		for _, row := range s.rows {
			l.widths[i] = max(l.widths[i], width(row[i].text+row[i].mark))
		}
	}
	l.fitBar(s, t.width, barGood)
	if l.excess(t.width) > 0 {
		l.gap = " "
		l.fitBar(s, t.width, barLeast)
	}
	for l.excess(t.width) > 0 && l.drop(s) {
	}
	l.cutNames(s, t.width)
	return l
}

// fitBar makes the bar as long as there is room for, within bounds.
func (l *layout) fitBar(s section, limit, least int) {
	for _, i := range l.shown {
		if s.columns[i].in == terminalOnly {
			l.widths[i] = barMost
			l.widths[i] -= min(max(0, l.excess(limit)), barMost-least)
		}
	}
}

func (t *terminal) shows(s section, i int) bool {
	switch c := s.columns[i]; {
	case c.in == markdownOnly, c.in == roomy && t.width < roomyWidth:
		return false
	default:
		return !s.empty(i)
	}
}

// empty reports whether a column has nothing to show in any row.
func (s *section) empty(i int) bool {
	return !slices.ContainsFunc(s.rows, func(row []cell) bool { return row[i].text != "" || row[i].bar != nil })
}

// excess returns by how much the lines are too wide.
func (l *layout) excess(limit int) int {
	total := width(l.gap) * (len(l.shown) - 1)
	for _, i := range l.shown {
		total += l.widths[i]
	}
	return total - limit
}

// drop takes out the most dispensable column, if there is one.
func (l *layout) drop(s section) bool {
	most := -1
	for at, i := range l.shown {
		if s.columns[i].drop > 0 && (most < 0 || s.columns[i].drop >= s.columns[l.shown[most]].drop) {
			most = at
		}
	}
	if most < 0 {
		return false
	}
	l.shown = slices.Delete(l.shown, most, most+1)
	return true
}

// cutNames makes the column of names as narrow as it must be.
func (l *layout) cutNames(s section, limit int) {
	for _, i := range l.shown {
		if s.columns[i].left && s.columns[i].in == everywhere {
			l.widths[i] -= max(0, min(l.excess(limit), l.widths[i]-nameLeast))
			return
		}
	}
}

// width returns how many columns s takes.
func width(s string) int { return utf8.RuneCountInString(s) }

func pad(s string, w int, left bool) string {
	space := strings.Repeat(" ", max(0, w-width(s)))
	if left {
		return s + space
	}
	return space + s
}

func shorten(s string, w int) string {
	if width(s) <= w {
		return s
	}
	return string([]rune(s)[:max(0, w-1)]) + "…"
}

// heading is the tint of headings; cells do not have it.
const heading tint = -1

var ansi = map[tint]string{
	heading: "1", faint: "2", faster: "32", slower: "33", bad: "31",
	famProto: "36", famJSON: "33", famJSONProto: "35", famJS: "34",
}

// paint colours s, without the spaces around it.
func (t *terminal) paint(s string, c tint) string {
	code, ok := ansi[c]
	core := strings.TrimSpace(s)
	if !t.color || !ok || core == "" {
		return s
	}
	before, after, _ := strings.Cut(s, core)
	return before + "\x1b[" + code + "m" + core + "\x1b[0m" + after
}
