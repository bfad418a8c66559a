package variant

import (
	"bytes"
	"encoding/json"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/structpb"
)

const protojsonLibrary = "google.golang.org/protobuf/encoding/protojson"

var protoJSONVariants = []*Variant{
	{
		Name: "Concrete (JSONProto)", Family: JSONProto, Library: protojsonLibrary,
		About: "generated messages as ProtoJSON",
		Ops:   []string{Size, Marshal, Unmarshal},
		Open:  openProtoJSON,
	},
	{
		Name: "google.protobuf.Value (JSONProto)", Family: JSONProto, Library: protojsonLibrary,
		About: "structpb's tree as JSON",
		Ops:   []string{Size, Marshal, Unmarshal},
		Open:  openValueJSON,
	},
	{
		Name: "google.protobuf.Any (JSONProto)", Family: JSONProto, Library: protojsonLibrary,
		About: "a generated message packed in Any, as ProtoJSON",
		Ops:   []string{Size, Marshal, Unmarshal},
		Open:  openAnyJSON,
	},
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

func openProtoJSON(t *Type) (Codec, error) {
	c := binaryCodec(t, func(m proto.Message) (proto.Message, error) { return m, nil })
	c.canonical = compact
	c.encode = protojson.Marshal
	c.decode = func(b []byte) (proto.Message, error) {
		m := dynamicpb.NewMessage(t.Descriptor())
		return m, protojson.Unmarshal(b, m)
	}
	c.encodes(Marshal, func(i int) (err error) {
		c.bytes, err = protojson.Marshal(c.in[i])
		return err
	})
	c.decodes(Unmarshal, func(i int) error {
		c.held = t.New()
		return protojson.Unmarshal(c.wire[i], c.held)
	})
	return c, nil
}

func openValueJSON(t *Type) (Codec, error) {
	c := valueCodec(t)
	c.canonical = compact
	c.encode = func(v *structpb.Value) ([]byte, error) { return protojson.Marshal(v) }
	c.decode = func(b []byte) (proto.Message, error) { return textMessage(t, b) }
	c.encodes(Marshal, func(i int) (err error) {
		c.bytes, err = protojson.Marshal(c.in[i])
		return err
	})
	c.decodes(Unmarshal, func(i int) error {
		c.held = new(structpb.Value)
		return protojson.Unmarshal(c.wire[i], c.held)
	})
	return c, nil
}

func openAnyJSON(t *Type) (Codec, error) {
	c := newAnyCodec(t, throughAny(protojson.Marshal, protojson.Marshal, protojson.Unmarshal))
	c.canonical = compact
	return c, nil
}
