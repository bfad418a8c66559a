package variant

//lint:file-ignore SA1019 What is deprecated is measured because it is.

import (
	"bytes"

	gogojsonpb "github.com/gogo/protobuf/jsonpb"
	gogoproto "github.com/gogo/protobuf/proto"
	"github.com/golang/protobuf/jsonpb"
	golangproto "github.com/golang/protobuf/proto"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/reflect/protoreflect"
)

const (
	golangLibrary     = "github.com/golang/protobuf/proto"
	golangJSONLibrary = "github.com/golang/protobuf/jsonpb"
	gogoLibrary       = "github.com/gogo/protobuf/proto"
	gogoJSONLibrary   = "github.com/gogo/protobuf/jsonpb"
)

// libraryVariants are libraries of the first Go API for Protobuf. Those of golang/protobuf
// 1.3.5 run this same code, linked with that version, in a program of their own.
var libraryVariants = []*Variant{
	{
		Name: "golang/protobuf 1.3.5 (proto)", Family: Proto, Library: golangLibrary, OnRequest: true,
		About: "messages of its own generator, the last release before APIv2",
		Ops:   []string{Size, Marshal, Unmarshal}, Needs: GolangCode, Generator: GolangGenerator,
		Open: func(t *Type) (Codec, error) { return openV1(t, golang, false) },
	},
	{
		Name: "golang/protobuf 1.5 (proto)", Family: Proto, Library: golangLibrary, OnRequest: true,
		About: "generated messages through APIv1, which is APIv2 underneath",
		Ops:   []string{Size, Marshal, Unmarshal}, Generator: GoGenerator,
		Open: func(t *Type) (Codec, error) { return openV1OnV2(t, golang, false), nil },
	},
	{
		Name: "gogo/protobuf (proto)", Family: Proto, Library: gogoLibrary, OnRequest: true,
		About: "messages of its generator gogofast, with methods of their own",
		Ops:   []string{Size, Marshal, Unmarshal}, Needs: GogoCode, Generator: GogoGenerator,
		Open: func(t *Type) (Codec, error) { return openV1(t, gogo, false) },
	},
	{
		Name: "golang/protobuf 1.3.5 (JSONProto)", Family: JSONProto, Library: golangJSONLibrary, OnRequest: true,
		About: "the messages of golang/protobuf 1.3.5 through its jsonpb",
		Ops:   []string{Size, Marshal, Unmarshal}, Needs: GolangCode, Generator: GolangGenerator,
		Open: func(t *Type) (Codec, error) { return openV1(t, golang, true) },
	},
	{
		Name: "golang/protobuf 1.5 (JSONProto)", Family: JSONProto, Library: golangJSONLibrary, OnRequest: true,
		About: "generated messages through its jsonpb",
		Ops:   []string{Size, Marshal, Unmarshal}, Generator: GoGenerator,
		Open: func(t *Type) (Codec, error) { return openV1OnV2(t, golang, true), nil },
	},
	{
		Name: "gogo/protobuf (JSONProto)", Family: JSONProto, Library: gogoJSONLibrary, OnRequest: true,
		About: "the messages of gogo/protobuf through its jsonpb",
		Ops:   []string{Size, Marshal, Unmarshal}, Needs: GogoCode, Generator: GogoGenerator,
		Open: func(t *Type) (Codec, error) { return openV1(t, gogo, true) },
	},
}

// A v1Library is a library of the first API: its binary form, and its ProtoJSON.
type v1Library struct {
	marshal, marshalText     func(protoadapt.MessageV1) ([]byte, error)
	unmarshal, unmarshalText func([]byte, protoadapt.MessageV1) error
}

