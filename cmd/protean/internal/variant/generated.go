package variant

import (
	"encoding/json"

	jsonv2 "github.com/go-json-experiment/json"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	protean "github.com/protean-pb/protean/proto"
)

// generatedVariants are what published comparisons of JSON with Protobuf measure: JSON of
// the generated struct itself, and messages that are read into again and again.
var generatedVariants = []*Variant{
	{
		Name: "Generated struct (JSON)", Family: JSON, Library: stdJSON.path, OnRequest: true, Generator: GoGenerator,
		About: "the struct of a generated message through encoding/json, by its own tags",
		Ops:   []string{Size, Marshal, Unmarshal},
		Open:  openGenerated,
	},
	{
		Name: "Generated struct (JSON, reuse)", Family: JSON, Library: stdJSON.path, OnRequest: true,
		Generator: GoGenerator,
		About:     "the same, each text into the message of the one before; what a text does not name stays",
		Ops:       []string{Unmarshal}, Reuses: true,
		Open: func(t *Type) (Codec, error) { return openGeneratedReuse(t) },
	},
	{
		Name: "Concrete (proto, reuse)", Family: Proto, Library: protoLibrary, OnRequest: true, Generator: GoGenerator,
		About: "generated messages through the official library, each into the one before, which is emptied first",
		Ops:   []string{Unmarshal}, Reuses: true,
		Open: func(t *Type) (Codec, error) { return reusing(t.New(), messageCodec(t), proto.Unmarshal), nil },
	},
	{
		Name: "Concrete (protean, reuse)", Family: Proto, Library: proteanLibrary, OnRequest: true,
		Generator: GoGenerator,
		About:     "the same through Protean's codec",
		Ops:       []string{Unmarshal}, Reuses: true,
		Open: func(t *Type) (Codec, error) { return reusing(t.New(), messageCodec(t), protean.Unmarshal), nil },
	},
	{
		Name: "Concrete (protean, arena)", Family: Proto, Library: proteanLibrary, OnRequest: true,
		Generator: GoGenerator,
		About:     "the same with all that is in the message in an arena, which is reset before each",
		Ops:       []string{Unmarshal}, Reuses: true,
		Open: func(t *Type) (Codec, error) { return reusing(t.New(), messageCodec(t), inArena()), nil },
	},
}

// generatedCodec holds generated messages, which encoding/json writes as it would any struct.
func generatedCodec(t *Type) (*codec[proto.Message, []byte], error) {
	if md := search(t.Descriptor(), hasOneof); md != nil {
		return nil, NotApplicable("encoding/json cannot read a oneof, which %s has: it is an interface in the "+
			"generated struct", md.FullName())
	}
	c := messageCodec(t)
	c.holdsAll = false
	c.encode = func(m proto.Message) ([]byte, error) { return json.Marshal(m) }
	c.decode = func(b []byte) (proto.Message, error) {
		m := t.New()
		return m, jsonv2.Unmarshal(b, m)
	}
	return c, nil
}

func openGenerated(t *Type) (Codec, error) {
	c, err := generatedCodec(t)
	if err != nil {
		return nil, err
	}
	c.encodes(Marshal, func(i int) (err error) {
		c.bytes, err = json.Marshal(c.in[i])
		return err
	})
	c.decodes(Unmarshal, func(i int) error {
		c.held = t.New()
		return json.Unmarshal(c.wire[i], c.held)
	})
	return c, nil
}

func openGeneratedReuse(t *Type) (Codec, error) {
	c, err := generatedCodec(t)
	if err != nil {
		return nil, err
	}
	return reusing(t.New(), c, func(b []byte, m proto.Message) error { return json.Unmarshal(b, m) }), nil
}

// inArena returns a function that reads into an arena of its own, which it resets before.
func inArena() func([]byte, proto.Message) error {
	arena := new(protean.Arena)
	o := protean.UnmarshalOptions{Arena: arena}
	return func(b []byte, m proto.Message) error {
		arena.Reset()
		return o.Unmarshal(b, m)
	}
}

// reusing adds to c that unmarshal reads sample after sample into m.
func reusing(m proto.Message, c *codec[proto.Message, []byte], unmarshal func([]byte, proto.Message) error) Codec {
	c.decodes(Unmarshal, func(i int) error {
		c.held = m
		return unmarshal(c.wire[i], m)
	})
	return c
}

// hasOneof reports whether a message has a oneof. That of an optional field is none.
func hasOneof(md protoreflect.MessageDescriptor) bool {
	for i := range md.Oneofs().Len() {
		if !md.Oneofs().Get(i).IsSynthetic() {
			return true
		}
	}
	return false
}

// search returns the first message type for which is holds, of md and those inside it;
// nil if there is none.
func search(md protoreflect.MessageDescriptor,
	is func(protoreflect.MessageDescriptor) bool) protoreflect.MessageDescriptor {
	seen := map[protoreflect.FullName]bool{md.FullName(): true}
	for queue := []protoreflect.MessageDescriptor{md}; len(queue) > 0; queue = queue[1:] {
		if is(queue[0]) {
			return queue[0]
		}
		for i := range queue[0].Fields().Len() {
			if inside := queue[0].Fields().Get(i).Message(); inside != nil && !seen[inside.FullName()] {
				seen[inside.FullName()] = true
				queue = append(queue, inside)
			}
		}
	}
	return nil
}
