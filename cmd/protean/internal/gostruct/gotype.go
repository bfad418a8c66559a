package gostruct

import (
	"fmt"

	"google.golang.org/protobuf/reflect/protoreflect"
)

const (
	timestampName protoreflect.FullName = "google.protobuf.Timestamp"
	valueName     protoreflect.FullName = "google.protobuf.Value"
	emptyName     protoreflect.FullName = "google.protobuf.Empty"
)

// wellKnownType returns the Go type of a well-known message type by value.
func wellKnownType(md protoreflect.MessageDescriptor) string {
	switch md.FullName() {
	case timestampName:
		return "time.Time"
	case "google.protobuf.Duration", "google.protobuf.FieldMask":
		return "string"
	case "google.protobuf.Struct", "google.protobuf.Any":
		return "map[string]any"
	case "google.protobuf.ListValue":
		return "[]any"
	case valueName:
		return "any"
	case emptyName:
		return "struct{}"
	default: // a wrapper
		return scalarType(md.Fields().ByNumber(1))
	}
}

func scalarType(fd protoreflect.FieldDescriptor) string {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return "bool"
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return "int32"
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return "int64"
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return "uint32"
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return "uint64"
	case protoreflect.FloatKind:
		return "float32"
	case protoreflect.DoubleKind:
		return "float64"
	case protoreflect.BytesKind:
		return "[]byte"
	default: // string, enum
		return "string"
	}
}

// typeOf returns the Go type of a field.
func (w *writer) typeOf(fd protoreflect.FieldDescriptor) string {
	switch {
	case fd.IsMap():
		return fmt.Sprintf("map[%s]%s", keyType(fd.MapKey()), w.elementType(fd.MapValue()))
	case fd.IsList():
		return "[]" + w.elementType(fd)
	case isMessage(fd, valueName):
		return "any"
	case fd.HasPresence():
		return "*" + w.elementType(fd)
	default:
		return scalarType(fd)
	}
}

// elementType returns the type of a value of the field in a list or map.
func (w *writer) elementType(fd protoreflect.FieldDescriptor) string {
	if fd.Message() == nil {
		return scalarType(fd)
	}
	name := w.names[fd.Message().FullName()]
	w.usesTime = w.usesTime || name == "time.Time"
	return name
}

// keyType returns the type of map keys: bool is no key in JSON for Go.
func keyType(fd protoreflect.FieldDescriptor) string {
	if fd.Kind() == protoreflect.BoolKind {
		return "string"
	}
	return scalarType(fd)
}

// omission returns the json options that leave out the field when it is absent,
// and never when it is present. The package documentation says why they differ.
func omission(fd protoreflect.FieldDescriptor) string {
	switch {
	case !fd.HasPresence():
		return "omitempty,omitzero"
	case isMessage(fd, timestampName):
		return "omitempty"
	default:
		return "omitzero"
	}
}

func isMessage(fd protoreflect.FieldDescriptor, name protoreflect.FullName) bool {
	return fd.Message() != nil && fd.Message().FullName() == name
}
