package protojson

import (
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/protean-pb/protean/internal/json/jsondecode"
	"github.com/protean-pb/protean/internal/layout"
)

// AppendAny appends to b the ProtoJSON of a google.protobuf.Any that holds m, and returns
// that: {"@type": "type.googleapis.com/NAME", …}. It is the text of [Marshal] with the type
// in it, or as the member "value" where m has a form of its own, such as a Timestamp.
// Nothing is packed, and the type need not be known to a resolver. A nil m is an error; all
// else is as in [MarshalOptions.MarshalAppend].
//
// It takes the place of anypb.New and Marshal, which write the wire form of m, read it into
// another message and write that.
func AppendAny(b []byte, m proto.Message) ([]byte, error) { return MarshalOptions{}.AppendAny(b, m) }

// AppendAny is the function [AppendAny] with the options o.
func (o MarshalOptions) AppendAny(b []byte, m proto.Message) ([]byte, error) {
	if m == nil {
		return nil, errNilMessage
	}
	l, _ := layout.Of(m)
	return o.append(b, m, l.AnyURL(m))
}

var errNilMessage = fmt.Errorf("%w: a nil message cannot be in an Any", proto.Error)

// UnmarshalAny reads the ProtoJSON text b of a google.protobuf.Any and returns the message
// in it, of the type that the resolver has for the member "@type". The text of an Any that
// holds nothing, {}, is an error. The error is an [*Error]; the message is then nil, or has a
// part of the data.
//
// It takes the place of Unmarshal and (*anypb.Any).UnmarshalNew, which write the wire form
// of the message and read it again. As to memory and what is accepted it is like [Unmarshal]
// of such a message, so that a closed enum may have a number that is none of its values.
func UnmarshalAny(b []byte) (proto.Message, error) { return UnmarshalOptions{}.UnmarshalAny(b) }

// UnmarshalAny is the function [UnmarshalAny] with the options o.
func (o UnmarshalOptions) UnmarshalAny(b []byte) (proto.Message, error) {
	return o.unmarshalAny(b, nil)
}

// UnmarshalAnyTo is [UnmarshalAny] into m, which is reset first, must not be nil, and must be
// of the type that the text names.
func UnmarshalAnyTo(b []byte, m proto.Message) error { return UnmarshalOptions{}.UnmarshalAnyTo(b, m) }

// UnmarshalAnyTo is the function [UnmarshalAnyTo] with the options o.
func (o UnmarshalOptions) UnmarshalAnyTo(b []byte, m proto.Message) error {
	if m == nil {
		return errNilMessage
	}
	proto.Reset(m)
	_, err := o.unmarshalAny(b, m)
	return err
}

func (o UnmarshalOptions) unmarshalAny(b []byte, m proto.Message) (proto.Message, error) {
	m, err := jsondecode.UnmarshalAny(b, m, o.own())
	if err == nil && !o.AllowPartial {
		err = checkRequired(m)
	}
	return m, public(err)
}

// officiallyPacked returns an Any for a message that only the official library can write.
func officiallyPacked(m proto.Message, url string) (proto.Message, error) {
	b, err := proto.MarshalOptions{AllowPartial: true, Deterministic: true}.Marshal(m)
	if err != nil {
		return nil, foreign(m, err)
	}
	return &anypb.Any{TypeUrl: url, Value: b}, nil
}
