package inspect

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
)

// Write renders what was found: the listings, and where the bytes go. The formats are
// [report.Table], [report.Markdown] and [report.JSON].
func Write(w io.Writer, results []*Result, f report.Format, o Options) error {
	if f == report.JSON {
		return writeJSON(w, results)
	}
	first := true
	for _, r := range results {
		for _, s := range r.Shown {
			if err := writeShown(w, r, &s, f, o, first); err != nil {
				return err
			}
			first = false
		}
		if sections := r.sections(); len(sections) > 0 {
			if err := report.WritePage(w, &report.Page{Sections: sections}, f, o.Options); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeShown writes a heading and a listing.
func writeShown(w io.Writer, r *Result, s *Shown, f report.Format, o Options, first bool) error {
	if f == report.Markdown {
		fmt.Fprintf(w, "### %s\n\n```text\n", r.heading(s))
		o.Options = report.Options{Width: markdownWidth}
		err := writeListing(w, s, o)
		fmt.Fprint(w, "```\n\n")
		return err
	}
	if !first {
		fmt.Fprintln(w)
	}
	p := &printer{o: o}
	fmt.Fprintln(w, p.paint(colorHead, r.heading(s)))
	return writeListing(w, s, o)
}

// markdownWidth is what a page shows of a code block without scrolling.
const markdownWidth = 100

// heading: "small · event.Profile · small.json:1 · 25 bytes".
func (r *Result) heading(s *Shown) string {
	kind := r.Type
	if t := s.Form.Type(); t != nil {
		kind = string(t.FullName())
	}
	var parts []string
	for _, part := range []string{r.Title, kind, s.Source} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	heading := strings.Join(append(parts, fmt.Sprintf("%d bytes", len(s.Bytes))), " · ")
	return strings.Map(func(r rune) rune { // a file may have any name
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, heading)
}

// The JSON format. What does not exist is left out.
type (
	resultFile struct {
		Title    string      `json:"title,omitempty"`
		Type     string      `json:"type,omitempty"`
		Messages int         `json:"messages"`
		Counted  int         `json:"counted"` // those that are well-formed, which Sum is of
		Sum      formsFile   `json:"sum"`
		Shown    []shownFile `json:"shown"`
		Notes    []string    `json:"notes"`
		Problems []string    `json:"problems"`
	}
	shownFile struct {
		Source  string       `json:"source"`
		Bytes   int          `json:"bytes"`
		Form    string       `json:"form"`
		Lines   []lineFile   `json:"lines"`
		Problem *problemFile `json:"problem,omitempty"`
		Forms   formsFile    `json:"forms"`
	}
	lineFile struct {
		Offset   int    `json:"offset"`
		Size     int    `json:"size"`
		Tag      int    `json:"tag_bytes"`
		Length   int    `json:"length_bytes"`
		Value    int    `json:"value_bytes"`
		Category string `json:"category,omitempty"` // of the value
		Depth    int    `json:"depth"`
		Number   int    `json:"number"`
		WireType string `json:"wire_type"`
		Name     string `json:"name,omitempty"`
		Path     string `json:"path"`
		Type     string `json:"type,omitempty"`
		Text     string `json:"text,omitempty"`
		Nested   *int   `json:"nested_bytes,omitempty"`
		Note     string `json:"note,omitempty"`
		Hex      string `json:"hex"`
	}
	problemFile struct {
		Offset  int    `json:"offset"`
		Path    string `json:"path,omitempty"`
		Message string `json:"message"`
	}
	// formsFile is the bytes of each form by category, and their total.
	formsFile map[string]map[string]int
)

func writeJSON(w io.Writer, results []*Result) error {
	file := struct {
		Payloads []resultFile `json:"payloads"`
	}{[]resultFile{}}
	for _, r := range results {
		out := resultFile{Title: r.Title, Type: r.Type, Messages: r.Messages, Counted: r.Counted, Sum: formsFile{},
			Shown: []shownFile{}, Notes: append([]string{}, r.Notes...), Problems: []string{}}
		if r.Counted > 0 {
			out.Sum = newFormsFile(r.Sum, r.InAll)
		}
		for _, s := range r.Shown {
			out.Shown = append(out.Shown, newShownFile(&s))
		}
		for _, p := range r.Problems {
			out.Problems = append(out.Problems, p.Error())
		}
		file.Payloads = append(file.Payloads, out)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(file); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

func newFormsFile(counts [numForms]Counts, has [numForms]bool) formsFile {
	out := formsFile{}
	for f := range numForms {
		if !has[f] {
			continue
		}
		one := map[string]int{"total": counts[f].Total()}
		for _, c := range Categories() {
			if n := counts[f][c]; n > 0 {
				one[c.String()] = n
			}
		}
		out[f.String()] = one
	}
	return out
}

func newShownFile(s *Shown) shownFile {
	out := shownFile{Source: s.Source, Bytes: len(s.Bytes), Form: s.Form.String(), Lines: []lineFile{},
		Forms: formsFile{}}
	if s.Forms != nil {
		out.Forms = newFormsFile(s.Forms.Counts, s.Forms.has())
	}
	for _, l := range s.Listing.Lines {
		out.Lines = append(out.Lines, newLineFile(&l, s.Bytes))
	}
	if p := s.Listing.Problem; p != nil {
		out.Problem = &problemFile{p.Offset, p.Path, p.Message}
	}
	return out
}

func newLineFile(l *Line, b []byte) lineFile {
	f := lineFile{
		Offset: l.Offset, Size: l.Size(), Tag: l.Tag, Length: l.Length, Value: l.Value, Depth: l.Depth,
		Number: int(l.Number), WireType: wireName(l.WireType), Name: l.Name, Path: l.Path, Type: l.Type, Text: l.Text,
		Note: l.Note,
		Hex:  hex.EncodeToString(b[l.Offset : l.Offset+l.Size()]),
	}
	if l.Value > 0 {
		f.Category = l.Category.String()
	}
	if l.Nested >= 0 {
		f.Nested = &l.Nested
	}
	return f
}
