package protoerr

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// What may be wrong with ProtoJSON, besides the errors of the wire format.
var (
	ErrSyntax    = errors.New("syntax error")
	ErrValue     = errors.New("invalid value")
	ErrUnknown   = errors.New("unknown field")
	ErrDuplicate = errors.New("set twice")
	ErrType      = errors.New("unknown message type")
	ErrAny       = errors.New("invalid google.protobuf.Any")
)

// A TextError says what is wrong with ProtoJSON text, with Go values in its shapes, or with
// a message that has no such form; and where. Package protojson documents its fields, and
// returns it as its own Error, which has the same ones.
type TextError struct {
	Err          error
	Offset       int
	Line, Column int
	Path         string
	Message      string
	Detail       string
}

// Error returns the whole message in one line, with the middle of a long path left out.
func (e *TextError) Error() string {
	var b strings.Builder
	b.WriteString("protojson: ")
	b.WriteString(e.Message)
	if e.Path != "" {
		b.WriteString(": ")
		b.WriteString(ClipPath(e.Path))
	}
	if e.Line > 0 {
		fmt.Fprintf(&b, ": line %d, column %d (byte %d)", e.Line, e.Column, e.Offset)
	}
	b.WriteString(": ")
	b.WriteString(e.Err.Error())
	if e.Detail != "" {
		b.WriteString(": ")
		b.WriteString(e.Detail)
	}
	return b.String()
}

// Unwrap returns e.Err.
func (e *TextError) Unwrap() error { return e.Err }

// Locate sets e's Offset, Line and Column to those of a byte of the text.
func (e *TextError) Locate(text []byte, at int) {
	before := text[:at]
	e.Offset = at
	e.Line = bytes.Count(before, []byte{'\n'}) + 1
	e.Column = at - bytes.LastIndexByte(before, '\n')
}
