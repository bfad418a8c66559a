package variant

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/vmihailenco/msgpack/v5"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/envelope/envelopepb"
	"github.com/protean-pb/protean/cmd/protean/internal/native"
)

var envelopeVariants = []*Variant{
	{
		Name: "Protobuf + JSON", Family: Proto, Library: "encoding/json", Generator: GoStructs,
		About: "the JSON text of a Go struct in a string field",
		Ops:   []string{Size, Marshal, Unmarshal}, Needs: StructCode,
		Open: openJSONEnvelope,
	},
	{
		Name: "Protobuf + MessagePack", Family: Proto, Library: "github.com/vmihailenco/msgpack/v5",
		Generator: GoStructs,
		About:     "the MessagePack of a Go struct in a bytes field, Terraform's design",
		Ops:       []string{Size, Marshal, Unmarshal}, Needs: StructCode,
		Open: openMsgpackEnvelope,
	},
	{
		Name: "map<string, string> (proto)", Family: Proto, Library: protoLibrary, Generator: NoGenerator,
		About: "flat attributes as text in a native map field",
		Ops:   []string{Size, Marshal, Unmarshal},
		Open:  openStringMap,
	},
}

func openJSONEnvelope(t *Type) (Codec, error) {
	if t.NewStruct == nil {
		return nil, noStruct(t)
	}
	c := structCodec(t)
	marshal := func(v any) ([]byte, error) {
		text, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		return proto.Marshal(&envelopepb.JSONEnvelope{JsonData: string(text)})
	}
	unmarshal := func(b []byte, v any) error {
		e := new(envelopepb.JSONEnvelope)
		if err := proto.Unmarshal(b, e); err != nil {
			return err
		}
		return json.Unmarshal([]byte(e.GetJsonData()), v)
	}
	c.encode = marshal
	c.decode = func(b []byte) (proto.Message, error) {
		e := new(envelopepb.JSONEnvelope)
		if err := proto.Unmarshal(b, e); err != nil {
			return nil, err
		}
		return textMessage(t, []byte(e.GetJsonData()))
	}
	c.encodes(Marshal, func(i int) (err error) {
		c.bytes, err = marshal(c.in[i])
		return err
	})
	c.decodes(Unmarshal, func(i int) error {
		c.held = t.NewStruct()
		return unmarshal(c.wire[i], c.held)
	})
	return c, nil
}

func openMsgpackEnvelope(t *Type) (Codec, error) {
	if t.NewStruct == nil {
		return nil, noStruct(t)
	}
	c := structCodec(t)
	marshal := func(v any) ([]byte, error) {
		var buf bytes.Buffer
		e := msgpack.GetEncoder()
		defer msgpack.PutEncoder(e)
		e.Reset(&buf)
		e.SetCustomStructTag("json")
		e.UseCompactInts(true)
		if err := e.Encode(v); err != nil {
			return nil, err
		}
		return proto.Marshal(&envelopepb.MsgpackEnvelope{Msgpack: buf.Bytes()})
	}
	unmarshal := func(b []byte, v any) error {
		e := new(envelopepb.MsgpackEnvelope)
		if err := proto.Unmarshal(b, e); err != nil {
			return err
		}
		d := msgpack.GetDecoder()
		defer msgpack.PutDecoder(d)
		d.Reset(bytes.NewReader(e.GetMsgpack()))
		d.SetCustomStructTag("json")
		return d.Decode(v)
	}
	c.encode = marshal
	c.decode = func(b []byte) (proto.Message, error) {
		v := t.NewStruct()
		if err := unmarshal(b, v); err != nil {
			return nil, err
		}
		return structMessage(t, v)
	}
	c.encodes(Marshal, func(i int) (err error) {
		c.bytes, err = marshal(c.in[i])
		return err
	})
	c.decodes(Unmarshal, func(i int) error {
		c.held = t.NewStruct()
		return unmarshal(c.wire[i], c.held)
	})
	return c, nil
}

func openStringMap(t *Type) (Codec, error) {
	md := t.Descriptor()
	if err := flat(md); err != nil {
		return nil, err
	}
	c := binaryCodec(t, func(m proto.Message) (*envelopepb.StringMap, error) {
		v, err := native.FromMessage(m.ProtoReflect())
		if err != nil {
			return nil, err
		}
		entries := map[string]string{}
		for k, v := range v.(map[string]any) {
			entries[k] = attribute(v)
		}
		return &envelopepb.StringMap{Entries: entries}, nil
	})
	c.holdsAll = false
	c.message = func(s *envelopepb.StringMap) (proto.Message, error) {
		m := t.New()
		v := map[string]any{}
		for k, text := range s.GetEntries() {
			v[k] = text
			if f := md.Fields().ByName(protoreflect.Name(k)); f != nil && f.Kind() == protoreflect.BoolKind {
				b, err := strconv.ParseBool(text)
				if err != nil {
					return nil, err
				}
				v[k] = b
			}
		}
		return m, native.ToMessage(v, m.ProtoReflect())
	}
	c.decode = func(b []byte) (proto.Message, error) {
		s := new(envelopepb.StringMap)
		if err := proto.Unmarshal(b, s); err != nil {
			return nil, err
		}
		return c.message(s)
	}
	c.encodes(Marshal, func(i int) (err error) {
		c.bytes, err = proto.Marshal(c.in[i])
		return err
	})
	c.decodes(Unmarshal, func(i int) error {
		c.held = new(envelopepb.StringMap)
		return proto.Unmarshal(c.wire[i], c.held)
	})
	return c, nil
}

// flat reports why md is not a flat record, or nil.
func flat(md protoreflect.MessageDescriptor) error {
	for i := range md.Fields().Len() {
		switch f := md.Fields().Get(i); {
		case f.IsMap() || f.IsList():
			return NotApplicable("%s.%s is repeated: only flat messages fit", md.Name(), f.Name())
		case f.Message() != nil:
			return NotApplicable("%s.%s is a message: only flat messages fit", md.Name(), f.Name())
		}
	}
	return nil
}

// attribute returns a scalar as the text that a header or a tag would hold.
func attribute(v any) string {
	switch v := v.(type) {
	case float32:
		return strconv.FormatFloat(float64(v), 'g', -1, 32)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case []byte:
		return base64.StdEncoding.EncodeToString(v)
	}
	return fmt.Sprint(v)
}
