package protojson

import (
	"errors"

	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/fault"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/required"
)

// An Error says what is wrong with a text, with Go values, or with a message that has no
// ProtoJSON form; and where.
type Error = fault.TextError

// What an [Error] may be about, for errors.Is.
var (
	// ErrSyntax: the text is not JSON.
	ErrSyntax = fault.ErrSyntax
	// ErrUTF8: a string is not UTF-8.
	ErrUTF8 = fault.ErrUTF8
	// ErrDepth: messages are nested beyond the limit.
	ErrDepth = fault.ErrDepth
	// ErrValue: a field cannot hold the value: it is of another kind or out of range.
	ErrValue = fault.ErrValue
	// ErrUnknown: the message type has no such field.
	ErrUnknown = fault.ErrUnknown
	// ErrDuplicate: a field, a key or a member of the same oneof has been set already.
	ErrDuplicate = fault.ErrDuplicate
	// ErrType: the resolver does not know the type of a google.protobuf.Any.
	ErrType = fault.ErrType
	// ErrAny: a google.protobuf.Any lacks its type or its value, or what is in it cannot be read.
	ErrAny = fault.ErrAny
	// ErrRequired: a required field is not set.
	ErrRequired = fault.ErrRequired
)

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
	if f := (*fault.Error)(nil); errors.As(err, &f) {
		return &Error{Err: f.Err, Offset: -1, Path: f.Path, Message: f.Message}
	}
	return err
}
