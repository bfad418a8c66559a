package suite

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// A walk follows a JSON document along the descriptor of its message, in the
// steps in which the ProtoJSON decoder does, until it meets the byte where that
// one failed. The document's syntax is known to be good.
type walk struct {
	types *Types
	doc   []byte
	dec   *jsontext.Decoder

	target  int    // stop at the token that begins here
	problem string // what is wrong with that token
	done    bool

	wanted   string // the path of a message to find
	wantedAt int    // and where it begins
}

func newWalk(types *Types, doc []byte) *walk {
	return &walk{
		types: types,
		doc:   doc,
		dec:   jsontext.NewDecoder(bytes.NewBuffer(doc), jsontext.AllowDuplicateNames(true)),
	}
}

// next returns the offset of the token that comes next.
func (w *walk) next() int {
	i := int(w.dec.InputOffset())
	for i < len(w.doc) && strings.IndexByte(jsonSpace+",:", w.doc[i]) >= 0 {
		i++
	}
	return i
}

// stop ends the walk with a problem at path.
func (w *walk) stop(path, format string, args ...any) {
	w.done = true
	w.problem = fmt.Sprintf(format, args...)
	if path != "" {
		w.problem = "field " + path + ": " + w.problem
	}
}

const outOfRange = ", which is out of range"

// unexpected ends the walk at a value that is not what is expected.
func (w *walk) unexpected(path, expected string) {
	raw, err := w.dec.ReadValue()
	if err != nil {
		w.done = true
		return
	}
	hint := ""
	if raw.Kind() == '0' && isRangeError(numberProblem(protoreflect.DoubleKind, string(raw))) {
		hint = outOfRange
	}
	w.stop(path, "expected %s, found %s%s", expected, found(raw), hint)
}

// skip passes over a value that holds nothing to look at.
func (w *walk) skip() {
	if w.dec.SkipValue() != nil {
		w.done = true
	}
}

// open enters an object or array; false if the value is something else, which
// is passed over.
func (w *walk) open(kind jsontext.Kind) bool {
	if w.done {
		return false
	}
	if w.dec.PeekKind() != kind {
		w.skip()
		return false
	}
	_, err := w.dec.ReadToken()
	w.done = err != nil
	return !w.done
}

// more reports whether the open object or array goes on; if not, it is left.
func (w *walk) more() bool {
	if w.done {
		return false
	}
	switch w.dec.PeekKind() {
	case '}', ']':
		_, err := w.dec.ReadToken()
		w.done = w.done || err != nil
		return false
	case jsontext.KindInvalid:
		w.done = true
		return false
	}
	return true
}

// name reads the name of a member and where it begins.
func (w *walk) name() (string, int) {
	at := w.next()
	tok, err := w.dec.ReadToken()
	w.done = err != nil
	return tok.String(), at
}

// message walks the JSON form of a message.
func (w *walk) message(md protoreflect.MessageDescriptor, path string) {
	if w.wanted == path && w.wantedAt == 0 {
		w.wantedAt = w.next()
	}
	form := formOf(md)
	if w.next() == w.target && form != formAny && form != formWrapper {
		w.unexpectedText(path, md)
		return
	}
	switch form {
	case formObject:
		w.object(md, path, false)
	case formAny:
		w.any(md, path)
	case formWrapper:
		w.scalar(md.Fields().ByName("value"), path)
	case formStruct, formList, formValue:
		w.dynamic(path)
	default:
		w.skip()
	}
}

// unexpectedText ends the walk at a message whose form is wrong, or, for times
// and their like, whose text is.
func (w *walk) unexpectedText(path string, md protoreflect.MessageDescriptor) {
	if formOf(md) == formText && w.dec.PeekKind() == '"' && md.Name() == "FieldMask" {
		w.unexpected(path, "field names in lowerCamelCase with commas between (google.protobuf.FieldMask)")
		return
	}
	w.unexpected(path, expectedMessage(md))
}

