package migrate

import (
	"encoding/json"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Data is what a message says whatever its type: what its JSON says, with numbers exact and
// bytes as bytes. It is nil, unset, a scalar, a text of a well-known type, []any or
// map[string]any.
//
// unset is a Value with no kind set, which has no JSON.
type unset struct{}

// wellKnownText is the JSON of a Timestamp, a Duration or a FieldMask.
type wellKnownText string

// dataOf returns the data of a message.
func dataOf(s *Side, m protoreflect.Message) any {
	md := m.Descriptor()
	if !hasJSONForm(md) {
		return dataOfFields(s, m)
	}
	field := func(name protoreflect.Name) protoreflect.FieldDescriptor { return md.Fields().ByName(name) }
	switch md.Name() {
	case "Struct":
		return dataOfField(s, field("fields"), m.Get(field("fields")))
	case "ListValue":
		return dataOfField(s, field("values"), m.Get(field("values")))
	case "Value":
		return dataOfValue(s, m)
	case "Timestamp", "Duration", "FieldMask":
		return dataOfText(m)
	case "Empty":
		return map[string]any{}
	case "Any":
		return dataOfFields(s, m)
	}
	return scalarOf(field("value"), m.Get(field("value"))) // a wrapper
}

func dataOfFields(s *Side, m protoreflect.Message) any {
	out := map[string]any{}
	for _, fd := range populated(m) {
		name := fd.JSONName()
		if fd.IsExtension() {
			name = "[" + string(fd.FullName()) + "]"
		}
		out[name] = dataOfField(s, fd, m.Get(fd))
	}
	return out
}

func dataOfValue(s *Side, m protoreflect.Message) any {
	fd := m.WhichOneof(m.Descriptor().Oneofs().ByName("kind"))
	switch {
	case fd == nil:
		return unset{}
	case fd.Name() == "null_value":
		return nil
	}
	return dataOfField(s, fd, m.Get(fd))
}

// dataOfText is the JSON of a message as text; where it has none, as for a time beyond the
// year 9999, its fields.
func dataOfText(m protoreflect.Message) any {
	b, err := protojson.Marshal(m.Interface())
	var text string
	if err != nil || json.Unmarshal(b, &text) != nil {
		return dataOfFields(nil, m)
	}
	return wellKnownText(text)
}

func dataOfField(s *Side, fd protoreflect.FieldDescriptor, v protoreflect.Value) any {
	switch {
	case fd.IsMap():
		out := make(map[string]any, v.Map().Len())
		v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
			out[k.String()] = dataOfSingle(s, fd.MapValue(), v)
			return true
		})
		return out
	case fd.IsList():
		out := make([]any, v.List().Len())
		for i := range out {
			out[i] = dataOfSingle(s, fd, v.List().Get(i))
		}
		return out
	}
	return dataOfSingle(s, fd, v)
}

func dataOfSingle(s *Side, fd protoreflect.FieldDescriptor, v protoreflect.Value) any {
	if fd.Message() != nil {
		return dataOf(s, v.Message())
	}
	return scalarOf(fd, v)
}

// A dataDifference is the first difference between two data, and where.
type dataDifference struct {
	at    string
	class Class
}

// compareData compares what was written with what was read. exact says that the types are
// one, so that nothing may stand for anything else.
func compareData(wrote, read any, w Wire, exact bool) dataDifference {
	switch a := wrote.(type) {
	case map[string]any:
		if b, ok := read.(map[string]any); ok {
			return compareDataMaps(a, b, w, exact)
		}
	case []any:
		if b, ok := read.([]any); ok {
			return compareDataLists(a, b, w, exact)
		}
	case wellKnownText:
		return dataDifference{class: compareWellKnownText(string(a), read)}
	case nil, unset:
		_, unsetRead := read.(unset)
		_, unsetWrote := wrote.(unset)
		if unsetRead == unsetWrote && (read == nil || unsetRead) {
			return dataDifference{}
		}
		if !exact && isZero(read) && !unsetRead {
			return dataDifference{class: Form}
		}
	default:
		if isScalarData(read) {
			return dataDifference{class: compareScalars(wrote, read, w)}
		}
		if b, ok := read.(wellKnownText); ok {
			return dataDifference{class: compareWellKnownText(string(b), wrote)}
		}
	}
	if !exact && isZero(wrote) && isZero(read) {
		return dataDifference{class: Form}
	}
	if _, none := read.(unset); none || isZero(read) {
		return dataDifference{class: Lost}
	}
	return dataDifference{class: Altered}
}

func isScalarData(v any) bool {
	switch v.(type) {
	case nil, unset, wellKnownText, []any, map[string]any:
		return false
	}
	return true
}

func compareWellKnownText(text string, v any) Class {
	switch x := v.(type) {
	case wellKnownText:
		return sameIf(text == string(x))
	case string:
		return formIf(text == x || sameInstant(text, x) || sameDuration(text, x))
	}
	return Altered
}

func compareDataMaps(wrote, read map[string]any, w Wire, exact bool) dataDifference {
	worst := dataDifference{}
	for _, k := range keysOf(wrote) {
		b, ok := read[k]
		d := dataDifference{class: Lost}
		switch {
		case ok:
			d = compareData(wrote[k], b, w, exact)
		case !exact && isZero(wrote[k]):
			d.class = Form
		}
		worst = worse(worst, d, "."+k)
	}
	for _, k := range keysOf(read) {
		if _, ok := wrote[k]; !ok && (exact || !isZero(read[k])) {
			worst = worse(worst, dataDifference{class: Altered}, "."+k)
		}
	}
	return worst
}

func compareDataLists(wrote, read []any, w Wire, exact bool) dataDifference {
	worst := dataDifference{}
	for i := range min(len(wrote), len(read)) {
		worst = worse(worst, compareData(wrote[i], read[i], w, exact), "[]")
	}
	switch {
	case len(read) < len(wrote):
		worst = worse(worst, dataDifference{class: Lost}, "[]")
	case len(read) > len(wrote):
		worst = worse(worst, dataDifference{class: Altered}, "[]")
	}
	return worst
}

// worse returns d in place of worst if it is.
func worse(worst, d dataDifference, step string) dataDifference {
	if d.class <= worst.class {
		return worst
	}
	d.at = step + d.at
	return d
}

func keysOf(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// place is where the difference is, to be read after the path of the field.
func (d dataDifference) place() string {
	if d.at == "" {
		return ""
	}
	return "at " + clip(strings.TrimPrefix(d.at, "."))
}

// holdsMessage reports whether bytes are a message of a type and nothing else: no unknown
// field at any depth, not a byte that such a message would not need, and a Value has a kind.
func holdsMessage(s *Side, b []byte, m protoreflect.Message) bool {
	if unmarshalBinary(s, b, m.Interface()) != nil || hasUnknown(m) || proto.Size(m.Interface()) != len(b) {
		return false
	}
	_, err := writeJSON(s, m.Interface())
	return err == nil
}
