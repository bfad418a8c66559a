package gojapb

import (
	"reflect"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/dop251/goja"
	"github.com/dop251/goja/unistring"

	"github.com/protean-pb/protean/internal/xunsafe"
)

// keysOf returns the names of an object's own enumerable properties, as goja's Keys does, which allocates four times
// for each of them. Where they can be had without that, they are in room.
func keysOf(o *goja.Object, room []string) []string {
	if names, ok := ordinaryKeys(o, room[:0]); ok {
		return names
	}
	return o.Keys()
}

// someKeys is how many keys most objects have at most.
const someKeys = 16

// ordinaryKeys appends the names to names, if there is room for them. It reports whether it did: only for an object
// that has nothing of its own but values, in the order in which they were set. No script is called.
func ordinaryKeys(o *goja.Object, names []string) ([]string, bool) {
	l := ordinaryLayout()
	if l == nil {
		return nil, false
	}
	return l.keys(o, names)
}

func (l *objectLayout) keys(o *goja.Object, names []string) ([]string, bool) {
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
// are only read, and which another release of it may not have, or use in another way: so they are not used before they
// were found to be as expected, and to lead to the names that Keys returns.
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
	return xunsafe.MapAt[unistring.String, goja.Value](self.Elem().Field(l.values).UnsafePointer())
}

// ordinaryLayout is nil if this release of goja keeps properties in another way.
var ordinaryLayout = sync.OnceValue(func() *objectLayout {
	rt := goja.New()
	l := layoutOf(rt.NewObject())
	if l == nil || !l.agrees(rt) {
		return nil
	}
	return l
})

// layoutOf returns where an object has its properties; nil if it has them in another way than goja's ordinary ones.
func layoutOf(o *goja.Object) *objectLayout {
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
	if l.property == nil || l.property == reflect.TypeOf(goja.Undefined()) ||
		l.property != reflect.TypeOf(properties["accessor"]) {
		return nil
	}
	return l
}

// odd are objects of which other releases of goja might keep the names in another way.
const odd = `[
	{}, {b: 1, a: 2}, {z: 1, 10: 1, 9: 2, a: 3}, {a: 1, get b() { return 2; }}, {'\u00e4': 1, a: 2}, {a: undefined, b: null},
	(() => { const o = {a: 1, b: 2, c: 3}; delete o.b; o.d = 4; delete o.a; o.a = 5; return o; })(),
	(() => { const o = {a: 1, b: 2, c: 3}; for (const k in o) { delete o.a; o['n' + k] = 1; if (k === 'b') break; } return o; })(),
	(() => { const o = {}; for (let i = 0; i < 14; i++) o['k' + i] = i; Object.keys(o); delete o.k3; o.k3 = 1; return o; })(),
	Object.defineProperty({a: 1}, 'hidden', {value: 1}), Object.freeze({a: 1, b: 2}), Object.create({inherited: 1}),
	Object.assign(Object.create({inherited: 1}), {own: 1, [Symbol('s')]: 2}), JSON.parse('{"x": 1, "__proto__": 2}'),
	new (class { x = 1; get w() { return 4; } })(), Object.assign([], {a: 1}), new Proxy({a: 1}, {}),
]`

// agrees reports whether the names that are found, of some objects at least, are those that Keys returns.
func (l *objectLayout) agrees(rt *goja.Runtime) bool {
	v, err := rt.RunString(odd)
	if err != nil {
		return false
	}
	all, found := v.(*goja.Object), 0
	for i := range length(all) {
		o := all.Get(strconv.Itoa(i)).(*goja.Object)
		names, ok := l.keys(o, make([]string, 0, someKeys))
		if ok && !slices.Equal(names, o.Keys()) {
			return false
		}
		if ok {
			found++
		}
	}
	return found > 0
}
