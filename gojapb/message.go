package gojapb

import (
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/mem"
)

// A message is what is behind the JavaScript object of a message. Its properties are the fields.
type message struct {
	*binding
	m      protoreflect.Message
	object *goja.Object
	kept   *kept // nil until there is something to keep
	depth  int32 // how many messages this one was reached through
	owned  bool  // whether it may be part of another
}

// A kept is what scripts have seen of the fields of a message, and will see again as long as it is in the message.
type kept struct {
	parts []part
	text  seenText // that was written or read last
}

// A part is the object of a message, list or map in a field.
type part struct {
	field  *field
	object *goja.Object
	msg    *message // nil for lists and maps
}

// A binding is a shape in one runtime.
type binding struct {
	*Module
	*shape
	constructor, prototype *goja.Object
	recent                 [8]recent
}

// A recent is a name that was looked up lately. The constants of a program are the same strings each time, which are
// told by where they are.
type recent struct {
	name     string
	field    *field // by byName
	property bool   // also by properties
}

// named is byName of the shape, and faster for names that come often.
func (b *binding) named(name string) *field { return b.find(name).field }

// property is properties of the shape, likewise.
func (b *binding) property(name string) *field {
	if r := b.find(name); r.property {
		return r.field
	}
	return nil
}

func (b *binding) find(name string) *recent {
	r := &b.recent[mem.Place(name)/8%uintptr(len(b.recent))]
	if !mem.Same(r.name, name) {
		*r = recent{name, b.byName[name], b.properties[name] != nil}
	}
	return r
}

var (
	_             goja.DynamicObject = (*message)(nil)
	messageGoType                    = reflect.TypeFor[*message]()
)

// this returns the message that a method was called on. Methods are mostly called on the same object many times.
func (m *Module) this(call goja.FunctionCall, method string) *message {
	o, ok := call.This.(*goja.Object)
	if ok && m.latest != nil && m.latest.object == o {
		return m.latest
	}
	msg := messageOf(call.This)
	if msg == nil {
		m.throwType("%s: called on %s, which is no message", method, describe(call.This))
	}
	m.latest = msg
	return msg
}

// messageOf returns what is behind an object; nil if v is no message.
func messageOf(v goja.Value) *message {
	o, ok := v.(*goja.Object)
	if !ok || o.ExportType() != messageGoType { // Export would copy a plain object
		return nil
	}
	return o.Export().(*message)
}

// argument returns the message that is argument i of a function.
func (m *Module) argument(call goja.FunctionCall, i int, function string) *message {
	msg := messageOf(call.Argument(i))
	if msg == nil {
		m.throwType("%s: expected a message, got %s", function, describe(call.Argument(i)))
	}
	return msg
}

// fresh makes the object of a message that is part of no other.
func (m *Module) fresh(b *binding, r protoreflect.Message) *message {
	msg := m.wrap(b, r, 0)
	msg.owned = false
	return msg
}

