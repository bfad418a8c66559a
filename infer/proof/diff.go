package proof

import (
	"encoding/base64"
	"strings"
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/infer/adapt"
)

// A difference between a sample and what comes back.
type difference struct {
	path   string
	what   string
	detail string
	level  Level
}

// differ lists what differs between two trees.
type differ struct {
	adapter *adapt.Adapter
	found   []difference
}

func (d *differ) add(path, what string, level Level) {
	d.found = append(d.found, difference{path: path, what: what, level: level})
}

// A place says what the schema knows of a value: the message of an object, or the field of which it is a value.
type place struct {
	path    string
	message protoreflect.MessageDescriptor // of an object, if it is one of the schema's
	field   protoreflect.FieldDescriptor   // of a list or map as a whole
}

// inMessage is the place of a value of a message type: nil for scalars, and nothing is known within Value and the like.
func (d *differ) inMessage(path string, md protoreflect.MessageDescriptor) place {
	if md == nil || md.ParentFile().Package() == "google.protobuf" {
		return place{path: path}
	}
	if fd := d.adapter.Wrapped(md); fd != nil {
		return place{path: path, field: fd}
	}
	return place{path: path, message: md}
}

// key is the place of a member of an object n.
func (d *differ) key(p place, n *adapt.Node, key string) place {
	switch {
	case p.field != nil: // of a map
		return d.inMessage(p.path+"{}", p.field.MapValue().Message())
	case p.message == nil:
		return place{path: p.path + "{}"}
	}
	path := p.path + "." + key
	fd := p.message.Fields().ByJSONName(key)
	if member := d.adapter.Member(n, p.message, key); member != nil {
		fd = member
	}
	switch {
	case fd == nil:
		return place{path: path}
	case fd.IsList(), fd.IsMap():
		return place{path: path, field: fd}
	}
	return d.inMessage(path, fd.Message())
}

func (d *differ) element(p place) place {
	if p.field != nil && p.field.IsList() {
		return d.inMessage(p.path+"[]", p.field.Message())
	}
	return place{path: p.path + "[]"}
}

// compare lists the differences of what was wanted and what came back.
func (d *differ) compare(want, got *adapt.Node, at place) {
	switch {
	case want.Kind == '{' && got.Kind == '{':
		d.objects(want, got, at)
	case want.Kind == '[' && got.Kind == '[':
		if len(want.All) != len(got.All) {
			d.add(at.path, "has another length", Lossy)
			return
		}
		for i := range want.All {
			d.compare(&want.All[i], &got.All[i], d.element(at))
		}
	case want.Kind == got.Kind && want.Text == got.Text:
	default:
		what, level := scalars(want, got)
		if what != "" {
			d.add(at.path, what, level)
		}
	}
}

func (d *differ) objects(want, got *adapt.Node, at place) {
	of := members{keys: got.Keys}
	for k, key := range want.Keys {
		if i := of.find(key); i >= 0 {
			d.compare(&want.All[k], &got.All[i], d.key(at, want, key))
			continue
		}
		what, level := absent(&want.All[k])
		d.add(d.key(at, want, key).path, what, level)
	}
	if len(got.Keys) <= len(want.Keys) {
		return
	}
	of = members{keys: want.Keys}
	for _, key := range got.Keys {
		if of.find(key) < 0 {
			d.add(d.key(at, got, key).path, "was not there", Lossy)
		}
	}
}

// members finds keys, which mostly come in their order.
type members struct {
	keys []string
	next int
	at   map[string]int // all of them, once one has come out of order
}

// find returns the index of a key, or -1.
func (m *members) find(key string) int {
	if m.next < len(m.keys) && m.keys[m.next] == key {
		m.next++
		return m.next - 1
	}
	if m.at == nil {
		m.at = make(map[string]int, len(m.keys))
		for i, k := range m.keys {
			m.at[k] = i
		}
	}
	i, ok := m.at[key]
	if !ok {
		return -1
	}
	m.next = i + 1
	return i
}

// absent says what is lost if a value is not there any more.
func absent(n *adapt.Node) (string, Level) {
	switch {
	case n.Kind == 'n':
		return "null becomes absent", SameValue
	case n.Kind == '[' && len(n.All) == 0:
		return "[] becomes absent", SameValue
	case n.Kind == '{' && len(n.All) == 0:
		return "{} becomes absent", SameValue
	case n.Kind == 'f':
		return "false becomes absent", SameValue
	case n.Kind == '"' && n.Text == "":
		return `"" becomes absent`, SameValue
	case n.Kind == 0 && (sameNumber(n.Text, "0") || sameNumber(n.Text, "-0")):
		return "0 becomes absent", SameValue
	}
	return "is lost", Lossy
}

// scalars says how two values differ that are not both objects or both arrays; empty if they do not.
func scalars(want, got *adapt.Node) (string, Level) {
	switch {
	case want.Kind == 0 && got.Kind == 0:
		if sameNumber(want.Text, got.Text) {
			return "", SameJSON
		}
		if sameNumber(strings.TrimPrefix(want.Text, "-"), "0") && sameNumber(strings.TrimPrefix(got.Text, "-"), "0") {
			return "-0 becomes 0", SameValue
		}
		return "loses digits", Lossy
	case want.Kind == 0 && got.Kind == '"' && isDecimal(got.Text) && sameNumber(want.Text, got.Text):
		return "a number becomes a string", SameValue
	case want.Kind == '"' && got.Kind == '"':
		return texts(want.Text, got.Text)
	}
	return "is another value", Lossy
}

func isDecimal(s string) bool {
	return s != "" && strings.Trim(strings.TrimPrefix(s, "-"), "0123456789") == ""
}

func texts(want, got string) (string, Level) {
	a, err := time.Parse(time.RFC3339Nano, want)
	b, err2 := time.Parse(time.RFC3339Nano, got)
	if err == nil && err2 == nil && a.Equal(b) {
		return "a time is written otherwise", SameValue
	}
	x, err := base64.StdEncoding.DecodeString(want)
	y, err2 := base64.StdEncoding.DecodeString(got)
	if err == nil && err2 == nil && string(x) == string(y) {
		return "base64 is written otherwise", SameValue
	}
	return "is another string", Lossy
}
