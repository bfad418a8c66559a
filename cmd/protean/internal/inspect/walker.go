package inspect

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// maxDepth is the nesting at which the Protobuf library gives up, maxGuessed that at
// which bytes are no longer taken for messages that may be none: each level of a guess
// looks at the bytes again.
const (
	maxDepth   = protowire.DefaultRecursionLimit
	maxGuessed = 100
)

// A walker goes through the bytes of a message once.
type walker struct {
	data    []byte
	types   Resolver
	at      int // what lies before has been told of
	counts  Counts
	listing *Listing // nil if only counts are wanted
	problem *Problem
}

// A scope is the message that the walker is in.
type scope struct {
	md    protoreflect.MessageDescriptor // nil for one of unknown type
	end   int                            // of its bytes; in a group, of what surrounds it
	group protowire.Number               // of the group that it is; 0 for none
	path  string
	depth int
	// guessed counts the messages around it that may be none, since they are unknown
	// fields or in an Any.
	guessed int
	packed  protoreflect.MessageDescriptor // what it holds, if it is an Any of known type
}

// A field is the head of a field.
type field struct {
	scope
	fd    protoreflect.FieldDescriptor // nil for an unknown one
	num   protowire.Number
	typ   protowire.Type
	start int // of the tag
	tag   int // bytes of the tag
	odd   string
}

func newWalker(b []byte, types Resolver) *walker {
	if types == nil {
		types = protoregistry.GlobalTypes
	}
	return &walker{data: b, types: types}
}

func (w *walker) fail(at int, path, format string, args ...any) {
	w.problem = &Problem{Offset: at, Path: path, Message: fmt.Sprintf(format, args...)}
}

// message goes through the fields of s, to its end or to the end of its group. The
// tag that ends a group is left for the caller.
func (w *walker) message(s scope) {
	if s.depth > maxDepth {
		w.fail(w.at, s.path, "messages are nested too deeply")
		return
	}
	if s.md != nil && s.md.FullName() == "google.protobuf.Any" {
		s.packed = w.packedType(w.data[w.at:s.end])
	}
	var seen map[protowire.Number]int
	if w.listing != nil {
		seen = map[protowire.Number]int{}
	}
	for w.at < s.end && w.problem == nil {
		f, ok := w.field(s)
		switch {
		case !ok:
			return
		case f.typ == protowire.EndGroupType && f.num == s.group:
			return
		case f.typ == protowire.EndGroupType:
			w.fail(w.at, s.path, "the end of group %d, which has not begun", f.num)
			return
		}
		if w.listing != nil {
			f.path = w.pathOf(f, seen[f.num])
			seen[f.num]++
		}
		w.value(f)
	}
	if s.group != 0 && w.problem == nil {
		w.fail(w.at, s.path, "group %d has no end", s.group)
	}
}

// field reads a tag.
func (w *walker) field(s scope) (field, bool) {
	v, n := protowire.ConsumeVarint(w.data[w.at:s.end])
	num, typ := protowire.DecodeTag(v)
	switch {
	case n < 0:
		w.fail(w.at, s.path, "the tag of a field %s", truncation(n))
	case num < protowire.MinValidNumber, num > protowire.MaxValidNumber:
		w.fail(w.at, s.path, "no tag of a field: its number is %d", v>>3)
	case typ > protowire.Fixed32Type:
		w.fail(w.at, s.path, "no tag of a field: its wire type is %d", typ)
	default:
		f := field{scope: s, num: num, typ: typ, start: w.at, tag: n, odd: longer(n, v)}
		f.fd = w.descriptor(s.md, num)
		if f.fd != nil && !fits(f.fd, typ) && typ != protowire.EndGroupType {
			f.odd = fmt.Sprintf("wire type %s does not fit field %s", wireName(typ), f.fd.Name())
			f.fd = nil
		}
		return f, true
	}
	return field{}, false
}

// truncation words an error code of protowire, to stand after what is wrong.
func truncation(code int) string {
	if errors.Is(protowire.ParseError(code), io.ErrUnexpectedEOF) {
		return "runs past the end"
	}
	return "takes more than 64 bits"
}

