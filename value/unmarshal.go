package value

import (
	"slices"

	"github.com/protean-pb/protean/internal/structval/index"
)

// UnmarshalOptions say how to unmarshal. The zero UnmarshalOptions are [Unmarshal]. They
// may be used by several goroutines at the same time.
type UnmarshalOptions struct {
	// MaxDepth is how many messages may be nested; 0 stands for [DefaultMaxDepth].
	MaxDepth int
	// MaxSize is how many bytes the input may have; 0 stands for the 256 MiB that this
	// package reads.
	MaxSize int
	// AliasInput lets the strings in the result share the bytes of the input, instead
	// of those of one copy of it. As long as any of them is in use, nobody may change
	// the input.
	AliasInput bool
	// DisallowUnknownFields makes a key that no field of a struct has an error,
	// [ErrAbsent].
	DisallowUnknownFields bool
}

// Unmarshal decodes the wire form of a google.protobuf.Value into what v points to.
//
// Into an *any the result is what proto.Unmarshal and structpb's AsInterface give, with
// nothing in it that another part of the program shares; see [Doc.Interface]. The same
// goes for the any's in a *map[string]any, a *[]any or anything else.
//
// Into every other type it decodes as json.Unmarshal decodes the equal JSON text: structs by
// their json tags, unless a name is found regardless of case; pointers that are nil are
// allocated, maps are extended, slices start over in the memory that they have, arrays drop
// what is too much and get zeros for what is missing; null makes pointers, maps, slices and
// interfaces nil and leaves everything else as it is; methods UnmarshalJSON get the JSON
// text, methods UnmarshalText get strings and keys, []byte is filled from base64. It
// differs from json.Unmarshal in these points:
//
//   - NaN and the infinities can be had as float32 and float64. Where JSON text is needed,
//     for a json.Number or a method UnmarshalJSON, they are errors.
//   - A Value that is unset is null.
//   - An integer is the exact value of the double, also beyond 2^53 where ProtoJSON writes
//     zeros for the last digits; minus zero is zero; a float32 is the one nearest to
//     the double, not to its shortest decimal.
//   - Of several entries with the same key only the last one is decoded. Those whose keys
//     mean the same field, or the same key of a map, without being equal are decoded
//     in the order of the wire.
//   - The keys of a map come from UnmarshalText or a string or integer kind, not from
//     UnmarshalJSON. Maps with other keys are [ErrType], and json tags mean what they
//     mean to [Marshal], whatever the release of Go.
//   - The option "string" wants JSON in the string also for strings and a json.Number.
//   - The first error ends decoding. What comes before it on the wire has been decoded, but
//     for a struct whose unknown fields are errors: those are found before anything else in it.
//   - A [Doc] receives the value, whatever it is, as one that is independent of others
//     (but for the bytes, see below); structpb.Value, Struct and ListValue receive the
//     message.
//
// The strings in the result share one copy of b, see [UnmarshalOptions]. Small parts of the
// result can thus keep the memory of the whole alive.
//
// The error is an [*Error]: those of [Parse], before which nothing has been changed; then,
// each with the path, [ErrType] if v is not a pointer or is nil, or for a Go type that
// can hold no value; [ErrKind] for another kind of value than the Go type can hold;
// [ErrNumber] for a number that it cannot hold; [ErrSyntax] for a string that is not
// what it should be, as base64; [ErrUnset] for JSON text of an unset Value; [ErrAbsent] for
// unknown fields; or what a method of the caller's type returned. The offset is -1 where b is
// legal but not as libraries write it.
//
// What it makes for *any, maps included, shares allocations of at most 8 KB with its like.
func Unmarshal(b []byte, v any) error { return UnmarshalOptions{}.Unmarshal(b, v) }

// UnmarshalStruct decodes a google.protobuf.Struct, with the rules of [Unmarshal].
func UnmarshalStruct(b []byte, v any) error { return UnmarshalOptions{}.UnmarshalStruct(b, v) }

// UnmarshalList decodes a google.protobuf.ListValue, with the rules of [Unmarshal].
func UnmarshalList(b []byte, v any) error { return UnmarshalOptions{}.UnmarshalList(b, v) }

// Unmarshal is the function [Unmarshal] with options.
func (o UnmarshalOptions) Unmarshal(b []byte, v any) error { return o.unmarshal(b, v, index.Value) }

// UnmarshalStruct is the function [UnmarshalStruct] with options.
func (o UnmarshalOptions) UnmarshalStruct(b []byte, v any) error {
	return o.unmarshal(b, v, index.Struct)
}

// UnmarshalList is the function [UnmarshalList] with options.
func (o UnmarshalOptions) UnmarshalList(b []byte, v any) error {
	return o.unmarshal(b, v, index.List)
}

// Decode decodes d into what v points to, as [Unmarshal] does. Strings alias the wire form
// as d does. Paths in errors are those from the root of the message, offsets are -1. If d
// is absent the error is [ErrAbsent].
func (d Doc) Decode(v any) error {
	if d.state() == absent {
		return d.Err()
	}
	return decode(d, v, UnmarshalOptions{}, false)
}

func (o UnmarshalOptions) unmarshal(b []byte, v any, form index.Form) error {
	po := ParseOptions{MaxDepth: o.MaxDepth, MaxSize: o.MaxSize}
	return indexed(b, form, po, func(nodes []index.Node, wire []byte) error {
		d := Doc{nodes: nodes, wire: wire, ref: uint32(stateOf(form))}
		own := len(wire) == 0 || &wire[0] != &b[0] // it is the regular form, and not the input
		if p, ok := v.(*any); ok && p != nil && *p == nil {
			t := tree{nodes: nodes, wire: wire}
			var c census
			c.count(nodes, 0)
			if !own && !o.AliasInput && c.hasText() {
				t.wire = slices.Clone(wire)
			}
			t.Reserve(&c.SizeHint, 1)
			*p = t.value(0)
			return nil
		}
		if !own && !o.AliasInput {
			d.wire = slices.Clone(b)
		}
		return decode(d, v, o, len(b) == 0 || !own)
	})
}
