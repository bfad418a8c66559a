package gojapb

import (
	"github.com/dop251/goja"

	"github.com/protean-pb/protean/internal/xunsafe"
)

// A binding is a shape in one runtime.
type binding struct {
	*Module
	*shape
	constructor, prototype *goja.Object
	recent                 [8]recent
}

// A recent is a name that was looked up lately. The constants of a program are the same strings each time, which are
// told apart by their addresses.
type recent struct {
	name     string
	field    *field  // by byName
	property bool    // also by properties
	method   *method // nil if there is none of the name
}

// named is byName of the shape, and faster for names that come often.
func (b *binding) named(name string) *field { return b.find(name).field }

// property is properties of the shape, likewise.
func (b *binding) property(name string) *field { return b.find(name).propertyField() }

// propertyField returns the field that is a property of the name; nil if there is none.
func (r *recent) propertyField() *field {
	if r.property {
		return r.field
	}
	return nil
}

func (b *binding) find(name string) *recent {
	r := &b.recent[xunsafe.Address(name)/8%uintptr(len(b.recent))]
	if !xunsafe.SameString(r.name, name) {
		*r = recent{name, b.byName[name], b.properties[name] != nil, b.methodsByName[name]}
	}
	return r
}

// bind returns a shape's constructor and prototype, which are made when they are first used.
func (m *Module) bind(s *shape) *binding {
	if b := m.types[s]; b != nil {
		return b
	}
	b := &binding{Module: m, shape: s}
	function := m.rt.ToValue(b.called).(*goja.Object)
	// A function's new makes an object that would be thrown away, a Proxy's does not.
	b.constructor = m.rt.ToValue(m.rt.NewProxy(function, &goja.ProxyTrapConfig{Construct: b.construct})).(*goja.Object)
	b.prototype = function.Get("prototype").(*goja.Object)
	hidden(b.prototype.DefineDataProperty("constructor", b.constructor, goja.FLAG_TRUE, goja.FLAG_TRUE,
		goja.FLAG_FALSE))
	name := m.rt.ToValue(string(s.desc.FullName()))
	constant := func(o *goja.Object, property string, v goja.Value) {
		hidden(o.DefineDataProperty(property, v, goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
	constant(function, "name", m.rt.ToValue(string(s.desc.Name())))
	constant(function, "typeName", name)
	constant(b.prototype, "$type", name)
	define(b.prototype, m.methods)
	hidden(function.DefineDataPropertySymbol(goja.SymHasInstance, m.builtin.hasInstance, goja.FLAG_FALSE,
		goja.FLAG_FALSE, goja.FLAG_FALSE))
	m.types[s] = b
	m.ctors[b.constructor] = b
	return b
}

// hasInstance is v instanceof M, or instanceof a class that extends M, which goja's Proxies do not have.
func (m *Module) hasInstance(call goja.FunctionCall) goja.Value {
	constructor, _ := call.This.(*goja.Object)
	o, _ := call.Argument(0).(*goja.Object)
	is := false
	if constructor != nil && o != nil {
		prototype := constructor.Get("prototype")
		for range maxPrototypes {
			if o = o.Prototype(); o == nil || is {
				break
			}
			is = o.StrictEquals(prototype)
		}
	}
	return m.rt.ToValue(is)
}

// maxPrototypes is how far up a chain of prototypes is looked: a Proxy may have a prototype for ever.
const maxPrototypes = 1000

// called is M(init), which is the same as new M(init).
func (b *binding) called(call goja.ConstructorCall) *goja.Object {
	return b.construct(nil, call.Arguments, b.constructor)
}

// construct is new M(init), or super(init) of a class that extends M.
func (b *binding) construct(_ *goja.Object, args []goja.Value, newTarget *goja.Object) *goja.Object {
	defer b.guard()
	msg := &message{binding: b, m: b.typ.New()}
	if v := first(args); !absent(v) || b.shape.known == valueType && goja.IsNull(v) { // a Value can be null
		b.fill(msg.m, b.shape, &element{msg: b.desc}, v, 0)
	}
	msg.object = b.rt.NewDynamicObject(msg)
	prototype := b.prototype
	if newTarget != b.constructor {
		if p, ok := newTarget.Get("prototype").(*goja.Object); ok {
			prototype = p
		}
	}
	hidden(msg.object.SetPrototype(prototype))
	return msg.object
}

// bindingOf returns the message type that argument i of a function is: a constructor or a class that extends one.
func (m *Module) bindingOf(call goja.FunctionCall, i int, function string) *binding {
	v := call.Argument(i)
	o, ok := v.(*goja.Object)
	for range maxPrototypes {
		if !ok || o == nil {
			break
		}
		if b := m.ctors[o]; b != nil {
			return b
		}
		o = o.Prototype()
	}
	m.throwType("%s: expected a message type, got %s", function, describe(v))
	return nil
}
