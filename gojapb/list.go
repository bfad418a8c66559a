package gojapb

import (
	"reflect"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/mem"
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
		return l.of.plain(v.Message(), l.of.depth+1)
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
	if t.value == nil || !mem.Same(t.s, s) {
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
	list := l.write()
	switch n := list.Len(); {
	case i == n:
		l.append(list, v)
	case i < 0 || i > n:
		l.of.throwRange("%s: index %d of a list of %d", l.field.FullName(), i, n)
	default:
		list.Set(i, l.element(list, v))
		l.adopted(i, v)
	}
	return true
}

func (l *listView) append(list protoreflect.List, v goja.Value) {
	n := list.Len()
	list.Append(l.element(list, v))
	l.adopted(n, v)
}

// element returns v as an element.
func (l *listView) element(list protoreflect.List, v goja.Value) protoreflect.Value {
	before := l.of.shares
	to := l.of.valueOf(l.field, v, 0, func() protoreflect.Message { return list.NewElement().Message() })
	if l.of.shares != before && l.field.value.msg != nil {
		l.of.checkPart(l.field, to.Message(), before)
	}
	return to
}

// adopted keeps the object of a message that has become element i.
func (l *listView) adopted(i int, v goja.Value) {
	if sub := messageOf(v); sub != nil && !l.field.value.known.plain() {
		sub.depth = max(sub.depth, l.of.depth+1)
		l.keep(i, sub)
	}
}

// SetLen shortens the list. It does not get longer without elements.
func (l *listView) SetLen(n int) bool {
	defer l.of.guard()
	list := l.write()
	if n < 0 || n > list.Len() {
		l.of.throwRange("%s: length %d of a list of %d", l.field.FullName(), n, list.Len())
	}
	list.Truncate(n)
	return true
}

// listMethods are the methods of lists that arrays do not have, and those of arrays that would leave holes on their way.
func (m *Module) listMethods() []function {
	return []function{
		{"get", m.listGet},
		{"set", m.listSet},
		{"add", m.listAdd},
		{"clear", m.listClear},
		{"push", m.listPush},
		{"pop", m.listPop},
		{"shift", m.listShift},
		{"unshift", m.listUnshift},
		{"splice", m.listSplice},
		{"toObject", m.listToObject},
	}
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
		m.throwType("%s: expected an index, got %s", l.field.FullName(), describe(v))
	}
	return int(i)
}

func (m *Module) listSet(call goja.FunctionCall) goja.Value {
	l := m.thisList(call, "set")
	i := m.index(l, call.Argument(0))
	if n := l.Len(); i < 0 || i >= n {
		m.throwRange("%s: index %d of a list of %d", l.field.FullName(), i, n)
	}
	l.Set(i, call.Argument(1))
	return goja.Undefined()
}

func (m *Module) listAdd(call goja.FunctionCall) goja.Value {
	l := m.thisList(call, "add")
	l.append(l.write(), call.Argument(0))
	return goja.Undefined()
}

func (m *Module) listClear(call goja.FunctionCall) goja.Value {
	m.thisList(call, "clear").write().Truncate(0)
	return goja.Undefined()
}

func (m *Module) listPush(call goja.FunctionCall) goja.Value {
	l := m.thisList(call, "push")
	for _, v := range call.Arguments {
		l.append(l.write(), v)
	}
	return m.rt.ToValue(l.Len())
}

func (m *Module) listPop(call goja.FunctionCall) goja.Value {
	l := m.thisList(call, "pop")
	return first(m.splice(l, l.Len()-1, 1, nil))
}

func (m *Module) listShift(call goja.FunctionCall) goja.Value {
	return first(m.splice(m.thisList(call, "shift"), 0, 1, nil))
}

func (m *Module) listUnshift(call goja.FunctionCall) goja.Value {
	l := m.thisList(call, "unshift")
	m.splice(l, 0, 0, call.Arguments)
	return m.rt.ToValue(l.Len())
}

func (m *Module) listSplice(call goja.FunctionCall) goja.Value {
	l := m.thisList(call, "splice")
	n := l.Len()
	start := relative(call.Argument(0), n)
	count := n - start
	var added []goja.Value
	switch len(call.Arguments) {
	case 0:
		count = 0
	case 1:
	default:
		count = int(min(max(call.Arguments[1].ToInteger(), 0), int64(n-start)))
		added = call.Arguments[2:]
	}
	removed := m.splice(l, start, count, added)
	items := make([]any, len(removed))
	for i, v := range removed {
		items[i] = v
	}
	return m.rt.NewArray(items...)
}

// relative returns an index into n elements that may count from the end.
func relative(v goja.Value, n int) int {
	i := v.ToInteger()
	if i < 0 {
		i += int64(n)
	}
	return int(min(max(i, 0), int64(n)))
}

func first(values []goja.Value) goja.Value {
	if len(values) == 0 {
		return goja.Undefined()
	}
	return values[0]
}

// splice replaces elements by others, and returns those that were there. All are converted before anything changes.
func (m *Module) splice(l *listView, start, count int, added []goja.Value) []goja.Value {
	list := l.write()
	n := list.Len()
	if start < 0 || n == 0 && count > 0 {
		return nil
	}
	values := make([]protoreflect.Value, len(added))
	for i, v := range added {
		values[i] = l.element(list, v)
	}
	if list.Len() != n {
		m.throwRange("%s: the list changed meanwhile", l.field.FullName())
	}
	removed := make([]goja.Value, count)
	for i := range removed {
		removed[i] = l.value(list, start+i)
	}
	for i := start + count; i < n; i++ {
		values = append(values, list.Get(i))
	}
	list.Truncate(start)
	for _, v := range values {
		list.Append(v)
	}
	return removed
}

func (m *Module) listToObject(call goja.FunctionCall) goja.Value {
	l := m.thisList(call, "toObject")
	m.throwIfDeep(l.of)
	return m.objects.list(l.field, l.read())
}
