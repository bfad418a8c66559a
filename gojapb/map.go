package gojapb

import (
	"reflect"
	"slices"
	"strings"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/xunsafe"
)

// A mapView is what is behind the JavaScript object of a map field: it has the methods of a Map, and shows what is in
// the field at any time. Keys come in ascending order, since the field has none.
type mapView struct {
	of      *message
	field   *field
	m       protoreflect.Map   // nil if it has to be asked for each time
	strings *map[string]string // what is in m, if it is known where that lies
	parts   map[any]*message   // the objects of messages that a script has asked for, by key
	texts   *[mapTexts]keyedText
}

// mapTexts is how many strings of a map are kept that a script has read.
const mapTexts = 4

// A keyedText is a string that a script has read, and its key.
type keyedText struct {
	key string
	seenText
}

var (
	_             goja.DynamicObject = (*mapView)(nil)
	mapViewGoType                    = reflect.TypeFor[*mapView]()
)

func (m *Module) newMapView(of *message, f *field) (*goja.Object, *mapView) {
	v := &mapView{of: of, field: f}
	if live(of.m) && !f.IsExtension() {
		v.m = of.m.Mutable(f.FieldDescriptor).Map()
		v.strings = stringMap(v.m)
	}
	o := m.rt.NewDynamicObject(v)
	hidden(o.SetPrototype(m.maps))
	return o, v
}

// stringMap returns where a map has its entries, if it is one of package dynamic, of strings to strings; nil if not.
func stringMap(m protoreflect.Map) *map[string]string {
	if m, ok := m.(interface{ Strings() *map[string]string }); ok {
		return m.Strings()
	}
	return nil
}

// mapViewOf returns what is behind an object; nil if it is no map field.
func mapViewOf(v goja.Value) *mapView {
	if o, ok := v.(*goja.Object); ok && o.ExportType() == mapViewGoType {
		return o.Export().(*mapView)
	}
	return nil
}

func (m *Module) thisMap(call goja.FunctionCall, method string) *mapView {
	o, ok := call.This.(*goja.Object)
	if ok && o == m.latestMap.object {
		return m.latestMap.view
	}
	v := mapViewOf(call.This)
	if v != nil {
		m.latestMap.object, m.latestMap.view = o, v
		return v
	}
	m.throwType("%s: called on %s, which is no map field", method, describe(call.This))
	return nil
}

func (v *mapView) read() protoreflect.Map {
	if v.m != nil {
		return v.m
	}
	return v.of.m.Get(v.field.FieldDescriptor).Map()
}

func (v *mapView) write() protoreflect.Map {
	if v.m != nil {
		return v.m
	}
	return v.of.m.Mutable(v.field.FieldDescriptor).Map()
}

// Get, Set, Has, Delete and Keys: entries are no properties, since they could not be distinguished from methods.

func (v *mapView) Get(name string) goja.Value {
	if name == "size" {
		return v.of.rt.ToValue(v.read().Len())
	}
	return nil
}

func (v *mapView) Set(name string, _ goja.Value) bool {
	v.of.throwType("%s: %q is no property (entries are set by the method set)", v.field.FullName(), name)
	return false
}

func (v *mapView) Has(name string) bool  { return name == "size" }
func (v *mapView) Delete(string) bool    { return true }
func (v *mapView) Keys() (keys []string) { return nil }

// value returns a value of the map.
func (v *mapView) value(key protoreflect.MapKey, value protoreflect.Value) goja.Value {
	e := &v.field.value
	switch {
	case e.kind == protoreflect.StringKind && v.field.key.kind == protoreflect.StringKind:
		return v.text(key.String(), value.String())
	case e.msg == nil:
		return v.of.scalar(e, value)
	case e.known.plain():
		return v.of.plain(e, value.Message(), v.of.depth+1)
	}
	r := value.Message()
	if sub := v.parts[key.Interface()]; sub != nil && sub.m == r {
		return sub.object
	}
	return v.keep(key, v.of.wrap(v.of.bind(v.of.shapeIn(e, r)), r, v.of.depth+1))
}

