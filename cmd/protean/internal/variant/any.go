package variant

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"
)

const anypbLibrary = "google.golang.org/protobuf/types/known/anypb"

var anyVariants = []*Variant{{
	Name: "google.protobuf.Any (proto)", Family: Proto, Library: anypbLibrary, Generator: GoGenerator,
	About: "a generated message packed in Any, each row by itself",
	Ops:   []string{Size, Marshal, Unmarshal, Pack, EnvelopeMarshal, EnvelopeUnmarshal, Unpack},
	Open: func(t *Type) (Codec, error) {
		return openAny(t, throughAny(deterministic, proto.Unmarshal, officialAny), officialAny), nil
	},
}}

// An anyCodec holds the messages to pack: the sample, or its rows. It allocates the slices for results when samples are
// loaded, so that operations do not include that.
type anyCodec struct {
	*codec[[]proto.Message, [][]byte]
	new    func() proto.Message // one message inside
	packed [][]*anypb.Any       // what Unpack and the envelope start from
	anys   []*anypb.Any         // last result of an operation that packs
}

// An anyForm is one form of messages packed in Any. encode writes an Any, always the
// same where the form can, and decode reads one; they are the official library's. marshal
// and unmarshal are under test and begin and end with the message inside.
type anyForm struct {
	encode    func(proto.Message) ([]byte, error)
	decode    func([]byte, proto.Message) error
	marshal   func(proto.Message) ([]byte, error)
	unmarshal func([]byte, proto.Message) error
}

// throughAny returns the form in which an Any is made, written and read as such, by parts.
func throughAny(encode func(proto.Message) ([]byte, error), decode func([]byte, proto.Message) error,
	parts anyParts) anyForm {
	return anyForm{
		encode: encode, decode: decode,
		marshal: func(m proto.Message) ([]byte, error) {
			a, err := parts.pack(m)
			if err != nil {
				return nil, err
			}
			return parts.marshal(a)
		},
		unmarshal: func(b []byte, m proto.Message) error {
			a := new(anypb.Any)
			if err := parts.unmarshal(b, a); err != nil {
				return err
			}
			return parts.unpack(a, m)
		},
	}
}

// newAnyCodec returns a codec of packed messages with the operations that every form has.
func newAnyCodec(t *Type, form anyForm) *anyCodec {
	c := &anyCodec{codec: &codec[[]proto.Message, [][]byte]{holdsAll: true}, new: t.New}
	if t.Rows != "" {
		c.new = t.NewRow
	}
	c.source = func(m proto.Message) ([]proto.Message, error) { return parts(t, m), nil }
	c.message = func(ms []proto.Message) (proto.Message, error) { return joined(t, ms) }
	c.encode = func(ms []proto.Message) ([][]byte, error) {
		return eachOf(ms, func(m proto.Message) ([]byte, error) {
			a, err := packDeterministic(m)
			if err != nil {
				return nil, err
			}
			return form.encode(a)
		})
	}
	c.decode = func(pieces [][]byte) (proto.Message, error) {
		ms, err := eachOf(pieces, func(b []byte) (proto.Message, error) {
			a := new(anypb.Any)
			if err := form.decode(b, a); err != nil {
				return nil, err
			}
			return a.UnmarshalNew()
		})
		if err != nil {
			return nil, err
		}
		return joined(t, ms)
	}
	c.loads = append(c.loads, c.pack)
	c.encodes(Marshal, c.eachPart(func(i, j int) (err error) {
		c.bytes[j], err = form.marshal(c.in[i][j])
		return err
	}))
	c.decodes(Unmarshal, c.eachPart(func(i, j int) error {
		c.held[j] = c.new()
		return form.unmarshal(c.wire[i][j], c.held[j])
	}))
	return c
}

func (c *anyCodec) pack([]proto.Message) error {
	c.anys, c.packed = nil, make([][]*anypb.Any, len(c.in))
	for i, ms := range c.in {
		var err error
		if c.packed[i], err = eachOf(ms, packDeterministic); err != nil {
			return err
		}
	}
	return nil
}

// eachPart returns an operation on sample i that runs part on each of its
// messages, with room for as many results.
func (c *anyCodec) eachPart(part func(i, j int) error) func(i int) error {
	return func(i int) error {
		n := len(c.in[i])
		if len(c.bytes) != n {
			c.bytes, c.held, c.anys = make([][]byte, n), make([]proto.Message, n), make([]*anypb.Any, n)
		}
		for j := range n {
			if err := part(i, j); err != nil {
				return err
			}
		}
		return nil
	}
}

// parts returns the messages that a payload consists of: itself, or its rows.
func parts(t *Type, m proto.Message) []proto.Message {
	if t.Rows == "" {
		return []proto.Message{m}
	}
	rows := t.rows(m)
	ms := make([]proto.Message, rows.Len())
	for i := range ms {
		ms[i] = rows.Get(i).Message().Interface()
	}
	return ms
}

// joined is the inverse of parts.
func joined(t *Type, ms []proto.Message) (proto.Message, error) {
	if t.Rows == "" {
		return ms[0], nil
	}
	m := t.New()
	rows := m.ProtoReflect().Mutable(t.rowsField()).List()
	for _, row := range ms {
		rows.Append(protoreflect.ValueOfMessage(row.ProtoReflect()))
	}
	return m, nil
}

func packDeterministic(m proto.Message) (*anypb.Any, error) {
	a := new(anypb.Any)
	return a, anypb.MarshalFrom(a, m, proto.MarshalOptions{Deterministic: true})
}

// eachOf applies f to each element.
func eachOf[A, B any](as []A, f func(A) (B, error)) ([]B, error) {
	bs := make([]B, len(as))
	for i, a := range as {
		var err error
		if bs[i], err = f(a); err != nil {
			return nil, err
		}
	}
	return bs, nil
}

// anyParts are the parts of the whole job, each by itself.
type anyParts struct {
	pack      func(proto.Message) (*anypb.Any, error)
	marshal   func(proto.Message) ([]byte, error) // the Any
	unmarshal func([]byte, proto.Message) error
	unpack    func(*anypb.Any, proto.Message) error
}

var officialAny = anyParts{anypb.New, proto.Marshal, proto.Unmarshal, (*anypb.Any).UnmarshalTo}

func openAny(t *Type, form anyForm, parts anyParts) Codec {
	c := newAnyCodec(t, form)
	packedMessage := func(as []*anypb.Any) (proto.Message, error) {
		ms, err := eachOf(as, (*anypb.Any).UnmarshalNew)
		if err != nil {
			return nil, err
		}
		return joined(t, ms)
	}
	yields(c.codec, Pack, &c.anys, packedMessage, c.eachPart(func(i, j int) (err error) {
		c.anys[j], err = parts.pack(c.in[i][j])
		return err
	}))
	c.encodes(EnvelopeMarshal, c.eachPart(func(i, j int) (err error) {
		c.bytes[j], err = parts.marshal(c.packed[i][j])
		return err
	}))
	yields(c.codec, EnvelopeUnmarshal, &c.anys, packedMessage, c.eachPart(func(i, j int) error {
		c.anys[j] = new(anypb.Any)
		return parts.unmarshal(c.wire[i][j], c.anys[j])
	}))
	c.decodes(Unpack, c.eachPart(func(i, j int) error {
		c.held[j] = c.new()
		return parts.unpack(c.packed[i][j], c.held[j])
	}))
	return c
}
