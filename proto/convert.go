package proto

import (
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/anypb"
)

// MarshalOptionsOf returns the options o of the official package as this package's.
func MarshalOptionsOf(o proto.MarshalOptions) MarshalOptions {
	return MarshalOptions{AllowPartial: o.AllowPartial, Deterministic: o.Deterministic, UseCachedSize: o.UseCachedSize}
}

// Official returns o as the official package's options, for functions and fields of other packages that are of that
// type. Whoever gets them writes with the official encoder.
func (o MarshalOptions) Official() proto.MarshalOptions {
	return proto.MarshalOptions{AllowPartial: o.AllowPartial, Deterministic: o.Deterministic,
		UseCachedSize: o.UseCachedSize}
}

// UnmarshalOptionsOf returns the options o of the official package as this package's.
func UnmarshalOptionsOf(o proto.UnmarshalOptions) UnmarshalOptions {
	return UnmarshalOptions{
		Merge: o.Merge, AllowPartial: o.AllowPartial, DiscardUnknown: o.DiscardUnknown,
		Resolver: o.Resolver, RecursionLimit: o.RecursionLimit, NoLazyDecoding: o.NoLazyDecoding,
	}
}

// Official returns o as the official package's options, for functions and fields of other packages that are of that
// type. Whoever gets them reads with the official decoder, which has no AliasInput, Arena and Mask: it copies, takes
// new memory, and reads all fields.
func (o UnmarshalOptions) Official() proto.UnmarshalOptions {
	return proto.UnmarshalOptions{
		Merge: o.Merge, AllowPartial: o.AllowPartial, DiscardUnknown: o.DiscardUnknown,
		Resolver: o.Resolver, RecursionLimit: o.RecursionLimit, NoLazyDecoding: o.NoLazyDecoding,
	}
}

// MarshalFrom writes src into the Any dst, which exists already: anypb.MarshalFrom through this package's encoder. It
// takes the options of this package and those of the official one. With an error dst stays as it was.
func MarshalFrom[O MarshalOptions | proto.MarshalOptions](dst *anypb.Any, src Message, opts O) error {
	packed, err := marshalOptions(opts).Pack(src)
	if err != nil {
		return err
	}
	dst.TypeUrl, dst.Value = packed.TypeUrl, packed.Value
	return nil
}

// UnmarshalTo reads the message in src into dst: anypb.UnmarshalTo through this package's decoder. It fails if that is
// of another type than dst, or src is nil. It takes the options of this package and those of the official one.
func UnmarshalTo[O UnmarshalOptions | proto.UnmarshalOptions](src *anypb.Any, dst Message, opts O) error {
	if src == nil {
		return errNilAny
	}
	return unmarshalOptions(opts).UnpackTo(src, dst)
}

// UnmarshalNew reads the message in src into a new one: anypb.UnmarshalNew through this package's decoder. The type is
// the one that opts.Resolver, if it is a protoregistry.MessageTypeResolver, or without a Resolver the global registry
// has for the type_url; if there is none, the error is protoregistry.NotFound itself. It takes the options of this
// package and those of the official one.
func UnmarshalNew[O UnmarshalOptions | proto.UnmarshalOptions](src *anypb.Any, opts O) (Message, error) {
	o := unmarshalOptions(opts)
	if src.GetTypeUrl() == "" {
		return nil, errNoTypeURL
	}
	var resolver protoregistry.MessageTypeResolver = protoregistry.GlobalTypes
	if o.Resolver != nil {
		var ok bool
		if resolver, ok = o.Resolver.(protoregistry.MessageTypeResolver); !ok {
			return nil, protoregistry.NotFound
		}
	}
	t, err := resolver.FindMessageByURL(src.TypeUrl)
	switch {
	case err == protoregistry.NotFound:
		return nil, err
	case err != nil:
		return nil, typeError(src.TypeUrl, err)
	}
	m := t.New().Interface()
	return m, o.Unmarshal(src.Value, m)
}

var (
	errNilAny    = fmt.Errorf("%w: a nil Any cannot be unpacked", proto.Error)
	errNoTypeURL = fmt.Errorf("%w: an Any without a type_url cannot be unpacked", proto.Error)
)

func marshalOptions[O MarshalOptions | proto.MarshalOptions](opts O) MarshalOptions {
	if o, ok := any(opts).(proto.MarshalOptions); ok {
		return MarshalOptionsOf(o)
	}
	return any(opts).(MarshalOptions)
}

func unmarshalOptions[O UnmarshalOptions | proto.UnmarshalOptions](opts O) UnmarshalOptions {
	if o, ok := any(opts).(proto.UnmarshalOptions); ok {
		return UnmarshalOptionsOf(o)
	}
	return any(opts).(UnmarshalOptions)
}
