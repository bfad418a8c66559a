package report

import (
	"fmt"
	"strings"
)

// readMarkdown reads what [Write] wrote as [Markdown], or [WriteExcerpt] in a document
// of any kind: the results as far as the tables have them, the machine, and the
// warnings. Times and ratios come back with intervals that are as wide as they may have
// been before they were rounded.
func readMarkdown(text []byte) (*Report, error) {
	m := markdownReader{page: &page{}}
	for i, line := range pageLines(text) {
		if err := m.line(i+1, line); err != nil {
			return nil, err
		}
	}
	return m.page.report()
}

// pageLines splits a text into lines without what ends them.
func pageLines(text []byte) []string {
	return strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
}

// A markdownReader goes through a document line by line.
type markdownReader struct {
	*page
	sheet *sheet // the section, if there was one
	rule  bool   // the line below the head of the table was read
	again bool   // the head of the table comes once more, above rows that are ranked apart
	apart Apart
}

func (m *markdownReader) line(n int, line string) error {
	item, listed := strings.CutPrefix(line, "- ")
	warning, warned := strings.CutPrefix(line, "**Warning:** ")
	title, titled := markdownTitle(line)
	switch {
	case warned:
		m.warnings = append(m.warnings, unescape(warning))
	case titled:
		m.sheet, m.rule, m.again, m.apart = &sheet{title: unescape(title)}, false, false, ""
		m.sheets = append(m.sheets, m.sheet)
	case strings.HasPrefix(line, interruptedText):
		m.interrupted = true
	case m.sheet == nil && listed:
		m.lines = append(m.lines, unescape(item))
	case m.sheet == nil:
	case listed:
		m.sheet.notes = append(m.sheet.notes, unescape(item))
	case strings.HasPrefix(line, "|"):
		return m.row(n, line)
	case strings.HasPrefix(line, apartMark):
		m.apart, m.rule, m.again = readApart(unescape(line)), false, true
	case line != "" && m.sheet.head == nil && m.sheet.about == "" && m.sheet.notes == nil:
		m.sheet.about = unescape(line)
	}
	return nil
}

// markdownTitle returns the title of a section, which is a heading or, in an excerpt, bold.
func markdownTitle(line string) (title string, ok bool) {
	if title, ok = strings.CutPrefix(line, "**"); ok {
		return strings.CutSuffix(title, "**")
	}
	title = strings.TrimLeft(line, "#")
	return strings.CutPrefix(title, " ")
}

func (m *markdownReader) row(n int, line string) error {
	cells := markdownCells(line)
	s := m.sheet
	switch {
	case s.head == nil, m.again:
		s.head, m.again = cells, false
	case !m.rule:
		m.rule = true
	case len(cells) != len(s.head):
		return &ReadError{n, fmt.Sprintf("%s in a table of %s", plural(len(cells), "cell"), plural(len(s.head), "column"))}
	default:
		s.rows = append(s.rows, sheetRow{n, cells, m.apart})
	}
	return nil
}

// markdownCells splits a row at the bars that are not escaped.
func markdownCells(line string) []string {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	var cells []string
	from := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			cells, from = append(cells, line[from:i]), i+1
		}
	}
	cells = append(cells, line[from:])
	for i, c := range cells {
		cells[i] = unescape(strings.TrimSpace(c))
	}
	return cells
}

// unescape is the inverse of escape.
var unescape = strings.NewReplacer(`\\`, `\`, `\|`, "|", "&lt;", "<", "&amp;", "&", `\*`, "*", `\_`, "_", "\\`", "`", `\~`, "~", `\[`, "[").Replace
