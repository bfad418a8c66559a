package gojapb

import (
	"slices"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A sequence is a list of a message that scripts see as an array: a repeated field or the values of a ListValue. The
// methods of arrays that change several elements are its own. Those of Array.prototype set one element after the other,
// which leaves half a change behind when one is refused, and take what they move through JavaScript, which may not give
// back what it got: a number that a closed enum does not know, a Value that holds nothing. These convert all that they
// are given before anything changes, and move the elements as they are.
type sequence interface {
	// name is the name of the field, for errors.
	name() string
	read() protoreflect.List
	// write returns the list for changes. What it returned before a script had its turn may be in no message any more.
	write() protoreflect.List
	// at returns element i as scripts see it, nil if there is none.
	at(i int) goja.Value
	// element returns v as a new element, and throws if it cannot be one.
	element(v goja.Value) protoreflect.Value
	// again returns an element for another place.
	again(v protoreflect.Value) protoreflect.Value
	// moved is called when elements from index start on have been moved.
	moved(start int)
	// adopted is called with what the elements from index start on were made of.
	adopted(start int, values ...goja.Value)
}

// sequenceMethods are the methods of arrays that change more than one element, or would leave holes on their way.
func (m *Module) sequenceMethods() []function {
	return []function{
		{"push", m.arrayPush},
		{"pop", m.arrayPop},
		{"shift", m.arrayShift},
		{"unshift", m.arrayUnshift},
		{"splice", m.arraySplice},
		{"fill", m.arrayFill},
		{"sort", m.arraySort},
		{"reverse", m.arrayReverse},
		{"copyWithin", m.arrayCopyWithin},
	}
}

// thisSequence returns the list that a method was called on.
func (m *Module) thisSequence(call goja.FunctionCall, method string) sequence {
	o, ok := call.This.(*goja.Object)
	switch {
	case !ok:
	case o == m.latestList.object:
		return m.latestList.view
	case o.ExportType() == listViewGoType:
		return m.thisList(call, method)
	case o.ExportType() == listValueViewGoType:
		return o.Export().(*listValueView)
	}
	m.throwType("%s: called on %s, which is no list of a message", method, describe(call.This))
	return nil
}

func (m *Module) arrayPush(call goja.FunctionCall) goja.Value {
	s := m.thisSequence(call, "push")
	var room [4]protoreflect.Value
	values := elementsOf(s, call.Arguments, room[:0])
	list := s.write()
	n := list.Len()
	for _, v := range values {
		list.Append(v)
	}
	s.adopted(n, call.Arguments...)
	return m.rt.ToValue(list.Len())
}

// elementsOf appends values as elements to converted.
func elementsOf(s sequence, values []goja.Value, converted []protoreflect.Value) []protoreflect.Value {
	for _, v := range values {
		converted = append(converted, s.element(v))
	}
	return converted
}

func (m *Module) arrayPop(call goja.FunctionCall) goja.Value {
	s := m.thisSequence(call, "pop")
	return first(m.replace(s, s.read().Len()-1, 1, nil))
}

func (m *Module) arrayShift(call goja.FunctionCall) goja.Value {
	return first(m.replace(m.thisSequence(call, "shift"), 0, 1, nil))
}

func (m *Module) arrayUnshift(call goja.FunctionCall) goja.Value {
	s := m.thisSequence(call, "unshift")
	m.replace(s, 0, 0, call.Arguments)
	return m.rt.ToValue(s.read().Len())
}

func (m *Module) arraySplice(call goja.FunctionCall) goja.Value {
	s := m.thisSequence(call, "splice")
	n := s.read().Len()
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
	removed := m.replace(s, start, count, added)
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

// limit returns the end of a part that an argument gives, as relative does; the end of all if there is none.
func limit(v goja.Value, n int) int {
	if goja.IsUndefined(v) {
		return n
	}
	return relative(v, n)
}

func first(values []goja.Value) goja.Value {
	if len(values) == 0 {
		return goja.Undefined()
	}
	return values[0]
}

// replace replaces count elements from index start on by others, and returns those that were there.
func (m *Module) replace(s sequence, start, count int, added []goja.Value) []goja.Value {
	n := s.read().Len()
	if start < 0 || n == 0 && count > 0 {
		return nil
	}
	values := elementsOf(s, added, make([]protoreflect.Value, 0, len(added)))
	list := m.unchanged(s, n)
	removed := make([]goja.Value, count)
	for i := range removed {
		removed[i] = s.at(start + i)
	}
	for i := start + count; i < n; i++ {
		values = append(values, list.Get(i))
	}
	list.Truncate(start)
	for _, v := range values {
		list.Append(v)
	}
	s.moved(start)
	s.adopted(start, added...)
	return removed
}

// unchanged returns the list for changes. It throws if it has no longer n elements, since a script that had its turn
// meanwhile has changed it.
func (m *Module) unchanged(s sequence, n int) protoreflect.List {
	list := s.write()
	if list.Len() != n {
		m.throwRange("%s: the list changed meanwhile", s.name())
	}
	return list
}

func (m *Module) arrayFill(call goja.FunctionCall) goja.Value {
	s := m.thisSequence(call, "fill")
	n := s.read().Len()
	start, end := relative(call.Argument(1), n), limit(call.Argument(2), n)
	given := slices.Repeat([]goja.Value{call.Argument(0)}, max(end-start, 0))
	values := elementsOf(s, given, make([]protoreflect.Value, 0, len(given)))
	list := m.unchanged(s, n)
	for i, v := range values {
		list.Set(start+i, v)
	}
	s.adopted(start, given...)
	return call.This
}

func (m *Module) arrayReverse(call goja.FunctionCall) goja.Value {
	s := m.thisSequence(call, "reverse")
	values := valuesOf(s.read())
	slices.Reverse(values)
	m.rearrange(s, values)
	return call.This
}

func (m *Module) arrayCopyWithin(call goja.FunctionCall) goja.Value {
	s := m.thisSequence(call, "copyWithin")
	n := s.read().Len()
	target, start := relative(call.Argument(0), n), relative(call.Argument(1), n)
	end := limit(call.Argument(2), n)
	values := valuesOf(m.unchanged(s, n))
	for i, v := range slices.Clone(values[start:max(start, end)]) {
		if target+i < n {
			values[target+i] = s.again(v)
		}
	}
	m.rearrange(s, values)
	return call.This
}

func valuesOf(list protoreflect.List) []protoreflect.Value {
	values := make([]protoreflect.Value, list.Len())
	for i := range values {
		values[i] = list.Get(i)
	}
	return values
}

// rearrange sets all elements.
func (m *Module) rearrange(s sequence, values []protoreflect.Value) {
	list := m.unchanged(s, len(values))
	for i, v := range values {
		list.Set(i, v)
	}
	s.moved(0)
}

// arraySort sorts by a function of the script, or by the elements' texts, as arrays do: undefined comes last.
func (m *Module) arraySort(call goja.FunctionCall) goja.Value {
	s := m.thisSequence(call, "sort")
	by := call.Argument(0)
	compare, ok := goja.AssertFunction(by)
	if !ok && !goja.IsUndefined(by) {
		m.throwType("%s: sort: expected a function, got %s", s.name(), describe(by))
	}
	items := make([]sortItem, s.read().Len())
	for i, v := range valuesOf(s.read()) {
		items[i] = sortItem{value: v, seen: s.at(i)}
		if compare == nil {
			items[i].text = m.stringValue(items[i].seen.String()).(goja.String)
		}
	}
	slices.SortStableFunc(items, func(a, b sortItem) int { return a.compare(b, compare) })
	values := make([]protoreflect.Value, len(items))
	for i, item := range items {
		values[i] = item.value
	}
	m.rearrange(s, values)
	return call.This
}

// A sortItem is an element and what scripts see of it.
type sortItem struct {
	value protoreflect.Value
	seen  goja.Value
	text  goja.String
}

func (a sortItem) compare(b sortItem, function goja.Callable) int {
	switch last := goja.IsUndefined(a.seen); {
	case last && goja.IsUndefined(b.seen):
		return 0
	case last:
		return 1
	case goja.IsUndefined(b.seen):
		return -1
	case function == nil:
		return a.text.CompareTo(b.text)
	}
	v, err := function(goja.Undefined(), a.seen, b.seen)
	if err != nil {
		panic(err)
	}
	switch order := v.ToNumber().ToFloat(); {
	case order < 0:
		return -1
	case order > 0:
		return 1
	}
	return 0
}