// object walks the fields of a message; packed in an Any, it has a member
// "@type" besides.
func (w *walk) object(md protoreflect.MessageDescriptor, path string, packed bool) {
	seen := make(map[protoreflect.FieldNumber]bool)
	oneofs := make(map[int]protoreflect.FieldDescriptor)
	for ok := w.open('{'); ok && w.more(); {
		name, at := w.name()
		if packed && name == "@type" {
			w.skip()
			continue
		}
		fd := w.field(md, name)
		if at == w.target {
			w.badName(md, fd, name, path, seen, oneofs)
			return
		}
		if fd == nil {
			w.skip()
			continue
		}
		seen[fd.Number()] = true
		if w.dec.PeekKind() == 'n' && !takesNull(fd) {
			w.skip()
			continue
		}
		if od := fd.ContainingOneof(); od != nil && !fd.IsExtension() {
			oneofs[od.Index()] = fd
		}
		w.value(fd, joinField(path, fieldName(fd)))
	}
}

// field finds the field or extension that a member's name stands for.
func (w *walk) field(md protoreflect.MessageDescriptor, name string) protoreflect.FieldDescriptor {
	if full, ok := extensionName(name); ok {
		xt, err := w.types.FindExtensionByName(full)
		if err != nil {
			return nil
		}
		return xt.TypeDescriptor()
	}
	if fd := md.Fields().ByJSONName(name); fd != nil {
		return fd
	}
	return md.Fields().ByTextName(name)
}

func extensionName(name string) (protoreflect.FullName, bool) {
	if strings.HasPrefix(name, "[") && strings.HasSuffix(name, "]") && len(name) >= 2 {
		return protoreflect.FullName(name[1 : len(name)-1]), true
	}
	return "", false
}

// takesNull reports whether null is a value of a field rather than its absence.
func takesNull(fd protoreflect.FieldDescriptor) bool {
	if md := fd.Message(); md != nil {
		return md.FullName() == "google.protobuf.Value"
	}
	ed := fd.Enum()
	return ed != nil && ed.FullName() == "google.protobuf.NullValue"
}

// badName ends the walk at a member whose name is the problem.
func (w *walk) badName(md protoreflect.MessageDescriptor, fd protoreflect.FieldDescriptor, name, path string,
	seen map[protoreflect.FieldNumber]bool, oneofs map[int]protoreflect.FieldDescriptor) {
	at := joinField(path, shownName(name))
	_, isExtension := extensionName(name)
	switch {
	case fd == nil && isExtension:
		w.stop(at, "no such extension in the schema")
	case fd == nil:
		w.stop(at, "no such field in %s%s", md.FullName(), usererr.DidYouMean(name, memberNames(md, name)))
	case fd.ContainingMessage().FullName() != md.FullName():
		w.stop(at, "extends %s, not %s", fd.ContainingMessage().FullName(), md.FullName())
	case seen[fd.Number()]:
		w.stop(at, "set twice")
	case fd.ContainingOneof() != nil && oneofs[fd.ContainingOneof().Index()] != nil:
		od := fd.ContainingOneof()
		w.stop(at, "oneof %s set already, by %s", od.Name(), oneofs[od.Index()].Name())
	default:
		w.done = true
	}
}

// shownName keeps a name of the data readable in a message.
func shownName(name string) string {
	if len(name) > maxFound {
		name = strings.ToValidUTF8(name[:maxFound], "") + "…"
	}
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == '"' }) {
		return strconv.Quote(name)
	}
	return name
}

// memberNames are the names that the fields of a message have in JSON, in the
// style that the user writes: as declared if the name has an underscore.
func memberNames(md protoreflect.MessageDescriptor, like string) []string {
	var names []string
	for i := range md.Fields().Len() {
		fd := md.Fields().Get(i)
		if strings.Contains(like, "_") {
			names = append(names, fd.TextName())
		} else {
			names = append(names, fd.JSONName())
		}
	}
	return names
}

