package report

import (
	"fmt"
	"io"
	"strings"
)

// A Page is tables with text around them that are no report of a run, such as a
// comparison of two; [WritePage] lays it out in the way of a report. Texts
// may hold anything: control characters are taken out, and markup escaped.
type Page struct {
	Summary  string   // paragraphs with an empty line between: below all in a terminal, above all in Markdown
	Head     []string // where the figures come from
	Warnings []string
	Sections []Section
	Marks    []Mark // explanations of marks and columns
}

// A Section is one table, with what stands above and below it.
type Section struct {
	Title, About string
	Columns      []Column
	Rows         [][]Cell // in the order of Columns
	Notes        []string
}

// A Column says how its cells are shown.
type Column struct {
	Head  string
	Left  bool // aligned to the left; of these, the first is cut short where space is
	Roomy bool // left out of a terminal of less than 100 columns
	Drop  int  // where space is short, columns of the highest number go first; 0 never
}

// A Cell is one cell of a table.
type Cell struct {
	Text string
	Mark string // stays when Text is cut short
	Tone Tone
}

// A Tone is what a cell says; a terminal shows it as a colour.
type Tone int

// The tones.
const (
	Neutral Tone = iota
	Quiet        // details
	Good
	Bad
)

// A Mark is an explanation of a sign or a column.
type Mark struct{ Sign, Text string }

// WritePage renders p as a [Table] or as [Markdown]; other formats are an error.
func WritePage(w io.Writer, p *Page, f Format, o Options) error {
	switch f {
	case Table:
		return writeTable(w, p.document(), o)
	case Markdown:
		return writeMarkdown(w, p.document())
	}
	return fmt.Errorf("format %q is not for pages", f)
}

func (p *Page) document() *document {
	d := &document{head: cleanAll(p.Head), warnings: cleanAll(p.Warnings), wordsLast: true}
	d.summary = strings.Join(cleanAll(strings.Split(p.Summary, "\n\n")), "\n\n")
	for _, s := range p.Sections {
		d.sections = append(d.sections, s.section())
	}
	for _, m := range p.Marks {
		d.legend = append(d.legend, entry{mark: m.Sign, text: m.Text})
	}
	return d
}

func cleanAll(texts []string) []string {
	var out []string
	for _, t := range texts {
		out = append(out, clean(t))
	}
	return out
}

func (s *Section) section() section {
	out := section{title: clean(s.Title), about: clean(s.About), notes: cleanAll(s.Notes)}
	for _, c := range s.Columns {
		col := column{head: c.Head, left: c.Left, drop: c.Drop}
		if c.Roomy {
			col.in = roomy
		}
		out.columns = append(out.columns, col)
	}
	tints := map[Tone]tint{Neutral: plain, Quiet: faint, Good: faster, Bad: slower}
	for _, row := range s.Rows {
		var cells []cell
		for _, c := range row {
			cells = append(cells, cell{text: clean(c.Text), mark: c.Mark, tint: tints[c.Tone]})
		}
		out.rows = append(out.rows, cells)
	}
	return out
}
