package variant

import (
	"errors"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	protean "github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protojson"
)

// A goLibrary is what does in Go what scripts do.
type goLibrary struct {
	// open returns the codec of marshal and unmarshal; create, a new message.
	open      func(*Type) *codec[proto.Message, []byte]
	create    func(*Type) func() proto.Message
	marshal   func(proto.Message) ([]byte, error)
	unmarshal func([]byte, proto.Message) error
	toAny     func(proto.Message) (any, error)
	fromAny   func(any, proto.Message) error
}

var (
	officialDynamic = goLibrary{
		open: func(t *Type) *codec[proto.Message, []byte] {
			return openDynamic(t, newDynamicpb, proto.Marshal, proto.Unmarshal)
		},
		create:  func(t *Type) func() proto.Message { return ofDescriptor(t, newDynamicpb) },
		marshal: proto.Marshal, unmarshal: proto.Unmarshal, toAny: toAnyByText, fromAny: fromAnyByText,
	}
	officialGenerated = goLibrary{
		open:    func(t *Type) *codec[proto.Message, []byte] { return openMessage(t, proto.Marshal, proto.Unmarshal) },
		create:  func(t *Type) func() proto.Message { return t.New },
		marshal: proto.Marshal, unmarshal: proto.Unmarshal, toAny: toAnyByText, fromAny: fromAnyByText,
	}
	proteanDynamic = goLibrary{
		open: func(t *Type) *codec[proto.Message, []byte] {
			return openDynamic(t, newDynamic, protean.Marshal, protean.Unmarshal)
		},
		create:  func(t *Type) func() proto.Message { return ofDescriptor(t, newDynamic) },
		marshal: protean.Marshal, unmarshal: protean.Unmarshal, toAny: protojson.ToAny, fromAny: protojson.FromAny,
	}
)

func ofDescriptor(t *Type, create func(protoreflect.MessageDescriptor) proto.Message) func() proto.Message {
	md := t.Descriptor()
	return func() proto.Message { return create(md) }
}

// A goCodec does in Go what scripts do.
type goCodec struct {
	*codec[proto.Message, []byte]
	goLibrary
	typ     *Type
	create  func() proto.Message
	samples []proto.Message
	made    made // last result of an operation that makes a message
}

// made is a message that was made for sample i.
type made struct {
	m proto.Message
	i int
}

func openGo(t *Type, l goLibrary) Codec {
	c := &goCodec{codec: l.open(t), goLibrary: l, typ: t, create: l.create(t)}
	c.loads = append(c.loads, func(samples []proto.Message) error {
		c.samples = samples
		return nil
	})
	yields(c.codec, Create, &c.made, c.empty, func(i int) error {
		c.made = made{c.create(), i}
		return nil
	})
	c.texts(SetGet)
	c.texts(SetGetProperty)
	c.decodes(MarshalUnmarshal, func(i int) error {
		b, err := c.marshal(c.in[i])
		if err != nil {
			return err
		}
		c.held = c.create()
		return c.unmarshal(b, c.held)
	})
	c.json()
	c.lists()
	c.maps()
	return c
}

// empty checks that a new message is empty and of the type of the samples, by reading one into it.
func (c *goCodec) empty(r made) (proto.Message, error) {
	m := proto.Clone(r.m)
	return m, proto.UnmarshalOptions{Merge: true}.Unmarshal(c.wire[r.i], m)
}

// partOf checks a message in which f alone was set.
func (c *goCodec) partOf(f protoreflect.FieldDescriptor) func(made) (proto.Message, error) {
	return func(r made) (proto.Message, error) { return c.samples[r.i], CheckOnly(c.samples[r.i], f, r.m) }
}

var errOtherValue = errors.New("what was read is not what was set")