func (w *walker) descriptor(md protoreflect.MessageDescriptor, num protowire.Number) protoreflect.FieldDescriptor {
	if md == nil {
		return nil
	}
	if fd := md.Fields().ByNumber(num); fd != nil {
		return fd
	}
	if xt, err := w.types.FindExtensionByNumber(md.FullName(), num); err == nil {
		return xt.TypeDescriptor()
	}
	return nil
}

// fits reports whether a field may be on the wire with a wire type. Elements of a list
// may be packed or not, whatever the schema says.
func fits(fd protoreflect.FieldDescriptor, typ protowire.Type) bool {
	return typ == wireType(fd.Kind()) || typ == protowire.BytesType && isPackable(fd)
}

func isPackable(fd protoreflect.FieldDescriptor) bool {
	return fd.IsList() && wireType(fd.Kind()) != protowire.BytesType && wireType(fd.Kind()) != protowire.StartGroupType
}

func wireType(k protoreflect.Kind) protowire.Type {
	switch k {
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind, protoreflect.FloatKind:
		return protowire.Fixed32Type
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind, protoreflect.DoubleKind:
		return protowire.Fixed64Type
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind:
		return protowire.BytesType
	case protoreflect.GroupKind:
		return protowire.StartGroupType
	}
	return protowire.VarintType
}

// pathOf names a field that there have been n of before.
func (w *walker) pathOf(f field, n int) string {
	name := strconv.Itoa(int(f.num))
	if f.fd != nil {
		name = fieldName(f.fd)
	}
	if f.path != "" {
		name = shortened(f.path) + "." + name
	}
	switch {
	case f.fd == nil, isPackable(f.fd) && f.typ == protowire.BytesType:
		return name
	case f.fd.IsMap():
		return name + "[" + w.mapKey(f) + "]"
	case f.fd.IsList():
		return name + "[" + strconv.Itoa(n) + "]"
	}
	return name
}

// longestPath bounds a path, in bytes; without a bound the paths of messages in
// messages in messages would take more memory than all else.
const longestPath = 1000

func shortened(path string) string {
	if len(path) <= longestPath {
		return path
	}
	cut := strings.IndexByte(path[len(path)-longestPath/2:], '.')
	return "…" + path[len(path)-longestPath/2+max(cut, 0):]
}

// fieldName is the name of a field as paths have it.
func fieldName(fd protoreflect.FieldDescriptor) string {
	if fd.IsExtension() {
		return "[" + string(fd.FullName()) + "]"
	}
	return fd.TextName()
}

// mapKey returns the key of a map's entry, which may come after its value; an entry
// without one has the zero key, and one that is cut off none that is known.
func (w *walker) mapKey(f field) string {
	entry, n := protowire.ConsumeBytes(w.data[f.start+f.tag : f.end])
	if n < 0 {
		return "…"
	}
	key := f.fd.MapKey()
	v := make([]byte, 8)
	for len(entry) > 0 {
		num, typ, n := protowire.ConsumeField(entry)
		if n < 0 {
			break
		}
		if num == key.Number() && typ == wireType(key.Kind()) {
			_, _, tag := protowire.ConsumeTag(entry)
			v = entry[tag:n]
		}
		entry = entry[n:]
	}
	if key.Kind() == protoreflect.StringKind {
		v, _ = protowire.ConsumeBytes(v)
		return strconv.Quote(string(v))
	}
	return scalarText(key, v)
}

