package variant

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"
)

const protojsonLibrary = "google.golang.org/protobuf/encoding/protojson"

var protoJSONVariants = []*Variant{
	{
		Name: "Concrete (JSONProto)", Family: JSONProto, Library: protojsonLibrary, Generator: GoGenerator,
		About: "generated messages as ProtoJSON, and to Go values by way of its text",
		Ops:   []string{Size, Marshal, Unmarshal, Construct, Convert},
		Open: func(t *Type) (Codec, error) {
			return openProtoJSON(t, protojson.Marshal, protojson.Unmarshal, toAnyByText, fromAnyByText), nil
		},
	},
	{
		Name: "dynamicpb (JSONProto)", Family: JSONProto, Library: protojsonLibrary, Generator: NoGenerator,
		About: "messages of a descriptor known only at run time as ProtoJSON, official library",
		Ops:   []string{Size, Marshal, Unmarshal},
		Open: func(t *Type) (Codec, error) {
			return inText(openDynamic(t, newDynamicpb, protojson.Marshal, protojson.Unmarshal), t.New), nil
		},
	},
	{
		Name: "google.protobuf.Value (JSONProto)", Family: JSONProto, Library: protojsonLibrary, Generator: NoGenerator,
		About: "structpb's tree as JSON",
		Ops:   []string{Size, Marshal, Unmarshal},
		Open: func(t *Type) (Codec, error) {
			return openValueJSON(t, protojson.Marshal, protojson.Unmarshal), nil
		},
	},
	{
		Name: "google.protobuf.Any (JSONProto)", Family: JSONProto, Library: protojsonLibrary, Generator: GoGenerator,
		About: "a generated message packed in Any, as ProtoJSON",
		Ops:   []string{Size, Marshal, Unmarshal},
		Open: func(t *Type) (Codec, error) {
			parts := anyParts{anypb.New, protojson.Marshal, protojson.Unmarshal, (*anypb.Any).UnmarshalTo}
			return openAnyJSON(t, throughAny(marshalCompact, protojson.Unmarshal, parts)), nil
		},
	},
}

// marshalCompact writes the ProtoJSON that all variants read: the official library's, without its white space, so that
// every build of the lab reads the same bytes.
func marshalCompact(m proto.Message) ([]byte, error) {
	text, err := protojson.Marshal(m)
	return compact(text), err
}

// compact takes away the white space that the official library adds at random,
// one choice for each build of a program.
func compact(text []byte) []byte {
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		return text // verification has shown that it is JSON; a piece that is not stays as it is
	}
	return b.Bytes()
}

// textReader returns what decodes ProtoJSON with the official library, into a message that
// create makes.
func textReader(create func() proto.Message) func([]byte) (proto.Message, error) {
	return func(b []byte) (proto.Message, error) {
		m := create()
		return m, protojson.Unmarshal(b, m)
	}
}

// inText makes ProtoJSON the wire form of c, in place of the messages' own: written by [marshalCompact], and read by
// the official library into a message that create makes.
func inText(c *codec[proto.Message, []byte], create func() proto.Message) *codec[proto.Message, []byte] {
	c.canonical, c.holdsAll = compact, false
	c.encode = marshalCompact
	c.decode = textReader(create)
	return c
}

// openProtoJSON holds generated messages, which marshal writes and unmarshal reads, and
// which toAny turns into Go values and fromAny makes of them.
func openProtoJSON(t *Type, marshal func(proto.Message) ([]byte, error), unmarshal func([]byte, proto.Message) error,
	toAny func(proto.Message) (any, error), fromAny func(any, proto.Message) error) Codec {
	c := inText(openMessage(t, marshal, unmarshal),
		func() proto.Message { return dynamicpb.NewMessage(t.Descriptor()) })
	var data []any // Go values, a sample each
	c.loads = append(c.loads, func([]proto.Message) (err error) {
		data, err = eachOf(c.in, toAnyByText)
		return err
	})
	var converted any
	c.decodes(Construct, func(i int) error {
		c.held = t.New()
		return fromAny(data[i], c.held)
	})
	yields(c, Convert, &converted, func(v any) (proto.Message, error) { return anyMessage(v, c.decode) },
		func(i int) (err error) {
			converted, err = toAny(c.in[i])
			return err
		})
	return c
}

// toAnyByText returns a message as Go values in ProtoJSON's shapes, as programs get
// there with the official library.
func toAnyByText(m proto.Message) (any, error) {
	text, err := protojson.Marshal(m)
	if err != nil {
		return nil, err
	}
	var v any
	err = json.Unmarshal(text, &v)
	return v, err
}

// fromAnyByText is the inverse of toAnyByText.
func fromAnyByText(v any, m proto.Message) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return protojson.Unmarshal(text, m)
}

// anyMessage reads Go values in ProtoJSON's shapes with decode, which takes text. Values
// of other types than encoding/json's would be another job than the official library's.
func anyMessage(v any, decode func([]byte) (proto.Message, error)) (proto.Message, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var again any
	if err := json.Unmarshal(text, &again); err != nil {
		return nil, err
	}
	if !reflect.DeepEqual(v, again) {
		return nil, errors.New("there are Go values of other types than those that encoding/json reads text into")
	}
	return decode(text)
}

// openValueJSON holds structpb's tree, which marshal writes and unmarshal reads.
func openValueJSON(t *Type, marshal func(proto.Message) ([]byte, error),
	unmarshal func([]byte, proto.Message) error) Codec {
	c := valueCodec(t)
	c.canonical = compact
	c.encode = func(v *structpb.Value) ([]byte, error) { return marshalCompact(v) }
	c.decode = func(b []byte) (proto.Message, error) { return textMessage(t, b) }
	c.encodes(Marshal, func(i int) (err error) {
		c.bytes, err = marshal(c.in[i])
		return err
	})
	c.decodes(Unmarshal, func(i int) error {
		c.held = new(structpb.Value)
		return unmarshal(c.wire[i], c.held)
	})
	return c
}

// openAnyJSON holds generated messages, which are written as the JSON of an Any.
func openAnyJSON(t *Type, form anyForm) Codec {
	c := newAnyCodec(t, form)
	c.canonical, c.holdsAll = compact, false
	return c
}
