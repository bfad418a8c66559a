package protojson

import (
	"encoding/json"

	"google.golang.org/protobuf/proto"
)

// ToAny returns m as Go values in the shapes of ProtoJSON, those that encoding/json reads
// the text into: map[string]any, []any, string, float64, bool and nil.
func ToAny(m proto.Message) (any, error) { return MarshalOptions{}.ToAny(m) }

// ToAny is the function [ToAny] with the options o.
func (o MarshalOptions) ToAny(m proto.Message) (any, error) {
	b, err := o.Marshal(m)
	if err != nil {
		return nil, err
	}
	var v any
	err = json.Unmarshal(b, &v)
	return v, err
}

// FromAny reads Go values in the shapes of ProtoJSON into m, which is reset first.
func FromAny(v any, m proto.Message) error { return UnmarshalOptions{}.FromAny(v, m) }

// FromAny is the function [FromAny] with the options o.
func (o UnmarshalOptions) FromAny(v any, m proto.Message) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return o.Unmarshal(b, m)
}