// value walks the value of a field.
func (w *walk) value(fd protoreflect.FieldDescriptor, path string) {
	at := w.next()
	switch {
	case (fd.IsList() || fd.IsMap()) && at == w.target:
		w.unexpected(path, expectedField(fd))
	case fd.IsMap():
		w.entries(fd, path)
	case fd.IsList():
		if w.open('[') {
			for i := 0; w.more(); i++ {
				w.element(fd, joinIndex(path, i))
			}
		}
	default:
		w.element(fd, path)
	}
}

// element walks one value of the type of a field.
func (w *walk) element(fd protoreflect.FieldDescriptor, path string) {
	if fd.Message() != nil {
		w.message(fd.Message(), path)
		return
	}
	w.scalar(fd, path)
}

// entries walks the members of a map.
func (w *walk) entries(fd protoreflect.FieldDescriptor, path string) {
	for ok := w.open('{'); ok && w.more(); {
		key, at := w.name()
		if at == w.target {
			w.badKey(fd.MapKey(), key, path)
			return
		}
		w.element(fd.MapValue(), joinKey(path, key))
	}
}

// badKey ends the walk at a map key that does not parse or is there already.
func (w *walk) badKey(fd protoreflect.FieldDescriptor, key, path string) {
	quoted := found([]byte(strconv.Quote(key)))
	if isKey(fd, key) {
		w.stop(path, "key %s set twice", quoted)
		return
	}
	w.stop(path, "expected a key of type %s, found %s", fd.Kind(), quoted)
}

// isKey reports whether text is a map key of the kind of fd.
func isKey(fd protoreflect.FieldDescriptor, text string) bool {
	switch fd.Kind() {
	case protoreflect.StringKind:
		return true
	case protoreflect.BoolKind:
		return text == "true" || text == "false"
	}
	return numberProblem(fd.Kind(), text) == nil
}

// scalar walks a number, string, enum value and so on.
func (w *walk) scalar(fd protoreflect.FieldDescriptor, path string) {
	if w.next() != w.target {
		w.skip()
		return
	}
	raw, err := w.dec.ReadValue()
	if err != nil {
		w.done = true
		return
	}
	text := unquoted(raw)
	hint := ""
	switch {
	case fd.Enum() != nil:
		hint = usererr.DidYouMean(text, valueNames(fd.Enum()))
	case isRangeError(numberProblem(fd.Kind(), text)):
		hint = outOfRange
	}
	w.stop(path, "expected %s, found %s%s", expected(fd), found(raw), hint)
}

// unquoted is the content of a string, or the text of another value.
func unquoted(raw []byte) string {
	if len(raw) > 0 && raw[0] == '"' {
		if b, err := jsontext.AppendUnquote(nil, raw); err == nil {
			return string(b)
		}
	}
	return string(raw)
}

func valueNames(ed protoreflect.EnumDescriptor) []string {
	var names []string
	for i := range ed.Values().Len() {
		names = append(names, string(ed.Values().Get(i).Name()))
	}
	return names
}

// dynamic walks a value that follows no schema: only a key that is set twice
// can be wrong in it.
func (w *walk) dynamic(path string) {
	switch w.dec.PeekKind() {
	case '{':
		for ok := w.open('{'); ok && w.more(); {
			key, at := w.name()
			if at == w.target {
				w.stop(path, "key %s set twice", found([]byte(strconv.Quote(key))))
				return
			}
			w.member(joinKey(path, key))
		}
	case '[':
		if w.open('[') {
			for i := 0; w.more(); i++ {
				w.member(joinIndex(path, i))
			}
		}
	default:
		w.skip()
	}
}

func (w *walk) member(path string) {
	if w.next() == w.target {
		w.unexpected(path, "a JSON value (google.protobuf.Value)")
		return
	}
	w.dynamic(path)
}
