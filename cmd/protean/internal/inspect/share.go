package inspect

import (
	"fmt"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
)

// sections are the tables of where the bytes go: one of each message that is shown,
// and one of all, if there are more.
func (r *Result) sections() []report.Section {
	var out []report.Section
	for _, s := range r.Shown {
		if s.Forms != nil {
			out = append(out, shares("where the bytes go · "+s.Source, s.Forms.Counts, s.Forms.has()))
		}
	}
	if r.Counted > 1 {
		sum := shares("where the bytes go · "+r.messages(), r.Sum, r.InAll)
		sum.About = "the sum over the messages"
		out = append(out, sum)
	}
	if len(out) > 0 {
		out[len(out)-1].Notes = r.Notes
	}
	return out
}

// messages: "all 20 messages", "19 of 20 messages".
func (r *Result) messages() string {
	if r.Counted < r.Messages {
		return fmt.Sprintf("%d of %d messages, those that are well-formed", r.Counted, r.Messages)
	}
	return fmt.Sprintf("all %d messages", r.Messages)
}

// has says which forms there are.
func (f *Forms) has() (out [numForms]bool) {
	for x := range out {
		out[x] = f.Has(Form(x))
	}
	return out
}

// shares is a table with a row for each category that occurs, and a number and a share
// of bytes for each form that there is.
func shares(title string, counts [numForms]Counts, has [numForms]bool) report.Section {
	s := report.Section{Title: title, Columns: []report.Column{{Left: true}}}
	total := []report.Cell{{Text: "total"}}
	ofJSON := []report.Cell{{Text: "of JSON"}}
	for f := range numForms {
		if !has[f] {
			continue
		}
		s.Columns = append(s.Columns, report.Column{Head: f.String()}, report.Column{Head: "%"})
		n := counts[f].Total()
		total = append(total, report.Cell{Text: report.Exact(float64(n))}, report.Cell{})
		ofJSON = append(ofJSON, report.Cell{}, report.Cell{Text: share(n, counts[JSON].Total()), Tone: report.Quiet})
	}
	for _, c := range Categories() {
		if row := categoryRow(c, counts, has); row != nil {
			s.Rows = append(s.Rows, row)
		}
	}
	s.Rows = append(s.Rows, total)
	if has[JSON] {
		s.Rows = append(s.Rows, ofJSON)
	}
	return s
}

// categoryRow is nil for a category of which no form has a byte.
func categoryRow(c Category, counts [numForms]Counts, has [numForms]bool) []report.Cell {
	row := []report.Cell{{Text: c.String()}}
	found := false
	for f := range numForms {
		n := counts[f][c]
		switch {
		case !has[f]:
		case n == 0:
			row = append(row, report.Cell{}, report.Cell{})
		default:
			found = true
			row = append(row, report.Cell{Text: report.Exact(float64(n))},
				report.Cell{Text: share(n, counts[f].Total()), Tone: report.Quiet})
		}
	}
	if !found {
		return nil
	}
	return row
}

// share writes n as a share of all, of which there may be none.
func share(n, all int) string {
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", 100*float64(n)/float64(all))
}
