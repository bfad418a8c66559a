package gojapb

import (
	"cmp"
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// Extension fields are called by their full names in brackets, as in ProtoJSON.

// extensionOf returns the extension field of a name in brackets; nil if messages of the shape have none of that name.
func (m *Module) extensionOf(s *shape, name string) *field {
	if len(name) < 3 || name[0] != '[' || name[len(name)-1] != ']' {
		return nil
	}
	xt, err := m.schema.FindExtensionByName(protoreflect.FullName(name[1 : len(name)-1]))
	if err != nil || xt.TypeDescriptor().ContainingMessage().FullName() != s.desc.FullName() {
		return nil
	}
	return m.extensionField(xt)
}

func (m *Module) extensionField(xt protoreflect.ExtensionType) *field {
	if f := m.extensions[xt]; f != nil {
		return f
	}
	f := newField(xt.TypeDescriptor())
	m.extensions[xt] = &f
	return &f
}

// extensionsOf returns the extension fields that are present in a message, by their names.
func (m *Module) extensionsOf(r protoreflect.Message) []*field {
	var fields []*field
	r.Range(func(fd protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		if xd, ok := fd.(protoreflect.ExtensionTypeDescriptor); ok {
			fields = append(fields, m.extensionField(xd.Type()))
		}
		return true
	})
	slices.SortFunc(fields, func(a, b *field) int { return cmp.Compare(a.json, b.json) })
	return fields
}
