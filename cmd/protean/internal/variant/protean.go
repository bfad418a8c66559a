package variant

import (
	official "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/dynamic"
	protean "github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protojson"
	"github.com/protean-pb/protean/value"
)

const (
	proteanLibrary      = "github.com/protean-pb/protean/proto"
	dynamicOwnLibrary   = "github.com/protean-pb/protean/dynamic"
	valueLibrary        = "github.com/protean-pb/protean/value"
	protojsonOwnLibrary = "github.com/protean-pb/protean/protojson"
)

var proteanVariants = []*Variant{
	{
		Name: "Concrete (protean)", Family: Proto, Library: proteanLibrary, Generator: GoGenerator,
		About: "generated messages through Protean's codec",
		Ops:   []string{Size, Marshal, Unmarshal},
		Open:  func(t *Type) (Codec, error) { return openMessage(t, protean.Marshal, protean.Unmarshal), nil },
	},
	{
		Name: "Concrete (protean, aliased)", Family: Proto, Library: proteanLibrary, Generator: GoGenerator,
		About: "the same, decoded with AliasInput: strings and bytes alias the input",
		Ops:   []string{Unmarshal},
		Open:  openAliased,
	},
	{
		Name: "dynamic (protean)", Family: Proto, Library: dynamicOwnLibrary, Generator: NoGenerator,
		About: "messages of a descriptor known only at run time, which can be changed and written",
		Ops:   []string{Size, Marshal, Unmarshal},
		Open: func(t *Type) (Codec, error) {
			return openDynamic(t, newDynamic, protean.Marshal, protean.Unmarshal), nil
		},
	},
	{
		Name: "dynamic (protean, arena)", Family: Proto, Library: dynamicOwnLibrary, OnRequest: true,
		Generator: NoGenerator,
		About:     "the same in an arena, which is reset before each",
		Ops:       []string{Unmarshal}, Reuses: true,
		Open: func(t *Type) (Codec, error) {
			c := openDynamic(t, newDynamic, protean.Marshal, protean.Unmarshal)
			return reusing(newDynamic(t.Descriptor()), c, inArena()), nil
		},
	},
	{
		Name: "Any (protean)", Family: Proto, Library: proteanLibrary, Generator: GoGenerator,
		About: "a generated message packed in Any, the inside written once and read in place",
		Ops:   []string{Size, Marshal, Unmarshal, Pack, EnvelopeMarshal, EnvelopeUnmarshal, Unpack},
		Open:  func(t *Type) (Codec, error) { return openAny(t, proteanAnyForm, proteanAny), nil },
	},
	{
		Name: "Value (protean proto)", Family: Proto, Library: proteanLibrary, Generator: NoGenerator,
		About: "data without a schema in structpb's tree, through Protean's codec",
		Ops:   []string{Size, Marshal, Unmarshal, Construct, ConstructMarshal, Convert, UnmarshalConvert},
		Open:  func(t *Type) (Codec, error) { return openValue(t, protean.Marshal, protean.Unmarshal), nil },
	},
	{
		Name: "value (protean)", Family: Proto, Library: valueLibrary, Generator: NoGenerator,
		About: "data without a schema: native Go data to google.protobuf.Value's bytes and back, no tree between",
		Ops:   []string{Size, Marshal, Unmarshal, Construct, ConstructMarshal, Convert, UnmarshalConvert},
		Open:  openNativeValue,
	},
	{
		Name: "Doc (protean)", Family: Proto, Library: valueLibrary, Generator: NoGenerator,
		About: "google.protobuf.Value's bytes validated and indexed, to be read in place",
		Ops:   []string{Size, Unmarshal},
		Open:  func(t *Type) (Codec, error) { return openDoc(t, false) }, Indexes: true,
	},
	{
		Name: "Doc (protean, reuse)", Family: Proto, Library: valueLibrary, Generator: NoGenerator,
		About: "the same into the memory of the last one",
		Ops:   []string{Size, Unmarshal}, Reuses: true, Indexes: true,
		Open: func(t *Type) (Codec, error) { return openDoc(t, true) },
	},
}

// proteanAnyForm has the same bytes as the official library's, made and read without an Any.
var proteanAnyForm = anyForm{
	encode: deterministic, decode: proto.Unmarshal,
	marshal:   func(m proto.Message) ([]byte, error) { return protean.AppendAny(nil, m) },
	unmarshal: protean.UnmarshalAnyTo,
}

// proteanAnyText is likewise for the text of an Any.
var proteanAnyText = anyForm{
	encode: marshalCompact, decode: official.Unmarshal,
	marshal:   func(m proto.Message) ([]byte, error) { return protojson.AppendAny(nil, m) },
	unmarshal: protojson.UnmarshalAnyTo,
}

var proteanAny = anyParts{protean.Pack, protean.Marshal, protean.Unmarshal, protean.UnpackTo}

