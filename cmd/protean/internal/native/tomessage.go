package native

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"
)

// ToMessage resets m, which must be mutable, and fills it with v, the inverse of
// [FromMessage]. Because codecs seldom hand back the types they were given, it
// takes any value that can only mean one thing:
//
//   - for a number any Go integer or float, a json.Number, or its text; a value
//     that does not fit the field is an error (1.5 or 1<<40 for an int32)
//   - for a float also the text NaN, Infinity and -Infinity
//   - for bytes []byte or base64 text, standard or URL, padded or not
//   - for an enum its name or number
//   - for a message or a map any Go map with keys that fit, for a list any slice
//   - field names as in the proto file or as in JSON
//
// Required fields may be missing. Extensions are looked up in
// [protoregistry.GlobalTypes], then in the message's own file and its imports.
//
// An error names the path of the value, see [Error]; m is then partly filled.
func ToMessage(v any, m protoreflect.Message) error {
	proto.Reset(m.Interface())
	return toMessage(v, m)
}

// toMessage fills m, which is empty.
func toMessage(v any, m protoreflect.Message) error {
	if s, ok := shapeOf(m.Descriptor()); ok {
		return s.to(v, m)
	}
	entries, err := entriesOf(v, "object")
	if err != nil {
		return err
	}
	return toFields(entries, m)
}

func toFields(entries []entry, m protoreflect.Message) error {
	seen := map[protoreflect.FullName]bool{}
	for _, e := range entries {
		fd, err := findField(m.Descriptor(), e.key)
		if err != nil {
			return within(err, fmt.Sprint(".", e.key))
		}
		if e.value == nil && !takesNull(fd) {
			continue
		}
		err = once(seen, fd)
		if err == nil {
			err = toField(fd, e.value, m)
		}
		if err != nil {
			return InField(err, fd)
		}
	}
	return nil
}

// once reports a field that comes by both its names, and a second member of a oneof.
func once(seen map[protoreflect.FullName]bool, fd protoreflect.FieldDescriptor) error {
	name := fd.FullName()
	if od := fd.ContainingOneof(); od != nil {
		name = od.FullName()
	}
	if seen[name] {
		return fmt.Errorf("%s is set twice", name)
	}
	seen[name] = true
	return nil
}

func takesNull(fd protoreflect.FieldDescriptor) bool {
	if fd.IsList() || fd.IsMap() {
		return false
	}
	return isNullValue(fd) || fd.Message() != nil && fd.Message().FullName() == "google.protobuf.Value"
}

func toField(fd protoreflect.FieldDescriptor, v any, m protoreflect.Message) error {
	if !fd.IsList() && !fd.IsMap() {
		x, err := toSingular(fd, v, func() protoreflect.Value { return m.NewField(fd) })
		if err == nil {
			m.Set(fd, x)
		}
		return err
	}
	x := m.NewField(fd)
	var err error
	if fd.IsMap() {
		err = toMap(fd, v, x.Map())
	} else {
		err = toList(fd, v, x.List())
	}
	if err == nil {
		m.Set(fd, x)
	}
	return err
}

func toList(fd protoreflect.FieldDescriptor, v any, l protoreflect.List) error {
	elements, err := elementsOf(v)
	if err != nil {
		return err
	}
	for i, e := range elements {
		x, err := toSingular(fd, e, l.NewElement)
		if err != nil {
			return InElement(err, i)
		}
		l.Append(x)
	}
	return nil
}

func toMap(fd protoreflect.FieldDescriptor, v any, m protoreflect.Map) error {
	entries, err := entriesOf(v, "map")
	if err != nil {
		return err
	}
	for _, e := range entries {
		k, err := ToKey(fd, e.key)
		if err == nil && m.Has(k) {
			err = errors.New("key is given twice")
		}
		if err != nil {
			return InKey(err, e.key)
		}
		x, err := toSingular(fd.MapValue(), e.value, m.NewValue)
		if err != nil {
			return InEntry(err, k)
		}
		m.Set(k, x)
	}
	return nil
}

