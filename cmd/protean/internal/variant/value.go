package variant

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

const structpbLibrary = "google.golang.org/protobuf/types/known/structpb"

var valueVariants = []*Variant{{
	Name: "google.protobuf.Value (proto)", Family: Proto, Library: structpbLibrary, Generator: NoGenerator,
	About: "data without a schema in structpb's tree",
	Ops:   []string{Size, Marshal, Unmarshal, Construct, ConstructMarshal, Convert, UnmarshalConvert},
	Open:  func(t *Type) (Codec, error) { return openValue(t, proto.Marshal, proto.Unmarshal), nil },
}}

// valueCodec returns a codec that holds structpb's tree.
func valueCodec(t *Type) *codec[*structpb.Value, []byte] {
	return &codec[*structpb.Value, []byte]{
		source:  func(m proto.Message) (*structpb.Value, error) { return treeOf(t, m) },
		message: func(v *structpb.Value) (proto.Message, error) { return nativeMessage(t, v.AsInterface()) },
		encode:  func(v *structpb.Value) ([]byte, error) { return deterministic(v) },
		decode:  func(b []byte) (proto.Message, error) { return valueMessage(t, b) },
	}
}

// treeOf returns a sample as structpb's tree.
func treeOf(t *Type, m proto.Message) (*structpb.Value, error) {
	v, err := nativeOf(t, m)
	if err != nil {
		return nil, err
	}
	return structpb.NewValue(v)
}

// valueWire returns a sample as the bytes of a Value, always the same.
func valueWire(t *Type, m proto.Message) ([]byte, error) {
	tree, err := treeOf(t, m)
	if err != nil {
		return nil, err
	}
	return deterministic(tree)
}

// valueMessage reads a Value's bytes with the official library.
func valueMessage(t *Type, b []byte) (proto.Message, error) {
	v := new(structpb.Value)
	if err := proto.Unmarshal(b, v); err != nil {
		return nil, err
	}
	return nativeMessage(t, v.AsInterface())
}

// openValue holds structpb's tree, which marshal writes and unmarshal reads.
func openValue(t *Type, marshal func(proto.Message) ([]byte, error),
	unmarshal func([]byte, proto.Message) error) Codec {
	c := valueCodec(t)
	var data []any // native Go data, a sample each
	c.loads = append(c.loads, func(samples []proto.Message) error {
		data = make([]any, len(samples))
		for i, m := range samples {
			var err error
			if data[i], err = nativeOf(t, m); err != nil {
				return err
			}
		}
		return nil
	})
	var converted any
	message := func(v any) (proto.Message, error) { return nativeMessage(t, v) }

	c.encodes(Marshal, func(i int) (err error) {
		c.bytes, err = marshal(c.in[i])
		return err
	})
	c.decodes(Unmarshal, func(i int) error {
		c.held = new(structpb.Value)
		return unmarshal(c.wire[i], c.held)
	})
	c.decodes(Construct, func(i int) (err error) {
		c.held, err = structpb.NewValue(data[i])
		return err
	})
	c.encodes(ConstructMarshal, func(i int) error {
		v, err := structpb.NewValue(data[i])
		if err != nil {
			return err
		}
		c.bytes, err = marshal(v)
		return err
	})
	yields(c, Convert, &converted, message, func(i int) error {
		converted = c.in[i].AsInterface()
		return nil
	})
	yields(c, UnmarshalConvert, &converted, message, func(i int) error {
		v := new(structpb.Value)
		err := unmarshal(c.wire[i], v)
		converted = v.AsInterface()
		return err
	})
	return c
}
