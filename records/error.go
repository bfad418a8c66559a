package records

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/protean-pb/protean/protojson"
	"github.com/protean-pb/protean/value"
)

var (
	// ErrTooLong: a record is longer than [Options] allow.
	ErrTooLong = errors.New("record too long")
	// ErrFrame: it cannot be seen where a record ends, so that the rest of the file is not read.
	ErrFrame = errors.New("the rest of the file cannot be read")
	// ErrAltered: a value has no counterpart in the form that is written. See [Altered].
	ErrAltered = errors.New("would be altered")
)

// An Error says what is wrong with a file or with one of its records, and where.
type Error struct {
	// File is the name of the file as it was given, "stdin" for standard input.
	File string
	// Line and Column are where the fault is in a text, from 1, Column in bytes; 0 where that is
	// not known: in binary forms, and in a split that does not begin with the file.
	Line, Column int
	// Record is the number of the record in a binary form, from 1; 0 in a text, and where the
	// error is about the file.
	Record int64
	// Offset is where the record begins in the file, decompressed, in bytes from 0; -1 where the
	// error is about the file.
	Offset int64
	// Err is what is wrong.
	Err error
}

// Error returns one line: "FILE:LINE:COLUMN: …", or "FILE: record N at byte M: …".
func (e *Error) Error() string { return oneLine(e.Place() + ": " + e.Err.Error()) }

// Place returns where the fault is, as Error shows it.
func (e *Error) Place() string {
	switch {
	case e.Line > 0 && e.Column > 0:
		return fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
	case e.Line > 0:
		return fmt.Sprintf("%s:%d", e.File, e.Line)
	case e.Record > 0:
		return fmt.Sprintf("%s: record %d at byte %d", e.File, e.Record, e.Offset)
	case e.Offset >= 0:
		return fmt.Sprintf("%s: record at byte %d", e.File, e.Offset)
	}
	return e.File
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// fileError is about a file as a whole.
func fileError(file string, err error) *Error {
	return &Error{File: file, Offset: -1, Err: errors.New(Reason(err))}
}

// Reason words a failure to read or write a file, without the name of the system call.
func Reason(err error) string {
	var pe *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.As(err, &pe):
		return pe.Err.Error()
	}
	return err.Error()
}

// position is where in a record an error of the codecs is: its line and column, from 1, which
// are 0 for other errors.
func position(err error, text []byte) (line, column int) {
	var ve *value.Error
	var je *protojson.Error
	var se *jsontext.SyntacticError
	var a *Alteration
	switch {
	case errors.As(err, &ve):
		return ve.Line, ve.Column
	case errors.As(err, &je):
		return je.Line, je.Column
	case errors.As(err, &se):
		return lineColumn(text, int(se.ByteOffset))
	case errors.As(err, &a) && a.at > 0:
		return lineColumn(text, a.at-1)
	}
	return 0, 0
}

// lineColumn is where an offset of a text is.
func lineColumn(text []byte, offset int) (line, column int) {
	before := text[:min(len(text), offset)]
	return bytes.Count(before, []byte("\n")) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}

// withoutPosition is an error of the codecs about a text without its position in that.
func withoutPosition(err error) error {
	switch e := err.(type) {
	case *value.Error:
		if c := *e; c.Line > 0 {
			c.Offset, c.Line, c.Column = -1, 0, 0
			return &c
		}
	case *protojson.Error:
		if c := *e; c.Line > 0 {
			c.Offset, c.Line, c.Column = -1, 0, 0
			return &c
		}
	case *jsontext.SyntacticError:
		return errors.New(syntaxProblem(e))
	}
	return err
}

// syntaxProblem says what is wrong with a JSON text.
func syntaxProblem(err *jsontext.SyntacticError) string {
	switch {
	case errors.Is(err.Err, io.ErrUnexpectedEOF):
		return "syntax error: unexpected end of file"
	case errors.Is(err.Err, jsontext.ErrDuplicateName):
		return fmt.Sprintf("the key %q comes twice", err.JSONPointer.LastToken())
	}
	return "syntax error: " + err.Err.Error()
}

// oneLine makes a single line of s, with single plain spaces.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}
