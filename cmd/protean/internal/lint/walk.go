package lint

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/lint/schema"
)

// The fields of struct.proto that are looked at.
const (
	structEntries = protoreflect.FullName("google.protobuf.Struct.fields")
	listValues    = protoreflect.FullName("google.protobuf.ListValue.values")
	valueMessage  = protoreflect.FullName("google.protobuf.Value")
	numberValue   = protoreflect.FullName("google.protobuf.Value.number_value")
	structPackage = protoreflect.FullName("google.protobuf")
)

// message walks the wire form of a message, which is well-formed: samples have been read. Within a
// field that a rule is about, in is that field and of its account.
func (l *look) message(md protoreflect.MessageDescriptor, b []byte, depth int, in protoreflect.FieldDescriptor,
	of *Field) {
	if depth > l.data.Deepest {
		l.data.Deepest, l.data.DeepestAt, l.data.DeepestPath = depth, l.source, l.path.String()
	}
	if len(b) == 0 && in != nil && md.FullName() == valueMessage {
		l.fault(schema.DataNoKind, in, func() string { return "" })
	}
	var counts map[protoreflect.FieldNumber]int
	for len(b) > 0 {
		num, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return
		}
		size := protowire.ConsumeFieldValue(num, kind, b[n:])
		if size < 0 {
			return
		}
		value, whole := b[n:n+size], n+size
		b = b[n+size:]
		fd := l.field(md, num)
		if fd == nil {
			continue
		}
		s := step{field: fd, index: -1}
		if fd.IsList() {
			if counts == nil {
				counts = make(map[protoreflect.FieldNumber]int)
			}
			s.index = counts[num]
			counts[num]++
		}
		l.path = append(l.path, s)
		l.value(fd, num, kind, value, whole, depth, in, of)
		l.path = l.path[:len(l.path)-1]
	}
}

// field finds a field or an extension, or returns nil.
func (l *look) field(md protoreflect.MessageDescriptor, num protoreflect.FieldNumber) protoreflect.FieldDescriptor {
	if fd := md.Fields().ByNumber(num); fd != nil {
		return fd
	}
	if !md.ExtensionRanges().Has(num) {
		return nil
	}
	xt, err := l.schema.Types().FindExtensionByNumber(md.FullName(), num)
	if err != nil {
		return nil
	}
	return xt.TypeDescriptor()
}

// value looks at the value of one field.
func (l *look) value(fd protoreflect.FieldDescriptor, num protowire.Number, kind protowire.Type, value []byte,
	whole, depth int, in protoreflect.FieldDescriptor, of *Field) {
	inner := fd.Message()
	if inner == nil {
		l.scalar(fd, kind, value, in)
		return
	}
	var body []byte
	switch kind {
	case protowire.BytesType:
		body, _ = protowire.ConsumeBytes(value)
	case protowire.StartGroupType:
		body, _ = protowire.ConsumeGroup(num, value)
	default:
		return // of another wire type: unknown
	}
	rule := schema.DynamicRule(fd)
	if rule != "" && in == nil && fd.ContainingMessage().FullName().Parent() != structPackage {
		in, of = fd, l.entry(fd, rule, whole)
		if !fd.IsMap() {
			of.keep(body)
		}
	}
	if fd.IsMap() {
		key := mapKey(fd.MapKey(), body)
		l.path[len(l.path)-1].key = key
		if fd.FullName() == structEntries && of != nil {
			of.key([]byte(key))
		}
		if in == fd {
			of.keep(mapValue(body))
		}
	}
	l.message(inner, body, depth+1, in, of)
}

// scalar looks at numbers: those of a Value, and typed integers of 64 bits.
func (l *look) scalar(fd protoreflect.FieldDescriptor, kind protowire.Type, value []byte,
	in protoreflect.FieldDescriptor) {
	if fd.FullName() == numberValue && kind == protowire.Fixed64Type && in != nil {
		bits, _ := protowire.ConsumeFixed64(value)
		l.number(math.Float64frombits(bits), in)
		return
	}
	switch fd.Kind() {
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Uint64Kind,
		protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind:
	default:
		return
	}
	if kind != protowire.BytesType || !fd.IsList() {
		l.integer(fd, kind, value)
		return
	}
	packed, _ := protowire.ConsumeBytes(value)
	element := protowire.VarintType
	if fd.Kind() == protoreflect.Fixed64Kind || fd.Kind() == protoreflect.Sfixed64Kind {
		element = protowire.Fixed64Type
	}
	for i := 0; len(packed) > 0; i++ {
		n := protowire.ConsumeFieldValue(1, element, packed)
		if n <= 0 {
			return
		}
		l.path[len(l.path)-1].index = i
		l.integer(fd, element, packed[:n])
		packed = packed[n:]
	}
}

