package value

import (
	"errors"
	"fmt"
	"strings"

	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/structval/index"
)

// What an [Error] may be about, for errors.Is.
var (
	// ErrTruncated: the wire form ends in the middle of a field.
	ErrTruncated = protoerr.ErrTruncated
	// ErrMalformed: the bytes are not wire format.
	ErrMalformed = protoerr.ErrMalformed
	// ErrUTF8: a string or a key is not UTF-8.
	ErrUTF8 = protoerr.ErrUTF8
	// ErrDepth: messages are nested beyond the limit.
	ErrDepth = protoerr.ErrDepth
	// ErrSize: the input or output is longer than the limit.
	ErrSize = protoerr.ErrSize
	// ErrSyntax: the text is not JSON.
	ErrSyntax = errors.New("syntax error")
	// ErrDuplicate: a key comes twice in an object, where that is not allowed.
	ErrDuplicate = errors.New("duplicate key")
	// ErrNumber: a number is NaN, infinite or out of range, where it may not be.
	ErrNumber = errors.New("number out of range")
	// ErrInexact: a double does not hold the integer exactly.
	ErrInexact = errors.New("a double cannot hold the integer")
	// ErrUnset: a Value has no field set, which has no JSON form.
	ErrUnset = errors.New("no kind is set")
	// ErrType: a Go type has no counterpart, or not this one.
	ErrType = errors.New("unsupported type")
	// ErrKind: a node holds another kind of value than the one asked for.
	ErrKind = errors.New("another kind of value")
	// ErrAbsent: there is no such node.
	ErrAbsent = errors.New("no such value")
)

// An Error says what is wrong, and where.
type Error struct {
	// Err is one of the errors of this package, or what a method of the caller's
	// type returned.
	Err error
	// Offset is the position of the byte in the input, wire or text, from 0; -1
	// where there is none, as for Go values.
	Offset int
	// Line and Column are the same position in a text, from 1, Column in bytes;
	// 0 for wire and Go values.
	Line, Column int
	// Path leads to the value: "$.actor.tags[2]", and "$" for the root.
	Path string
	// Detail says more where Err does not suffice; it may be empty.
	Detail string
}

// Error returns the whole message in one line, with the middle of a long path left out.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("value: ")
	b.WriteString(protoerr.ClipPath(e.Path))
	b.WriteString(": ")
	switch {
	case e.Line > 0:
		fmt.Fprintf(&b, "line %d, column %d (byte %d): ", e.Line, e.Column, e.Offset)
	case e.Offset >= 0:
		fmt.Fprintf(&b, "byte %d: ", e.Offset)
	}
	b.WriteString(e.Err.Error())
	if e.Detail != "" {
		b.WriteString(": ")
		b.WriteString(e.Detail)
	}
	return b.String()
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// indexError returns the Error for one of package index.
func indexError(f *index.Error) *Error {
	return &Error{Err: f.Err, Offset: f.Offset, Path: protoerr.FormatValuePath(f.Path)}
}
