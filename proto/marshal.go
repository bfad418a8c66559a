package proto

import (
	"google.golang.org/protobuf/runtime/protoiface"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/wire/encode"
	"github.com/protean-pb/protean/internal/wire/required"
)

// MarshalOptions are those of the official package, and mean the same.
type MarshalOptions struct {
	_ struct{}

	// AllowPartial lets messages be written that lack required fields.
	AllowPartial bool
	// Deterministic has the entries of maps in the order of their keys, so that equal
	// messages give equal bytes, in one build of a program.
	Deterministic bool
	// UseCachedSize has no effect but on types that are left to the official library: no
	// sizes are kept in messages here.
	UseCachedSize bool
}

// Marshal returns the wire form of m, in one allocation of its size. It is nil for a nil
// message only. The error is a [*FieldError], or the official library's for the types that are
// left to it.
func Marshal(m Message) ([]byte, error) {
	if m != nil {
		if l, p := layout.Of(m); l.Ready() != layout.Official && p != nil {
			b, err := encode.Marshal(l, p)
			return b, public(err)
		}
	}
	return MarshalOptions{}.Marshal(m)
}

// Marshal is the function [Marshal] with the options o.
func (o MarshalOptions) Marshal(m Message) ([]byte, error) {
	if m == nil {
		return nil, nil
	}
	l, p := layout.Of(m)
	if l.Ready() == layout.Official {
		return o.Official().Marshal(m)
	}
	if p == nil {
		return nil, o.check(l, p)
	}
	b, err := encode.Append(nil, l, p, o.own())
	return b, public(err)
}

// MarshalAppend appends the wire form of m to b and returns that. It writes in place,
// behind what b holds, whenever cap(b)-len(b) is at least what [Size] returns for m. With
// an error it returns b as it was, but for [ErrRequired], which is found when all is
// written; what is behind b may have changed.
func (o MarshalOptions) MarshalAppend(b []byte, m Message) ([]byte, error) {
	if m == nil {
		return b, nil
	}
	l, p := layout.Of(m)
	if l.Ready() == layout.Official {
		return o.Official().MarshalAppend(b, m)
	}
	if p == nil {
		return b, o.check(l, p)
	}
	out, err := encode.Append(b, l, p, o.own())
	if len(out) == 0 {
		out = b // which may be nil
	}
	return out, public(err)
}

// MarshalState is the official package's method for callers that hold reflected messages.
func (o MarshalOptions) MarshalState(in protoiface.MarshalInput) (protoiface.MarshalOutput, error) {
	b, err := o.MarshalAppend(in.Buf, in.Message.Interface())
	return protoiface.MarshalOutput{Buf: b}, err
}

// Size returns how many bytes the wire form of m has: what the official function of that
// name returns, without a trace in m, so that the official library's UseCachedSize needs a
// call of its own function. It is 0 for a message that cannot be written since it is nested
// beyond 100,000 levels.
func Size(m Message) int { return MarshalOptions{}.Size(m) }

// Size is the function [Size]. None of the options changes the size.
func (o MarshalOptions) Size(m Message) int {
	if m == nil {
		return 0
	}
	l, p := layout.Of(m)
	if l.Ready() == layout.Official {
		return o.Official().Size(m)
	}
	if p == nil {
		return 0
	}
	return encode.Size(l, p)
}

func (o MarshalOptions) own() encode.Options {
	return encode.Options{AllowPartial: o.AllowPartial, Deterministic: o.Deterministic}
}

// check is for messages that are nil.
func (o MarshalOptions) check(l *layout.Layout, p layout.Address) error {
	if o.AllowPartial {
		return nil
	}
	return public(required.Check(l, p))
}
