package gojapb

import (
	"reflect"
	"strconv"
	"time"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/proto"
)

// accept returns the message of sub as one that e can hold: the same if it is of the very type of those that fresh
// returns, else a copy.
func (m *Module) accept(e *element, sub *message, fresh func() protoreflect.Message) protoreflect.Message {
	if sub.desc.FullName() != e.msg.FullName() {
		m.wrongType(e, string(e.msg.FullName()), sub.object)
	}
	to := fresh()
	if to.Type() == sub.m.Type() {
		sub.owned = true
		if m.shapeOfElement(e).loops() {
			m.nested = true
			m.shares++
		}
		return sub.m
	}
	m.throwIfDeep(sub)
	m.copyMessage(to, sub.m)
	return to
}

// copyMessage copies a message into an empty one of the same name, which may be of another implementation.
func (m *Module) copyMessage(to, from protoreflect.Message) {
	if to.Descriptor() == from.Descriptor() {
		proto.Merge(to.Interface(), from.Interface())
		return
	}
	wire, err := proto.MarshalOptions{AllowPartial: true}.Marshal(from.Interface())
	if err == nil {
		err = proto.UnmarshalOptions{AllowPartial: true, Resolver: m.schema}.Unmarshal(wire, to.Interface())
	}
	if err != nil {
		m.throwError("%v", err)
	}
}

// fill fills a new message of a shape, for e, with what is in a plain object, or with a copy of a message.
func (m *Module) fill(r protoreflect.Message, s *shape, e *element, v goja.Value, depth int) {
	if depth > maxDepth {
		m.throwRange("%s: objects are nested deeper than %d, or part of themselves", e.name(), maxDepth)
	}
	if sub := messageOf(v); sub != nil {
		if sub.desc.FullName() != s.desc.FullName() {
			m.wrongType(e, string(s.desc.FullName()), v)
		}
		m.throwIfDeep(sub)
		m.copyMessage(r, sub.m)
		return
	}
	if s.known.plain() {
		m.fillPlain(r, s, e, v, depth)
		return
	}
	o, ok := v.(*goja.Object)
	switch {
	case ok && plainObject(o):
	case ok && s.known == timestampType && o.ExportType() == timeType:
		m.setMilliseconds(r, m.millisecondsOf(e.name(), o))
		return
	default:
		m.wrongType(e, string(s.desc.FullName())+" or a plain object", v)
	}
	var room [someKeys]string
	for _, name := range keysOf(o, room[:]) {
		f := s.byName[name]
		if f == nil {
			f = m.extensionOf(s, name)
		}
		if f == nil {
			m.throwType("%s has no field %q", s.desc.FullName(), name)
		}
		m.setField(r, f, o.Get(name), depth+1)
	}
}

// setField sets a field of a message that no script has seen yet.
func (m *Module) setField(r protoreflect.Message, f *field, v goja.Value, depth int) {
	if f.clears(v) {
		r.Clear(f.FieldDescriptor)
		return
	}
	r.Set(f.FieldDescriptor, m.fieldValue(r, f, v, depth))
}

// fieldValue returns v as a new value for a field of r.
func (m *Module) fieldValue(r protoreflect.Message, f *field, v goja.Value, depth int) protoreflect.Value {
	switch {
	case f.cardinality == list:
		return m.listOf(r, f, v, depth)
	case f.cardinality == mapped:
		return m.mapOf(r, f, v, depth)
	case f.value.msg == nil:
		return m.scalarOf(&f.value, v)
	}
	return m.valueOf(f, v, depth, func() protoreflect.Message { return r.NewField(f.FieldDescriptor).Message() })
}

// clears reports whether setting the field to v clears it: null is a value for google.protobuf.Value.
func (f *field) clears(v goja.Value) bool {
	return absent(v) && !(f.value.known == valueType && f.cardinality == singular && v != nil && goja.IsNull(v))
}

var (
	timeType  = reflect.TypeFor[time.Time]()
	proxyType = reflect.TypeFor[goja.Proxy]()
)

// plainObject reports whether o is an object of properties, rather than an array, a function, a Map, a Date, bytes or
// a message.
func plainObject(o *goja.Object) bool {
	t := o.ExportType()
	switch {
	case t == objectType || t == proxyType:
		_, callable := goja.AssertFunction(o)
		return !callable && o.ClassName() != "Array"
	case t == messageGoType || t == bufferType || t.Kind() == reflect.Slice:
		return false
	}
	return o.ClassName() == "Object"
}

var objectType = reflect.TypeFor[map[string]any]()

// listOf returns a new list for a field, with the elements of any iterable object.
func (m *Module) listOf(r protoreflect.Message, f *field, v goja.Value, depth int) protoreflect.Value {
	o, ok := v.(*goja.Object)
	to := r.NewField(f.FieldDescriptor)
	l := to.List()
	if ok && isArray(o) {
		m.appendArray(l, f, o, depth)
		return to
	}
	if !ok || absent(o.GetSymbol(goja.SymIterator)) {
		m.throwType("%s: expected an array, got %s", f.FullName(), describe(v))
	}
	m.rt.ForOf(o, func(v goja.Value) bool {
		m.appendElement(l, f, v, depth)
		return true
	})
	return to
}

