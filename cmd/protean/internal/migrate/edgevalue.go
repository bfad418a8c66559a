package migrate

import (
	"math"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

// A maker makes a value anew each time, since messages must not share parts that change.
type maker func() protoreflect.Value

func of[T any](wrap func(T) protoreflect.Value, values ...T) []maker {
	var out []maker
	for _, v := range values {
		out = append(out, func() protoreflect.Value { return wrap(v) })
	}
	return out
}

// values returns the values of a field, the most usual first; facing is the reader's field in
// its place, or nil.
func (e *edges) values(fd, facing protoreflect.FieldDescriptor) []maker {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return of(protoreflect.ValueOfBool, true, false)
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return of(protoreflect.ValueOfInt32, 3, 0, 1, 2, -1, 1<<16+5, math.MaxInt32, math.MinInt32)
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return of(protoreflect.ValueOfInt64, 3, 0, 1, 2, -1, 1<<31, 1<<32+5, 1<<53+1, -1<<53-1, math.MaxInt64,
			math.MinInt64)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return of(protoreflect.ValueOfUint32, 3, 0, 1, 2, 1<<31, math.MaxUint32)
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return of(protoreflect.ValueOfUint64, 3, 0, 1, 2, 1<<31, 1<<32+5, 1<<53+1, 1<<63, math.MaxUint64)
	case protoreflect.FloatKind:
		return of(protoreflect.ValueOfFloat32, 1.5, 0, 0.1, 3, -1, math.MaxFloat32, 1<<24, float32(math.NaN()),
			float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.Copysign(0, -1)))
	case protoreflect.DoubleKind:
		return of(protoreflect.ValueOfFloat64, 1.5, 0, 0.1, 3, -1, 1<<24+1, 1<<53, 1e300, math.NaN(),
			math.Inf(1), math.Inf(-1), math.Copysign(0, -1))
	case protoreflect.EnumKind:
		return enumValues(fd.Enum())
	case protoreflect.StringKind:
		return stringValues(fd, facing)
	case protoreflect.BytesKind:
		return e.bytesValues(facing)
	}
	return e.messageValues(fd.Message())
}

// maxEnum bounds the values of an enum that are tried.
const maxEnum = 100

func enumValues(ed protoreflect.EnumDescriptor) []maker {
	var numbers []protoreflect.EnumNumber
	highest := protoreflect.EnumNumber(0)
	for i := range ed.Values().Len() {
		n := ed.Values().Get(i).Number()
		highest = max(highest, n)
		if i < maxEnum {
			numbers = append(numbers, n)
		}
	}
	if len(numbers) > 1 && numbers[0] == 0 { // the most usual is one that is seen
		numbers[0], numbers[1] = numbers[1], numbers[0]
	}
	if !ed.IsClosed() {
		if highest < math.MaxInt32-1000 {
			numbers = append(numbers, highest+1000)
		}
		numbers = append(numbers, -1)
	}
	return of(protoreflect.ValueOfEnum, numbers...)
}

// longText is more than what readers take for a short string.
var longText = strings.Repeat("long text ", 700)

func stringValues(fd, facing protoreflect.FieldDescriptor) []maker {
	texts := []string{"text", "", "abcd", "not base64!", "héllo €", longText, "123", "1.5", "true", "\b*",
		"2026-11-24T12:30:00Z", "1.5s", `{"a": 1}`, "00000000-0000-0000-0000-000000000000"}
	if facing != nil && facing.Enum() != nil {
		texts = append(texts, string(facing.Enum().Values().Get(0).Name()))
	}
	if !checksUTF8(fd) {
		texts = append(texts, "\xff")
	}
	return of(protoreflect.ValueOfString, texts...)
}

func (e *edges) bytesValues(facing protoreflect.FieldDescriptor) []maker {
	wire := e.wireForms(facing)
	if e.options.BytesHoldMessages && len(wire) > 0 {
		return wire
	}
	plain := []string{"bytes", "", "abcd", "123456789", `{"a": 1}`, "héllo €", "\xff\xfe", "\x00", longText}
	var out []maker
	for _, b := range plain {
		out = append(out, func() protoreflect.Value { return protoreflect.ValueOfBytes([]byte(b)) })
	}
	return append(out, wire...)
}

// wireForms are messages of the type that faces a bytes field, in binary form.
func (e *edges) wireForms(facing protoreflect.FieldDescriptor) []maker {
	if facing == nil || facing.Message() == nil {
		return nil
	}
	var out []maker
	for _, v := range e.messageValues(facing.Message()) {
		b, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(v().Message().Interface())
		if err == nil && len(b) > 0 {
			out = append(out, func() protoreflect.Value { return protoreflect.ValueOfBytes(b) })
		}
	}
	return out
}

