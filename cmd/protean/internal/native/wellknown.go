package native

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// shape is how a well-known type looks as native data.
type shape struct {
	from func(Options, protoreflect.Message) (any, error)
	to   func(any, protoreflect.Message) error // the message is empty
}

// IsWellKnown reports whether messages of type md have a shape of their own
// rather than that of a map of their fields.
func IsWellKnown(md protoreflect.MessageDescriptor) bool {
	_, ok := shapeOf(md)
	return ok
}

func shapeOf(md protoreflect.MessageDescriptor) (shape, bool) {
	name, ok := strings.CutPrefix(string(md.FullName()), "google.protobuf.")
	if !ok {
		return shape{}, false
	}
	switch name {
	case "Timestamp", "Duration", "FieldMask":
		return shape{Options.viaJSON, toText}, true
	case "BoolValue", "StringValue", "BytesValue", "FloatValue", "DoubleValue",
		"Int32Value", "Int64Value", "UInt32Value", "UInt64Value":
		return shape{fromWrapper, toWrapper}, true
	case "Struct", "ListValue":
		return shape{Options.fromContainer, toContainer}, true
	case "Value":
		return shape{Options.fromValue, toValue}, true
	case "Empty":
		return shape{Options.fromFields, toEmpty}, true
	case "Any":
		return shape{Options.viaJSON, toAny}, true
	}
	return shape{}, false
}

func toText(v any, m protoreflect.Message) error {
	s, ok := text(v)
	if !ok {
		return mismatch("string", v)
	}
	quoted, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if protojson.Unmarshal(quoted, m.Interface()) != nil {
		return fmt.Errorf("%q is not a %s", clip(s), m.Descriptor().FullName())
	}
	return nil
}

// viaJSON leaves the form to the official library: that of a time is laid down to the
// number of decimals, and that of what an Any holds is ProtoJSON's.
func (o Options) viaJSON(m protoreflect.Message) (any, error) {
	b, err := protojson.MarshalOptions{AllowPartial: true, Resolver: o.Types}.Marshal(m.Interface())
	if err != nil {
		// The library puts "proto:" and one of two kinds of space in front.
		reason := strings.TrimPrefix(err.Error(), "proto:")
		return nil, errors.New(strings.TrimLeft(reason, " \u00a0"))
	}
	var v any
	err = json.Unmarshal(b, &v)
	return v, err
}

// sole returns the only field of a wrapper, a Struct or a ListValue.
func sole(m protoreflect.Message) protoreflect.FieldDescriptor {
	return m.Descriptor().Fields().ByNumber(1)
}

func fromWrapper(_ Options, m protoreflect.Message) (any, error) {
	return FromScalar(sole(m), m.Get(sole(m))), nil
}

func toWrapper(v any, m protoreflect.Message) error {
	x, err := ToScalar(sole(m), v)
	if err == nil {
		m.Set(sole(m), x)
	}
	return err
}

// The paths of errors inside a Struct or ListValue leave out their one field, as
// their JSON does.
func (o Options) fromContainer(m protoreflect.Message) (any, error) {
	return o.fromField(sole(m), m.Get(sole(m)))
}

func toContainer(v any, m protoreflect.Message) error {
	return toField(sole(m), v, m)
}

// The field numbers of google.protobuf.Value.
const (
	nullNumber, numberNumber, stringNumber = 1, 2, 3
	boolNumber, structNumber, listNumber   = 4, 5, 6
)

func (o Options) fromValue(m protoreflect.Message) (any, error) {
	fd := m.WhichOneof(m.Descriptor().Oneofs().Get(0))
	switch {
	case fd == nil:
		return nil, errors.New("google.protobuf.Value has no kind set")
	case fd.Number() == nullNumber && m.Get(fd).Enum() != 0:
		return nil, fmt.Errorf("google.protobuf.Value has the unknown null_value %d", m.Get(fd).Enum())
	case fd.Number() == nullNumber:
		return nil, nil
	default:
		return o.fromSingular(fd, m.Get(fd))
	}
}

func toValue(v any, m protoreflect.Message) error {
	number := valueKind(v)
	if number == 0 {
		return mismatch("a JSON value", v)
	}
	if number == numberNumber {
		// Text could be a number where one is asked for; here it is text.
		f, err := toFloat(v, 64)
		v = f
		if err != nil {
			return err
		}
	}
	return toField(m.Descriptor().Fields().ByNumber(number), v, m)
}

// valueKind returns the number of the field of a Value that holds v, 0 for none.
func valueKind(v any) protoreflect.FieldNumber {
	if _, ok := v.(json.Number); ok {
		return numberNumber
	}
	rv := reflect.ValueOf(v)
	switch {
	case v == nil:
		return nullNumber
	case rv.CanInt(), rv.CanUint(), rv.CanFloat():
		return numberNumber
	case rv.Kind() == reflect.String:
		return stringNumber
	case rv.Kind() == reflect.Bool:
		return boolNumber
	case rv.Kind() == reflect.Map:
		return structNumber
	case rv.Kind() == reflect.Slice && rv.Type().Elem().Kind() != reflect.Uint8:
		return listNumber
	}
	return 0
}

func toEmpty(v any, m protoreflect.Message) error {
	entries, err := entriesOf(v, "object")
	if err != nil {
		return err
	}
	return toFields(entries, m)
}

const typeKey = "@type"

func toAny(v any, m protoreflect.Message) error {
	entries, err := entriesOf(v, "object")
	if err != nil || len(entries) == 0 {
		return err
	}
	url, content, err := splitAny(entries)
	if err != nil {
		return err
	}
	mt, err := protoregistry.GlobalTypes.FindMessageByURL(url)
	if err != nil {
		return fmt.Errorf("unknown type %q", clip(url))
	}
	inner := mt.New()
	if err := toContent(content, inner); err != nil {
		return err
	}
	b, err := proto.MarshalOptions{AllowPartial: true, Deterministic: true}.Marshal(inner.Interface())
	if err != nil {
		return err
	}
	fields := m.Descriptor().Fields()
	m.Set(fields.ByNumber(1), protoreflect.ValueOfString(url))
	m.Set(fields.ByNumber(2), protoreflect.ValueOfBytes(b))
	return nil
}

func splitAny(entries []entry) (url string, content []entry, err error) {
	found := false
	for _, e := range entries {
		if !e.is(typeKey) {
			content = append(content, e)
			continue
		}
		if url, found = text(e.value); !found {
			return "", nil, within(mismatch("string", e.value), "."+typeKey)
		}
	}
	if !found {
		return "", nil, errors.New(`google.protobuf.Any without "@type"`)
	}
	return url, content, nil
}

// toContent fills m with what stands beside "@type": its fields, or under
// "value" the shape of a well-known type.
func toContent(content []entry, m protoreflect.Message) error {
	if !IsWellKnown(m.Descriptor()) {
		return toFields(content, m)
	}
	if len(content) == 0 && m.Descriptor().FullName() == "google.protobuf.Empty" {
		return nil
	}
	if len(content) != 1 || !content[0].is("value") {
		return fmt.Errorf(`expected only "value" beside "@type" %s`, m.Descriptor().FullName())
	}
	return within(toMessage(content[0].value, m), ".value")
}
