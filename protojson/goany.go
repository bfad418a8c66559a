package protojson

import (
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/json/goany"
)

// ToAny returns m as Go values in the shapes of ProtoJSON, exactly those that encoding/json
// reads the text of [Marshal] into: map[string]any, []any, string, float64, bool and nil, with
// 64-bit integers as strings, bytes as strings in base64, and null where a field is null. A
// nil m is an empty message. The error is an [*Error].
//
// Strings, which never change, share the memory of m. Maps and lists are the caller's, and
// may be changed. Values lie together in pieces of memory of at most 8 KiB, so that one that
// is kept keeps its neighbours.
func ToAny(m proto.Message) (any, error) { return MarshalOptions{}.ToAny(m) }

// ToAny is the function [ToAny] with the options o. With UseInt64Numbers, 64-bit integers are
// of the types int64 and uint64, all digits kept. Multiline, Indent and Canonical have no
// effect. As encoding/json reads no more, objects and lists may be nested 10,000 levels deep.
func (o MarshalOptions) ToAny(m proto.Message) (any, error) {
	if m == nil {
		return map[string]any{}, nil
	}
	v, missing, err := goany.ToAny(m, o.own())
	if err == nil && missing && !o.AllowPartial {
		err = checkRequired(m)
	}
	if err != nil {
		return nil, public(err)
	}
	return v, nil
}

// FromAny reads Go values in the shapes of ProtoJSON into m, which is reset first and must
// not be nil. It takes what [Unmarshal] takes of the text that encoding/json writes for v: null
// is nil, a map or slice that is nil, and a pointer that is; numbers are of any type of Go or
// json.Number, or strings where ProtoJSON has them so. Strings that are not UTF-8 are refused,
// where encoding/json would change them, and so are NaN and the infinities, which are strings
// in JSON.
//
// v may be, and hold, what is natural in Go: typed maps, also with numbers and bools as keys,
// slices and arrays; []byte for bytes; messages, which stand for their ProtoJSON; time.Time,
// structs and all else that encoding/json can write, though by way of text. All types but those
// that encoding/json reads JSON into take longer.
//
// Strings are shared with m, bytes are copied; v does not change. The error is an [*Error]
// without a position; m then holds a part of the data. Values that contain themselves are
// refused for their depth.
func FromAny(v any, m proto.Message) error { return UnmarshalOptions{}.FromAny(v, m) }

// FromAny is the function [FromAny] with the options o. Whatever RecursionLimit is, messages
// may be nested no more than 100,000 levels deep.
func (o UnmarshalOptions) FromAny(v any, m proto.Message) error {
	proto.Reset(m)
	err := goany.FromAny(v, m, o.own())
	if err == nil && !o.AllowPartial {
		err = checkRequired(m)
	}
	return public(err)
}
