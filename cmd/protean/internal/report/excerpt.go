package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// An Excerpt says which part of a report to show within a Markdown document.
type Excerpt struct {
	Suite         string   // only its results; of any suite if empty
	Payloads, Ops []string // likewise
	Parts         []Part
	Format        Format // Markdown, or Table for a fenced block as from a terminal
}

// A Part is a part of a report.
type Part string

// The parts.
const (
	InOverview  Part = "overview" // the table of WriteSVG
	Tables      Part = "tables"
	PropertyTab Part = "properties"
	Marks       Part = "marks" // what the marks in the tables mean
	InWords     Part = "summary"
)

// Parts lists the parts.
func Parts() []Part { return []Part{InOverview, Tables, PropertyTab, Marks, InWords} }

// WriteExcerpt renders part of a report: below it stand the machine, the versions, the
// date and the command.
func WriteExcerpt(w io.Writer, r *Report, e Excerpt) error {
	part := e.of(r)
	d := e.document(part)
	b := bufio.NewWriter(w)
	if e.Format == Table {
		fmt.Fprintf(b, "```text\n$ %s\n", shellLines(r.Env.Command))
		if err := writeTable(b, d, Options{}); err != nil {
			return err
		}
		fmt.Fprint(b, "```\n\n")
		fmt.Fprintln(b, markdownLines(provenance(part, "")))
		return b.Flush()
	}
	if d.summary != "" {
		fmt.Fprintf(b, "%s\n\n", escape(d.summary))
	}
	for _, s := range d.sections {
		markdownSection(b, s, "**%s**")
	}
	markdownMarks(b, d)
	fmt.Fprintln(b, markdownLines(provenance(part, r.Env.Command)))
	return b.Flush()
}

// Covers reports whether r has results that e names.
func (e Excerpt) Covers(r *Report) bool {
	part := e.of(r)
	if slices.Equal(e.Parts, []Part{InOverview}) {
		return HasOverview(part)
	}
	return len(part.Results) > 0
}

// of returns the report with the results that e names.
func (e Excerpt) of(r *Report) *Report {
	wanted := func(list []string, name string) bool { return len(list) == 0 || slices.Contains(list, name) }
	out := *r
	out.Results = slices.DeleteFunc(slices.Clone(r.Results), func(c result.Result) bool {
		return e.Suite != "" && c.Suite != e.Suite || !wanted(e.Payloads, c.Payload) || !wanted(e.Ops, c.Op)
	})
	if len(e.Ops) > 0 {
		out.Costs = nil // they are of operations together
	}
	return &out
}

// document has the parts that e names.
func (e Excerpt) document(r *Report) *document {
	d := newDocument(r)
	d.short = e.Format == Table
	d.head, d.warnings = nil, nil // about the run as a whole; see provenance
	has := func(p Part) bool { return slices.Contains(e.Parts, p) }
	d.sections = slices.DeleteFunc(d.sections, func(s section) bool {
		return s.isProperties() && !has(PropertyTab) || !s.isProperties() && !has(Tables)
	})
	d.legend, d.summary = legend(r, d), Verdict(r)
	if has(InOverview) {
		d.sections = append(overviews(r), d.sections...)
	}
	if !has(Tables) && !has(PropertyTab) || !has(Marks) {
		d.legend, d.losses, d.risks = nil, nil, nil
	}
	if !has(InWords) {
		d.summary = ""
	}
	return d
}

// provenance says where the figures come from, in a line of Markdown.
func provenance(r *Report, command string) string {
	day, _, _ := strings.Cut(r.Env.Date, "T")
	line := escape(title(machine(r), strings.Join(libraries(r), ", "), versioned("protean", r.Env.Protean), day))
	switch {
	case command == "":
		return line
	case strings.Contains(command, "`"):
		return line + " · " + escape(clean(command))
	default:
		return line + " · `" + clean(command) + "`"
	}
}

// own is this module, whose version is that of the command.
const own = "github.com/protean-pb/protean"

// libraries lists the modules that the results are of, with versions. Go's own has
// that of Go.
func libraries(r *Report) []string {
	var out []string
	for _, v := range r.Variants {
		measured := slices.ContainsFunc(r.Results,
			func(c result.Result) bool { return c.Variant == v.Name && c.Status == result.OK })
		one := versioned(cmp.Or(v.Module, v.Library), v.Version)
		if measured && v.Version != r.Env.Go && !strings.HasPrefix(one, own) && !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return out
}

func versioned(name, version string) string {
	if version == "" {
		return ""
	}
	return name + " " + version
}
