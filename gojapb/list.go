package gojapb

import (
	"reflect"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/xunsafe"
	"github.com/protean-pb/protean/proto"
)

// A listView is what is behind the JavaScript object of a repeated field: an array that shows what is in the field at
// any time, whose elements have the type of the field. It has no holes: it grows by an element at its end.
type listView struct {
	of      *message
	field   *field
	list    protoreflect.List // nil if it has to be asked for each time
	strings *[]string         // what is in list, if it is known where that lies
	texts   []seenText        // the strings that a script has read, by index
	parts   []*message        // the objects of messages that a script has asked for, by index
}

// A seenText is a string and its JavaScript value.
type seenText struct {
	s     string
	value goja.Value
}

var (
	_              goja.DynamicArray = (*listView)(nil)
	_              sequence          = (*listView)(nil)
	listViewGoType                   = reflect.TypeFor[*listView]()
)

func (m *Module) newListView(of *message, f *field) (*goja.Object, *listView) {
	l := &listView{of: of, field: f}
	if live(of.m) && !f.IsExtension() {
		l.list = of.m.Mutable(f.FieldDescriptor).List()
		l.strings = stringList(l.list)
	}
	o := m.rt.NewDynamicArray(l)
	hidden(o.SetPrototype(m.lists))
	return o, l
}

// stringList returns where a list has its elements, if it is one of package dynamic, of strings; nil if not.
func stringList(l protoreflect.List) *[]string {
	if l, ok := l.(interface{ Strings() *[]string }); ok {
		return l.Strings()
	}
	return nil
}

// thisList returns the list that a method was called on.
func (m *Module) thisList(call goja.FunctionCall, method string) *listView {
	o, ok := call.This.(*goja.Object)
	if ok && o == m.latestList.object {
		return m.latestList.view
	}
	if ok && o.ExportType() == listViewGoType {
		m.latestList.object, m.latestList.view = o, o.Export().(*listView)
		return m.latestList.view
	}
	m.throwType("%s: called on %s, which is no repeated field", method, describe(call.This))
	return nil
}

// read returns the list for reading, and write for changing it.
func (l *listView) read() protoreflect.List {
	if l.list != nil {
		return l.list
	}
	return l.of.m.Get(l.field.FieldDescriptor).List()
}

func (l *listView) write() protoreflect.List {
	if l.list != nil {
		return l.list
	}
	return l.of.m.Mutable(l.field.FieldDescriptor).List()
}

// Len, Get, Set and SetLen make elements those of an array.

func (l *listView) Len() int { return l.read().Len() }

func (l *listView) Get(i int) goja.Value {
	defer l.of.guard()
	return l.at(i)
}

// at returns an element; nil if there is none.
func (l *listView) at(i int) goja.Value {
	if l.strings != nil {
		if s := *l.strings; uint(i) < uint(len(s)) {
			return l.text(i, s[i])
		}
		return nil
	}
	list := l.read()
	if i < 0 || i >= list.Len() {
		return nil
	}
	return l.value(list, i)
}

func (l *listView) value(list protoreflect.List, i int) goja.Value {
	e := &l.field.value
	v := list.Get(i)
	switch {
	case e.kind == protoreflect.StringKind:
		return l.text(i, v.String())
	case e.msg == nil:
		return l.of.scalar(e, v)
	case e.known.plain():
		return l.of.plain(e, v.Message(), l.of.depth+1)
	}
	r := v.Message()
	if i < len(l.parts) && l.parts[i] != nil && l.parts[i].m == r {
		return l.parts[i].object
	}
	return l.keep(i, l.of.wrap(l.of.bind(l.of.shapeIn(e, r)), r, l.of.depth+1))
}

// maxTexts is up to which index strings are kept that a script has read.
const maxTexts = 64

// text returns string i of the list, the same value as the last time if it is the same string.
func (l *listView) text(i int, s string) goja.Value {
	if i >= maxTexts {
		return l.of.stringValue(s)
	}
	for len(l.texts) <= i {
		l.texts = append(l.texts, seenText{})
	}
	t := &l.texts[i]
	if t.value == nil || !xunsafe.SameString(t.s, s) {
		*t = seenText{s, l.of.stringValue(s)}
	}
	return t.value
}

// keep remembers the object of an element.
func (l *listView) keep(i int, sub *message) goja.Value {
	for len(l.parts) <= i {
		l.parts = append(l.parts, nil)
	}
	l.parts[i] = sub
	return sub.object
}

func (l *listView) Set(i int, v goja.Value) bool {
	defer l.of.guard()
	l.inside(i, l.Len()+1)
	value := l.element(v)
	list := l.write()
	if n := list.Len(); i == n {
		list.Append(value)
	} else {
		l.inside(i, n) // a script that had its turn meanwhile may have shortened the list
		list.Set(i, value)
	}
	l.adopted(i, v)
	return true
}