var (
	mapType = reflect.TypeFor[[][2]any]()
	setType = reflect.TypeFor[[]any]()
)

// isSet reports whether o is a Set.
func isSet(o *goja.Object) bool { return o.ExportType() == setType && o.ClassName() != "Array" }

// maxAtOnce is how many elements of an array are taken at once. goja makes room for as many as an array says it has,
// whether they are there or not.
const maxAtOnce = 1 << 16

func (m *Module) appendArray(l protoreflect.List, f *field, array *goja.Object, depth int) {
	n := length(array)
	if l, ok := l.(interface{ Grow(int) }); ok { // package dynamic's
		l.Grow(min(n, maxAtOnce))
	}
	if n <= maxAtOnce {
		for _, v := range m.elements(array) {
			m.appendElement(l, f, v, depth)
		}
		return
	}
	for i := range n { // if it changes meanwhile, an element is undefined, which is refused
		m.appendElement(l, f, array.Get(strconv.Itoa(i)), depth)
	}
}

// elements returns what is in an array, by having goja call a function with it: a plain array's values are not copied
// for that. Those that are nil are undefined.
func (m *Module) elements(array *goja.Object) []goja.Value {
	m.builtin.apply(goja.FunctionCall{This: m.builtin.collect, Arguments: []goja.Value{goja.Undefined(), array}})
	elements := m.collected
	m.collected = nil
	return elements
}

func length(o *goja.Object) int { return int(o.Get("length").ToInteger()) }

// appendElement appends v to a list that no script has seen yet, so that a message cannot become part of itself.
func (m *Module) appendElement(l protoreflect.List, f *field, v goja.Value, depth int) {
	if f.value.msg == nil {
		l.Append(m.scalarOf(&f.value, v))
		return
	}
	l.Append(m.valueOf(f, v, depth, func() protoreflect.Message { return l.NewElement().Message() }))
}

// valueOf returns v as a value of the field, as an element of its list or as a value of its map. It makes messages by
// fresh.
func (m *Module) valueOf(f *field, v goja.Value, depth int, fresh func() protoreflect.Message) protoreflect.Value {
	if f.value.msg == nil {
		return m.scalarOf(&f.value, v)
	}
	if sub := messageOf(v); sub != nil {
		return protoreflect.ValueOfMessage(m.accept(&f.value, sub, fresh))
	}
	r := fresh()
	m.fill(r, m.shapeOfElement(&f.value), &f.value, v, depth)
	return protoreflect.ValueOfMessage(r)
}

// mapOf returns a new map for a field, with the entries of a Map, of a field's map, or of a plain object.
func (m *Module) mapOf(r protoreflect.Message, f *field, v goja.Value, depth int) protoreflect.Value {
	o, ok := v.(*goja.Object)
	to := r.NewField(f.FieldDescriptor)
	entries := to.Map()
	set := func(k, v goja.Value) {
		key := m.mapKey(f, k)
		entries.Set(key, m.valueOf(f, v, depth, func() protoreflect.Message { return entries.NewValue().Message() }))
	}
	switch {
	case ok && (o.ExportType() == mapType || mapViewOf(o) != nil):
		m.rt.ForOf(o, func(entry goja.Value) bool {
			pair := entry.ToObject(m.rt)
			set(pair.Get("0"), pair.Get("1"))
			return true
		})
	case ok && plainObject(o):
		var room [someKeys]string
		for _, name := range keysOf(o, room[:]) {
			if v := m.member(o, name, f.FullName()); !goja.IsUndefined(v) {
				set(m.rt.ToValue(name), v)
			}
		}
	default:
		m.throwType("%s: expected a Map or a plain object, got %s", f.FullName(), describe(v))
	}
	return to
}

// nameKey returns the key of a map that a property's name stands for.
func (m *Module) nameKey(f *field, name string) protoreflect.MapKey {
	if f.key.kind == protoreflect.StringKind {
		return protoreflect.ValueOfString(name).MapKey()
	}
	return m.mapKey(f, m.rt.ToValue(name))
}

// mapKey returns a key of a map. The keys of plain objects are strings, whatever they stand for, so that strings will
// do for numbers and booleans.
func (m *Module) mapKey(f *field, v goja.Value) protoreflect.MapKey {
	if goja.IsString(v) {
		switch f.key.kind {
		case protoreflect.StringKind, protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind,
			protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		case protoreflect.BoolKind:
			if s := v.String(); s == "true" || s == "false" {
				return protoreflect.ValueOfBool(s == "true").MapKey()
			}
		default:
			if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
				v = m.rt.ToValue(n)
			}
		}
	}
	return m.scalarOf(&f.key, v).MapKey()
}
