package dynamic

import (
	"google.golang.org/protobuf/runtime/protoiface"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/wire/decode"
	"github.com/protean-pb/protean/internal/wire/encode"
	"github.com/protean-pb/protean/internal/wire/required"
	"github.com/protean-pb/protean/proto"
)

// methods are what the official library calls instead of going through reflection. There
// is none for the size: to find it is to write the message.
var methods = protoiface.Methods{
	Flags:            protoiface.SupportMarshalDeterministic | protoiface.SupportUnmarshalDiscardUnknown,
	Marshal:          marshal,
	Unmarshal:        unmarshal,
	Merge:            merge,
	CheckInitialized: checkInitialized,
}

// ProtoMethods is for the official library alone.
func (m *Message) ProtoMethods() *protoiface.Methods {
	if m.typ().layout.Ready() == layout.Official {
		return nil
	}
	return &methods
}

func marshal(in protoiface.MarshalInput) (out protoiface.MarshalOutput, err error) {
	l, p := layout.Of(in.Message.Interface())
	out.Buf, err = encode.Append(in.Buf, l, p, encode.Options{
		AllowPartial: true, Deterministic: in.Flags&protoiface.MarshalDeterministic != 0,
	})
	return out, fieldError(err)
}

func unmarshal(in protoiface.UnmarshalInput) (out protoiface.UnmarshalOutput, err error) {
	l, p := layout.Of(in.Message.Interface())
	if !l.NeedsRequiredCheck {
		out.Flags = protoiface.UnmarshalInitialized
	}
	_, err = decode.Merge(in.Buf, l, p, &decode.Options{
		AllowPartial:   true,
		Alias:          in.Flags&protoiface.UnmarshalAliasBuffer != 0,
		DiscardUnknown: in.Flags&protoiface.UnmarshalDiscardUnknown != 0,
		Depth:          in.Depth,
		Resolver:       in.Resolver,
	})
	return out, fieldError(err)
}

func merge(in protoiface.MergeInput) (out protoiface.MergeOutput) {
	m, ok := in.Source.(*Message)
	if !ok {
		return out
	}
	t, to := in.Destination.(*Message).parts()
	// Of a read-only message nothing is there to be merged, but the storage is read alike.
	if of, from := m.parts(); of.of == t {
		t.merge(to, from)
		out.Flags = protoiface.MergeComplete
	}
	return out
}

func checkInitialized(in protoiface.CheckInitializedInput) (protoiface.CheckInitializedOutput, error) {
	l, p := layout.Of(in.Message.Interface())
	return protoiface.CheckInitializedOutput{}, fieldError(required.Check(l, p))
}

// fieldError returns an error of the codec as package proto documents it.
func fieldError(err error) error {
	if e, ok := err.(*protoerr.Error); ok {
		return (*proto.FieldError)(e)
	}
	return err
}