// number looks at a number of a Value. Numbers beyond 64 bits are no integers that somebody had.
func (l *look) number(x float64, in protoreflect.FieldDescriptor) {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		l.fault(schema.DataFinite, in, func() string { return strconv.FormatFloat(x, 'g', -1, 64) + " " })
	case math.Abs(x) >= exact && math.Abs(x) < 1<<64:
		l.fault(schema.DataInteger, in, func() string { return strconv.FormatFloat(x, 'f', 0, 64) + " " })
	}
}

// integer looks at a typed integer of 64 bits.
func (l *look) integer(fd protoreflect.FieldDescriptor, kind protowire.Type, value []byte) {
	var bits uint64
	switch kind {
	case protowire.VarintType:
		bits, _ = protowire.ConsumeVarint(value)
	case protowire.Fixed64Type:
		bits, _ = protowire.ConsumeFixed64(value)
	default:
		return
	}
	text, beyond := strconv.FormatUint(bits, 10), bits > exact
	switch fd.Kind() {
	case protoreflect.Sint64Kind:
		x := protowire.DecodeZigZag(bits)
		text, beyond = strconv.FormatInt(x, 10), x > exact || x < -exact
	case protoreflect.Int64Kind, protoreflect.Sfixed64Kind:
		x := int64(bits)
		text, beyond = strconv.FormatInt(x, 10), x > exact || x < -exact
	}
	if !beyond {
		return
	}
	i := l.integers[fd.FullName()]
	if i == nil {
		i = &Integers{Field: string(fd.FullName()), First: fmt.Sprintf("%s at %s in %s", text, l.path, l.source)}
		l.integers[fd.FullName()], l.data.Integers = i, append(l.data.Integers, i)
	}
	i.Count++
}

// mapKey is the key of an entry as text.
func mapKey(fd protoreflect.FieldDescriptor, entry []byte) string {
	kind, value := entryField(entry, 1)
	if kind == protowire.BytesType {
		text, _ := protowire.ConsumeBytes(value)
		return string(text)
	}
	x, _ := protowire.ConsumeVarint(value)
	switch fd.Kind() {
	case protoreflect.Sint32Kind, protoreflect.Sint64Kind:
		return strconv.FormatInt(protowire.DecodeZigZag(x), 10)
	}
	return strconv.FormatInt(int64(x), 10)
}

// mapValue is the message that an entry holds.
func mapValue(entry []byte) []byte {
	kind, value := entryField(entry, 2)
	if kind != protowire.BytesType {
		return nil
	}
	body, _ := protowire.ConsumeBytes(value)
	return body
}

// entryField returns the field of an entry with such a number: its wire type and its value, which is
// nil if there is none.
func entryField(entry []byte, number protowire.Number) (protowire.Type, []byte) {
	for len(entry) > 0 {
		num, kind, n := protowire.ConsumeTag(entry)
		if n < 0 {
			break
		}
		size := protowire.ConsumeFieldValue(num, kind, entry[n:])
		if size < 0 {
			break
		}
		if num == number {
			return kind, entry[n : n+size]
		}
		entry = entry[n+size:]
	}
	return 0, nil
}

// A path leads from a sample to a value in it.
type path []step

type step struct {
	field protoreflect.FieldDescriptor
	index int    // of an element, or -1
	key   string // of an entry
}

// maxPath is how many characters of a path are shown.
const maxPath = 120

// String writes a path as people write it: events[17].data.user; fields of struct.proto's messages
// are not named, as JSON has no names for them. What is too long is cut in its middle.
func (p path) String() string {
	var b strings.Builder
	for i, s := range p {
		switch {
		case s.field.ContainingMessage().IsMapEntry(): // its key or its value
		case s.field.FullName() == listValues:
			fmt.Fprintf(&b, "[%d]", s.index)
		case s.field.FullName() == structEntries:
			b.WriteString("." + plainKey(s.key))
		case s.field.ContainingMessage().FullName() == valueMessage:
		default:
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.text())
		}
	}
	text := []rune(strings.TrimPrefix(b.String(), "."))
	if len(text) > maxPath {
		return string(text[:maxPath/2]) + "…" + string(text[len(text)-maxPath/2:])
	}
	return string(text)
}

func (s step) text() string {
	switch name := s.field.TextName(); {
	case s.field.IsMap():
		return fmt.Sprintf("%s[%q]", name, s.key)
	case s.index >= 0:
		return fmt.Sprintf("%s[%d]", name, s.index)
	default:
		return name
	}
}

// plainKey is a key as it is where that is a word, and else quoted.
func plainKey(key string) string {
	if key == "" || strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
		return strconv.Quote(key)
	}
	return key
}