// text returns the string of a key, the same value as the last time if key and string are the same strings.
func (v *mapView) text(key, s string) goja.Value {
	t := v.textAt(key)
	if t.value == nil || !xunsafe.SameString(t.key, key) || !xunsafe.SameString(t.s, s) {
		*t = keyedText{key, seenText{s, v.of.stringValue(s)}}
	}
	return t.value
}

// textAt returns where the string of a key is kept, or else what has to make room for it.
func (v *mapView) textAt(key string) *keyedText {
	if v.texts == nil {
		v.texts = new([mapTexts]keyedText)
	}
	at := xunsafe.Address(key) / 8
	for i := range uintptr(mapTexts) {
		if t := &v.texts[(at+i)%mapTexts]; t.value == nil || xunsafe.SameString(t.key, key) {
			return t
		}
	}
	return &v.texts[at%mapTexts]
}

// stringAt returns the string of a key that a script gives.
func (v *mapView) stringAt(name goja.Value) goja.Value {
	key := name.String()
	t := v.textAt(key)
	known := xunsafe.SameString(t.key, key) // and found to be well-formed
	if !known {
		v.of.mustBeWellFormed(&v.field.key, key, name)
	}
	s, ok := (*v.strings)[key]
	switch {
	case !ok:
		return goja.Undefined()
	case !known || t.value == nil || !xunsafe.SameString(t.s, s):
		*t = keyedText{key, seenText{s, v.of.stringValue(s)}}
	}
	return t.value
}

// keep remembers the object of a value.
func (v *mapView) keep(key protoreflect.MapKey, sub *message) goja.Value {
	if v.parts == nil {
		v.parts = map[any]*message{}
	}
	v.parts[key.Interface()] = sub
	return sub.object
}

// keys returns the keys in ascending order.
func (v *mapView) keys() []protoreflect.MapKey { return sortedKeys(v.field, v.read()) }

func sortedKeys(f *field, m protoreflect.Map) []protoreflect.MapKey {
	keys := make([]protoreflect.MapKey, 0, m.Len())
	m.Range(func(k protoreflect.MapKey, _ protoreflect.Value) bool {
		keys = append(keys, k)
		return true
	})
	slices.SortFunc(keys, func(a, b protoreflect.MapKey) int { return compareKeys(f.key.kind, a, b) })
	return keys
}

func compareKeys(kind protoreflect.Kind, a, b protoreflect.MapKey) int {
	less := false
	switch kind {
	case protoreflect.StringKind:
		return strings.Compare(a.String(), b.String())
	case protoreflect.BoolKind:
		less = !a.Bool() && b.Bool()
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind,
		protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		less = a.Int() < b.Int()
	default:
		less = a.Uint() < b.Uint()
	}
	if less {
		return -1
	}
	return 1
}

func (m *Module) mapMethods() []function {
	return []function{
		{"get", m.mapGet},
		{"set", m.mapSet},
		{"has", m.mapHas},
		{"delete", m.mapDelete},
		{"clear", m.mapClear},
		{"forEach", m.mapForEach},
		{"entries", m.mapEntries},
		{"keys", m.mapKeys},
		{"values", m.mapValues},
		{"toJSON", m.mapToJSON},
		{"toObject", m.mapToObject},
	}
}

func (m *Module) mapGet(call goja.FunctionCall) goja.Value {
	v := m.thisMap(call, "get")
	name := call.Argument(0)
	if v.strings != nil && goja.IsString(name) {
		return v.stringAt(name)
	}
	key := m.mapKey(v.field, name)
	if value := v.read().Get(key); value.IsValid() {
		return v.value(key, value)
	}
	return goja.Undefined()
}

