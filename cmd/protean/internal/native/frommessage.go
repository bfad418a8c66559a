package native

import (
	"strconv"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// Options say how messages become native data.
type Options struct {
	// Types are where the types of what an Any holds are looked up; nil is
	// [protoregistry.GlobalTypes].
	Types interface {
		protoregistry.MessageTypeResolver
		protoregistry.ExtensionTypeResolver
	}
}

// FromMessage returns the native data of m in the shapes that the package
// documentation lists: a map[string]any, unless m is of a well-known type.
//
// An error names the path of the value that has no native form; see [Error].
func FromMessage(m protoreflect.Message) (any, error) { return Options{}.FromMessage(m) }

// FromMessage is the function of the same name with options.
func (o Options) FromMessage(m protoreflect.Message) (any, error) {
	if s, ok := shapeOf(m.Descriptor()); ok {
		return s.from(o, m)
	}
	return o.fromFields(m)
}

func (o Options) fromFields(m protoreflect.Message) (any, error) {
	fields := map[string]any{}
	var err error
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		fields[fieldName(fd)], err = o.fromField(fd, v)
		err = InField(err, fd)
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	return fields, nil
}

func (o Options) fromField(fd protoreflect.FieldDescriptor, v protoreflect.Value) (any, error) {
	switch {
	case fd.IsMap():
		return o.fromMap(fd.MapValue(), v.Map())
	case fd.IsList():
		return o.fromList(fd, v.List())
	default:
		return o.fromSingular(fd, v)
	}
}

func (o Options) fromList(fd protoreflect.FieldDescriptor, l protoreflect.List) (any, error) {
	list := make([]any, l.Len())
	for i := range list {
		var err error
		if list[i], err = o.fromSingular(fd, l.Get(i)); err != nil {
			return nil, InElement(err, i)
		}
	}
	return list, nil
}

func (o Options) fromMap(fd protoreflect.FieldDescriptor, m protoreflect.Map) (any, error) {
	entries := make(map[string]any, m.Len())
	var err error
	m.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		entries[k.String()], err = o.fromSingular(fd, v)
		err = InEntry(err, k)
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	return entries, nil
}

func (o Options) fromSingular(fd protoreflect.FieldDescriptor, v protoreflect.Value) (any, error) {
	if fd.Message() != nil {
		return o.FromMessage(v.Message())
	}
	if isNullValue(fd) && v.Enum() == 0 {
		return nil, nil
	}
	return FromScalar(fd, v), nil
}

// FromScalar returns the native value of a scalar or enum field, list element or
// map value, in the shapes that the package documentation lists. Unlike
// [FromMessage] it gives the name for an enum of type NullValue too.
func FromScalar(fd protoreflect.FieldDescriptor, v protoreflect.Value) any {
	switch fd.Kind() {
	case protoreflect.EnumKind:
		return enumText(fd.Enum(), v.Enum())
	case protoreflect.BytesKind:
		// Never nil: nil would be read back as null, which means absent.
		return append([]byte{}, v.Bytes()...)
	default:
		return v.Interface()
	}
}

func enumText(ed protoreflect.EnumDescriptor, n protoreflect.EnumNumber) string {
	if vd := ed.Values().ByNumber(n); vd != nil {
		return string(vd.Name())
	}
	return strconv.Itoa(int(n))
}

func isNullValue(fd protoreflect.FieldDescriptor) bool {
	return fd.Enum() != nil && fd.Enum().FullName() == "google.protobuf.NullValue"
}
