package lock

import "github.com/protean-pb/protean/infer/schema"

// Schema returns what is needed of the schema to adapt documents to it: names, keys, and enums.
func (l *Lock) Schema(pkg string) *schema.File {
	f := &schema.File{Package: pkg, Wrapped: l.Wrapped, Rest: l.Rest}
	for _, m := range l.Messages {
		out := &schema.Message{Name: m.Name, Wraps: m.Wraps}
		for _, field := range m.Fields {
			f := &schema.Field{Key: field.Key, Name: field.Name, Number: field.Number}
			if u := field.Union; u != nil {
				f.Union, f.Value = &schema.Union{Oneof: u.Oneof, Key: u.Key, Tag: u.Tag}, u.Value
			}
			out.Fields = append(out.Fields, f)
		}
		f.Messages = append(f.Messages, out)
	}
	for _, e := range l.Enums {
		out := &schema.Enum{Name: e.Name, Path: e.Path}
		for _, v := range e.Values {
			out.Values = append(out.Values, schema.EnumValue(v))
		}
		f.Enums = append(f.Enums, out)
	}
	return f
}
