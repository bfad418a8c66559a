package suite

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// protojsonPosition is the place that the ProtoJSON decoder names in an error;
// the rest of its text it reserves the right to vary.
var protojsonPosition = regexp.MustCompile(`^(?:syntax error )?\(line (\d+):(\d+)\): `)

// explain says where in a document the ProtoJSON decoder failed and why: an
// offset in the document and a message with the path of the field, what is
// expected there by the schema, and what is found.
func explain(types *Types, md protoreflect.MessageDescriptor, doc []byte, err error) (int, string) {
	text := libraryText(err)
	found := protojsonPosition.FindStringSubmatch(text)
	if found == nil {
		return 0, text
	}
	at := offsetAt(doc, atoi(found[1]), atoi(found[2]))
	w := newWalk(types, doc)
	w.target = at
	w.message(md, "")
	if w.problem != "" {
		return at, w.problem
	}
	return at, text[len(found[0]):]
}

// offsetOf returns where in a document the object at a path begins, or 0.
func offsetOf(types *Types, md protoreflect.MessageDescriptor, doc []byte, path string) int {
	w := newWalk(types, doc)
	w.wanted, w.target = path, len(doc)
	w.message(md, "")
	return w.wantedAt
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// offsetAt returns the byte offset of a line and a column, as package usererr counts them.
func offsetAt(text []byte, line, column int) int {
	offset := 0
	for ; line > 1; line-- {
		i := bytes.IndexByte(text[offset:], '\n')
		if i < 0 {
			return len(text)
		}
		offset += i + 1
	}
	for i := range string(text[offset:]) {
		if column == 1 {
			return offset + i
		}
		column--
	}
	return len(text)
}

// maxFound bounds what a message quotes of the data, in bytes.
const maxFound = 40

// found describes a JSON value of the data.
func found(raw []byte) string {
	switch {
	case len(raw) == 0:
		return "nothing"
	case raw[0] == '{':
		return "an object"
	case raw[0] == '[':
		return "an array"
	case len(raw) > maxFound:
		return strings.ToValidUTF8(string(raw[:maxFound]), "") + "…"
	}
	return string(raw)
}

// expected describes the JSON values that one element of a field takes.
func expected(fd protoreflect.FieldDescriptor) string {
	switch fd.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		return expectedMessage(fd.Message())
	case protoreflect.EnumKind:
		return "a value of enum " + string(fd.Enum().FullName())
	case protoreflect.BytesKind:
		return "base64 (bytes)"
	}
	return fd.Kind().String()
}

func expectedMessage(md protoreflect.MessageDescriptor) string {
	switch formOf(md) {
	case formAny:
		return `an object with "@type" (google.protobuf.Any)`
	case formWrapper:
		return expected(md.Fields().ByName("value"))
	case formText:
		return fmt.Sprintf("%s (%s)", examples[md.Name()], md.FullName())
	case formList:
		return fmt.Sprintf("an array (%s)", md.FullName())
	case formValue:
		return fmt.Sprintf("a JSON value (%s)", md.FullName())
	}
	return fmt.Sprintf("an object (%s)", md.FullName())
}

// examples are what the well-known types with a text form look like.
var examples = map[protoreflect.Name]string{
	"Timestamp": `a time such as "2006-01-02T15:04:05Z"`,
	"Duration":  `a duration such as "1.5s"`,
	"FieldMask": `a field mask such as "user.displayName,photo"`,
}

// expectedField describes the JSON values that a whole field takes.
func expectedField(fd protoreflect.FieldDescriptor) string {
	switch {
	case fd.IsMap():
		return fmt.Sprintf("an object (map of %s to %s)", typeName(fd.MapKey()), typeName(fd.MapValue()))
	case fd.IsList():
		return "an array of " + typeName(fd)
	}
	return expected(fd)
}

// typeName is the type of a field as a .proto file has it.
func typeName(fd protoreflect.FieldDescriptor) string {
	switch {
	case fd.Message() != nil:
		return string(fd.Message().FullName())
	case fd.Enum() != nil:
		return string(fd.Enum().FullName())
	}
	return fd.Kind().String()
}
