package lint

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
	"github.com/protean-pb/protean/lint/schema"
)

// relative is a path as seen from the working directory, where it is below.
func relative(file string) string {
	here, err := os.Getwd()
	if err != nil {
		return file
	}
	if rel, err := filepath.Rel(here, file); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return file
}

// Write renders a result as a [report.Table], as [report.Markdown] or as [report.JSON].
func Write(w io.Writer, r *Result, f report.Format, o report.Options) error {
	switch f {
	case report.JSON:
		return writeJSON(w, r)
	case report.Table:
		if err := r.writeLines(w, o); err != nil {
			return err
		}
	}
	p := &report.Page{Summary: r.summary()}
	if f == report.Markdown && len(r.Findings) > 0 {
		p.Sections = append(p.Sections, r.findings())
	}
	if r.Data != nil {
		if len(r.Data.Fields) > 0 {
			p.Sections = append(p.Sections, r.Data.fields(f))
		}
		p.Head = r.Data.facts()
	}
	return report.WritePage(w, p, f, o)
}

// writeLines writes findings as compilers write them, a line each, and below, as wide as a screen,
// what they cost and what is safe.
func (r *Result) writeLines(w io.Writer, o report.Options) error {
	width := o.Width
	if width == 0 {
		width = defaultWidth
	}
	var b strings.Builder
	for _, f := range r.Findings {
		if f.Share >= 0 {
			fmt.Fprintf(&b, "%5.1f%% ", 100*f.Share)
		}
		fmt.Fprintf(&b, "%s: %s (%s)\n", printable(f.Position()), printable(f.What), f.Rule)
		if f.Cost != "" {
			b.WriteString(wrapped("  cost: ", printable(f.Cost), width))
			b.WriteString(wrapped("  safe: ", printable(f.WayOut), width))
		}
	}
	if len(r.Findings) > 0 && r.Data != nil {
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// defaultWidth is that of text that goes to no terminal.
const defaultWidth = 100

// wrapped breaks text between words into lines of so many columns; those after the first are
// indented as far as the head of the first reaches.
func wrapped(head, text string, width int) string {
	var b strings.Builder
	b.WriteString(head)
	column := len(head)
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+n > max(width, 40):
			b.WriteString("\n" + strings.Repeat(" ", len(head)))
			column = len(head)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String() + "\n"
}

// printable takes out what a terminal would act on: names of files and keys may hold anything.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '?'
		}
		return r
	}, s)
}

// summary says how much was found.
func (r *Result) summary() string {
	files := make(map[string]bool)
	for _, f := range r.Findings {
		files[f.File] = true
	}
	switch n := len(r.Findings); n {
	case 0:
		return "Nothing found."
	case 1:
		return "1 finding."
	default:
		return fmt.Sprintf("%d findings in %s.", n, plural(len(files), "file"))
	}
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return report.Exact(float64(n)) + " " + noun + "s"
}

