package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// A file is the JSON format as a whole.
type file struct {
	Env         result.Env       `json:"env"`
	Results     []record         `json:"results"`
	Variants    []result.Variant `json:"variants"`
	Warnings    []string         `json:"warnings"`
	Summary     string           `json:"summary"`
	Interrupted bool             `json:"interrupted"`
	Suite       string           `json:"suite"`
	Baseline    string           `json:"baseline"`
	Cost        *costFile        `json:"cost,omitempty"` // where a rate was given
	Columns     []string         `json:"columns,omitempty"`
}

func newFile(r *Report) *file {
	f := &file{
		Env: r.Env, Results: []record{}, Warnings: append([]string{}, r.Warnings...),
		Variants: append([]result.Variant{}, r.Variants...),
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

// readJSON reads what [Write] wrote as [JSON]. Times come back rounded, and without
// the turns they were taken from.
func readJSON(text []byte) (*Report, error) {
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, jsonError(text, err)
	}
	if f.Results == nil {
		return nil, &ReadError{Message: `no "results"`}
	}
	out := &Report{Env: f.Env, Suite: f.Suite, Baseline: f.Baseline, Variants: f.Variants,
		Warnings: f.Warnings, Columns: f.Columns, Interrupted: f.Interrupted}
	for i := range f.Results {
		if err := f.Results[i].Status.Check(); err != nil {
			return nil, &ReadError{Message: fmt.Sprintf("results[%d]: %v", i, err)}
		}
		out.Results = append(out.Results, f.Results[i].result())
	}
	f.Cost.read(out)
	return out, nil
}

// jsonError says in which line of the text an error is, if it knows.
func jsonError(text []byte, err error) error {
	lineAt := func(offset int64) int {
		return 1 + bytes.Count(text[:min(max(offset-1, 0), int64(len(text)))], []byte("\n"))
	}
	var (
		syntax *json.SyntaxError
		typed  *json.UnmarshalTypeError
	)
	switch {
	case errors.As(err, &syntax):
		return &ReadError{lineAt(syntax.Offset), syntax.Error()}
	case errors.As(err, &typed):
		message := fmt.Sprintf("field %s cannot be a %s", withoutIndexes(typed.Field), typed.Value)
		return &ReadError{lineAt(typed.Offset), message}
	}
	return &ReadError{Message: err.Error()}
}

// withoutIndexes returns the path of a field as encoding/json has it up to Go 1.26: later
// releases count the elements of lists in it. No member of the format is called by a number.
func withoutIndexes(path string) string {
	parts := slices.DeleteFunc(strings.Split(path, "."), func(part string) bool {
		_, err := strconv.Atoi(part)
		return err == nil
	})
	return strings.Join(parts, ".")
}
