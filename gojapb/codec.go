package gojapb

import (
	"github.com/dop251/goja"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/proto"
)

// encode is pb.encode(msg).
func (m *Module) encode(call goja.FunctionCall) goja.Value {
	msg := m.argument(call, 0, "pb.encode")
	m.throwIfDeep(msg)
	b, err := proto.Marshal(msg.m.Interface())
	if err != nil {
		m.throwError("pb.encode: %v", err)
	}
	if b == nil {
		b = []byte{}
	}
	return m.newBytes(b)
}

// decode is pb.decode(M, bytes).
func (m *Module) decode(call goja.FunctionCall) goja.Value {
	b := m.bindingOf(call, 0, "pb.decode")
	r := b.typ.New()
	wire := m.bytesOf("pb.decode", call.Argument(1))
	if err := (proto.UnmarshalOptions{Resolver: m.schema}).Unmarshal(wire, r.Interface()); err != nil {
		m.throwError("pb.decode: %v", err)
	}
	return m.fresh(b, r).object
}

// toJSON is pb.toJSON(msg).
func (m *Module) toJSON(call goja.FunctionCall) goja.Value {
	return m.json(m.argument(call, 0, "pb.toJSON"))
}

func (m *Module) messageToJSON(call goja.FunctionCall) goja.Value {
	return m.json(m.this(call, "toJSON"))
}

func (m *Module) json(msg *message) goja.Value {
	m.throwIfDeep(msg)
	if err := proto.CheckInitialized(msg.m.Interface()); err != nil {
		m.throwError("pb.toJSON: %v", err)
	}
	return m.jsons.message(msg.shape, msg.m)
}

func (m *Module) messageToObject(call goja.FunctionCall) goja.Value {
	msg := m.this(call, "toObject")
	m.throwIfDeep(msg)
	return m.objects.message(msg.shape, msg.m)
}

// fromJSON is pb.fromJSON(M, value, options).
func (m *Module) fromJSON(call goja.FunctionCall) goja.Value {
	b := m.bindingOf(call, 0, "pb.fromJSON")
	options := m.jsonOptions(call.Argument(2))
	r := b.typ.New()
	v := m.jsonOf(call.Argument(1), 0)
	if err := options.FromAny(v, r.Interface()); err != nil {
		m.throwType("pb.fromJSON: %v", err)
	}
	return m.fresh(b, r).object
}

// equals is pb.equals(a, b).
func (m *Module) equals(call goja.FunctionCall) goja.Value {
	a, b := m.argument(call, 0, "pb.equals"), m.argument(call, 1, "pb.equals")
	m.throwIfDeep(a)
	m.throwIfDeep(b)
	return m.rt.ToValue(proto.Equal(a.m.Interface(), b.m.Interface()))
}

// clone is pb.clone(msg).
func (m *Module) clone(call goja.FunctionCall) goja.Value {
	msg := m.argument(call, 0, "pb.clone")
	m.throwIfDeep(msg)
	return m.fresh(msg.binding, proto.Clone(msg.m.Interface()).ProtoReflect()).object
}

// isMessage is pb.isMessage(v, name).
func (m *Module) isMessage(call goja.FunctionCall) goja.Value {
	msg := messageOf(call.Argument(0))
	is := msg != nil
	if name := call.Argument(1); is && !absent(name) {
		is = string(msg.desc.FullName()) == m.typeName(call, 1, "pb.isMessage")
	}
	return m.rt.ToValue(is)
}

// typeName returns the name of the type that argument i of a function is: a full name or a constructor.
func (m *Module) typeName(call goja.FunctionCall, i int, function string) string {
	if v := call.Argument(i); goja.IsString(v) {
		return v.String()
	}
	return string(m.bindingOf(call, i, function).desc.FullName())
}

// isFieldSet is pb.isFieldSet(msg, field).
func (m *Module) isFieldSet(call goja.FunctionCall) goja.Value {
	msg := m.argument(call, 0, "pb.isFieldSet")
	return m.rt.ToValue(msg.m.Has(msg.lookUp(call.Argument(1), "isFieldSet").FieldDescriptor))
}

// clearField is pb.clearField(msg, field).
func (m *Module) clearField(call goja.FunctionCall) goja.Value {
	msg := m.argument(call, 0, "pb.clearField")
	msg.clear(msg.lookUp(call.Argument(1), "clearField"))
	return goja.Undefined()
}

// messageType is pb.messageType(name).
func (m *Module) messageType(call goja.FunctionCall) goja.Value {
	name := m.name(call, "pb.messageType")
	if d, err := m.schema.find(name); err == nil {
		if md, ok := d.(protoreflect.MessageDescriptor); ok {
			return m.bind(m.shapeOf(md)).constructor
		}
	}
	m.throwType("pb.messageType: there is no message type %q", string(name))
	return nil
}

// enumType is pb.enumType(name).
func (m *Module) enumType(call goja.FunctionCall) goja.Value {
	name := m.name(call, "pb.enumType")
	if o := m.enums[name]; o != nil {
		return o
	}
	d, _ := m.schema.find(name)
	ed, ok := d.(protoreflect.EnumDescriptor)
	if !ok {
		m.throwType("pb.enumType: there is no enum %q", string(name))
	}
	o := m.newEnum(ed)
	m.enums[name] = o
	return o
}

func (m *Module) name(call goja.FunctionCall, function string) protoreflect.FullName {
	v := call.Argument(0)
	if !goja.IsString(v) {
		m.throwType("%s: expected a full name, got %s", function, describe(v))
	}
	return protoreflect.FullName(v.String())
}

// newEnum returns a frozen object that has an enum's numbers by name and names by number; of several names for one
// number it has the first.
func (m *Module) newEnum(ed protoreflect.EnumDescriptor) *goja.Object {
	o := m.rt.NewObject()
	values := ed.Values()
	for i := range values.Len() {
		value := values.Get(i)
		m.jsons.set(o, string(value.Name()), m.rt.ToValue(int64(value.Number())))
		if number := decimalKey(value.Number()); values.ByNumber(value.Number()) == value {
			m.jsons.set(o, number, m.rt.ToValue(string(value.Name())))
		}
	}
	if _, err := m.builtin.freeze(goja.Undefined(), o); err != nil {
		panic(err)
	}
	return o
}
