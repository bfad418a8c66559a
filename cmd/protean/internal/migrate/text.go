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
	p.line("%s", r.heading())
	p.findings("", in)
	p.findings("the other direction, which the rollout does not have", other)
	p.line("")
	for _, note := range r.notes() {
		p.line("%s", note)
	}
	if len(r.Plans) > 0 {
		p.line("\nwhat is safe instead")
		for _, plan := range r.Plans {
			p.plan(&plan)
		}
	}
	p.line("\n%s", r.verdict())
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
			p.line("  %s", f.example())
		}
		if f.Known != "" {
			p.line("  known, not tried: %s", f.Known)
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
	p.line("- %s", plan.Title)
	for _, line := range plan.Schema {
		p.line("      %s", line)
	}
	for i, step := range plan.Steps {
		p.line("  %d. %s", i+1, step)
	}
	p.line("  proven: %s", plan.Proof)
}
