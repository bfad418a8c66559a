package compare

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/suite"
)

// readable says what Read takes.
const readable = "compare reads what protean bench writes in any format, and the output of go test -bench"

// Read reads a file of results; which format it is in shows in the text. An error is
// a *suite.InputError.
func Read(file string, text []byte) (*Results, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	kind := kindOf(text)
	switch {
	case kind.read == nil && len(bytes.TrimSpace(text)) == 0:
		return nil, &suite.InputError{File: file, Message: "the file is empty; " + readable}
	case kind.read == nil:
		return nil, &suite.InputError{File: file, Message: kind.name + "; " + readable}
	}
	r, err := kind.read(file, text)
	if err != nil {
		return nil, inputError(file, text, err)
	}
	if len(r.Rows) == 0 {
		return nil, &suite.InputError{File: file, Message: "no results in it; " + readable}
	}
	return r, nil
}

// A kind is a format of files; without read it is told of as name says.
type kind struct {
	name string
	read func(file string, text []byte) (*Results, error)
}

// kindOf recognises a format by its content.
func kindOf(text []byte) kind {
	first, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
	lower := bytes.ToLower(first)
	switch {
	case bytes.HasPrefix(first, []byte(`{"`)) && bytes.Contains(first, []byte(`"Action":`)):
		return kind{name: "output of go test -json, which needs to be without -json"}
	case bytes.HasPrefix(first, []byte("{")):
		return kind{read: reader(report.ReadJSON)}
	case bytes.Contains(first, []byte("suite")) && bytes.Contains(first, []byte("variant,")):
		return kind{read: reader(report.ReadCSV)}
	case isBench(text):
		return kind{read: readBench}
	case bytes.HasPrefix(lower, []byte("<!doctype html")), bytes.HasPrefix(lower, []byte("<html")):
		return kind{read: reader(report.ReadHTML)}
	case bytes.Contains(text, []byte("| Variant |")):
		return kind{read: reader(report.ReadMarkdown)}
	case bytes.Contains(text, []byte("variant ")) && bytes.Contains(text, []byte(" · ")):
		return kind{read: reader(report.ReadTable)}
	}
	return kind{name: "no results that can be recognised"}
}

// reader reads a format of the lab's reports.
func reader(read func(io.Reader) (*report.Report, error)) func(string, []byte) (*Results, error) {
	return func(file string, text []byte) (*Results, error) {
		rep, err := read(bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		return fromReport(file, rep)
	}
}

// inputError says where in the file an error is, if it knows.
func inputError(file string, text []byte, err error) error {
	var (
		at      *suite.InputError
		syntax  *json.SyntaxError
		typed   *json.UnmarshalTypeError
		row     *csv.ParseError
		page    *report.PageError
		message = strings.TrimPrefix(err.Error(), "reading a report: ")
	)
	lineAt := func(offset int64) int {
		return 1 + bytes.Count(text[:min(max(offset-1, 0), int64(len(text)))], []byte("\n"))
	}
	switch {
	case errors.As(err, &at):
		return err
	case errors.As(err, &syntax):
		return &suite.InputError{File: file, Line: lineAt(syntax.Offset), Message: syntax.Error()}
	case errors.As(err, &typed):
		return &suite.InputError{File: file, Line: lineAt(typed.Offset), Message: fmt.Sprintf("field %s cannot be a %s", typed.Field, typed.Value)}
	case errors.As(err, &page):
		return &suite.InputError{File: file, Line: page.Line, Message: page.Message}
	case errors.As(err, &row):
		return &suite.InputError{File: file, Line: row.Line, Message: row.Err.Error()}
	}
	return &suite.InputError{File: file, Message: message}
}
