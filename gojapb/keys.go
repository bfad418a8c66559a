package gojapb

import (
	"reflect"
	"sync"
	"unicode/utf8"

	"github.com/dop251/goja"
	"github.com/dop251/goja/unistring"

	"github.com/protean-pb/protean/internal/mem"
)

// keysOf returns the names of an object's own enumerable properties, as goja's Keys does, which allocates four times for
// each of them. Where they can be had without that, they are in room.
func keysOf(o *goja.Object, room []string) []string {
	if names, ok := ordinaryKeys(o, room[:0]); ok {
		return names
	}
	return o.Keys()
}

// someKeys is how many keys most objects have at most.
const someKeys = 16

// ordinaryKeys appends the names to names, if there is room for them. It reports whether it did: only for an object that
// has nothing of its own but values, in the order in which they were set. No script is called.
func ordinaryKeys(o *goja.Object, names []string) ([]string, bool) {
	l := ordinaryLayout()
	if l == nil {
		return nil, false
	}
	self := reflect.ValueOf(o).Elem().Field(l.self).Elem()
	if self.Type() != l.ordinary {
		return nil, false
	}
	kept, values := self.Elem().Field(l.names), l.valuesOf(self)
	n := kept.Len()
	if n > cap(names) || n != len(values) {
		return nil, false
	}
	for i := range n {
		name := kept.Index(i).String()
		if v := values[unistring.String(name)]; v == nil || reflect.TypeOf(v) == l.property || !inOrder(name) {
			return nil, false
		}
		names = append(names, name)
	}
	return names, true
}

// inOrder reports whether a name is ASCII, as it is kept in UTF-16 else, and none of those that come before others.
func inOrder(name string) bool { return name == "" || name[0] < utf8.RuneSelf && name[0]-'0' > 9 }

// An objectLayout says where goja keeps the properties of an ordinary object: in fields that it does not export, which
// are only read, and which another release of it may not have.
type objectLayout struct {
	self     int          // the index of the field of a [goja.Object] that implements it
	ordinary reflect.Type // of what is there: a pointer to a struct
	names    int          // the index of that struct's field that has the names, in order
	values   int          // of the one that has the values, by name
	property reflect.Type // of what is in place of a value where a property has one that does not say all of it
}

var (
	namesType  = reflect.TypeFor[[]unistring.String]()
	valuesType = reflect.TypeFor[map[unistring.String]goja.Value]()
)

// valuesOf returns the values of what implements an ordinary object, which must not be changed.
func (l *objectLayout) valuesOf(self reflect.Value) map[unistring.String]goja.Value {
	return mem.MapAt[unistring.String, goja.Value](self.Elem().Field(l.values).UnsafePointer())
}

// ordinaryLayout is nil if this release of goja keeps properties in another way.
var ordinaryLayout = sync.OnceValue(func() *objectLayout {
	o := goja.New().NewObject()
	hidden(o.DefineDataProperty("data", goja.Undefined(), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	hidden(o.DefineAccessorProperty("accessor", nil, nil, goja.FLAG_TRUE, goja.FLAG_TRUE))
	self, ok := reflect.TypeFor[goja.Object]().FieldByName("self")
	if !ok || self.Type.Kind() != reflect.Interface || len(self.Index) != 1 {
		return nil
	}
	v := reflect.ValueOf(o).Elem().FieldByIndex(self.Index).Elem()
	if v.Kind() != reflect.Pointer || v.Type().Elem().Kind() != reflect.Struct {
		return nil
	}
	names, _ := v.Type().Elem().FieldByName("propNames")
	values, _ := v.Type().Elem().FieldByName("values")
	if names.Type != namesType || values.Type != valuesType || len(names.Index) != 1 || len(values.Index) != 1 {
		return nil
	}
	l := &objectLayout{self: self.Index[0], ordinary: v.Type(), names: names.Index[0], values: values.Index[0]}
	properties := l.valuesOf(v)
	l.property = reflect.TypeOf(properties["data"])
	if l.property == nil || l.property == reflect.TypeOf(goja.Undefined()) || l.property != reflect.TypeOf(properties["accessor"]) {
		return nil
	}
	return l
})
