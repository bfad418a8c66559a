package compare

import (
	"bytes"
	"errors"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// readable says what Read takes.
const readable = "compare reads what protean bench writes with --format json, csv or bench, or with --html, " +
	"and the output of go test -bench"

// Read reads a file of results; which format it is in shows in the text. An error is
// a *usererr.InputError.
func Read(file string, text []byte) (*Results, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	format := report.FormatOf(text)
	wrong := ""
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		wrong = "the file is empty"
	case isGoTestJSON(text):
		wrong = "output of go test -json, which needs to be without -json"
	case format == "":
		wrong = "no results that can be recognised"
	case format == report.Table || format == report.Markdown:
		wrong = "a " + string(format) + " report, which is rounded for people"
	}
	if wrong != "" {
		return nil, &usererr.InputError{File: file, Message: wrong + "; " + readable}
	}
	r, err := readFormat(file, format, text)
	if err != nil {
		return nil, inputError(file, err)
	}
	if len(r.Rows) == 0 {
		return nil, &usererr.InputError{File: file, Message: "no results in it; " + readable}
	}
	return r, nil
}

func isGoTestJSON(text []byte) bool {
	first, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
	return bytes.HasPrefix(first, []byte(`{"`)) && bytes.Contains(first, []byte(`"Action":`))
}

func readFormat(file string, format report.Format, text []byte) (*Results, error) {
	if format == report.Bench {
		return readBench(file, text)
	}
	rep, err := report.Read(text)
	if err != nil {
		return nil, err
	}
	return fromReport(file, rep)
}

// inputError says in which file an error is.
func inputError(file string, err error) error {
	var (
		known *usererr.InputError
		read  *report.ReadError
	)
	switch {
	case errors.As(err, &known):
		return err
	case errors.As(err, &read):
		return &usererr.InputError{File: file, Line: read.Line, Message: read.Message}
	}
	return &usererr.InputError{File: file, Message: err.Error()}
}
