package proof

import (
	"encoding/json"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/infer/schema"
)

// enumNames are the names of enum values by the strings for which they stand, for each enum.
type enumNames map[protoreflect.FullName]map[string]string

func namesOf(file *schema.File, pkg protoreflect.FullName) enumNames {
	names := enumNames{}
	for _, e := range file.Enums {
		of := map[string]string{}
		for _, v := range e.Values {
			of[v.Text] = v.Name
		}
		names[pkg.Append(protoreflect.Name(e.Name))] = of
	}
	return names
}

// withEnums returns a sample with the names of enum values in place of the strings for which they stand: what somebody
// who moves to the schema has to do.
func (p *Prover) withEnums(text []byte) []byte {
	var t tape
	t.read(text)
	var out []byte
	done := 0
	p.enums.each(&t, 0, p.md, func(value int, name string) {
		out = appendString(append(out, text[done:t.all[value].start-1]...), name)
		done = t.all[value].end + 1
	})
	if done == 0 {
		return text
	}
	return append(out, text[done:]...)
}

// each calls f with the strings below a message that have a name.
func (names enumNames) each(t *tape, object int, md protoreflect.MessageDescriptor, f func(value int, name string)) {
	if md == nil || t.all[object].kind != '{' {
		return
	}
	t.members(object, func(key, value int) {
		fd := md.Fields().ByJSONName(t.string(key))
		switch kind := t.all[value].kind; {
		case fd == nil:
		case fd.IsMap():
			if kind == '{' {
				t.members(value, func(_, v int) { names.one(t, v, fd.MapValue(), f) })
			}
		case fd.IsList():
			for v := value + 1; kind == '[' && v < t.all[value].next; v = t.all[v].next {
				names.one(t, v, fd, f)
			}
		default:
			names.one(t, value, fd, f)
		}
	})
}

// one does it with a value of a field.
func (names enumNames) one(t *tape, value int, fd protoreflect.FieldDescriptor, f func(value int, name string)) {
	if fd.Enum() != nil && t.all[value].kind == '"' {
		if name, ok := names[fd.Enum().FullName()][t.string(value)]; ok {
			f(value, name)
		}
	}
	names.each(t, value, fd.Message(), f)
}

func appendString(dst []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // which no string makes
	}
	return append(dst, text...)
}
