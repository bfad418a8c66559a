package job

import (
	"fmt"
	"strings"

	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// paths returns the paths of five fields of m that are set and have one number, text or bytes: those that are nested
// the least, also in the first message of a list. There may be fewer.
func paths(m official.Message) []string {
	type place struct {
		prefix string
		m      protoreflect.Message
	}
	var found []string
	known := map[string]bool{}
	for queue := []place{{"", m.ProtoReflect()}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for i := range at.m.Descriptor().Fields().Len() {
			fd := at.m.Descriptor().Fields().Get(i)
			path := at.prefix + string(fd.Name())
			switch {
			case !at.m.Has(fd) || fd.IsMap() || fd.IsList() && fd.Message() == nil || known[path]:
				continue
			case fd.Message() == nil:
				if found = append(found, path); len(found) == 5 {
					return found
				}
			case fd.IsList():
				queue = append(queue, place{path + ".", at.m.Get(fd).List().Get(0).Message()})
			default:
				queue = append(queue, place{path + ".", at.m.Get(fd).Message()})
			}
			known[path] = true
		}
	}
	return found
}

// checkPaths compares the fields that paths returns.
func checkPaths(s *Subject, m official.Message) error {
	for _, path := range paths(s.Message) {
		if got, want := text(m, path), text(s.Message, path); got != want {
			return fmt.Errorf("%s: %.200s, not %.200s", path, got, want)
		}
	}
	return nil
}

// text returns the values that a path has in m.
func text(m official.Message, path string) string {
	return string(appendText(nil, m.ProtoReflect(), path))
}

func appendText(b []byte, m protoreflect.Message, path string) []byte {
	name, rest, more := strings.Cut(path, ".")
	fd := m.Descriptor().Fields().ByName(protoreflect.Name(name))
	switch v := m.Get(fd); {
	case !more:
		return fmt.Appendf(b, "%v ", v)
	case fd.IsList():
		for i := range v.List().Len() {
			b = appendText(b, v.List().Get(i).Message(), rest)
		}
		return b
	default:
		return appendText(b, v.Message(), rest)
	}
}
