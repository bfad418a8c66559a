package variant

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

const (
	protoLibrary   = "google.golang.org/protobuf/proto"
	vtLibrary      = "github.com/planetscale/vtprotobuf"
	dynamicLibrary = "google.golang.org/protobuf/types/dynamicpb"
	hyperLibrary   = "buf.build/go/hyperpb"
)

var protoVariants = []*Variant{
	{
		Name: "Concrete (proto)", Family: Proto, Library: protoLibrary, Generator: GoGenerator,
		About: "generated messages through the official library",
		Ops:   []string{Size, Marshal, Unmarshal},
		Open:  func(t *Type) (Codec, error) { return openMessage(t, proto.Marshal, proto.Unmarshal), nil },
	},
	{
		Name: "Concrete (vtproto)", Family: Proto, Library: vtLibrary, Generator: VTGenerator,
		About: "generated messages with the methods of the vtprotobuf generator",
		Ops:   []string{Size, Marshal, Unmarshal}, Needs: VTCode,
		Open: func(t *Type) (Codec, error) { return openVT(t, false) },
	},
	{
		Name: "Concrete (vtproto, unsafe)", Family: Proto, Library: vtLibrary, Generator: VTGenerator,
		About: "the same, decoded by UnmarshalVTUnsafe: strings and bytes alias the input",
		Ops:   []string{Unmarshal}, Needs: VTCode,
		Open: func(t *Type) (Codec, error) { return openVT(t, true) },
	},
	{
		Name: "dynamicpb (proto)", Family: Proto, Library: dynamicLibrary, Generator: NoGenerator,
		About: "messages of a descriptor known only at run time, official library",
		Ops:   []string{Size, Marshal, Unmarshal},
		Open: func(t *Type) (Codec, error) {
			return openDynamic(t, newDynamicpb, proto.Marshal, proto.Unmarshal),
				nil
		},
	},
	{
		Name: "hyperpb (proto)", Family: Proto, Library: hyperLibrary, Generator: NoGenerator,
		About: "read-only messages of a descriptor known only at run time",
		Ops:   []string{Unmarshal}, Needs: ApartCode,
		Open: func(t *Type) (Codec, error) { return openHyper(t, false) },
	},
	{
		Name: "hyperpb (proto, reuse)", Family: Proto, Library: hyperLibrary, Generator: NoGenerator,
		About: "the same, each message in the memory of the one before",
		Ops:   []string{Unmarshal}, Needs: ApartCode, Reuses: true,
		Open: func(t *Type) (Codec, error) { return openHyper(t, true) },
	},
}

// binaryCodec returns a codec whose wire form is the message's own.
func binaryCodec[S proto.Message](t *Type, source func(proto.Message) (S, error)) *codec[S, []byte] {
	return &codec[S, []byte]{
		holdsAll: true, source: source,
		message: func(m S) (proto.Message, error) { return m, nil },
		encode:  func(m S) ([]byte, error) { return deterministic(m) },
		decode:  func(b []byte) (proto.Message, error) { return dynamicMessage(t, b) },
	}
}

func deterministic(m proto.Message) ([]byte, error) {
	return proto.MarshalOptions{Deterministic: true}.Marshal(m)
}

// dynamicMessage decodes b without the generated code, which is under test.
func dynamicMessage(t *Type, b []byte) (*dynamicpb.Message, error) {
	m := dynamicpb.NewMessage(t.Descriptor())
	return m, proto.Unmarshal(b, m)
}

// messageCodec holds generated messages.
func messageCodec(t *Type) *codec[proto.Message, []byte] {
	return binaryCodec(t, func(m proto.Message) (proto.Message, error) { return m, nil })
}

// openMessage holds generated messages, which marshal writes and unmarshal reads.
func openMessage(t *Type, marshal func(proto.Message) ([]byte, error),
	unmarshal func([]byte, proto.Message) error) *codec[proto.Message, []byte] {
	c := messageCodec(t)
	c.encodes(Marshal, func(i int) (err error) {
		c.bytes, err = marshal(c.in[i])
		return err
	})
	c.decodes(Unmarshal, func(i int) error {
		c.held = t.New()
		return unmarshal(c.wire[i], c.held)
	})
	return c
}

func openVT(t *Type, unsafe bool) (Codec, error) {
	if t.NewVT == nil {
		return nil, NotApplicable("%s", t.NoVT)
	}
	c := binaryCodec(t, func(m proto.Message) (VTMessage, error) { return m.(VTMessage), nil })
	if unsafe {
		c.decodes(Unmarshal, func(i int) error {
			m := t.NewVT()
			c.held = m
			return m.UnmarshalVTUnsafe(c.wire[i])
		})
		return c, nil
	}
	c.encodes(Marshal, func(i int) (err error) {
		c.bytes, err = c.in[i].MarshalVT()
		return err
	})
	c.decodes(Unmarshal, func(i int) error {
		m := t.NewVT()
		c.held = m
		return m.UnmarshalVT(c.wire[i])
	})
	return c, nil
}

func newDynamicpb(md protoreflect.MessageDescriptor) proto.Message { return dynamicpb.NewMessage(md) }

// openDynamic holds messages that create makes of the descriptor alone, which marshal
// writes and unmarshal reads.
func openDynamic(t *Type, create func(protoreflect.MessageDescriptor) proto.Message,
	marshal func(proto.Message) ([]byte, error), unmarshal func([]byte, proto.Message) error) *codec[proto.Message,
	[]byte] {
	md := t.Descriptor()
	var c *codec[proto.Message, []byte]
	c = binaryCodec(t, func(m proto.Message) (proto.Message, error) {
		b, err := c.encode(m)
		if err != nil {
			return nil, err
		}
		d := create(md)
		return d, misreading(unmarshal(b, d))
	})
	// The official generated code is what reads the bytes of dynamic messages.
	c.decode = func(b []byte) (proto.Message, error) {
		m := t.New()
		return m, proto.Unmarshal(b, m)
	}
	c.encodes(Marshal, func(i int) (err error) {
		c.bytes, err = marshal(c.in[i])
		return err
	})
	c.decodes(Unmarshal, func(i int) error {
		c.held = create(md)
		return unmarshal(c.wire[i], c.held)
	})
	return c
}

func openHyper(t *Type, reuse bool) (Codec, error) {
	if t.Libraries == nil {
		return nil, errApart
	}
	c := messageCodec(t)
	// hyperpb's messages are read through reflection, which is what a caller has.
	c.message = func(m proto.Message) (proto.Message, error) {
		b, err := deterministic(m)
		if err != nil {
			return nil, err
		}
		return dynamicMessage(t, b)
	}
	read, reread := t.Libraries.Hyperpb(t.Descriptor())
	if reuse {
		read = reread
	}
	c.decodes(Unmarshal, func(i int) (err error) {
		c.held, err = read(c.wire[i])
		return err
	})
	return c, nil
}
