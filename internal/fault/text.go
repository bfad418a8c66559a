package fault

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"
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
// a message that has no such form; and where.
type TextError struct {
	// Err is one of the errors of this package, or one of the official library's where it
	// alone knows the type.
	Err error
	// Offset is the position of the byte in the text, from 0; -1 where there is no text.
	Offset int
	// Line and Column are the same position, from 1, Column in bytes; 0 where there is no
	// text.
	Line, Column int
	// Path leads to the field by the names of the schema: events[17].actor.email,
	// labels["a"], (acme.extension).id. It is empty for the message itself.
	Path string
	// Message is the full name of the type of the message that was read or written.
	Message string
	// Detail says more where Err does not suffice; it may be empty.
	Detail string
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

// Is reports whether target is the official library's [proto.Error], as which all errors
// of Protobuf count.
func (e *TextError) Is(target error) bool { return target == proto.Error }

// Locate sets e's Offset, Line and Column to those of a byte of the text.
func (e *TextError) Locate(text []byte, at int) {
	before := text[:at]
	e.Offset = at
	e.Line = bytes.Count(before, []byte{'\n'}) + 1
	e.Column = at - bytes.LastIndexByte(before, '\n')
}