// value goes through the value of a field.
func (w *walker) value(f field) {
	after := f.start + f.tag
	if f.typ == protowire.StartGroupType {
		w.group(f)
		return
	}
	if f.typ != protowire.BytesType {
		n := protowire.ConsumeFieldValue(f.num, f.typ, w.data[after:f.end])
		if n < 0 {
			w.fail(f.start, f.path, "the value %s", truncation(n))
			return
		}
		w.scalar(f, w.data[after:after+n])
		return
	}
	size, n := protowire.ConsumeVarint(w.data[after:f.end])
	if n < 0 {
		w.fail(f.start, f.path, "the length %s", truncation(n))
		return
	}
	after += n
	if f.odd == "" {
		f.odd = longer(n, size)
	}
	left := f.end - after
	switch {
	case size <= uint64(left):
		w.delimited(f, n, w.data[after:after+int(size)])
		return
	// What there is of a message can be told.
	case f.fd != nil && f.fd.Message() != nil:
		w.nested(f, f.fd.Message(), n, left)
	case f.fd == nil && f.guessed < maxGuessed && beginsAsMessage(w.data[after:f.end]):
		f.guessed++
		w.nested(f, nil, n, left)
	}
	w.fail(f.start, f.path, "%d bytes long, but only %d are left", size, left)
}

// line tells of a field and moves on behind it. The value belongs to a category.
func (w *walker) line(f field, length, value, nested int, c Category, kind, text string) {
	w.counts[Tags] += f.tag
	w.counts[Lengths] += length
	w.counts[c] += value
	w.at = f.start + f.tag + length + value
	if w.listing == nil {
		return
	}
	l := Line{Offset: f.start, Tag: f.tag, Length: length, Value: value, Category: c, Depth: f.depth, Number: f.num,
		WireType: f.typ, Path: f.path, Type: kind, Text: text, Nested: nested, Note: f.odd}
	switch {
	case f.fd != nil:
		l.Name = fieldName(f.fd)
	case f.md != nil && l.Note == "":
		l.Note = "unknown field"
	}
	w.listing.Lines = append(w.listing.Lines, l)
}

// in returns the scope of what f holds.
func (f field) in(md protoreflect.MessageDescriptor, end int) scope {
	return scope{md: md, end: end, path: f.path, depth: f.depth + 1, guessed: f.guessed}
}

func (w *walker) group(f field) {
	var md protoreflect.MessageDescriptor
	kind := ""
	if f.fd != nil {
		md = f.fd.Message()
		kind = string(md.FullName())
	}
	w.line(f, 0, 0, 0, Bytes, kind, "")
	inside, line := w.at, 0
	if w.listing != nil {
		line = len(w.listing.Lines) - 1
	}
	s := f.in(md, f.end)
	s.group = f.num
	w.message(s)
	if w.listing != nil {
		w.listing.Lines[line].Nested = w.at - inside
	}
	if w.problem != nil {
		return
	}
	end, _ := w.field(s)
	end.depth, end.path, end.fd = f.depth, f.path, f.fd
	w.line(end, 0, 0, -1, Bytes, kind, "")
}

// scalar tells of a number, in what encoding it may be.
func (w *walker) scalar(f field, v []byte) {
	if f.odd == "" && f.typ == protowire.VarintType {
		x, _ := protowire.ConsumeVarint(v)
		f.odd = longer(len(v), x)
	}
	kind, category, text := "", Numbers, ""
	if f.fd != nil {
		kind, category = kindName(f.fd), categoryOf(f.fd)
	}
	switch {
	case w.listing == nil:
	case f.fd != nil:
		text = scalarText(f.fd, v)
	default:
		text = unknownNumber(f.typ, v)
	}
	w.line(f, 0, len(v), -1, category, kind, text)
}

// delimited tells of a length-delimited field with the value v.
func (w *walker) delimited(f field, length int, v []byte) {
	switch {
	case f.fd == nil:
		w.unknown(f, length, v)
	case f.fd.Message() != nil:
		w.nested(f, f.fd.Message(), length, len(v))
	case isPackable(f.fd):
		w.packed(f, length, v)
	case f.packed != nil && f.num == 2 && w.attempt(f, f.packed, length, len(v)):
	default:
		if f.fd.Kind() == protoreflect.StringKind && !utf8.Valid(v) {
			f.odd = "not UTF-8"
		}
		w.line(f, length, len(v), -1, categoryOf(f.fd), kindName(f.fd), w.text(f.fd.Kind(), v))
	}
}

// text is empty if it is not wanted.
func (w *walker) text(k protoreflect.Kind, v []byte) string {
	if w.listing == nil {
		return ""
	}
	return bytesText(k, v)
}

