package migrate

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

func equalMessages(a, b proto.Message) bool { return sameBytes(a, b) }

// lists compares lists element by element.
func (c *comparison) lists(l *link, a, b protoreflect.List, at *place) Class {
	worst := Same
	for i := range min(a.Len(), b.Len()) {
		worst = max(worst, c.values(l.a, l.b, a.Get(i), b.Get(i), at.index(i)))
	}
	if a.Len() != b.Len() {
		o := outcome{class: Lost, wrote: plural(a.Len(), "element"), read: plural(b.Len(), "element")}
		if b.Len() > a.Len() {
			o.class = Altered
		}
		c.record(at, o)
		worst = max(worst, o.class)
	}
	return worst
}

// maps compares maps by the text of their keys.
func (c *comparison) maps(l *link, a, b protoreflect.Map, at *place) Class {
	worst := Same
	if l.a.MapKey().Kind() != l.b.MapKey().Kind() {
		worst = Form
	}
	byText := map[string]protoreflect.Value{}
	b.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		byText[k.String()] = v
		return true
	})
	for _, k := range sortedKeys(a) {
		got, ok := byText[k.String()]
		delete(byText, k.String())
		if ok {
			worst = max(worst, c.values(l.a.MapValue(), l.b.MapValue(), a.Get(k), got, at.key(k)))
			continue
		}
		worst = max(worst, Lost)
		c.record(at.key(k), outcome{class: Lost, wrote: showSingle(l.a.MapValue(), a.Get(k)), read: absent, why: "no entry of that key"})
	}
	for _, k := range sortedKeys(b) {
		if _, ok := byText[k.String()]; ok {
			worst = Altered
			c.record(at, outcome{class: Altered, wrote: absent, read: showSingle(l.b.MapValue(), b.Get(k)),
				why: "an entry of key " + clip(k.String()) + " that the writer has not set"})
		}
	}
	return worst
}

// reshaped compares a list, a map or a single value with another of these.
func (c *comparison) reshaped(l *link, a, b protoreflect.Value, at *place) Class {
	switch {
	case c.wire == JSON && c.sameData(l, a, b):
		c.record(at, outcome{class: Form, wrote: showField(l.a, a), read: showField(l.b, b)})
		return Form
	case l.a.IsList() && !l.b.IsMap():
		return c.lastOf(l, a.List(), b, at)
	case l.b.IsList() && !l.a.IsMap():
		return c.oneIn(l, a, b.List(), at)
	}
	o := outcome{wrote: showField(l.a, a), read: showField(l.b, b)}
	if same, ok := c.entries(l, a, b); ok {
		o.class, o.why = same, "entries"
	} else {
		d := compareData(dataOfField(c.graph.from, l.a, a), dataOfField(c.graph.to, l.b, b), c.wire, false)
		o.class, o.why = max(Form, d.class), d.place()
	}
	c.record(at, o)
	return o.class
}

// sameData reports whether two fields of any shape say the same.
func (c *comparison) sameData(l *link, a, b protoreflect.Value) bool {
	d := compareData(dataOfField(c.graph.from, l.a, a), dataOfField(c.graph.to, l.b, b), c.wire, false)
	return d.class <= Form
}

// lastOf compares a list with the single value that a reader has made of it.
func (c *comparison) lastOf(l *link, a protoreflect.List, b protoreflect.Value, at *place) Class {
	if a.Len() == 1 {
		quiet := *c
		var got outcome
		quiet.record = func(_ *place, o outcome) { got = o }
		class := max(Form, quiet.values(l.a, l.b, a.Get(0), b, at))
		got.class = class
		c.record(at, got)
		return class
	}
	c.record(at, outcome{class: Lost, wrote: showField(l.a, protoreflect.ValueOfList(a)), read: showField(l.b, b),
		why: "of " + plural(a.Len(), "element") + " the reader has one"})
	return Lost
}

// oneIn compares a single value with the list that a reader has made of it.
func (c *comparison) oneIn(l *link, a protoreflect.Value, b protoreflect.List, at *place) Class {
	o := outcome{class: Altered, wrote: showField(l.a, a), read: showField(l.b, protoreflect.ValueOfList(b))}
	switch b.Len() {
	case 0:
		o.class = Lost
		if isZeroField(l.a, a) {
			o.class = Form
		}
	case 1:
		quiet := *c
		quiet.record = func(*place, outcome) {}
		o.class = max(Form, quiet.values(l.a, l.b, a, b.Get(0), at))
	}
	c.record(at, o)
	return o.class
}

// entries compares a map with a list of messages whose fields 1 and 2 are key and value, as
// the entries of a map are on the wire; false if the fields are not such.
func (c *comparison) entries(l *link, a, b protoreflect.Value) (Class, bool) {
	if c.wire != Binary || l.a.IsMap() == l.b.IsMap() || !(l.a.IsMap() || l.a.IsList()) || !(l.b.IsMap() || l.b.IsList()) {
		return 0, false
	}
	wrote, okA := entriesOf(l.a, a)
	read, okB := entriesOf(l.b, b)
	if !okA || !okB {
		return 0, false
	}
	worst := Form
	quiet := *c
	quiet.record = func(*place, outcome) {}
	for k, v := range wrote.values {
		got, ok := read.values[k]
		if !ok {
			worst = max(worst, Lost)
			continue
		}
		worst = max(worst, quiet.values(wrote.fd, read.fd, v, got, nil))
	}
	if len(read.values) > len(wrote.values) {
		worst = Altered
	}
	if len(read.values) < wrote.count {
		worst = max(worst, Lost) // keys that come twice
	}
	return worst, true
}

// keyed is the entries of a map, or of a list of pairs.
type keyed struct {
	fd     protoreflect.FieldDescriptor // of the values
	values map[string]protoreflect.Value
	count  int
}

func entriesOf(fd protoreflect.FieldDescriptor, v protoreflect.Value) (keyed, bool) {
	out := keyed{values: map[string]protoreflect.Value{}}
	if fd.IsMap() {
		out.fd, out.count = fd.MapValue(), v.Map().Len()
		v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
			out.values[k.String()] = v
			return true
		})
		return out, true
	}
	md := fd.Message()
	if md == nil {
		return out, false
	}
	key, val := md.Fields().ByNumber(1), md.Fields().ByNumber(2)
	if key == nil || val == nil || key.Message() != nil || key.IsList() || val.IsList() || val.IsMap() {
		return out, false
	}
	out.fd, out.count = val, v.List().Len()
	for i := range v.List().Len() {
		m := v.List().Get(i).Message()
		out.values[m.Get(key).String()] = m.Get(val)
	}
	return out, true
}
