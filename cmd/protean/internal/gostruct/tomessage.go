package gostruct

import (
	"fmt"
	"reflect"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/native"
)

// ToMessage resets m, which must be mutable, and fills it with src, the inverse
// of [FromMessage]: a struct generated for the type of m, or for a well-known
// type what it becomes, or a pointer to it. The result shares no memory with src.
//
// Required fields may be missing. An error names the path of the value that does
// not fit the schema; m is then partly filled.
func ToMessage(src any, m protoreflect.Message) error {
	proto.Reset(m.Interface())
	rv := reflect.ValueOf(src)
	if rv.Kind() == reflect.Pointer {
		rv = rv.Elem()
	}
	return fillMessage(m, rv)
}

// ToList appends to l, which must be a mutable list of messages, the elements of
// src, a slice of such as [ToMessage] takes, or a pointer to it.
func ToList(src any, l protoreflect.List) error {
	rv := reflect.ValueOf(src)
	if rv.Kind() == reflect.Pointer {
		rv = rv.Elem()
	}
	if rv.Kind() != reflect.Slice {
		return fmt.Errorf("gostruct: %T is not a slice", src)
	}
	for i := range rv.Len() {
		v := l.NewElement()
		m, ok := v.Interface().(protoreflect.Message)
		if !ok {
			return fmt.Errorf("gostruct: a list of %T is not a list of messages", v.Interface())
		}
		if err := fillMessage(m, rv.Index(i)); err != nil {
			return native.InElement(err, i)
		}
		l.Append(v)
	}
	return nil
}

// fillMessage fills m, which is empty.
func fillMessage(m protoreflect.Message, src reflect.Value) error {
	if native.IsWellKnown(m.Descriptor()) {
		return fillWellKnown(m, src)
	}
	if src.Kind() != reflect.Struct {
		return fmt.Errorf("expected the struct of %s, found %v", m.Descriptor().FullName(), src.Kind())
	}
	l, err := layoutOf(src.Type())
	if err != nil {
		return err
	}
	for i, number := range l.numbers {
		if number == 0 {
			continue
		}
		fd := m.Descriptor().Fields().ByNumber(number)
		if fd == nil {
			return fmt.Errorf("%s has no field with number %d", m.Descriptor().FullName(), number)
		}
		if err := fillField(m, fd, src.Field(i)); err != nil {
			return native.InField(err, fd)
		}
	}
	return nil
}

func fillField(m protoreflect.Message, fd protoreflect.FieldDescriptor, src reflect.Value) error {
	if isAbsent(fd, src) {
		return nil
	}
	if od := fd.ContainingOneof(); od != nil && m.WhichOneof(od) != nil {
		return fmt.Errorf("%s is set twice", od.FullName())
	}
	switch {
	case fd.IsMap():
		return fillMap(m.Mutable(fd).Map(), fd, src)
	case fd.IsList():
		return fillList(m.Mutable(fd).List(), fd, src)
	}
	if src.Kind() == reflect.Pointer {
		src = src.Elem()
	}
	v, err := valueOf(fd, src, func() protoreflect.Value { return m.NewField(fd) })
	if err == nil {
		m.Set(fd, v)
	}
	return err
}

// isAbsent reports whether the struct field stands for a field that is not
// populated. Zero numbers need no attention: setting them populates nothing
// where there is no presence, unless they are negative zero, which counts.
func isAbsent(fd protoreflect.FieldDescriptor, src reflect.Value) bool {
	switch src.Kind() {
	case reflect.Pointer, reflect.Interface:
		return src.IsNil()
	case reflect.Slice, reflect.Map:
		return src.Len() == 0
	}
	return fd.Enum() != nil && src.IsZero()
}

func fillList(l protoreflect.List, fd protoreflect.FieldDescriptor, src reflect.Value) error {
	if src.Kind() != reflect.Slice {
		return fmt.Errorf("expected a slice, found %s", src.Type())
	}
	for i := range src.Len() {
		v, err := valueOf(fd, src.Index(i), l.NewElement)
		if err != nil {
			return native.InElement(err, i)
		}
		l.Append(v)
	}
	return nil
}

func fillMap(m protoreflect.Map, fd protoreflect.FieldDescriptor, src reflect.Value) error {
	if src.Kind() != reflect.Map {
		return fmt.Errorf("expected a map, found %s", src.Type())
	}
	for iter := src.MapRange(); iter.Next(); {
		k, err := native.ToKey(fd, iter.Key().Interface())
		if err != nil {
			return native.InKey(err, iter.Key().Interface())
		}
		v, err := valueOf(fd.MapValue(), iter.Value(), m.NewValue)
		if err != nil {
			return native.InEntry(err, k)
		}
		m.Set(k, v)
	}
	return nil
}

// valueOf returns one value of the field; empty makes the message to fill.
func valueOf(fd protoreflect.FieldDescriptor, src reflect.Value, empty func() protoreflect.Value) (protoreflect.Value,
	error) {
	if fd.Message() != nil {
		v := empty()
		return v, fillMessage(v.Message(), src)
	}
	return native.ToScalar(fd, src.Interface())
}

// fillWellKnown is the inverse of setWellKnown.
func fillWellKnown(m protoreflect.Message, src reflect.Value) error {
	if !src.IsValid() { // a nil Value at top level
		return native.ToMessage(nil, m)
	}
	switch v := src.Interface().(type) {
	case time.Time:
		return native.ToMessage(v.UTC().Format(time.RFC3339Nano), m)
	case struct{}:
		return native.ToMessage(map[string]any{}, m)
	default:
		return native.ToMessage(v, m)
	}
}