// Each has a rival among protoJSONVariants, from which it differs only in whose
// code does the work.
var proteanJSONVariants = []*Variant{
	{
		Name: "Concrete (JSONProto, protean)", Family: JSONProto, Library: protojsonOwnLibrary, Generator: GoGenerator,
		About: "generated messages as ProtoJSON through Protean's codec, and to Go values without text between",
		Ops:   []string{Size, Marshal, Unmarshal, Construct, Convert},
		Open: func(t *Type) (Codec, error) {
			return openProtoJSON(t, protojson.Marshal, protojson.Unmarshal, protojson.ToAny, protojson.FromAny), nil
		},
	},
	{
		Name: "dynamic (JSONProto, protean)", Family: JSONProto, Library: protojsonOwnLibrary, Generator: NoGenerator,
		About: "messages of a descriptor known only at run time as ProtoJSON, Protean's codec",
		Ops:   []string{Size, Marshal, Unmarshal},
		Open: func(t *Type) (Codec, error) {
			return inText(openDynamic(t, newDynamic, protojson.Marshal, protojson.Unmarshal), t.New), nil
		},
	},
	{
		Name: "Value (protean JSONProto)", Family: JSONProto, Library: protojsonOwnLibrary, Generator: NoGenerator,
		About: "structpb's tree as JSON through Protean's codec",
		Ops:   []string{Size, Marshal, Unmarshal},
		Open: func(t *Type) (Codec, error) {
			return openValueJSON(t, protojson.Marshal, protojson.Unmarshal), nil
		},
	},
	{
		Name: "Any (JSONProto, protean)", Family: JSONProto, Library: protojsonOwnLibrary, Generator: GoGenerator,
		About: "a generated message to and from ProtoJSON of an Any, without packing it, Protean's codec",
		Ops:   []string{Size, Marshal, Unmarshal},
		Open:  func(t *Type) (Codec, error) { return openAnyJSON(t, proteanAnyText), nil },
	},
}

// transcoders leave behind bytes, which have no fields.
var transcoders = []*Variant{
	{
		Name: "value (JSONProto, protean)", Family: JSONProto, Library: valueLibrary, Generator: NoGenerator,
		About: "google.protobuf.Value's bytes to JSON text and back, nothing between",
		Ops:   []string{Size, Marshal, Unmarshal},
		Open:  openTranscoder,
	},
}

func newDynamic(md protoreflect.MessageDescriptor) proto.Message { return dynamic.NewMessage(md) }

func openAliased(t *Type) (Codec, error) {
	c := messageCodec(t)
	o := protean.UnmarshalOptions{AliasInput: true}
	c.decodes(Unmarshal, func(i int) error {
		c.held = t.New()
		return o.Unmarshal(c.wire[i], c.held)
	})
	return c, nil
}

// openNativeValue holds native Go data. To marshal and unmarshal is therefore the same
// as to construct and marshal, and to unmarshal and convert, with structpb's tree.
func openNativeValue(t *Type) (Codec, error) {
	message := func(v any) (proto.Message, error) { return nativeMessage(t, v) }
	c := &codec[any, []byte]{
		source:  func(m proto.Message) (any, error) { return nativeOf(t, m) },
		message: message,
		encode:  func(v any) ([]byte, error) { return value.MarshalOptions{Deterministic: true}.Marshal(v) },
		decode:  func(b []byte) (proto.Message, error) { return valueMessage(t, b) },
	}
	var trees []*structpb.Value
	c.loads = append(c.loads, func([]proto.Message) (err error) {
		trees = make([]*structpb.Value, len(c.in))
		for i := range c.in {
			if trees[i], err = structpb.NewValue(c.in[i]); err != nil {
				return err
			}
		}
		return nil
	})
	marshal := func(i int) (err error) {
		c.bytes, err = value.Marshal(c.in[i])
		return err
	}
	unmarshal := func(i int) error {
		c.held = nil
		return value.Unmarshal(c.wire[i], &c.held)
	}
	var tree *structpb.Value
	c.encodes(Marshal, marshal)
	c.decodes(Unmarshal, unmarshal)
	yields(c, Construct, &tree, func(v *structpb.Value) (proto.Message, error) { return message(v.AsInterface()) },
		func(i int) (err error) {
			tree, err = value.New(c.in[i])
			return err
		})
	c.encodes(ConstructMarshal, marshal)
	c.decodes(Convert, func(i int) error {
		c.held = value.Interface(trees[i])
		return nil
	})
	c.decodes(UnmarshalConvert, unmarshal)
	return c, nil
}

func openDoc(t *Type, reuse bool) (Codec, error) {
	c := &codec[value.Doc, []byte]{
		source: func(m proto.Message) (value.Doc, error) {
			b, err := valueWire(t, m)
			if err != nil {
				return value.Doc{}, err
			}
			return value.Parse(b)
		},
		message: func(d value.Doc) (proto.Message, error) { return nativeMessage(t, d.Interface()) },
		encode:  func(d value.Doc) ([]byte, error) { return d.Bytes(), nil },
		decode:  func(b []byte) (proto.Message, error) { return valueMessage(t, b) },
	}
	if reuse {
		c.decodes(Unmarshal, func(i int) error { return c.held.Parse(c.wire[i]) })
	} else {
		c.decodes(Unmarshal, func(i int) (err error) {
			c.held, err = value.Parse(c.wire[i])
			return err
		})
	}
	return c, nil
}

// openTranscoder holds a Value's bytes, and has JSON text on the wire.
func openTranscoder(t *Type) (Codec, error) {
	c := &codec[[]byte, []byte]{
		source:  func(m proto.Message) ([]byte, error) { return valueWire(t, m) },
		message: func(b []byte) (proto.Message, error) { return valueMessage(t, b) },
		encode:  func(b []byte) ([]byte, error) { return value.AppendJSON(nil, b) },
		decode:  func(b []byte) (proto.Message, error) { return textMessage(t, b) },
	}
	c.encodes(Marshal, func(i int) (err error) {
		c.bytes, err = value.AppendJSON(nil, c.in[i])
		return err
	})
	c.decodes(Unmarshal, func(i int) (err error) {
		c.held, err = value.AppendFromJSON(nil, c.wire[i])
		return err
	})
	return c, nil
}