// findings are a table for pages.
func (r *Result) findings() report.Section {
	s := report.Section{Title: "findings", Columns: []report.Column{
		{Head: "Place", Left: true}, {Head: "Rule", Left: true}, {Head: "Found", Left: true},
		{Head: "Cost", Left: true}, {Head: "Safe", Left: true},
	}}
	if r.Profile != nil {
		s.Columns = append(s.Columns, report.Column{Head: "Of the profile"})
	}
	for _, f := range r.Findings {
		row := []report.Cell{{Text: f.Position()}, {Text: f.Rule}, {Text: f.What}, {Text: f.Cost}, {Text: f.WayOut}}
		if r.Profile != nil {
			cell := report.Cell{}
			if f.Share >= 0 {
				cell.Text = fmt.Sprintf("%.1f%%", 100*f.Share)
			}
			row = append(row, cell)
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

// facts are what there is to know of the samples as a whole.
func (d *Data) facts() []string {
	out := []string{
		fmt.Sprintf(
			"%s of %s, %s bytes in binary form; the largest has %s, %.2g %% of the 4 MiB that gRPC receives by "+
				"default, %s",
			plural(d.Samples, "sample"), d.Message, report.Exact(float64(d.Bytes)), report.Exact(float64(d.Largest)),
			100*float64(d.Largest)/schema.SizeLimit, d.LargestAt),
		fmt.Sprintf("messages are nested %d levels deep at most, of the %d that readers in other languages take%s",
			d.Deepest, schema.DepthLimit, d.deepestPlace()),
	}
	for _, i := range d.Integers {
		verb := "are"
		if i.Count == 1 {
			verb = "is"
		}
		out = append(out,
			fmt.Sprintf("%s of %s %s beyond 2^53, exact in Protobuf and as strings in ProtoJSON, not in a "+
				"Value or as numbers in JavaScript: %s", plural(i.Count, "value"), i.Field, verb, i.First))
	}
	return out
}

func (d *Data) deepestPlace() string {
	if d.DeepestPath == "" {
		return ""
	}
	return fmt.Sprintf(": %s in %s", d.DeepestPath, d.DeepestAt)
}

// fields is the table of what fields hold and cost.
func (d *Data) fields(f report.Format) report.Section {
	s := report.Section{
		Title: "fields on the samples",
		Columns: []report.Column{
			{Head: "Field", Left: true}, {Head: "Values", Drop: 2}, {Head: "Bytes"}, {Head: "% of all"},
			{Head: "% keys", Drop: 1}, {Head: "% again"}, {Head: "Unmarshal"}, {Head: "Marshal"}, {Head: "As bytes"},
		},
		Notes: []string{"% keys: of the field's bytes, those that are keys of objects; % again: keys that occurred " +
			"before, in this or an earlier sample, which a typed message does not send"},
	}
	timed := 0
	for _, x := range d.Fields {
		name := x.Name
		if f == report.Table { // the package is in every line otherwise
			name = short(name)
		}
		row := []report.Cell{{Text: name}, {Text: report.Exact(float64(x.Values))},
			{Text: report.Exact(float64(x.Bytes))},
			{Text: percent(x.Bytes, d.Bytes)}, {Text: percent(x.Keys, x.Bytes)}, {Text: percent(x.Repeated, x.Bytes)}}
		if t := x.Times; t.Known() {
			timed = t.Rounds
			parse := fmt.Sprintf("%s · %.2gx", report.Duration(t.Parse.Median, 3), t.Parse.Median/t.Unmarshal.Median)
			row = append(row, report.Cell{Text: report.Duration(t.Unmarshal.Median, 3)},
				report.Cell{Text: report.Duration(t.Marshal.Median, 3)}, report.Cell{Text: parse})
		} else {
			row = append(row, report.Cell{}, report.Cell{}, report.Cell{})
		}
		if p := x.Times.Problem; p != "" {
			s.Notes = append(s.Notes, fmt.Sprintf("%s was not timed: %s", x.Name, p))
		}
		s.Rows = append(s.Rows, row)
	}
	if timed > 0 {
		s.Notes = append(s.Notes,
			fmt.Sprintf("times are of one value on the average, measured on these samples in this "+
				"run: medians of %d rounds. Unmarshal and marshal are the official Go library's, to and from "+
				"structpb's "+
				"messages; as bytes: value.Parse of the same bytes, and its part of unmarshal. protean bench measures "+
				"other "+
				"ways, verified", timed))
	}
	return s
}

// short leaves out the package: the type and the field remain.
func short(name string) string {
	parts := strings.Split(name, ".")
	return strings.Join(parts[max(0, len(parts)-2):], ".")
}

func percent(n, all int) string {
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", 100*float64(n)/float64(all))
}

// The JSON format. What is not known is left out.
type (
	file struct {
		Findings []findingFile `json:"findings"`
		Data     *dataFile     `json:"data,omitempty"`
	}
	findingFile struct {
		Rule    string   `json:"rule"`
		File    string   `json:"file"`
		Line    int      `json:"line,omitempty"`
		Column  int      `json:"column,omitempty"`
		Subject string   `json:"subject,omitempty"`
		Message string   `json:"message"`
		Cost    string   `json:"cost,omitempty"`
		WayOut  string   `json:"safe,omitempty"`
		Share   *float64 `json:"profile_share,omitempty"`
	}
	dataFile struct {
		Message     string         `json:"message"`
		Samples     int            `json:"samples"`
		Bytes       int            `json:"bytes"`
		Largest     int            `json:"largest_bytes"`
		LargestAt   string         `json:"largest_at"`
		Deepest     int            `json:"deepest_levels"`
		DeepestAt   string         `json:"deepest_at"`
		DeepestPath string         `json:"deepest_path,omitempty"`
		Fields      []fieldFile    `json:"fields"`
		Integers    []integersFile `json:"integers_beyond_2_53,omitempty"`
	}
	fieldFile struct {
		Name      string        `json:"field"`
		Type      string        `json:"type"`
		Rule      string        `json:"rule"`
		Values    int           `json:"values"`
		Bytes     int           `json:"bytes"`
		Keys      int           `json:"key_bytes"`
		Repeated  int           `json:"repeated_key_bytes"`
		Unmarshal *intervalFile `json:"unmarshal,omitempty"`
		Marshal   *intervalFile `json:"marshal,omitempty"`
		Parse     *intervalFile `json:"parse_bytes,omitempty"`
	}
	intervalFile struct {
		NS   float64  `json:"ns"`
		Low  *float64 `json:"ns_low,omitempty"`
		High *float64 `json:"ns_high,omitempty"`
	}
	integersFile struct {
		Field string `json:"field"`
		Count int    `json:"count"`
		First string `json:"first"`
	}
)

func writeJSON(w io.Writer, r *Result) error {
	out := file{Findings: []findingFile{}}
	for _, f := range r.Findings {
		x := findingFile{Rule: f.Rule, File: f.File, Line: f.Line, Column: f.Column, Subject: f.Subject,
			Message: f.What,
			Cost:    f.Cost, WayOut: f.WayOut}
		if f.Share >= 0 {
			x.Share = &f.Share
		}
		out.Findings = append(out.Findings, x)
	}
	if d := r.Data; d != nil {
		out.Data = &dataFile{Message: d.Message, Samples: d.Samples, Bytes: d.Bytes,
			Largest: d.Largest, LargestAt: d.LargestAt, Deepest: d.Deepest,
			DeepestAt: d.DeepestAt, DeepestPath: d.DeepestPath, Fields: []fieldFile{}}
		for _, f := range d.Fields {
			x := fieldFile{Name: f.Name, Type: f.Type, Rule: f.Rule, Values: f.Values, Bytes: f.Bytes,
				Keys: f.Keys, Repeated: f.Repeated}
			if t := f.Times; t.Known() {
				x.Unmarshal, x.Marshal, x.Parse = newInterval(t.Unmarshal), newInterval(t.Marshal), newInterval(t.Parse)
			}
			out.Data.Fields = append(out.Data.Fields, x)
		}
		for _, i := range d.Integers {
			out.Data.Integers = append(out.Data.Integers, integersFile(*i))
		}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

// newInterval leaves out bounds that are not known.
func newInterval(i stats.Interval) *intervalFile {
	out := &intervalFile{NS: i.Median}
	if !math.IsNaN(i.Low) && !math.IsNaN(i.High) {
		out.Low, out.High = &i.Low, &i.High
	}
	return out
}
