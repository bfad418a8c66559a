package lock

import (
	"fmt"

	"github.com/protean-pb/protean/infer/schema"
)

// A Change is what a schema needs so that it holds documents that it did not hold.
type Change struct {
	Path   string `json:"path"`
	Change string `json:"change"`
}

// Changes lists how a schema that was made with the lock differs from it, but for fields that were not seen. None are
// needed if the documents fit.
func (l *Lock) Changes(f *schema.File) []Change {
	var out []Change
	for _, m := range f.Messages {
		old := l.message(m.Name)
		if old != nil && old.Oneof != "" && m.Oneof == "" {
			what := fmt.Sprintf("take the fields of message %s out of oneof %s: %s", m.Name, old.Oneof, m.Against)
			out = append(out, Change{m.Paths[0], what})
		}
		for _, field := range m.Fields {
			if what := change(old, m, field); what != "" {
				out = append(out, Change{field.Facts.Path, what})
			}
		}
	}
	for _, e := range f.Enums {
		for _, old := range l.Enums {
			for _, v := range e.Values[min(len(old.Values), len(e.Values)):] {
				if old.Path == e.Path {
					what := fmt.Sprintf("add %s = %d to enum %s for %q", v.Name, v.Number, e.Name, v.Text)
					out = append(out, Change{e.Path, what})
				}
			}
		}
	}
	return out
}

func change(old *Message, m *schema.Message, f *schema.Field) string {
	if old == nil {
		return fmt.Sprintf("add message %s with %s %s = %d", m.Name, f.Type, f.Name, f.Number)
	}
	for _, o := range old.Fields {
		switch {
		case o.Key != f.Key:
		case o.Number != f.Number:
			return fmt.Sprintf("replace %s %s = %d of message %s by %s %s = %d",
				o.Type, o.Name, o.Number, m.Name, f.Type, f.Name, f.Number)
		case o.Type != f.Type.String():
			return fmt.Sprintf("make %s of message %s %s instead of %s", f.Name, m.Name, f.Type, o.Type)
		case f.Optional && !o.Optional:
			return fmt.Sprintf("make %s of message %s optional", f.Name, m.Name)
		default:
			return ""
		}
	}
	if u := f.Union; u != nil {
		return fmt.Sprintf("add %s %s = %d to oneof %s of message %s for %s %q", f.Type, f.Name, f.Number, u.Oneof,
			m.Name, u.Tag, f.Value)
	}
	return fmt.Sprintf("add %s %s = %d to message %s", f.Type, f.Name, f.Number, m.Name)
}