// keys returns keys of a map, the most usual first.
func keys(fd protoreflect.FieldDescriptor) []protoreflect.MapKey {
	var values []maker
	switch fd.Kind() {
	case protoreflect.BoolKind:
		values = of(protoreflect.ValueOfBool, true, false)
	case protoreflect.StringKind:
		values = of(protoreflect.ValueOfString, "key", "", "7", "true", "héllo €")
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		values = of(protoreflect.ValueOfInt32, 7, 0, -1, math.MaxInt32)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		values = of(protoreflect.ValueOfUint32, 7, 0, math.MaxUint32)
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		values = of(protoreflect.ValueOfUint64, 7, 0, 1<<32+5, 1<<53+1, math.MaxUint64)
	default:
		values = of(protoreflect.ValueOfInt64, 7, 0, -1, 1<<32+5, 1<<53+1)
	}
	var out []protoreflect.MapKey
	for _, v := range values {
		out = append(out, v().MapKey())
	}
	return out
}

// messageValues returns messages of a type: of those that JSON has a form for, edges of their
// own, of others the full one and the empty one.
func (e *edges) messageValues(md protoreflect.MessageDescriptor) []maker {
	if hasJSONForm(md) {
		if documents := knownDocuments(md); len(documents) > 0 {
			return documents
		}
	}
	return []maker{
		func() protoreflect.Value {
			m := dynamicpb.NewMessage(md)
			e.fill(nil, m, maxFill-1)
			e.fillRequired(m, 0)
			return protoreflect.ValueOfMessage(m)
		},
		func() protoreflect.Value {
			m := dynamicpb.NewMessage(md)
			e.fillRequired(m, 0)
			return protoreflect.ValueOfMessage(m)
		},
	}
}

// knownDocuments returns messages of a well-known type, by their JSON.
func knownDocuments(md protoreflect.MessageDescriptor) []maker {
	var texts []string
	objects := []string{`{"a": 1}`, `{}`, `{"a": "text", "b": [1, true, null], "c": {"d": -0.5}}`, `{"": 9007199254740992}`,
		`{"héllo €": ""}`}
	lists := []string{`[1, "a"]`, `[]`, `[null, {"a": 1}]`}
	switch md.Name() {
	case "Struct":
		texts = objects
	case "ListValue":
		texts = lists
	case "Value":
		texts = append([]string{`"text"`, `null`, `1.5`, `0`, `""`, `true`, `false`, `"abcd"`, `"123"`,
			`9007199254740992`, `-1`, `"2026-11-24T12:30:00Z"`}, append(objects, lists...)...)
	case "Timestamp":
		texts = []string{`"2026-11-24T12:30:00.5Z"`, `"1970-01-01T00:00:00Z"`, `"0001-01-01T00:00:00Z"`,
			`"9999-12-31T23:59:59.999999999Z"`}
	case "Duration":
		texts = []string{`"1.5s"`, `"0s"`, `"-1.5s"`, `"315576000000s"`}
	case "FieldMask":
		texts = []string{`"a,bC.d"`, `""`}
	case "BoolValue":
		texts = []string{`true`, `false`}
	case "Int32Value":
		texts = []string{`3`, `0`, `-1`, `2147483647`}
	case "UInt32Value":
		texts = []string{`3`, `0`, `4294967295`}
	case "Int64Value":
		texts = []string{`3`, `0`, `-1`, `4294967301`, `9007199254740993`, `9223372036854775807`}
	case "UInt64Value":
		texts = []string{`3`, `0`, `4294967301`, `18446744073709551615`}
	case "FloatValue", "DoubleValue":
		texts = []string{`1.5`, `0`, `0.1`, `"NaN"`, `"Infinity"`}
	case "StringValue":
		texts = []string{`"text"`, `""`, `"abcd"`, `"2026-11-24T12:30:00Z"`}
	case "BytesValue":
		texts = []string{`"abcd"`, `""`}
	case "Any":
		texts = []string{`{"@type": "type.googleapis.com/google.protobuf.Duration", "value": "1.5s"}`, `{}`}
	}
	var out []maker
	for _, text := range texts {
		out = append(out, func() protoreflect.Value {
			m := dynamicpb.NewMessage(md)
			if err := protojsonUnmarshal(text, m); err != nil {
				return protoreflect.ValueOfMessage(m) // a type that the schema has made its own
			}
			return protoreflect.ValueOfMessage(m)
		})
	}
	return out
}
