package gostruct

import (
	"errors"
	"fmt"
	"reflect"
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/native"
)

// FromMessage sets what dst points to, which must be a struct generated for the
// type of m, or for a well-known type what it becomes, to the content of m. The
// result shares no memory with m.
//
// An error names the path of the value that the struct cannot hold; dst is then
// partly filled.
func FromMessage(m protoreflect.Message, dst any) error {
	rv, err := target(dst)
	if err != nil {
		return err
	}
	return setMessage(rv, m)
}

// FromList sets what dst points to, which must be a slice of such as
// [FromMessage] takes, to the messages of l.
func FromList(l protoreflect.List, dst any) error {
	rv, err := target(dst)
	if err != nil {
		return err
	}
	if rv.Kind() != reflect.Slice {
		return fmt.Errorf("gostruct: %T does not point to a slice", dst)
	}
	return setElements(rv, l, func(dst reflect.Value, v protoreflect.Value) error {
		m, ok := v.Interface().(protoreflect.Message)
		if !ok {
			return fmt.Errorf("expected a list of messages, found %T", v.Interface())
		}
		return setMessage(dst, m)
	})
}

// target returns the zeroed value that dst points to.
func target(dst any) (reflect.Value, error) {
	rv := reflect.ValueOf(dst)
	if rv.Kind() != reflect.Pointer || rv.IsNil() {
		return rv, fmt.Errorf("gostruct: %T is not a pointer to write to", dst)
	}
	rv.Elem().SetZero()
	return rv.Elem(), nil
}

func setMessage(dst reflect.Value, m protoreflect.Message) error {
	if native.IsWellKnown(m.Descriptor()) {
		return setWellKnown(dst, m)
	}
	if dst.Kind() != reflect.Struct {
		return fmt.Errorf("%s cannot hold a %s", dst.Type(), m.Descriptor().FullName())
	}
	l, err := layoutOf(dst.Type())
	if err != nil {
		return err
	}
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		err = native.InField(setField(dst, l, fd, v), fd)
		return err == nil
	})
	return err
}

func setField(dst reflect.Value, l *layout, fd protoreflect.FieldDescriptor, v protoreflect.Value) error {
	if fd.IsExtension() {
		return errors.New("extension fields have no place in a Go struct")
	}
	i, ok := l.byNumber[fd.Number()]
	switch {
	case !ok:
		return fmt.Errorf("%s has no field with number %d", dst.Type(), fd.Number())
	case fd.IsMap():
		return setMap(dst.Field(i), fd, v.Map())
	case fd.IsList():
		return setList(dst.Field(i), fd, v.List())
	default:
		return setValue(dst.Field(i), fd, v)
	}
}

func setList(dst reflect.Value, fd protoreflect.FieldDescriptor, l protoreflect.List) error {
	if dst.Kind() != reflect.Slice {
		return fmt.Errorf("%s cannot hold a list", dst.Type())
	}
	return setElements(dst, l, func(dst reflect.Value, v protoreflect.Value) error {
		return setValue(dst, fd, v)
	})
}

func setElements(dst reflect.Value, l protoreflect.List, set func(reflect.Value, protoreflect.Value) error) error {
	dst.Set(reflect.MakeSlice(dst.Type(), l.Len(), l.Len()))
	for i := range l.Len() {
		if err := set(dst.Index(i), l.Get(i)); err != nil {
			return native.InElement(err, i)
		}
	}
	return nil
}

func setMap(dst reflect.Value, fd protoreflect.FieldDescriptor, m protoreflect.Map) error {
	if dst.Kind() != reflect.Map {
		return fmt.Errorf("%s cannot hold a map", dst.Type())
	}
	dst.Set(reflect.MakeMapWithSize(dst.Type(), m.Len()))
	var err error
	m.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		err = native.InEntry(setEntry(dst, fd, k, v), k)
		return err == nil
	})
	return err
}

func setEntry(dst reflect.Value, fd protoreflect.FieldDescriptor, k protoreflect.MapKey, v protoreflect.Value) error {
	key := reflect.New(dst.Type().Key()).Elem()
	plain := k.Interface()
	if fd.MapKey().Kind() == protoreflect.BoolKind {
		plain = k.String()
	}
	if err := assign(key, plain); err != nil {
		return err
	}
	value := reflect.New(dst.Type().Elem()).Elem()
	if err := setValue(value, fd.MapValue(), v); err != nil {
		return err
	}
	dst.SetMapIndex(key, value)
	return nil
}

// setValue sets a singular field, list element or map value.
func setValue(dst reflect.Value, fd protoreflect.FieldDescriptor, v protoreflect.Value) error {
	if dst.Kind() == reflect.Pointer {
		dst.Set(reflect.New(dst.Type().Elem()))
		dst = dst.Elem()
	}
	if fd.Message() != nil {
		return setMessage(dst, v.Message())
	}
	return assign(dst, native.FromScalar(fd, v))
}

// setWellKnown takes the native shape of the message, but for the two types that
// have a better one in a program that knows the schema.
func setWellKnown(dst reflect.Value, m protoreflect.Message) error {
	v, err := native.FromMessage(m)
	if err != nil {
		return err
	}
	switch m.Descriptor().FullName() {
	case timestampName:
		t, err := time.Parse(time.RFC3339Nano, v.(string))
		if err != nil {
			return err
		}
		return assign(dst, t)
	case emptyName:
		return assign(dst, struct{}{})
	}
	return assign(dst, v)
}

func assign(dst reflect.Value, v any) error {
	if v == nil { // a null Value
		dst.SetZero()
		return nil
	}
	rv := reflect.ValueOf(v)
	if !rv.Type().AssignableTo(dst.Type()) {
		return fmt.Errorf("%s cannot hold a %T", dst.Type(), v)
	}
	dst.Set(rv)
	return nil
}
