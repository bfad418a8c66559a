package migrate

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// maxShown is the length to which values are cut, in characters, and maxLooked the number of
// values that are looked at for it.
const (
	maxShown  = 60
	maxLooked = 40
)

// clip cuts a text.
func clip(s string) string {
	if len(s) > 4*maxShown {
		s = s[:4*maxShown]
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	if utf8.RuneCountInString(s) <= maxShown {
		return s
	}
	return string([]rune(s)[:maxShown-1]) + "…"
}

func showField(fd protoreflect.FieldDescriptor, v protoreflect.Value) string {
	s := &shower{left: maxLooked}
	s.field(fd, v)
	return clip(s.b.String())
}

func showSingle(fd protoreflect.FieldDescriptor, v protoreflect.Value) string {
	s := &shower{left: maxLooked}
	s.single(fd, v)
	return clip(s.b.String())
}

func showMessage(m protoreflect.Message) string {
	s := &shower{left: maxLooked}
	s.message(m)
	return clip(s.b.String())
}

// A shower writes the beginning of a value in a form like JSON's.
type shower struct {
	b    strings.Builder
	left int
}

// more reports whether there is room for a further value, and counts it.
func (s *shower) more() bool {
	s.left--
	return s.left > 0 && s.b.Len() <= 4*maxShown
}

func (s *shower) field(fd protoreflect.FieldDescriptor, v protoreflect.Value) {
	switch {
	case fd.IsMap():
		s.entries(fd, v.Map())
	case fd.IsList():
		s.b.WriteString("[")
		for i := 0; i < v.List().Len() && s.more(); i++ {
			s.comma(i)
			s.single(fd, v.List().Get(i))
		}
		s.b.WriteString("]")
	default:
		s.single(fd, v)
	}
}

func (s *shower) comma(i int) {
	if i > 0 {
		s.b.WriteString(", ")
	}
}

func (s *shower) entries(fd protoreflect.FieldDescriptor, m protoreflect.Map) {
	s.b.WriteString("{")
	for i, k := range sortedKeys(m) {
		if !s.more() {
			break
		}
		s.comma(i)
		fmt.Fprintf(&s.b, "%q: ", clip(k.String()))
		s.single(fd.MapValue(), m.Get(k))
	}
	s.b.WriteString("}")
}

func (s *shower) single(fd protoreflect.FieldDescriptor, v protoreflect.Value) {
	if fd.Message() != nil {
		s.message(v.Message())
		return
	}
	s.scalar(scalarOf(fd, v))
}

func (s *shower) message(m protoreflect.Message) {
	md := m.Descriptor()
	if hasJSONForm(md) && md.Name() != "Any" && s.known(m) {
		return
	}
	s.b.WriteString("{")
	for i, fd := range populated(m) {
		if !s.more() {
			break
		}
		s.comma(i)
		s.b.WriteString(string(fd.Name()) + ": ")
		s.field(fd, m.Get(fd))
	}
	s.b.WriteString("}")
	if n := len(m.GetUnknown()); n > 0 {
		fmt.Fprintf(&s.b, " and %d bytes of unknown fields", n)
	}
}

// known writes a message of a type that JSON has a form for; false if it has none.
func (s *shower) known(m protoreflect.Message) bool {
	md := m.Descriptor()
	switch md.Name() {
	case "Struct", "ListValue":
		fd := md.Fields().Get(0)
		s.field(fd, m.Get(fd))
	case "Value":
		fd := m.WhichOneof(md.Oneofs().Get(0))
		switch {
		case fd == nil:
			s.b.WriteString("no kind")
		case fd.Name() == "null_value":
			s.b.WriteString("null")
		default:
			s.field(fd, m.Get(fd))
		}
	case "Timestamp", "Duration", "FieldMask":
		text, ok := dataOfText(m).(wellKnownText)
		if !ok {
			return false
		}
		s.b.WriteString(string(text))
	case "Empty":
		s.b.WriteString("{}")
	default:
		fd := md.Fields().ByName("value")
		s.single(fd, m.Get(fd))
		return true
	}
	if n := len(m.GetUnknown()); n > 0 {
		fmt.Fprintf(&s.b, " and %d bytes of unknown fields", n)
	}
	return true
}

func (s *shower) scalar(v any) {
	switch x := v.(type) {
	case string:
		s.b.WriteString(strconv.Quote(clip(x)))
	case []byte:
		text := hex.EncodeToString(x[:min(len(x), maxShown/2)])
		if len(x) > maxShown/2 {
			text += "…"
		}
		s.b.WriteString("0x" + text)
	case enumValue:
		if names := x.names(); len(names) > 0 {
			s.b.WriteString(string(names[0]))
			return
		}
		s.b.WriteString(strconv.Itoa(int(x.number)))
	case float32:
		s.b.WriteString(strconv.FormatFloat(float64(x), 'g', -1, 32))
	case float64:
		if x == math.Trunc(x) && math.Abs(x) < 1e21 {
			s.b.WriteString(strconv.FormatFloat(x, 'f', -1, 64))
			return
		}
		s.b.WriteString(strconv.FormatFloat(x, 'g', -1, 64))
	default:
		fmt.Fprint(&s.b, x)
	}
}
