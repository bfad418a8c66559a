package gojapb

import (
	"github.com/dop251/goja"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// The methods of messages.

func (m *Module) messageMethods() []function {
	return []function{
		{"get", m.messageGet},
		{"set", m.messageSet},
		{"has", m.messageHas},
		{"clear", m.messageClear},
		{"whichOneof", m.whichOneof},
		{"clearOneof", m.clearOneof},
		{"toJSON", m.messageToJSON},
		{"toObject", m.messageToObject},
	}
}

func (m *Module) messageGet(call goja.FunctionCall) goja.Value {
	msg := m.this(call, "get")
	name := call.Argument(0)
	if goja.IsString(name) {
		s := name.String()
		if s == "$type" {
			return m.rt.ToValue(string(msg.desc.FullName()))
		}
		if f := msg.named(s); f != nil {
			return msg.get(f)
		}
	}
	return msg.get(msg.lookUp(name, "get"))
}

func (m *Module) messageSet(call goja.FunctionCall) goja.Value {
	msg := m.this(call, "set")
	msg.set(msg.lookUp(call.Argument(0), "set"), call.Argument(1))
	return goja.Undefined()
}

func (m *Module) messageHas(call goja.FunctionCall) goja.Value {
	msg := m.this(call, "has")
	return m.rt.ToValue(msg.m.Has(msg.lookUp(call.Argument(0), "has").FieldDescriptor))
}

func (m *Module) messageClear(call goja.FunctionCall) goja.Value {
	msg := m.this(call, "clear")
	msg.clear(msg.lookUp(call.Argument(0), "clear"))
	return goja.Undefined()
}

func (m *Module) whichOneof(call goja.FunctionCall) goja.Value {
	msg := m.this(call, "whichOneof")
	if fd := msg.m.WhichOneof(msg.oneof(call, "whichOneof")); fd != nil {
		return m.rt.ToValue(string(fd.Name()))
	}
	return goja.Undefined()
}

func (m *Module) clearOneof(call goja.FunctionCall) goja.Value {
	msg := m.this(call, "clearOneof")
	if fd := msg.m.WhichOneof(msg.oneof(call, "clearOneof")); fd != nil {
		msg.m.Clear(fd)
	}
	return goja.Undefined()
}

func (msg *message) oneof(call goja.FunctionCall, method string) protoreflect.OneofDescriptor {
	name := call.Argument(0)
	if !goja.IsString(name) {
		msg.throwType("%s.%s: expected the name of a oneof, got %s", msg.desc.FullName(), method, describe(name))
	}
	od := msg.desc.Oneofs().ByName(protoreflect.Name(name.String()))
	if od == nil {
		msg.throwType("%s has no oneof %q", msg.desc.FullName(), name.String())
	}
	return od
}
