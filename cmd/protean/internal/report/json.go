package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// A file is the JSON format as a whole.
type file struct {
	Env         Env       `json:"env"`
	Results     []record  `json:"results"`
	Variants    []Variant `json:"variants"`
	Warnings    []string  `json:"warnings"`
	Summary     string    `json:"summary"`
	Interrupted bool      `json:"interrupted"`
	Suite       string    `json:"suite"`
	Baseline    string    `json:"baseline"`
	Cost        *costFile `json:"cost,omitempty"` // where a rate was given
	Columns     []string  `json:"columns,omitempty"`
}

func newFile(r *Report) *file {
	f := &file{
		Env: r.Env, Results: []record{}, Warnings: append([]string{}, r.Warnings...),
		Variants: append([]Variant{}, r.Variants...),
		Summary:  Summary(r), Interrupted: r.Interrupted, Suite: r.Suite, Baseline: r.Baseline,
		Cost:    newCostFile(r),
		Columns: r.Columns,
	}
	for i := range r.Results {
		f.Results = append(f.Results, newRecord(&r.Results[i]))
	}
	return f
}

func writeJSON(w io.Writer, r *Report) error {
	f := newFile(r)
	records := f.Results
	f.Results = []record{}
	return WriteLines(w, f, "results", records)
}

// WriteLines writes document as JSON, with the items in place of the empty list that is
// its member of that name: one item a line, so that diff and grep can work on the file.
func WriteLines[T any](w io.Writer, document any, member string, items []T) error {
	frame, err := encode(document, "  ")
	if err != nil {
		return err
	}
	var lines bytes.Buffer
	for i := range items {
		line, err := encode(&items[i], "")
		if err != nil {
			return err
		}
		if i > 0 {
			lines.WriteByte(',')
		}
		lines.WriteString("\n    ")
		lines.Write(line)
	}
	if len(items) > 0 {
		lines.WriteString("\n  ")
	}
	list := "\n  \"" + member + "\": ["
	at := bytes.Index(frame, []byte(list)) + len(list)
	for _, part := range [][]byte{frame[:at], lines.Bytes(), frame[at:], []byte("\n")} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// encode is json.Marshal, but leaves < and > in names legible.
func encode(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// ReadJSON reads what [Write] wrote as [JSON]. Times come back rounded, and without
// the turns they were taken from.
func ReadJSON(r io.Reader) (*Report, error) {
	var f file
	d := json.NewDecoder(r)
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("reading a report: %w", err)
	}
	if f.Results == nil {
		return nil, fmt.Errorf(`reading a report: no "results"`)
	}
	if d.More() {
		return nil, fmt.Errorf("reading a report: more than one document")
	}
	out := &Report{Env: f.Env, Suite: f.Suite, Baseline: f.Baseline, Variants: f.Variants,
		Warnings: f.Warnings, Columns: f.Columns, Interrupted: f.Interrupted}
	for i := range f.Results {
		if err := f.Results[i].Status.check(); err != nil {
			return nil, fmt.Errorf("reading a report: results[%d]: %w", i, err)
		}
		out.Results = append(out.Results, f.Results[i].result())
	}
	f.Cost.read(out)
	return out, nil
}
