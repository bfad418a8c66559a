package migrate

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// writeText renders the report for a terminal: a line of columns for each finding, and an
// example below it.
func (r *Report) writeText(w io.Writer) error {
	b := bufio.NewWriter(w)
	p := &textPrinter{b}
	in, other, _ := r.shown()
	p.wrap("", r.heading())
	p.findings("", in)
	p.findings("the other direction, which the rollout does not have", other)
	p.line("")
	for _, note := range r.notes() {
		p.wrap("", note)
	}
	if len(r.Plans) > 0 {
		p.line("\nwhat is safe instead")
		for _, plan := range r.Plans {
			p.plan(&plan)
		}
	}
	p.line("")
	p.wrap("", r.verdict())
	return b.Flush()
}

type textPrinter struct{ b *bufio.Writer }

// line writes a line without control characters: values may hold anything.
func (p *textPrinter) line(format string, args ...any) {
	text := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return '?'
		}
		return r
	}, fmt.Sprintf(format, args...))
	p.b.WriteString(strings.TrimRight(text, " ") + "\n")
}

func (p *textPrinter) findings(title string, all []Finding) {
	if len(all) == 0 {
		return
	}
	p.line("")
	if title != "" {
		p.line("%s", title)
	}
	rows := [][]string{{"path", "direction", "form", "what becomes of it", "values"}}
	for _, f := range all {
		rows = append(rows, []string{f.path(), f.Direction.Text(), f.Wire.String(), f.Class.Text(), f.values()})
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for i, row := range rows {
		p.row(row, widths)
		if i == 0 {
			continue
		}
		f := all[i-1]
		if f.Class != Same || f.Why != "" {
			p.wrap("  ", f.example())
		}
		if f.Known != "" {
			p.wrap("  ", "known, not tried: "+f.Known)
		}
	}
}

func (p *textPrinter) row(row []string, widths []int) {
	var b strings.Builder
	for i, cell := range row {
		b.WriteString(cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
	}
	p.line("%s", b.String())
}

func (p *textPrinter) plan(plan *Plan) {
	p.wrap("- ", plan.Title)
	for _, line := range plan.Schema {
		p.line("      %s", line)
	}
	for i, step := range plan.Steps {
		p.wrap(fmt.Sprintf("  %d. ", i+1), step)
	}
	p.wrap("  proven: ", plan.Proof)
}

// textWidth is where sentences are broken.
const textWidth = 100

// wrap writes a text over as many lines as it takes, those after the first as far in as the
// text after its prefix.
func (p *textPrinter) wrap(prefix, text string) {
	indent := strings.Repeat(" ", utf8.RuneCountInString(prefix))
	if prefix == "" {
		indent = "  "
	}
	line := prefix
	for i, word := range strings.Split(text, " ") {
		switch {
		case i == 0:
			line += word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > textWidth:
			p.line("%s", line)
			line = indent + word
		default:
			line += " " + word
		}
	}
	p.line("%s", line)
}
