package native

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// ToScalar returns v as a value of the scalar or enum field fd (an element of
// it, if fd is a list; a value, if fd is the value of a map). It takes what
// [ToMessage] takes, and returns an error without a path.
func ToScalar(fd protoreflect.FieldDescriptor, v any) (protoreflect.Value, error) {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return toBool(v)
	case protoreflect.StringKind:
		return toString(v)
	case protoreflect.BytesKind:
		return toBytes(v)
	case protoreflect.EnumKind:
		return toEnum(fd.Enum(), v)
	default:
		return toNumber(fd.Kind(), v)
	}
}

func toNumber(kind protoreflect.Kind, v any) (protoreflect.Value, error) {
	switch kind {
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		n, err := toInt(v, 32)
		return protoreflect.ValueOfInt32(int32(n)), err
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		n, err := toInt(v, 64)
		return protoreflect.ValueOfInt64(n), err
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		n, err := toUint(v, 32)
		return protoreflect.ValueOfUint32(uint32(n)), err
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		n, err := toUint(v, 64)
		return protoreflect.ValueOfUint64(n), err
	case protoreflect.FloatKind:
		f, err := toFloat(v, 32)
		return protoreflect.ValueOfFloat32(float32(f)), err
	case protoreflect.DoubleKind:
		f, err := toFloat(v, 64)
		return protoreflect.ValueOfFloat64(f), err
	default:
		return protoreflect.Value{}, fmt.Errorf("%v is not a scalar kind", kind)
	}
}

func toBool(v any) (protoreflect.Value, error) {
	if rv := reflect.ValueOf(v); rv.Kind() == reflect.Bool {
		return protoreflect.ValueOfBool(rv.Bool()), nil
	}
	return protoreflect.Value{}, mismatch("bool", v)
}

func toString(v any) (protoreflect.Value, error) {
	s, ok := text(v)
	if !ok {
		return protoreflect.Value{}, mismatch("string", v)
	}
	return protoreflect.ValueOfString(s), nil
}

// text returns v if it is of a string type. A json.Number is a number.
func text(v any) (string, bool) {
	if _, ok := v.(json.Number); ok {
		return "", false
	}
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.String {
		return "", false
	}
	return rv.String(), true
}

func toBytes(v any) (protoreflect.Value, error) {
	if b, ok := v.([]byte); ok {
		return protoreflect.ValueOfBytes(append([]byte{}, b...)), nil
	}
	s, ok := text(v)
	if !ok {
		return protoreflect.Value{}, mismatch("bytes", v)
	}
	b, err := decodeBase64(s)
	if err != nil {
		return protoreflect.Value{}, fmt.Errorf("%q is not base64", clip(s))
	}
	return protoreflect.ValueOfBytes(b), nil
}

// decodeBase64 takes the standard and the URL alphabet, padded or not, as
// ProtoJSON does.
func decodeBase64(s string) ([]byte, error) {
	encoding := base64.RawStdEncoding
	if strings.ContainsAny(s, "-_") {
		encoding = base64.RawURLEncoding
	}
	if strings.HasSuffix(s, "=") {
		encoding = encoding.WithPadding(base64.StdPadding)
	}
	return encoding.DecodeString(s)
}

func toEnum(ed protoreflect.EnumDescriptor, v any) (protoreflect.Value, error) {
	if s, ok := text(v); ok {
		if vd := ed.Values().ByName(protoreflect.Name(s)); vd != nil {
			return protoreflect.ValueOfEnum(vd.Number()), nil
		}
		if _, ok := parseDecimal(s); !ok {
			return protoreflect.Value{}, fmt.Errorf("%q is not a value of %s", clip(s), ed.FullName())
		}
	}
	n, err := toInt(v, 32)
	return protoreflect.ValueOfEnum(protoreflect.EnumNumber(n)), err
}

// ToKey returns k as a key of the map field fd: text as [FromMessage] writes it,
// or a key of the field's own type.
func ToKey(fd protoreflect.FieldDescriptor, k any) (protoreflect.MapKey, error) {
	key := fd.MapKey()
	if s, ok := text(k); ok && key.Kind() == protoreflect.BoolKind {
		switch s {
		case "true":
			k = true
		case "false":
			k = false
		}
	}
	v, err := ToScalar(key, k)
	if err != nil {
		return protoreflect.MapKey{}, err
	}
	return v.MapKey(), nil
}
