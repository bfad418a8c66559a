package proof

import (
	"encoding/json"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// withEnums returns a sample with the names of enum values in place of the strings for which they stand: what somebody
// who moves to the schema has to do.
func (p *Prover) withEnums(text []byte) []byte {
	names := map[protoreflect.FullName]map[string]string{}
	for _, e := range p.file.Enums {
		of := map[string]string{}
		for _, v := range e.Values {
			of[v.Text] = v.Name
		}
		names[p.md.ParentFile().Package().Append(protoreflect.Name(e.Name))] = of
	}
	n := parse(text)
	if !rename(&n, p.md, names) {
		return text
	}
	return appendTree(nil, &n)
}

// rename replaces strings below a message, and reports whether there were any.
func rename(n *node, md protoreflect.MessageDescriptor, names map[protoreflect.FullName]map[string]string) bool {
	done := false
	if md == nil || n.kind != '{' {
		return false
	}
	for i, key := range n.keys {
		fd := md.Fields().ByJSONName(key)
		if fd == nil {
			continue
		}
		values := []node{n.all[i]}
		if fd.IsList() || fd.IsMap() {
			values = n.all[i].all
		}
		if fd.IsMap() {
			fd = fd.MapValue()
		}
		for j := range values {
			v := &values[j]
			if fd.Enum() != nil && v.kind == '"' {
				if name, ok := names[fd.Enum().FullName()][v.text]; ok {
					v.text = name
					done = true
				}
			}
			done = rename(v, fd.Message(), names) || done
		}
		if !fd.IsList() && n.all[i].kind == '"' {
			n.all[i] = values[0]
		}
	}
	return done
}

// appendTree writes a tree as JSON.
func appendTree(dst []byte, n *node) []byte {
	switch n.kind {
	case '{', '[':
		dst = append(dst, n.kind)
		for i := range n.all {
			if i > 0 {
				dst = append(dst, ',')
			}
			if n.kind == '{' {
				dst = append(appendString(dst, n.keys[i]), ':')
			}
			dst = appendTree(dst, &n.all[i])
		}
		return append(dst, n.kind+2) // the bracket that closes
	case '"':
		return appendString(dst, n.text)
	case 't':
		return append(dst, "true"...)
	case 'f':
		return append(dst, "false"...)
	case 'n':
		return append(dst, "null"...)
	}
	return append(dst, n.text...)
}

func appendString(dst []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // which no string makes
	}
	return append(dst, text...)
}
