package gojapb

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/proto"
)

// google.protobuf.Struct, Value and ListValue are plain values to scripts: objects, arrays, strings, numbers, booleans
// and null. Objects and arrays show what is in the message at any time, and are converted as far as a script looks.

// The numbers of the fields of the three.
const (
	structFields = 1
	listValues   = 1
	valueNull    = 1
	valueNumber  = 2
	valueString  = 3
	valueBool    = 4
	valueStruct  = 5
	valueList    = 6
)

// plain returns a Struct, Value or ListValue, which is in e, as a JavaScript value. A Value that holds nothing is
// undefined.
func (m *Module) plain(e *element, r protoreflect.Message, depth int32) goja.Value {
	if depth > maxDepth/2 {
		m.nested = true
	}
	fields := r.Descriptor().Fields()
	switch knownTypes[r.Descriptor().FullName()] {
	case structType:
		return m.rt.NewDynamicObject(&structView{m, e, r, fields.ByNumber(structFields), depth})
	case listValueType:
		o := m.rt.NewDynamicArray(&listValueView{m, e, r, fields.ByNumber(listValues), depth})
		hidden(o.SetPrototype(m.plainLists))
		return o
	}
	fd := r.WhichOneof(r.Descriptor().Oneofs().Get(0))
	if fd != nil && fd.Message() != nil {
		return m.plain(e, r.Get(fd).Message(), depth+1)
	}
	return m.plainScalar(r, fd)
}

// plainScalar returns what field fd of a Value holds, which is no object or array. It is nil if none is set.
func (m *Module) plainScalar(r protoreflect.Message, fd protoreflect.FieldDescriptor) goja.Value {
	if fd == nil {
		return goja.Undefined()
	}
	switch v := r.Get(fd); fd.Number() {
	case valueNumber:
		return m.rt.ToValue(v.Float())
	case valueString:
		return m.rt.ToValue(v.String())
	case valueBool:
		return m.rt.ToValue(v.Bool())
	}
	return goja.Null()
}

// fillPlain fills a new Struct, Value or ListValue with a JavaScript value.
func (m *Module) fillPlain(r protoreflect.Message, s *shape, e *element, v goja.Value, depth int) {
	if depth > maxDepth {
		m.throwRange("%s: values are nested deeper than %d, or part of themselves", e.name(), maxDepth)
	}
	o, isObject := v.(*goja.Object)
	switch s.known {
	case structType:
		if !isObject || !plainObject(o) {
			m.wrongType(e, "plain object", v)
		}
		m.fillStruct(r, s, e, o, depth)
	case listValueType:
		if !isObject || !isArray(o) {
			m.wrongType(e, "array", v)
		}
		m.fillListValue(r, s, e, o, depth)
	default:
		m.fillValue(r, s, e, v, depth)
	}
}

func (m *Module) fillStruct(r protoreflect.Message, s *shape, e *element, o *goja.Object, depth int) {
	f := &s.fields[0]
	value := m.shapeOfElement(&f.value)
	entries := r.Mutable(f.FieldDescriptor).Map()
	var room [someKeys]string
	for _, name := range keysOf(o, room[:]) {
		v := m.member(o, name, s.desc.FullName())
		if _, callable := goja.AssertFunction(v); callable || goja.IsUndefined(v) {
			continue // as JSON.stringify does
		}
		to := entries.NewValue().Message()
		m.fillValue(to, value, e, v, depth+1)
		entries.Set(protoreflect.ValueOfString(m.text(e, m.rt.ToValue(name))).MapKey(), protoreflect.ValueOfMessage(to))
	}
}

func (m *Module) fillListValue(r protoreflect.Message, s *shape, e *element, o *goja.Object, depth int) {
	f := &s.fields[0]
	value := m.shapeOfElement(&f.value)
	elements := r.Mutable(f.FieldDescriptor).List()
	holes := 0
	for i := 0; i < length(o); i++ {
		to := elements.NewElement().Message()
		v := m.item(o, i, &holes)
		if v == nil || goja.IsUndefined(v) {
			v = goja.Null() // as JSON.stringify does
		}
		m.fillValue(to, value, e, v, depth+1)
		elements.Append(protoreflect.ValueOfMessage(to))
	}
}

// item returns element i of an array, nil where it has a hole. Holes cost a script nothing, so that there may not be
// many more of them than elements: each would become a null.
func (m *Module) item(o *goja.Object, i int, holes *int) goja.Value {
	v := o.Get(strconv.Itoa(i))
	if v == nil {
		*holes++
	}
	if *holes > 1024+i/2 {
		m.throwRange("an array of %d elements is mostly holes", length(o))
	}
	return v
}

func (m *Module) fillValue(r protoreflect.Message, s *shape, e *element, v goja.Value, depth int) {
	set := func(number protoreflect.FieldNumber, value protoreflect.Value) {
		r.Set(s.desc.Fields().ByNumber(number), value)
	}
	switch {
	case v == nil || goja.IsNull(v):
		set(valueNull, protoreflect.ValueOfEnum(0))
	case goja.IsUndefined(v):
		m.wrongType(e, "plain value", v)
	case goja.IsString(v):
		set(valueString, protoreflect.ValueOfString(m.text(e, v)))
	case goja.IsNumber(v):
		set(valueNumber, protoreflect.ValueOfFloat64(v.ToFloat()))
	case isBool(v):
		set(valueBool, protoreflect.ValueOfBool(v.ToBoolean()))
	default:
		m.fillNested(r, s, e, v, depth)
	}
}

