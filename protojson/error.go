package protojson

import (
	"errors"

	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/wire/required"
)

// An Error says what is wrong with a text, with Go values, or with a message that has no
// ProtoJSON form; and where.
type Error struct {
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

// Error returns the whole message in one line.
func (e *Error) Error() string { return (*protoerr.TextError)(e).Error() }

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the official library's [proto.Error], as which all errors
// of Protobuf count.
func (e *Error) Is(target error) bool { return target == proto.Error }

// What an [Error] may be about, for errors.Is.
var (
	// ErrSyntax: the text is not JSON.
	ErrSyntax = protoerr.ErrSyntax
	// ErrUTF8: a string is not UTF-8.
	ErrUTF8 = protoerr.ErrUTF8
	// ErrDepth: messages are nested beyond the limit.
	ErrDepth = protoerr.ErrDepth
	// ErrValue: a field cannot hold the value: it is of another kind or out of range.
	ErrValue = protoerr.ErrValue
	// ErrUnknown: the message type has no such field.
	ErrUnknown = protoerr.ErrUnknown
	// ErrDuplicate: a field, a key or a member of the same oneof has been set already.
	ErrDuplicate = protoerr.ErrDuplicate
	// ErrType: the resolver does not know the type of a google.protobuf.Any.
	ErrType = protoerr.ErrType
	// ErrAny: a google.protobuf.Any lacks its type or its value, or what is in it cannot be read.
	ErrAny = protoerr.ErrAny
	// ErrRequired: a required field is not set.
	ErrRequired = protoerr.ErrRequired
)

// public returns err with the name under which users know it, if it is an error of the codec:
// the structs have the same fields. On success that is one comparison.
func public(err error) error {
	if e, ok := err.(*protoerr.TextError); ok {
		return (*Error)(e)
	}
	return err
}

// foreign makes an [*Error] of one of the official library's, about m.
func foreign(m proto.Message, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Err: err, Offset: -1, Message: string(proto.MessageName(m))}
}

// checkRequired returns an [*Error] if a required field is not set in m or below.
func checkRequired(m proto.Message) error {
	l, p := layout.Of(m)
	if l.Ready() == layout.Official {
		if err := proto.CheckInitialized(m); err != nil {
			return &Error{Err: ErrRequired, Offset: -1, Message: string(proto.MessageName(m)), Detail: err.Error()}
		}
		return nil
	}
	err := required.Check(l, p)
	if err == nil {
		return nil
	}
	if f := (*protoerr.Error)(nil); errors.As(err, &f) {
		return &Error{Err: f.Err, Offset: -1, Path: f.Path, Message: f.Message}
	}
	return err
}
