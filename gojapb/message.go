package gojapb

import (
	"reflect"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/xunsafe"
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
	taken *taken   // the last of those
}

// A part is the object of a message, list or map in a field.
type part struct {
	field   *field
	object  *goja.Object
	msg     *message // one of these three
	list    *listView
	entries *mapView
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

// Get, Set, Has, Delete and Keys make fields properties. Methods are the prototype's, but for those that are taken.

func (msg *message) Get(name string) goja.Value {
	r := msg.find(name)
	f := r.propertyField()
	if f == nil && (r.method == nil || msg.forCall(name)) {
		return nil
	}
	defer msg.guard()
	if f == nil {
		return msg.take(r.method)
	}
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
		return msg.plain(&f.value, msg.m.Get(f.FieldDescriptor).Message(), msg.depth+1)
	}
	return msg.sub(f, msg.m.Get(f.FieldDescriptor).Message())
}

// string returns the value of a string, the same one as the last time if it is the same string.
func (msg *message) string(s string) goja.Value {
	k := msg.keep()
	if k.text.value == nil || !xunsafe.SameString(k.text.s, s) {
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
	if p := msg.seen(f); p != nil {
		return p
	}
	k := msg.keep()
	k.parts = append(k.parts, part{field: f})
	return &k.parts[len(k.parts)-1]
}

// seen returns the part of a field that a script has asked for; nil if none has.
func (msg *message) seen(f *field) *part {
	if msg.kept == nil {
		return nil
	}
	for i := range msg.kept.parts {
		if p := &msg.kept.parts[i]; p.field == f {
			return p
		}
	}
	return nil
}

// view returns the list or map of a field as an object that shows what is in it at any time.
func (msg *message) view(f *field) goja.Value {
	p := msg.part(f)
	if p.object == nil && f.cardinality == list {
		p.object, p.list = msg.newListView(msg, f)
	} else if p.object == nil {
		p.object, p.entries = msg.newMapView(msg, f)
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

// live reports whether the lists and maps of m stay those of m whatever happens to the field.
func live(m protoreflect.Message) bool {
	_, ok := m.(*dynamic.Message)
	return ok
}