// fillNested makes a Value hold an object or an array.
func (m *Module) fillNested(r protoreflect.Message, s *shape, e *element, v goja.Value, depth int) {
	o, ok := v.(*goja.Object)
	var number protoreflect.FieldNumber
	switch {
	case ok && isArray(o):
		number = valueList
	case ok && plainObject(o):
		number = valueStruct
	default:
		m.wrongType(e, "plain value", v)
	}
	fd := s.desc.Fields().ByNumber(number)
	m.fillPlain(r.Mutable(fd).Message(), m.shapeOfElement(&s.byName[string(fd.Name())].value), e, v, depth+1)
}

// isArray reports whether o is an array of any sort.
func isArray(o *goja.Object) bool {
	return o.ClassName() == "Array" && o.ExportType() != proxyType
}

// A structView is what is behind the JavaScript object of a google.protobuf.Struct.
type structView struct {
	*Module
	e     *element // the field that it is in, at any depth
	r     protoreflect.Message
	fd    protoreflect.FieldDescriptor
	depth int32
}

var _ goja.DynamicObject = (*structView)(nil)

func key(name string) protoreflect.MapKey { return protoreflect.ValueOfString(name).MapKey() }

func (s *structView) Get(name string) goja.Value {
	defer s.guard()
	v := s.r.Get(s.fd).Map().Get(key(name))
	if !v.IsValid() {
		return nil
	}
	return s.plain(s.e, v.Message(), s.depth+1)
}

func (s *structView) Set(name string, v goja.Value) bool {
	defer s.guard()
	if v == nil || goja.IsUndefined(v) {
		return s.Delete(name)
	}
	to := s.r.Mutable(s.fd).Map().NewValue().Message()
	s.fillValue(to, s.shapeOf(to.Descriptor()), s.e, v, int(s.depth))
	s.r.Mutable(s.fd).Map().Set(key(name), protoreflect.ValueOfMessage(to))
	return true
}

func (s *structView) Has(name string) bool { return s.r.Get(s.fd).Map().Has(key(name)) }

func (s *structView) Delete(name string) bool {
	defer s.guard()
	if s.Has(name) {
		s.r.Mutable(s.fd).Map().Clear(key(name))
	}
	return true
}

// Keys returns the keys in ascending order.
func (s *structView) Keys() []string {
	var keys []string
	s.r.Get(s.fd).Map().Range(func(k protoreflect.MapKey, _ protoreflect.Value) bool {
		keys = append(keys, k.String())
		return true
	})
	slices.Sort(keys)
	return keys
}

// A listValueView is what is behind the JavaScript array of a google.protobuf.ListValue.
type listValueView struct {
	*Module
	e     *element // the field that it is in, at any depth
	r     protoreflect.Message
	fd    protoreflect.FieldDescriptor
	depth int32
}

var (
	_                   goja.DynamicArray = (*listValueView)(nil)
	_                   sequence          = (*listValueView)(nil)
	listValueViewGoType                   = reflect.TypeFor[*listValueView]()
)

func (l *listValueView) name() string             { return l.e.name() }
func (l *listValueView) read() protoreflect.List  { return l.r.Get(l.fd).List() }
func (l *listValueView) write() protoreflect.List { return l.r.Mutable(l.fd).List() }

// moved and adopted have nothing to do: no object stands for an element.
func (l *listValueView) moved(int)                  {}
func (l *listValueView) adopted(int, ...goja.Value) {}

// element returns v as an element; undefined is null.
func (l *listValueView) element(v goja.Value) protoreflect.Value {
	if v == nil || goja.IsUndefined(v) {
		v = goja.Null()
	}
	to := l.write().NewElement().Message()
	l.fillValue(to, l.shapeOf(to.Descriptor()), l.e, v, int(l.depth))
	return protoreflect.ValueOfMessage(to)
}

func (l *listValueView) again(v protoreflect.Value) protoreflect.Value {
	return protoreflect.ValueOfMessage(proto.Clone(v.Message().Interface()).ProtoReflect())
}

func (l *listValueView) at(i int) goja.Value {
	elements := l.read()
	if i < 0 || i >= elements.Len() {
		return nil
	}
	return l.plain(l.e, elements.Get(i).Message(), l.depth+1)
}

func (l *listValueView) Len() int { return l.read().Len() }

func (l *listValueView) Get(i int) goja.Value {
	defer l.guard()
	return l.at(i)
}

// Set sets an element. Elements between the end and i become null, as holes do in JSON, but there may not be more of
// them than what the list holds.
func (l *listValueView) Set(i int, v goja.Value) bool {
	defer l.guard()
	if n := l.Len(); i < 0 || i > 2*n+1024 {
		l.throwRange("%s: index %d of a list of %d", l.name(), i, n)
	}
	value := l.element(v)
	elements := l.write()
	for elements.Len() <= i {
		elements.Append(l.element(goja.Null()))
	}
	elements.Set(i, value)
	return true
}

func (l *listValueView) SetLen(n int) bool {
	defer l.guard()
	elements := l.write()
	if n < 0 || n > 2*elements.Len()+1024 {
		l.throwRange("%s: length %d of a list of %d", l.name(), n, elements.Len())
	}
	if n > elements.Len() {
		l.Set(n-1, goja.Null())
	} else {
		elements.Truncate(n)
	}
	return true
}
