package migrate

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/types/descriptorpb"
)

// declaration is a field as a .proto file has it.
func declaration(f *descriptorpb.FieldDescriptorProto) string {
	label := ""
	switch {
	case f.GetLabel() == descriptorpb.FieldDescriptorProto_LABEL_REPEATED:
		label = "repeated "
	case f.GetProto3Optional():
		label = "optional "
	}
	kind := strings.TrimPrefix(f.GetTypeName(), ".")
	if kind == "" {
		kind = strings.ToLower(strings.TrimPrefix(f.GetType().String(), "TYPE_"))
	}
	options := ""
	if f.JsonName != nil && f.GetJsonName() != jsonName(f.GetName()) {
		options = fmt.Sprintf(" [json_name = %q]", f.GetJsonName())
	}
	return fmt.Sprintf("%s%s %s = %d%s;", label, kind, f.GetName(), f.GetNumber(), options)
}

// jsonName is the name that JSON has for a field without a json_name.
func jsonName(name string) string {
	var b strings.Builder
	upper := false
	for _, r := range name {
		if r == '_' {
			upper = true
			continue
		}
		if upper && r >= 'a' && r <= 'z' {
			r -= 'a' - 'A'
		}
		b.WriteRune(r)
		upper = false
	}
	return b.String()
}