// toSingular returns v as one value of fd; empty makes the message to fill.
func toSingular(fd protoreflect.FieldDescriptor, v any, empty func() protoreflect.Value) (protoreflect.Value, error) {
	if fd.Message() != nil {
		x := empty()
		return x, toMessage(v, x.Message())
	}
	if v == nil && isNullValue(fd) {
		return protoreflect.ValueOfEnum(0), nil
	}
	return ToScalar(fd, v)
}

func findField(md protoreflect.MessageDescriptor, key any) (protoreflect.FieldDescriptor, error) {
	name, ok := text(key)
	if !ok {
		return nil, mismatch("a field name", key)
	}
	if inner, ok := strings.CutPrefix(name, "["); ok && strings.HasSuffix(inner, "]") {
		return findExtension(md, protoreflect.FullName(strings.TrimSuffix(inner, "]")))
	}
	if fd := md.Fields().ByName(protoreflect.Name(name)); fd != nil {
		return fd, nil
	}
	if fd := md.Fields().ByJSONName(name); fd != nil {
		return fd, nil
	}
	return nil, fmt.Errorf("%s has no such field", md.FullName())
}

func findExtension(md protoreflect.MessageDescriptor, name protoreflect.FullName) (protoreflect.FieldDescriptor,
	error) {
	xt, err := protoregistry.GlobalTypes.FindExtensionByName(name)
	if err != nil {
		xt = searchExtension(md.ParentFile(), name, map[string]bool{})
	}
	if xt == nil || xt.TypeDescriptor().ContainingMessage().FullName() != md.FullName() {
		return nil, fmt.Errorf("no such extension of %s is known", md.FullName())
	}
	return xt.TypeDescriptor(), nil
}

// searchExtension looks for an extension where a schema that is known only at
// run time can have it: in a file and the files that it imports.
func searchExtension(file protoreflect.FileDescriptor, name protoreflect.FullName,
	visited map[string]bool) protoreflect.ExtensionType {
	if file == nil || visited[file.Path()] {
		return nil
	}
	visited[file.Path()] = true
	if xd := declaredExtension(file, name); xd != nil {
		return dynamicpb.NewExtensionType(xd)
	}
	for i := range file.Imports().Len() {
		if xt := searchExtension(file.Imports().Get(i).FileDescriptor, name, visited); xt != nil {
			return xt
		}
	}
	return nil
}

// scope is what can declare extensions: a file or a message.
type scope interface {
	Messages() protoreflect.MessageDescriptors
	Extensions() protoreflect.ExtensionDescriptors
}

func declaredExtension(s scope, name protoreflect.FullName) protoreflect.ExtensionDescriptor {
	if xd := s.Extensions().ByName(name.Name()); xd != nil && xd.FullName() == name {
		return xd
	}
	for i := range s.Messages().Len() {
		if xd := declaredExtension(s.Messages().Get(i), name); xd != nil {
			return xd
		}
	}
	return nil
}

// entry is a key and a value of any Go map.
type entry struct{ key, value any }

func (e entry) is(name string) bool {
	s, ok := text(e.key)
	return ok && s == name
}

// entriesOf returns the entries of a map in the order of their keys, so that of
// several errors always the same one is reported.
func entriesOf(v any, want string) ([]entry, error) {
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Map {
		return nil, mismatch(want, v)
	}
	type sortable struct {
		entry
		text string
	}
	sorted := make([]sortable, 0, rv.Len())
	for iter := rv.MapRange(); iter.Next(); {
		k := iter.Key().Interface()
		sorted = append(sorted, sortable{entry{k, iter.Value().Interface()}, fmt.Sprint(k)})
	}
	slices.SortFunc(sorted, func(a, b sortable) int { return strings.Compare(a.text, b.text) })
	entries := make([]entry, len(sorted))
	for i, s := range sorted {
		entries[i] = s.entry
	}
	return entries, nil
}

// elementsOf returns the elements of a slice. A []byte is no list: it is bytes.
func elementsOf(v any) ([]any, error) {
	if list, ok := v.([]any); ok {
		return list, nil
	}
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Slice || rv.Type().Elem().Kind() == reflect.Uint8 {
		return nil, mismatch("list", v)
	}
	list := make([]any, rv.Len())
	for i := range list {
		list[i] = rv.Index(i).Interface()
	}
	return list, nil
}