// texts adds an operation that sets and reads text.
func (c *goCodec) texts(op string) {
	f, err := FieldOf(c.typ.Descriptor(), op)
	if err != nil {
		c.ops = append(c.ops, &Op{Name: op, Unfit: err})
		return
	}
	var values []protoreflect.Value // a sample each
	var messages []protoreflect.Message
	c.loads = append(c.loads, func(samples []proto.Message) error {
		values, messages = nil, nil
		for _, m := range samples {
			values = append(values, Only(m, f).Get(f))
			messages = append(messages, c.create().ProtoReflect())
		}
		return nil
	})
	yields(c.codec, op, &c.made, c.partOf(f), func(i int) error {
		m, v := messages[i], values[i]
		m.Set(f, v)
		c.made = made{m.Interface(), i}
		if m.Get(f).String() != v.String() {
			return errOtherValue
		}
		return nil
	})
}

// json adds the operations on Go values in ProtoJSON's shapes.
func (c *goCodec) json() {
	var data []any // a sample each
	c.loads = append(c.loads, func([]proto.Message) (err error) {
		data, err = eachOf(c.in, toAnyByText)
		return err
	})
	read := func(text []byte) (proto.Message, error) {
		m := c.typ.New()
		return m, protojson.Unmarshal(text, m)
	}
	var plain any
	yields(c.codec, ToJSON, &plain, func(v any) (proto.Message, error) { return anyMessage(v, read) },
		func(i int) (err error) {
			plain, err = c.toAny(c.in[i])
			return err
		})
	from := func(v any) error {
		c.held = c.create()
		return c.fromAny(v, c.held)
	}
	c.decodes(FromJSON, func(i int) error { return from(data[i]) })
	c.decodes(ToFromJSON, func(i int) error {
		v, err := c.toAny(c.in[i])
		if err != nil {
			return err
		}
		return from(v)
	})
}

// lists adds the operation that sets a list and looks at its items.
func (c *goCodec) lists() {
	f, err := FieldOf(c.typ.Descriptor(), Repeated)
	if err != nil {
		c.ops = append(c.ops, &Op{Name: Repeated, Unfit: err})
		return
	}
	var messages []protoreflect.Message // a sample each
	var items [][]protoreflect.Value    // the same
	c.loads = append(c.loads, func(samples []proto.Message) error {
		messages, items = make([]protoreflect.Message, len(samples)), make([][]protoreflect.Value, len(samples))
		for i, m := range samples {
			messages[i] = c.create().ProtoReflect()
			list := Only(m, f).Get(f).List()
			for j := range list.Len() {
				items[i] = append(items[i], list.Get(j))
			}
		}
		return nil
	})
	yields(c.codec, Repeated, &c.made, c.partOf(f), func(i int) error {
		m, list := messages[i], messages[i].NewField(f)
		for _, v := range items[i] {
			list.List().Append(v)
		}
		m.Set(f, list)
		c.made = made{m.Interface(), i}
		seen := m.Get(f).List()
		for j := range seen.Len() {
			if !seen.Get(j).Equal(items[i][j]) {
				return errOtherValue
			}
		}
		return nil
	})
}

// maps adds the operation that sets a map and looks its entries up.
func (c *goCodec) maps() {
	f, err := FieldOf(c.typ.Descriptor(), Map)
	if err != nil {
		c.ops = append(c.ops, &Op{Name: Map, Unfit: err})
		return
	}
	type entry struct {
		key   protoreflect.MapKey
		value protoreflect.Value
	}
	var messages []protoreflect.Message // a sample each
	var entries [][]entry               // the same
	c.loads = append(c.loads, func(samples []proto.Message) error {
		messages, entries = make([]protoreflect.Message, len(samples)), make([][]entry, len(samples))
		for i, m := range samples {
			messages[i] = c.create().ProtoReflect()
			Only(m, f).Get(f).Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
				entries[i] = append(entries[i], entry{k, v})
				return true
			})
		}
		return nil
	})
	yields(c.codec, Map, &c.made, c.partOf(f), func(i int) error {
		m, dict := messages[i], messages[i].NewField(f)
		for _, e := range entries[i] {
			dict.Map().Set(e.key, e.value)
		}
		m.Set(f, dict)
		c.made = made{m.Interface(), i}
		seen := m.Get(f).Map()
		for _, e := range entries[i] {
			if !seen.Get(e.key).Equal(e.value) {
				return errOtherValue
			}
		}
		return nil
	})
}
