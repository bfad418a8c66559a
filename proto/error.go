package proto

import "github.com/protean-pb/protean/internal/protoerr"

// What a [FieldError] may be about, for errors.Is.
var (
	// ErrTruncated: the wire form ends in the middle of a field.
	ErrTruncated = protoerr.ErrTruncated
	// ErrMalformed: the bytes are not wire format.
	ErrMalformed = protoerr.ErrMalformed
	// ErrUTF8: a string is not UTF-8, in a field where it must be.
	ErrUTF8 = protoerr.ErrUTF8
	// ErrDepth: messages are nested beyond the limit.
	ErrDepth = protoerr.ErrDepth
	// ErrRequired: a required field is not set.
	ErrRequired = protoerr.ErrRequired
)

// A FieldError says what is wrong with a message or its wire form, and where.
type FieldError struct {
	// Err is one of the errors of this package, or one of the official library's where it
	// alone knows the type.
	Err error
	// Offset is the position of the byte in the wire form, from 0; -1 for a message that
	// is written, or that lacks a required field.
	Offset int
	// Path leads to the field by the names of the schema: events[17].actor.email,
	// labels["a"], (acme.extension).id. It is empty for the message itself.
	Path string
	// Message is the full name of the type of the message that was read or written.
	Message string
}

// Error returns the whole message in one line.
func (e *FieldError) Error() string { return (*protoerr.Error)(e).Error() }

// Unwrap returns e.Err.
func (e *FieldError) Unwrap() error { return e.Err }

// Is reports whether target is [Error], as which all errors of Protobuf count.
func (e *FieldError) Is(target error) bool { return target == Error }

// public returns err with the name under which users know it, if it is an error of the codec:
// the structs have the same fields. On success that is one comparison.
func public(err error) error {
	if e, ok := err.(*protoerr.Error); ok {
		return (*FieldError)(e)
	}
	return err
}
