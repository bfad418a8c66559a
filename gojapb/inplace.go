package gojapb

import (
	"github.com/dop251/goja"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Lists and maps of what is no message, in messages of package dynamic, are changed where they are: nobody else has
// them. All is converted before anything is changed.

// setInPlace sets a list from an array, or a map from a plain object. It reports whether it did; all else takes another
// way.
func (msg *message) setInPlace(f *field, v goja.Value) bool {
	o, ok := v.(*goja.Object)
	switch {
	case !ok || f.cardinality == singular:
		return false
	case f.cardinality == list:
		return isArray(o) && msg.setScalars(f, o)
	}
	return plainObject(o) && mapViewOf(o) == nil && msg.setEntries(f, o)
}

func (msg *message) setScalars(f *field, array *goja.Object) bool {
	if length(array) > maxAtOnce {
		return false
	}
	// Nothing between here and the end calls a script, which might come here again.
	elements, l := msg.elements(array), msg.mutableList(f)
	if at := stringList(l); at != nil {
		msg.setStringList(at, f, elements)
		return true
	}
	values := msg.values[:0]
	for _, v := range elements {
		values = append(values, msg.scalarOf(&f.value, v))
	}
	l.Truncate(0)
	if l, ok := l.(interface{ Grow(int) }); ok {
		l.Grow(len(values))
	}
	for _, v := range values {
		l.Append(v)
	}
	clear(values)
	msg.values = values[:0]
	return true
}

// setStringList sets a list of strings, whose elements are at an address.
func (msg *message) setStringList(at *[]string, f *field, elements []goja.Value) {
	texts := msg.texts[:0]
	for _, v := range elements {
		texts = append(texts, msg.stringOf(&f.value, v))
	}
	clear((*at)[min(len(texts), len(*at)):]) // so that they are not kept alive
	*at = append((*at)[:0], texts...)
	clear(texts)
	msg.texts = texts[:0]
}

// maxInPlace is how many entries a map is set to where it is.
const maxInPlace = 8

func (msg *message) setEntries(f *field, o *goja.Object) bool {
	var room [maxInPlace]string
	names := keysOf(o, room[:])
	if len(names) > maxInPlace {
		return false
	}
	if at := msg.mutableStrings(f); at != nil {
		msg.setStringMap(at, f, o, names)
		return true
	}
	var keys [maxInPlace]protoreflect.MapKey
	var values [maxInPlace]protoreflect.Value
	n := 0
	for _, name := range names {
		if v := msg.member(o, name, f.FullName()); !goja.IsUndefined(v) {
			keys[n], values[n] = msg.nameKey(f, name), msg.scalarOf(&f.value, v)
			n++
		}
	}
	m := msg.mutableMap(f)
	if f.key.kind != protoreflect.StringKind { // "1" and "01" are one number
		clearMap(m)
	}
	for i := range n {
		m.Set(keys[i], values[i])
	}
	if m.Len() > n { // there were others
		clearMap(m)
		for i := range n {
			m.Set(keys[i], values[i])
		}
	}
	return true
}

// setStringMap sets a map of strings to strings, whose entries are at an address, to what is in an object under the
// names, which it makes use of.
func (msg *message) setStringMap(at *map[string]string, f *field, o *goja.Object, names []string) {
	var values [maxInPlace]string
	keys, of := names[:0], f.FullName()
	for _, name := range names {
		if v := msg.member(o, name, of); !goja.IsUndefined(v) {
			values[len(keys)] = msg.stringOf(&f.value, v)
			keys = append(keys, name)
		}
	}
	if *at == nil {
		*at = make(map[string]string, len(keys))
	}
	for i, key := range keys {
		(*at)[key] = values[i]
	}
	if len(*at) > len(keys) { // there were others
		clear(*at)
		for i, key := range keys {
			(*at)[key] = values[i]
		}
	}
}

// mutableList and mutableMap return the list or map of a field, which a view of it has at hand.

func (msg *message) mutableList(f *field) protoreflect.List {
	if p := msg.seen(f); p != nil && p.list != nil && p.list.list != nil {
		return p.list.list
	}
	return msg.m.Mutable(f.FieldDescriptor).List()
}

func (msg *message) mutableMap(f *field) protoreflect.Map {
	if p := msg.seen(f); p != nil && p.entries != nil && p.entries.m != nil {
		return p.entries.m
	}
	return msg.m.Mutable(f.FieldDescriptor).Map()
}

// mutableStrings returns where the entries of a map are if it is one of strings to strings, else nil.
func (msg *message) mutableStrings(f *field) *map[string]string {
	if p := msg.seen(f); p != nil && p.entries != nil && p.entries.m != nil {
		return p.entries.strings
	}
	return stringMap(msg.m.Mutable(f.FieldDescriptor).Map())
}

// clearMap removes all entries.
func clearMap(m protoreflect.Map) {
	m.Range(func(key protoreflect.MapKey, _ protoreflect.Value) bool {
		m.Clear(key)
		return true
	})
}