func (m *Module) mapSet(call goja.FunctionCall) goja.Value {
	v := m.thisMap(call, "set")
	key := m.mapKey(v.field, call.Argument(0))
	given := call.Argument(1)
	before := m.shares
	value := m.valueOf(v.field, given, 0, func() protoreflect.Message { return v.write().NewValue().Message() })
	if m.shares != before && v.field.value.msg != nil {
		v.of.checkPart(v.field, value.Message(), before)
	}
	v.write().Set(key, value) // asked for only now: a script may have replaced the map while the value was converted
	if sub := messageOf(given); sub != nil && sub.m == value.Message() && !v.field.value.known.plain() {
		sub.depth = max(sub.depth, v.of.depth+1)
		v.keep(key, sub)
	}
	return call.This
}

func (m *Module) mapHas(call goja.FunctionCall) goja.Value {
	v := m.thisMap(call, "has")
	return m.rt.ToValue(v.read().Has(m.mapKey(v.field, call.Argument(0))))
}

func (m *Module) mapDelete(call goja.FunctionCall) goja.Value {
	v := m.thisMap(call, "delete")
	key := m.mapKey(v.field, call.Argument(0))
	if !v.read().Has(key) {
		return m.rt.ToValue(false)
	}
	v.write().Clear(key)
	delete(v.parts, key.Interface())
	return m.rt.ToValue(true)
}

func (m *Module) mapClear(call goja.FunctionCall) goja.Value {
	v := m.thisMap(call, "clear")
	clearMap(v.write())
	v.parts = nil
	return goja.Undefined()
}

// mapForEach calls a function with each value and key, those that are gone by their turn excepted.
func (m *Module) mapForEach(call goja.FunctionCall) goja.Value {
	v := m.thisMap(call, "forEach")
	f, ok := goja.AssertFunction(call.Argument(0))
	if !ok {
		m.throwType("%s: forEach: expected a function, got %s", v.field.FullName(), describe(call.Argument(0)))
	}
	for _, key := range v.keys() {
		value := v.read().Get(key)
		if !value.IsValid() {
			continue
		}
		if _, err := f(call.Argument(1), v.value(key, value),
			m.scalar(&v.field.key, key.Value()), call.This); err != nil {
			panic(err)
		}
	}
	return goja.Undefined()
}

// The iterators are those of an array of what there is now.

func (m *Module) mapEntries(call goja.FunctionCall) goja.Value {
	v := m.thisMap(call, "entries")
	return m.iterate(v, func(key protoreflect.MapKey, value protoreflect.Value) any {
		return m.rt.NewArray(m.scalar(&v.field.key, key.Value()), v.value(key, value))
	})
}

func (m *Module) mapKeys(call goja.FunctionCall) goja.Value {
	v := m.thisMap(call, "keys")
	return m.iterate(v, func(key protoreflect.MapKey, _ protoreflect.Value) any {
		return m.scalar(&v.field.key, key.Value())
	})
}

func (m *Module) mapValues(call goja.FunctionCall) goja.Value {
	v := m.thisMap(call, "values")
	return m.iterate(v, func(key protoreflect.MapKey, value protoreflect.Value) any { return v.value(key, value) })
}

func (m *Module) iterate(v *mapView, item func(protoreflect.MapKey, protoreflect.Value) any) goja.Value {
	entries := v.read()
	items := make([]any, 0, entries.Len())
	for _, key := range v.keys() {
		items = append(items, item(key, entries.Get(key)))
	}
	iterator, err := m.builtin.arrayValues(m.rt.NewArray(items...))
	if err != nil {
		panic(err)
	}
	return iterator
}

func (m *Module) mapToJSON(call goja.FunctionCall) goja.Value {
	v := m.thisMap(call, "toJSON")
	m.throwIfDeep(v.of)
	return m.jsons.mapping(v.field, v.read())
}

func (m *Module) mapToObject(call goja.FunctionCall) goja.Value {
	v := m.thisMap(call, "toObject")
	m.throwIfDeep(v.of)
	return m.objects.mapping(v.field, v.read())
}
