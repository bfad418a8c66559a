package proto

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/runtime/protoiface"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/wire/decode"
	"github.com/protean-pb/protean/internal/wire/required"
)

// UnmarshalOptions are those of the official package, and mean the same; AliasInput is
// added.
type UnmarshalOptions struct {
	_ struct{}

	// Merge adds what is read to what the message holds, which is else reset first.
	Merge bool
	// AllowPartial takes input that lacks required fields.
	AllowPartial bool
	// DiscardUnknown leaves unknown fields out, which are else kept.
	DiscardUnknown bool
	// AliasInput lets strings and bytes of the message be parts of the input itself, so
	// that nothing is copied. The caller promises that nobody changes the input as long
	// as the message, or a string or slice out of it, is in use.
	AliasInput bool
	// Resolver finds the types of extension fields; nil means protoregistry.GlobalTypes.
	Resolver interface {
		FindExtensionByName(field protoreflect.FullName) (protoreflect.ExtensionType, error)
		FindExtensionByNumber(
			message protoreflect.FullName, field protoreflect.FieldNumber,
		) (protoreflect.ExtensionType, error)
	}
	// RecursionLimit is how deeply messages may be nested; 0 means 10,000.
	RecursionLimit int
	// Arena is where the memory of what is read comes from, and which takes it back when it is Reset; nil means memory
	// of its own, which the garbage collector takes back.
	Arena *Arena
	// Mask says which fields are read; nil means all. The others, unknown fields and extension fields are skipped and
	// not kept: they must be well-formed, but what is in messages that are skipped is not looked at. Required fields
	// are not checked.
	Mask *Mask
	// NoLazyDecoding decodes fields with the option lazy at once, too. Types that have
	// such fields, in the opaque API, are left to the official library.
	NoLazyDecoding bool
}

// Unmarshal reads the wire form b into m, which is reset first. m must not be nil.
//
// Neither b nor its memory is kept: strings and bytes refer to copies of it. See the
// package's documentation for what shares memory. The error is a [*FieldError], or the
// official library's for the types that are left to it; m then holds a part of the data.
func Unmarshal(b []byte, m Message) error {
	l, p := layout.Of(m)
	if l.Ready() == layout.Official || p == nil {
		return proto.Unmarshal(b, m)
	}
	if !l.IsFresh(p) {
		proto.Reset(m)
	}
	_, err := decode.Merge(b, l, p, &defaults)
	return public(err)
}

// defaults are the options of the function [Unmarshal].
var defaults = decode.Options{Depth: protowire.DefaultRecursionLimit}

// Unmarshal is the function [Unmarshal] with the options o.
func (o UnmarshalOptions) Unmarshal(b []byte, m Message) error {
	l, p := layout.Of(m)
	if l.Ready() == layout.Official || p == nil {
		if o.Mask != nil {
			return o.masked(m, func(o proto.UnmarshalOptions) error { return o.Unmarshal(b, m) })
		}
		return o.Official().Unmarshal(b, m)
	}
	_, err := o.unmarshal(b, m, l, p)
	return err
}

// unmarshal reads a message that is not left to the official library. If the error
// is nil, complete says whether no required field is missing for certain.
func (o UnmarshalOptions) unmarshal(
	b []byte, m Message, l *layout.Layout, p layout.Address,
) (complete bool, err error) {
	if o.Mask != nil {
		if err := o.Mask.check(l.Desc); err != nil {
			return false, err
		}
	}
	options := decode.Options{
		AllowPartial: o.AllowPartial, Alias: o.AliasInput, DiscardUnknown: o.DiscardUnknown, Depth: o.RecursionLimit,
		Resolver: o.Resolver,
	}
	if o.Mask != nil {
		options.Mask = o.Mask.fields
	}
	if options.Depth == 0 {
		options.Depth = protowire.DefaultRecursionLimit
	}
	if o.Arena != nil {
		options.Pool = &o.Arena.pool
		options.Pool.Enter()
		defer options.Pool.Leave()
	}
	if !o.Merge && !l.IsFresh(p) {
		if options.Pool != nil {
			options.Pool.ResetMessage(m)
		} else {
			proto.Reset(m)
		}
	}
	complete, err = decode.Merge(b, l, p, &options)
	switch {
	case !o.Merge || !l.NeedsRequiredCheck || o.Mask != nil:
		return complete, public(err)
	case err == nil && l.Dynamic && !o.AllowPartial:
		err = required.Check(l, p) // as for dynamicpb, what was there before counts too
		return err == nil, public(err)
	}
	return false, public(err) // for all that is known of what was there before
}

// UnmarshalState is the official package's method for callers that hold reflected messages. It
// sets protoiface.UnmarshalInitialized if no required field is missing for certain, also with
// AllowPartial.
func (o UnmarshalOptions) UnmarshalState(in protoiface.UnmarshalInput) (protoiface.UnmarshalOutput, error) {
	m := in.Message.Interface()
	l, p := layout.Of(m)
	if l.Ready() == layout.Official || p == nil {
		if o.Mask != nil {
			var out protoiface.UnmarshalOutput
			return out, o.masked(m, func(o proto.UnmarshalOptions) error {
				_, err := o.UnmarshalState(in)
				return err
			})
		}
		return o.Official().UnmarshalState(in)
	}
	var out protoiface.UnmarshalOutput
	complete, err := o.unmarshal(in.Buf, m, l, p)
	if complete && err == nil {
		out.Flags = protoiface.UnmarshalInitialized
	}
	return out, err
}

// masked has read read all of m, which is left to the official library, and clears what the Mask does not have.
func (o UnmarshalOptions) masked(m Message, read func(proto.UnmarshalOptions) error) error {
	if err := o.Mask.check(m.ProtoReflect().Descriptor()); err != nil {
		return err
	}
	o.AllowPartial = true
	if err := read(o.Official()); err != nil {
		return err
	}
	o.Mask.fields.Prune(m.ProtoReflect())
	return nil
}
