// Package usererr has the errors about what a user gave: each is one line that names the file, the line and the column,
// says what was expected, and suggests a name that is near. The command ends with exit code 2 on them.
package usererr

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/protean-pb/protean/records"
)

// An InputError says what is wrong with a file of the user, and where.
type InputError struct {
	// File is the path as the user typed it, "stdin" for standard input, or
	// empty where the error belongs to no file.
	File string
	// Line and Column count from 1; 0 is unknown.
	Line, Column int
	// Message is one line, lower-case, without a final stop.
	Message string
}

// Error returns "file:line:column: message", without the parts that are unknown.
func (e *InputError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
		if e.Column > 0 {
			fmt.Fprintf(&b, ":%d", e.Column)
		}
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	b.WriteString(e.Message)
	return OneLine(b.String())
}

// InputErrors are several things that are wrong with the user's files, in the order in which
// they are read.
type InputErrors []*InputError

// Error returns a line each, the last of which counts those beyond ten.
func (e InputErrors) Error() string {
	var lines []string
	for _, one := range e[:min(len(e), MaxListed)] {
		lines = append(lines, one.Error())
	}
	if more := len(e) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more errors", more))
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the errors.
func (e InputErrors) Unwrap() []error {
	all := make([]error, len(e))
	for i, one := range e {
		all[i] = one
	}
	return all
}

// MaxListed bounds what an error lists: further errors and names are counted.
const MaxListed = 10

// Errorf makes an error about a file as a whole; file may be empty.
func Errorf(file, format string, args ...any) *InputError {
	return &InputError{File: file, Message: fmt.Sprintf(format, args...)}
}

// At makes an error about a byte offset in the text of a file; one that is outside stands for the nearest end.
func At(file string, text []byte, offset int, message string) *InputError {
	line, column := position(text, offset)
	return &InputError{File: file, Line: line, Column: column, Message: message}
}

// FileError words a failure to read a file without the name of the system call.
func FileError(file string, err error) *InputError {
	return Errorf(file, "%s", records.Reason(err))
}

// position returns the line and column of a byte offset, both from 1; the
// column counts code points.
func position(text []byte, offset int) (line, column int) {
	before := text[:min(max(offset, 0), len(text))]
	line = bytes.Count(before, []byte("\n")) + 1
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	return line, utf8.RuneCount(before) + 1
}

// OneLine makes a single line of s, without control characters. The Protobuf library puts no-break spaces into its
// errors at random, against dependence on their text; OneLine replaces them by spaces.
func OneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}