// nested tells of a message of so many bytes and of what is in it.
func (w *walker) nested(f field, md protoreflect.MessageDescriptor, length, size int) {
	kind, text := "", ""
	if md != nil {
		kind = string(md.FullName())
		if md.IsMapEntry() {
			kind = "map entry"
		}
		after := f.start + f.tag + length
		if w.listing != nil {
			text = knownText(md, w.data[after:after+size])
		}
	}
	w.line(f, length, 0, size, Bytes, kind, text)
	w.message(f.in(md, w.at+size))
}

// packed tells of the elements of a list in one line.
func (w *walker) packed(f field, length int, v []byte) {
	var texts []string
	for i, rest := 0, v; len(rest) > 0; i++ {
		n := protowire.ConsumeFieldValue(f.num, wireType(f.fd.Kind()), rest)
		if n < 0 {
			w.fail(f.start, f.path, "element %d of the packed list %s", i, truncation(n))
			return
		}
		if w.listing != nil {
			texts = append(texts, scalarText(f.fd, rest[:n]))
		}
		rest = rest[n:]
	}
	w.line(f, length, len(v), -1, categoryOf(f.fd), "packed "+kindName(f.fd), "["+strings.Join(texts, ", ")+"]")
}

// packedType returns the type of what an Any holds, which may stand behind it; nil if it
// is unknown.
func (w *walker) packedType(b []byte) protoreflect.MessageDescriptor {
	mt, err := w.types.FindMessageByURL(typeURL(b))
	if err != nil {
		return nil
	}
	return mt.Descriptor()
}

// typeURL returns the type of an Any.
func typeURL(b []byte) string {
	url := ""
	for len(b) > 0 {
		num, typ, n := protowire.ConsumeField(b)
		if n < 0 {
			break
		}
		if num == 1 && typ == protowire.BytesType {
			_, _, tag := protowire.ConsumeTag(b)
			v, _ := protowire.ConsumeBytes(b[tag:])
			url = string(v)
		}
		b = b[n:]
	}
	return url
}

// unknown tells of a length-delimited field that may be anything.
func (w *walker) unknown(f field, length int, v []byte) {
	text := isText(v)
	if isMessage(v, text) && w.attempt(f, nil, length, len(v)) {
		return
	}
	c, k := Bytes, protoreflect.BytesKind
	if text {
		c, k = Text, protoreflect.StringKind
	}
	w.line(f, length, len(v), -1, c, "", w.text(k, v))
}

// attempt is nested, but tells of nothing and returns false if there is a problem, or too
// many attempts are around it.
func (w *walker) attempt(f field, md protoreflect.MessageDescriptor, length, size int) bool {
	if f.guessed >= maxGuessed {
		return false
	}
	f.guessed++
	counts, lines := w.counts, 0
	if w.listing != nil {
		lines = len(w.listing.Lines)
	}
	w.nested(f, md, length, size)
	if w.problem == nil {
		return true
	}
	w.problem, w.counts, w.at = nil, counts, f.start
	if w.listing != nil {
		w.listing.Lines = w.listing.Lines[:lines]
	}
	return false
}

// beginsAsMessage reports whether v, which has been cut off, is likely to be of a
// message.
func beginsAsMessage(v []byte) bool {
	_, _, n := protowire.ConsumeField(v)
	return n > 0 && !isText(v)
}

// isText reports whether v reads as text.
func isText(v []byte) bool {
	if !utf8.Valid(v) {
		return false
	}
	for _, r := range string(v) {
		if !strconv.IsPrint(r) && r != '\n' && r != '\t' && r != '\r' {
			return false
		}
	}
	return true
}

// isMessage reports whether v is fields to its end. What reads as text too is more
// likely that: "hi" is field 13. But that a length fits by chance is rare.
func isMessage(v []byte, text bool) bool {
	delimited := false
	for rest := v; len(rest) > 0; {
		_, typ, n := protowire.ConsumeField(rest)
		if n < 0 {
			return false
		}
		delimited = delimited || typ == protowire.BytesType
		rest = rest[n:]
	}
	return len(v) > 0 && (delimited || !text)
}