var (
	golang = v1Library{
		marshal:   func(m protoadapt.MessageV1) ([]byte, error) { return golangproto.Marshal(m) },
		unmarshal: func(b []byte, m protoadapt.MessageV1) error { return golangproto.Unmarshal(b, m) },
		marshalText: func(m protoadapt.MessageV1) ([]byte, error) {
			var b bytes.Buffer
			err := new(jsonpb.Marshaler).Marshal(&b, m)
			return b.Bytes(), err
		},
		unmarshalText: func(b []byte, m protoadapt.MessageV1) error { return jsonpb.Unmarshal(bytes.NewReader(b), m) },
	}
	gogo = v1Library{
		marshal:   func(m protoadapt.MessageV1) ([]byte, error) { return gogoproto.Marshal(m) },
		unmarshal: func(b []byte, m protoadapt.MessageV1) error { return gogoproto.Unmarshal(b, m) },
		marshalText: func(m protoadapt.MessageV1) ([]byte, error) {
			var b bytes.Buffer
			err := new(gogojsonpb.Marshaler).Marshal(&b, m)
			return b.Bytes(), err
		},
		unmarshalText: func(b []byte,
			m protoadapt.MessageV1) error {
			return gogojsonpb.Unmarshal(bytes.NewReader(b), m)
		},
	}
)

// openV1 returns a codec for messages of the program's second generator.
func openV1(t *Type, l v1Library, text bool) (Codec, error) {
	if t.NewV1 == nil {
		return nil, NotApplicable("%s", t.NoV1)
	}
	if md := search(t.Descriptor(), extensible); md != nil {
		return nil, NotApplicable("%s has extensions, which cannot be read from another generator's messages to "+
			"verify them", md.FullName())
	}
	return v1Codec(t, l, text, t.NewV1), nil
}

// openV1OnV2 holds messages of the official generator.
func openV1OnV2(t *Type, l v1Library, text bool) Codec {
	return v1Codec(t, l, text, func() protoadapt.MessageV1 { return protoadapt.MessageV1Of(t.New()) })
}

func v1Codec(t *Type, l v1Library, text bool, create func() protoadapt.MessageV1) Codec {
	c := &codec[protoadapt.MessageV1, []byte]{
		source: func(m proto.Message) (protoadapt.MessageV1, error) {
			b, err := deterministic(m)
			if err != nil {
				return nil, err
			}
			v := create()
			return v, misreading(l.unmarshal(b, v))
		},
		message: func(v protoadapt.MessageV1) (proto.Message, error) { return v1Message(t, v), nil },
		decode:  func(b []byte) (proto.Message, error) { return dynamicMessage(t, b) },
	}
	marshal, unmarshal := l.marshal, l.unmarshal
	if text {
		marshal, unmarshal = l.marshalText, l.unmarshalText
		c.decode = textReader(func() proto.Message { return newDynamicpb(t.Descriptor()) })
	}
	c.encode = marshal
	c.encodes(Marshal, func(i int) (err error) {
		c.bytes, err = marshal(c.in[i])
		return err
	})
	c.decodes(Unmarshal, func(i int) error {
		c.held = create()
		return unmarshal(c.wire[i], c.held)
	})
	return c
}

// v1Message returns a message of the first API as one of the official library. It reads
// the struct's fields through reflection, and calls none of the methods under test.
func v1Message(t *Type, v protoadapt.MessageV1) proto.Message {
	if m, ok := v.(proto.Message); ok {
		return m
	}
	m := t.New()
	copyFields(m.ProtoReflect(), protoadapt.MessageV2Of(v).ProtoReflect())
	return m
}

// copyFields copies the fields of a message of the same name, by number: the two have
// descriptors of their own.
func copyFields(to, from protoreflect.Message) {
	from.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		field := to.Descriptor().Fields().ByNumber(f.Number())
		switch {
		case field.IsMap():
			entries := to.Mutable(field).Map()
			v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
				entries.Set(k, copied(v, entries.NewValue))
				return true
			})
		case field.IsList():
			list := to.Mutable(field).List()
			for i := range v.List().Len() {
				list.Append(copied(v.List().Get(i), list.NewElement))
			}
		default:
			to.Set(field, copied(v, func() protoreflect.Value { return to.NewField(field) }))
		}
		return true
	})
	to.SetUnknown(from.GetUnknown())
}

// copied returns the value itself, or a copy of the message that it is.
func copied(v protoreflect.Value, create func() protoreflect.Value) protoreflect.Value {
	from, ok := v.Interface().(protoreflect.Message)
	if !ok {
		return v
	}
	c := create()
	copyFields(c.Message(), from)
	return c
}

func extensible(md protoreflect.MessageDescriptor) bool { return md.ExtensionRanges().Len() > 0 }