// inside throws if i is no index below n.
func (l *listView) inside(i, n int) {
	if i < 0 || i >= n {
		l.of.throwRange("%s: index %d of a list of %d", l.name(), i, l.Len())
	}
}

func (l *listView) name() string { return string(l.field.FullName()) }

// element returns v as an element.
func (l *listView) element(v goja.Value) protoreflect.Value {
	before := l.of.shares
	to := l.of.valueOf(l.field, v, 0, func() protoreflect.Message { return l.write().NewElement().Message() })
	if l.of.shares != before && l.field.value.msg != nil {
		l.of.checkPart(l.field, to.Message(), before)
	}
	return to
}

// again returns an element for another place: plain values and bytes are copied, a message is the same one in both.
func (l *listView) again(v protoreflect.Value) protoreflect.Value {
	e := &l.field.value
	switch {
	case e.kind == protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(append([]byte{}, v.Bytes()...))
	case e.msg != nil && e.known.plain():
		return protoreflect.ValueOfMessage(proto.Clone(v.Message().Interface()).ProtoReflect())
	}
	return v
}

// adopted keeps the objects of messages that have become elements, from index start on.
func (l *listView) adopted(start int, values ...goja.Value) {
	if l.field.value.msg == nil || l.field.value.known.plain() {
		return
	}
	for i, v := range values {
		if sub := messageOf(v); sub != nil {
			sub.depth = max(sub.depth, l.of.depth+1)
			l.keep(start+i, sub)
		}
	}
}

// moved keeps the objects of messages whose index has changed.
func (l *listView) moved(start int) {
	if start >= len(l.parts) {
		return
	}
	subs := map[protoreflect.Message]*message{}
	for _, sub := range l.parts[start:] {
		if sub != nil {
			subs[sub.m] = sub
		}
	}
	clear(l.parts[start:])
	l.parts = l.parts[:start]
	list := l.read()
	for i := start; i < list.Len(); i++ {
		if sub := subs[list.Get(i).Message()]; sub != nil {
			l.keep(i, sub)
		}
	}
}

// SetLen shortens the list. It does not get longer without elements.
func (l *listView) SetLen(n int) bool {
	defer l.of.guard()
	list := l.write()
	if n < 0 || n > list.Len() {
		l.of.throwRange("%s: length %d of a list of %d", l.name(), n, list.Len())
	}
	list.Truncate(n)
	return true
}

// listMethods are the methods of repeated fields that those of arrays are not good enough for.
func (m *Module) listMethods() []function {
	return append(m.sequenceMethods(), []function{
		{"get", m.listGet},
		{"set", m.listSet},
		{"add", m.listAdd},
		{"clear", m.listClear},
		{"toJSON", m.listToJSON},
		{"toObject", m.listToObject},
	}...)
}

func (m *Module) listGet(call goja.FunctionCall) goja.Value {
	l := m.thisList(call, "get")
	if v := l.at(m.index(l, call.Argument(0))); v != nil {
		return v
	}
	return goja.Undefined()
}

// index returns a number that scripts have given as an index.
func (m *Module) index(l *listView, v goja.Value) int {
	i := v.ToInteger()
	if !goja.IsNumber(v) || v.ToFloat() != float64(i) {
		m.throwType("%s: expected an index, got %s", l.name(), describe(v))
	}
	return int(i)
}

func (m *Module) listSet(call goja.FunctionCall) goja.Value {
	l := m.thisList(call, "set")
	i := m.index(l, call.Argument(0))
	l.inside(i, l.Len())
	l.Set(i, call.Argument(1))
	return goja.Undefined()
}

func (m *Module) listAdd(call goja.FunctionCall) goja.Value {
	l := m.thisList(call, "add")
	value := l.element(call.Argument(0))
	list := l.write()
	list.Append(value)
	l.adopted(list.Len()-1, call.Argument(0))
	return goja.Undefined()
}

func (m *Module) listClear(call goja.FunctionCall) goja.Value {
	m.thisList(call, "clear").write().Truncate(0)
	return goja.Undefined()
}

// listToJSON is what JSON.stringify sees: the elements as they are in the JSON of the message.
func (m *Module) listToJSON(call goja.FunctionCall) goja.Value {
	l := m.thisList(call, "toJSON")
	m.throwIfDeep(l.of)
	return m.jsons.list(l.field, l.read())
}

func (m *Module) listToObject(call goja.FunctionCall) goja.Value {
	l := m.thisList(call, "toObject")
	m.throwIfDeep(l.of)
	return m.objects.list(l.field, l.read())
}
