package gostruct

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// camelCase returns a proto identifier as an exported Go name: event_type as
// EventType, _x as XX. Being exported it is never a keyword or predeclared.
func camelCase(s string) string {
	var b strings.Builder
	up := true
	for i, c := range []byte(s) {
		switch {
		case c == '_' && i == 0:
			b.WriteByte('X')
		case c == '_' && i+1 < len(s) && isLower(s[i+1]):
		case isLower(c) && up:
			b.WriteByte(c - 'a' + 'A')
		default:
			b.WriteByte(c)
		}
		up = c == '_' || isDigit(c)
	}
	return b.String()
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// typeNames returns a Go name for each message, unique among them. A name that
// two packages claim gets the package in front, for all who claim it.
func typeNames(messages []protoreflect.MessageDescriptor) map[protoreflect.FullName]string {
	claims := map[string]int{}
	for _, md := range messages {
		claims[localName(md)]++
	}
	names := map[protoreflect.FullName]string{}
	taken := map[string]bool{}
	for _, md := range sorted(messages) {
		name := localName(md)
		if claims[name] > 1 {
			name = camelPath(string(md.ParentFile().Package()), "") + name
		}
		names[md.FullName()] = unique(name, taken)
	}
	return names
}

// localName returns the Go name of a message without its package: Outer_Inner.
func localName(md protoreflect.MessageDescriptor) string {
	local := strings.TrimPrefix(string(md.FullName()), string(md.ParentFile().Package())+".")
	return camelPath(local, "_")
}

func camelPath(path, separator string) string {
	parts := strings.Split(path, ".")
	for i, p := range parts {
		parts[i] = camelCase(p)
	}
	return strings.Join(parts, separator)
}

// unique returns the name, with a number behind it if that is taken, and takes it.
func unique(name string, taken map[string]bool) string {
	free := name
	for i := 2; taken[free]; i++ {
		free = fmt.Sprintf("%s_%d", name, i)
	}
	taken[free] = true
	return free
}

func sorted(messages []protoreflect.MessageDescriptor) []protoreflect.MessageDescriptor {
	return slices.SortedFunc(slices.Values(messages), func(a, b protoreflect.MessageDescriptor) int {
		return strings.Compare(string(a.FullName()), string(b.FullName()))
	})
}
