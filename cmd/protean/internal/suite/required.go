package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// missingRequired returns the path of the first required field that is not set
// in m, and the path of the message that lacks it; or nothing.
func missingRequired(m proto.Message) (field, in string) {
	if proto.CheckInitialized(m) == nil {
		return "", ""
	}
	field, in, _ = findMissing(m.ProtoReflect(), "")
	return field, in
}

func findMissing(m protoreflect.Message, path string) (field, in string, found bool) {
	nums := m.Descriptor().RequiredNumbers()
	for i := range nums.Len() {
		fd := m.Descriptor().Fields().ByNumber(nums.Get(i))
		if !m.Has(fd) {
			return joinField(path, string(fd.Name())), path, true
		}
	}
	for _, fd := range populated(m) {
		if field, in, found = findMissingIn(m.Get(fd), fd, joinField(path, fieldName(fd))); found {
			return field, in, true
		}
	}
	return "", "", false
}

func findMissingIn(v protoreflect.Value, fd protoreflect.FieldDescriptor, path string) (field, in string, found bool) {
	switch {
	case fd.IsMap() && fd.MapValue().Message() != nil:
		for _, k := range sortedKeys(v.Map()) {
			if field, in, found = findMissing(v.Map().Get(k).Message(), joinKey(path, k.String())); found {
				return field, in, true
			}
		}
	case fd.IsMap() || fd.Message() == nil:
	case fd.IsList():
		for i := range v.List().Len() {
			if field, in, found = findMissing(v.List().Get(i).Message(), joinIndex(path, i)); found {
				return field, in, true
			}
		}
	default:
		return findMissing(v.Message(), path)
	}
	return "", "", false
}

// populated returns the fields that m has, in the order of their numbers.
func populated(m protoreflect.Message) []protoreflect.FieldDescriptor {
	var fds []protoreflect.FieldDescriptor
	m.Range(func(fd protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		fds = append(fds, fd)
		return true
	})
	slices.SortFunc(fds, func(a, b protoreflect.FieldDescriptor) int {
		return cmp.Compare(a.Number(), b.Number())
	})
	return fds
}

func sortedKeys(m protoreflect.Map) []protoreflect.MapKey {
	var keys []protoreflect.MapKey
	m.Range(func(k protoreflect.MapKey, _ protoreflect.Value) bool {
		keys = append(keys, k)
		return true
	})
	slices.SortFunc(keys, func(a, b protoreflect.MapKey) int {
		return cmp.Compare(a.String(), b.String())
	})
	return keys
}

// fieldName is how paths name a field.
func fieldName(fd protoreflect.FieldDescriptor) string {
	if fd.IsExtension() {
		return "[" + string(fd.FullName()) + "]"
	}
	return string(fd.Name())
}

func joinField(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func joinIndex(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

func joinKey(path, key string) string { return path + "[" + strconv.Quote(key) + "]" }