// wrap makes the object of a message.
func (m *Module) wrap(b *binding, r protoreflect.Message, depth int32) *message {
	msg := &message{binding: b, m: r, depth: depth, owned: true}
	msg.object = m.rt.NewDynamicObject(msg)
	hidden(msg.object.SetPrototype(b.prototype))
	if depth > maxDepth/2 {
		m.nested = true
	}
	return msg
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
	hidden(b.prototype.DefineDataProperty("constructor", b.constructor, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	name := m.rt.ToValue(string(s.desc.FullName()))
	constant := func(o *goja.Object, property string, v goja.Value) {
		hidden(o.DefineDataProperty(property, v, goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
	constant(function, "name", m.rt.ToValue(string(s.desc.Name())))
	constant(function, "typeName", name)
	constant(b.prototype, "$type", name)
	define(b.prototype, m.methods)
	hidden(function.DefineDataPropertySymbol(goja.SymHasInstance, m.builtin.hasInstance, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
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

// Get, Set, Has, Delete and Keys make fields properties.

func (msg *message) Get(name string) goja.Value {
	f := msg.property(name)
	if f == nil {
		return nil
	}
	defer msg.guard()
	return msg.get(f)
}

func (msg *message) Set(name string, v goja.Value) bool {
	defer msg.guard()
	f := msg.property(name)
	if f == nil {
		msg.throwType("%s has no field %q", msg.desc.FullName(), name)
	}
	msg.set(f, v)
	return true
}

func (msg *message) Has(name string) bool { return msg.property(name) != nil }

func (msg *message) Delete(name string) bool {
	defer msg.guard()
	if f := msg.property(name); f != nil {
		msg.clear(f)
	}
	return true
}

// Keys returns the fields that are present, by their JSON names.
func (msg *message) Keys() []string {
	defer msg.guard()
	var keys []string
	for i := range msg.fields {
		if f := &msg.fields[i]; msg.m.Has(f.FieldDescriptor) && msg.properties[f.json] == f {
			keys = append(keys, f.json)
		}
	}
	return keys
}

// get returns the value of a field.
func (msg *message) get(f *field) goja.Value {
	switch {
	case f.cardinality != singular:
		return msg.view(f)
	case f.kind == protoreflect.StringKind:
		return msg.string(msg.m.Get(f.FieldDescriptor).String())
	case f.value.msg == nil:
		return msg.scalar(&f.value, msg.m.Get(f.FieldDescriptor))
	case !msg.m.Has(f.FieldDescriptor):
		return goja.Null()
	case f.value.known.plain():
		return msg.plain(msg.m.Get(f.FieldDescriptor).Message(), msg.depth+1)
	}
	return msg.sub(f, msg.m.Get(f.FieldDescriptor).Message())
}

// string returns the value of a string, the same one as the last time if it is the same string.
func (msg *message) string(s string) goja.Value {
	k := msg.keep()
	if k.text.value == nil || !mem.Same(k.text.s, s) {
		k.text = seenText{s, msg.stringValue(s)}
	}
	return k.text.value
}

func (msg *message) keep() *kept {
	if msg.kept == nil {
		msg.kept = new(kept)
	}
	return msg.kept
}

// sub returns the object of a message in a field: the same as long as the message is.
func (msg *message) sub(f *field, r protoreflect.Message) goja.Value {
	p := msg.part(f)
	if p.msg == nil || p.msg.m != r {
		p.msg = msg.wrap(msg.bind(msg.shapeIn(&f.value, r)), r, msg.depth+1)
		p.object = p.msg.object
	}
	return p.object
}

// part returns the part of a field, whose object may be nil.
func (msg *message) part(f *field) *part {
	k := msg.keep()
	for i := range k.parts {
		if k.parts[i].field == f {
			return &k.parts[i]
		}
	}
	k.parts = append(k.parts, part{field: f})
	return &k.parts[len(k.parts)-1]
}

// view returns the list or map of a field as an object that shows what is in it at any time.
func (msg *message) view(f *field) goja.Value {
	p := msg.part(f)
	if p.object == nil && f.cardinality == list {
		p.object = msg.newListView(msg, f)
	} else if p.object == nil {
		p.object = msg.newMapView(msg, f)
	}
	return p.object
}

// set sets a field, or clears it if v is null or undefined.
func (msg *message) set(f *field, v goja.Value) {
	if f.value.msg != nil && f.cardinality == singular {
		if sub := messageOf(v); sub != nil {
			msg.adopt(f, sub)
			return
		}
	}
	if f.kind == protoreflect.StringKind && f.cardinality == singular && goja.IsString(v) {
		k := msg.keep()
		k.text = seenText{msg.text(&f.value, v), v}
		msg.m.Set(f.FieldDescriptor, protoreflect.ValueOfString(k.text.s))
		return
	}
	if f.clears(v) {
		msg.clear(f)
		return
	}
	if f.value.msg == nil && live(msg.m) && !f.IsExtension() && msg.setInPlace(f, v) {
		return
	}
	before := msg.shares
	value := msg.fieldValue(msg.m, f, v, 0)
	if msg.shares != before {
		eachIn(f.FieldDescriptor, value, func(sub protoreflect.Message) bool {
			msg.checkPart(f, sub, before)
			return true
		})
	}
	msg.m.Set(f.FieldDescriptor, value)
}

// adopt sets a field to a message that a script holds, which is not copied if it is of the type that the field holds.
func (msg *message) adopt(f *field, sub *message) {
	before := msg.shares
	r := msg.accept(&f.value, sub, func() protoreflect.Message { return msg.m.NewField(f.FieldDescriptor).Message() })
	msg.checkPart(f, r, before)
	msg.m.Set(f.FieldDescriptor, protoreflect.ValueOfMessage(r))
	if r != sub.m || f.value.known.plain() {
		return
	}
	p := msg.part(f)
	p.msg, p.object = sub, sub.object
	sub.depth = max(sub.depth, msg.depth+1)
}

func (msg *message) clear(f *field) { msg.m.Clear(f.FieldDescriptor) }

// lookUp finds a field by its proto name, its JSON name, or, in brackets, the full name of an extension.
func (msg *message) lookUp(name goja.Value, method string) *field {
	if !goja.IsString(name) {
		msg.throwType("%s.%s: expected the name of a field, got %s", msg.desc.FullName(), method, describe(name))
	}
	s := name.String()
	if f := msg.named(s); f != nil {
		return f
	}
	if f := msg.extensionOf(msg.shape, s); f != nil {
		return f
	}
	msg.throwType("%s has no field %q", msg.desc.FullName(), s)
	return nil
}

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
	if goja.IsString(name) && name.String() == "$type" {
		return m.rt.ToValue(string(msg.desc.FullName()))
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

// maxDepth is how deep messages may be nested, as the official library decodes them.
const maxDepth = 10000

var errDepth = errors.New("messages are nested deeper than 10000")

// checkPart throws if putting a message into field f of msg would make a message part of itself, which nothing could
// encode, or too deep a one. before is how often messages had been shared before sub was made.
func (msg *message) checkPart(f *field, sub protoreflect.Message, before int) {
	if msg.shares == before || !msg.owned {
		return // what is part of no other message is not part of sub
	}
	if contains(sub, msg.m, map[protoreflect.Message]bool{}, maxDepth-int(msg.depth)) {
		msg.throwType("%s: a message cannot be part of itself, or nested deeper than %d", f.FullName(), maxDepth)
	}
}

// throwIfDeep throws what checkDepth returns.
func (m *Module) throwIfDeep(msg *message) {
	if err := m.checkDepth(msg); err != nil {
		m.throwRange("%v", err)
	}
}

// contains reports whether target is m or in it. It gives up, and says yes, below the depth.
func contains(m, target protoreflect.Message, seen map[protoreflect.Message]bool, depth int) bool {
	if m == target || depth < 0 {
		return true
	}
	if seen[m] {
		return false
	}
	seen[m] = true
	return !eachMessage(m, func(sub protoreflect.Message) bool { return !contains(sub, target, seen, depth-1) })
}

// eachMessage calls f for the messages in m until it returns false, and reports whether it never did.
func eachMessage(m protoreflect.Message, f func(protoreflect.Message) bool) bool {
	ok := true
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		ok = eachIn(fd, v, f)
		return ok
	})
	return ok
}

// eachIn is eachMessage for the value of one field.
func eachIn(fd protoreflect.FieldDescriptor, v protoreflect.Value, f func(protoreflect.Message) bool) bool {
	ok := true
	switch {
	case fd.IsMap():
		if fd.MapValue().Message() != nil {
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				ok = f(v.Message())
				return ok
			})
		}
	case fd.Message() == nil:
	case fd.IsList():
		for i := 0; i < v.List().Len() && ok; i++ {
			ok = f(v.List().Get(i).Message())
		}
	default:
		ok = f(v.Message())
	}
	return ok
}

// checkDepth returns an error for a message that is nested too deeply to be handed to anything that recurs.
func (m *Module) checkDepth(msg *message) error {
	if m.nested && tooDeep(msg.m, maxDepth, map[protoreflect.Message]int{}) {
		return fmt.Errorf("%w: %s", errDepth, msg.desc.FullName())
	}
	return nil
}

// tooDeep reports whether messages are nested deeper in m. It looks at each message once; heights are those that are
// known, and of messages that it is in, more than any.
func tooDeep(m protoreflect.Message, depth int, heights map[protoreflect.Message]int) bool {
	if h, ok := heights[m]; ok || depth < 0 {
		return h > depth || depth < 0
	}
	heights[m] = math.MaxInt
	height := 0
	if !eachMessage(m, func(sub protoreflect.Message) bool {
		if tooDeep(sub, depth-1, heights) {
			return false
		}
		height = max(height, heights[sub]+1)
		return true
	}) {
		return true
	}
	heights[m] = height
	return false
}

// live reports whether the lists and maps of m stay those of m whatever happens to the field.
func live(m protoreflect.Message) bool {
	_, ok := m.(*dynamic.Message)
	return ok
}
