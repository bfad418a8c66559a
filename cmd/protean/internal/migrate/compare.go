package migrate

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

// A comparison holds a message as it was written against what the reader has of it.
type comparison struct {
	graph  *graph
	wire   Wire
	dir    Direction
	record func(*place, outcome)
	twins  *graph // by number, where JSON is compared; made when needed
}

// messages compares messages of any types and returns the worst class.
func (c *comparison) messages(a, b protoreflect.Message, at *place) Class {
	x, y := a.Descriptor(), b.Descriptor()
	knownA, knownB := hasJSONForm(x), hasJSONForm(y)
	switch {
	case x.FullName() == y.FullName() && x.Name() == "Any" && knownA:
		return c.anys(a, b, at)
	case x.FullName() == y.FullName() && knownA:
		return c.data(a, b, at, true)
	case !knownA && !knownB:
		return c.fields(a, b, at)
	}
	// Types that JSON shows differently may still be alike field by field.
	if c.wire == Binary {
		var kept []func()
		inner := *c
		inner.record = func(at *place, o outcome) { kept = append(kept, func() { c.record(at, o) }) }
		if worst := inner.fields(a, b, at); worst <= Form {
			c.record(at, outcome{class: Form, wrote: showMessage(a), read: showMessage(b), why: "the same bytes"})
			return Form
		}
	}
	return c.data(a, b, at, false)
}

// data compares messages by what they say.
func (c *comparison) data(a, b protoreflect.Message, at *place, exact bool) Class {
	d := compareData(dataOf(c.graph.from, a), dataOf(c.graph.to, b), c.wire, exact)
	if d.class == Same && !exact {
		d.class = Form
	}
	if d.class <= Form && c.wire == Binary && hasUnknown(b) {
		d.class = Lost
	}
	o := outcome{class: d.class, wrote: showMessage(a), read: showMessage(b), why: d.place()}
	if d.class == Form && c.wire == JSON {
		if twin := c.twin(a, b); twin != nil {
			o.class, o.why = Altered, "in binary form the reader sees "+showMessage(twin)
		}
	}
	c.record(at, o)
	return o.class
}

// twin returns what the reader sees of a message in binary form, where that is the message
// field by field and not what it sees in JSON: a Struct and a message of pairs are the same
// bytes, but JSON has the one's fields where it has the other's pairs.
func (c *comparison) twin(a, b protoreflect.Message) protoreflect.Message {
	wire, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(a.Interface())
	got := dynamicpb.NewMessage(b.Descriptor())
	if err != nil || len(wire) == 0 || unmarshalBinary(c.graph.to, wire, got) != nil || hasUnknown(got) ||
		equalMessages(got, b.Interface()) {
		return nil
	}
	if c.twins == nil {
		c.twins = newGraph(c.graph.from, c.graph.to, Binary, c.dir)
	}
	inner := &comparison{graph: c.twins, wire: Binary, dir: c.dir, record: func(*place, outcome) {}}
	if inner.fields(a, got, nil) > Form {
		return nil
	}
	return got
}

// anys compares what two Any hold: each side reads the bytes by its own schema.
func (c *comparison) anys(a, b protoreflect.Message, at *place) Class {
	url, raw := anyOf(a)
	gotURL, got := anyOf(b)
	class, why := Same, ""
	from, to := unpack(c.graph.from, url, raw), unpack(c.graph.to, gotURL, got)
	switch {
	case url != gotURL:
		class = Altered
	case from != nil && to != nil && from.Descriptor().FullName() == to.Descriptor().FullName():
		step := ".(" + string(from.Descriptor().FullName()) + ")"
		return c.messages(from, to, &place{parent: at, step: step, named: true})
	case from != nil && to == nil:
		class, why = Error,
			"the reader's schema has no type "+string(from.Descriptor().FullName())+", so it cannot be unpacked"
	case string(raw) != string(got):
		class = Altered
	}
	c.record(at, outcome{class: class, wrote: showMessage(a), read: showMessage(b), why: why})
	return class
}

func anyOf(m protoreflect.Message) (url string, value []byte) {
	fields := m.Descriptor().Fields()
	return m.Get(fields.ByName("type_url")).String(), m.Get(fields.ByName("value")).Bytes()
}

// unpack reads what an Any holds; nil if its type is not in the schema, or it is not one.
func unpack(s *Side, url string, b []byte) protoreflect.Message {
	if url == "" {
		return nil
	}
	mt, err := s.Schema.Types().FindMessageByURL(url)
	if err != nil {
		return nil
	}
	m := dynamicpb.NewMessage(mt.Descriptor())
	if unmarshalBinary(s, b, m) != nil {
		return nil
	}
	return m
}

// fields compares messages field by field.
func (c *comparison) fields(a, b protoreflect.Message, at *place) Class {
	n := c.graph.find(a.Descriptor(), b.Descriptor())
	worst := Same
	seen := map[protoreflect.FieldNumber]bool{}
	kept := unknownNumbers(b)
	for _, fd := range populated(a) {
		l := n.link(fd)
		if l == nil {
			continue // an extension that no schema declares is unknown to both
		}
		class := c.field(l, a, b, at.field(fd))
		if l.b != nil {
			seen[l.b.Number()] = true
		}
		if class <= Form && kept[fd.Number()] && c.wire == Binary && l.b != nil {
			class = Lost
			c.record(at.field(fd), outcome{class: Lost, wrote: showField(fd, a.Get(fd)), read: absent,
				why: "a part is kept among the unknown fields"})
		}
		worst = max(worst, class)
	}
	for _, fd := range populated(b) {
		if !seen[fd.Number()] {
			worst = Altered
			c.record(at.field(fd), outcome{class: Altered, wrote: absent, read: showField(fd, b.Get(fd)),
				why: "the writer has not set it"})
		}
	}
	return max(worst, c.defaults(n, a, b, at))
}

// defaults compares what is read where neither side has a field.
func (c *comparison) defaults(n *pair, a, b protoreflect.Message, at *place) Class {
	worst := Same
	for _, l := range n.defaults {
		if a.Has(l.a) || b.Has(l.b) || inOneof(l.a) || inOneof(l.b) {
			continue
		}
		worst = Altered
		c.record(at.field(l.a), outcome{class: Altered, wrote: showField(l.a, l.a.Default()),
			read: showField(l.b, l.b.Default()), why: "the field is absent, and the defaults differ"})
	}
	return worst
}

func inOneof(fd protoreflect.FieldDescriptor) bool { return oneofOf(fd) != "" }

func unknownNumbers(m protoreflect.Message) map[protowire.Number]bool {
	var out map[protowire.Number]bool
	for b := m.GetUnknown(); len(b) > 0; {
		num, _, n := protowire.ConsumeField(b)
		if n < 0 {
			break
		}
		if out == nil {
			out = map[protowire.Number]bool{}
		}
		out[num] = true
		b = b[n:]
	}
	return out
}

// field compares a field that the writer has set.
func (c *comparison) field(l *link, a, b protoreflect.Message, at *place) Class {
	v := a.Get(l.a)
	switch {
	case l.b == nil:
		return c.gone(l, v, b, at)
	case l.swapped:
		o := outcome{class: Altered, wrote: showField(l.a, v), read: absent, why: "read as field " + string(l.b.Name())}
		if b.Has(l.b) {
			o.read = showField(l.b, b.Get(l.b))
		}
		c.record(at, o)
		return o.class
	case !b.Has(l.b) && !isZeroField(l.a, v):
		return c.lost(l, v, b, at)
	case l.a.IsMap() && l.b.IsMap():
		return c.maps(l, v.Map(), b.Get(l.b).Map(), at)
	case l.a.IsList() && l.b.IsList():
		return c.lists(l, v.List(), b.Get(l.b).List(), at)
	case !reshapes(l):
		return c.singular(l, a, b, at)
	}
	return c.reshaped(l, v, b.Get(l.b), at)
}

// isZeroField reports whether a field that is set holds what it holds when it is absent, so
// that only its presence can be lost.
func isZeroField(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
	return isScalar(fd) && isZero(scalarOf(fd, v)) && isZero(scalarOf(fd, fd.Default()))
}

// gone records a field that the reader's schema has not.
func (c *comparison) gone(l *link, v protoreflect.Value, b protoreflect.Message, at *place) Class {
	o := outcome{class: Lost, wrote: showField(l.a, v), read: absent, why: "the reader's schema has no such field"}
	switch {
	case l.added:
		o.class, o.why = Same, whyAdded(l.a, c.wire)
	case c.wire == Binary:
		o.why += fmt.Sprintf(" %d; kept among the unknown fields", l.a.Number())
	}
	c.record(at, o)
	return o.class
}

// lost records a field that the reader has, but sees nothing in.
func (c *comparison) lost(l *link, v protoreflect.Value, b protoreflect.Message, at *place) Class {
	o := outcome{class: Lost, wrote: showField(l.a, v), read: absent}
	kept := unknownNumbers(b)[l.a.Number()] && c.wire == Binary
	if !kept && isScalar(l.a) && isScalar(l.b) && c.scalars(l.a, l.b, v, b.Get(l.b)) <= Form {
		// A zero of the reader's type, such as the enum value of that name.
		o.class, o.read, o.why = Form, showField(l.b, b.Get(l.b)), whyScalar(l.a, l.b, v, b.Get(l.b), Form)
		c.record(at, o)
		return Form
	}
	switch {
	case kept:
		o.why = "not of the reader's wire type; kept among the unknown fields"
	case l.b.ContainingOneof() != nil && b.WhichOneof(l.b.ContainingOneof()) != nil:
		o.why = "another member of the reader's oneof came later"
	case isScalar(l.a) && isScalar(l.b) && c.wire == Binary:
		o.read, o.why = showField(l.b, b.Get(l.b)), fmt.Sprintf("%s read as %s", l.a.Kind(), l.b.Kind())
	case c.wire == JSON && isNull(l.a, v):
		o.why = "null, which the reader takes for an absent field"
	case isSingle(l.a) && isZero(dataOf(c.graph.from, v.Message())):
		o.why = "its presence"
	}
	c.record(at, o)
	return o.class
}

// isNull reports whether a field is a google.protobuf.Value of null.
func isNull(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
	return isSingle(fd) && hasJSONForm(fd.Message()) && fd.Message().Name() == "Value" &&
		dataOfValue(nil, v.Message()) == nil
}

// isSingle reports whether a field holds one message.
func isSingle(fd protoreflect.FieldDescriptor) bool {
	return fd.Message() != nil && !fd.IsList() && !fd.IsMap()
}

// singular compares two fields that hold one value each; the reader's may be absent where the
// writer's is zero.
func (c *comparison) singular(l *link, a, b protoreflect.Message, at *place) Class {
	o := outcome{wrote: showField(l.a, a.Get(l.a)), read: showField(l.b, b.Get(l.b))}
	switch {
	case l.a.Message() == nil && l.b.Message() == nil && !b.Has(l.b):
		o.class = Form // what is set and zero
		if b.Get(l.b).IsValid() && !isZero(scalarOf(l.b, b.Get(l.b))) {
			o.class, o.why = Altered, "absent, and the default is not zero"
		} else if l.b.HasPresence() {
			o.class, o.why = Lost, "its presence"
		} else {
			o.why = "its presence, which the reader's type has not"
		}
	case l.a.Message() == nil && l.b.Message() == nil && l.a.HasPresence() != l.b.HasPresence():
		o.class = max(Form, c.scalars(l.a, l.b, a.Get(l.a), b.Get(l.b)))
		o.why = whyScalar(l.a, l.b, a.Get(l.a), b.Get(l.b), o.class)
	default:
		return c.values(l.a, l.b, a.Get(l.a), b.Get(l.b), at)
	}
	c.record(at, o)
	return o.class
}

func (c *comparison) scalars(fa, fb protoreflect.FieldDescriptor, a, b protoreflect.Value) Class {
	return compareScalars(scalarOf(fa, a), scalarOf(fb, b), c.wire)
}

// values compares single values: of fields, elements or entries.
func (c *comparison) values(fa, fb protoreflect.FieldDescriptor, a, b protoreflect.Value, at *place) Class {
	switch {
	case fa.Message() != nil && fb.Message() != nil:
		return c.messages(a.Message(), b.Message(), at)
	case fa.Message() != nil || fb.Message() != nil:
		return c.messageOrScalar(fa, fb, a, b, at)
	}
	class := c.scalars(fa, fb, a, b)
	if class == Same && fa.Kind() != fb.Kind() && fa.Kind() == protoreflect.BytesKind {
		class = Form
	}
	c.record(at, outcome{class: class, wrote: showSingle(fa, a), read: showSingle(fb, b),
		why: whyScalar(fa, fb, a, b, class)})
	return class
}

// whyScalar says what happened to a scalar, where the values do not say it themselves.
func whyScalar(fa, fb protoreflect.FieldDescriptor, a, b protoreflect.Value, class Class) string {
	switch {
	case class == Same:
		return ""
	case fa.Enum() != nil && fb.Enum() != nil:
		x, y := enumValue{fa.Enum(), a.Enum()}, enumValue{fb.Enum(), b.Enum()}
		switch {
		case class == Form && len(y.names()) == 0 && fb.Enum().IsClosed():
			return keptClosed
		case class == Form && len(y.names()) == 0:
			return keptOpen
		case x.number != y.number:
			return "the name has another number"
		}
		return "the number has another name"
	case fa.Kind() != fb.Kind():
		return fmt.Sprintf("%s read as %s", fa.Kind(), fb.Kind())
	}
	return ""
}

// What becomes of an enum's number that the reader has no name for.
const (
	keptOpen   = "kept as a number"
	keptClosed = "kept as a number, though the enum is closed"
)

// messageOrScalar compares a message with a scalar in its place.
func (c *comparison) messageOrScalar(fa, fb protoreflect.FieldDescriptor, a, b protoreflect.Value, at *place) Class {
	o := outcome{wrote: showSingle(fa, a), read: showSingle(fb, b)}
	switch {
	case c.wire == Binary && fa.Kind() == protoreflect.BytesKind:
		o.class, o.why = c.bytesAsMessage(a.Bytes(), b.Message())
	case c.wire == Binary && fb.Kind() == protoreflect.BytesKind:
		m := dynamicpb.NewMessage(a.Message().Descriptor())
		o.class, o.why = Form, "the bytes are the message's wire form"
		if unmarshalBinary(c.graph.from, b.Bytes(), m) != nil || !equalMessages(a.Message().Interface(), m) {
			o.class, o.why = Altered, ""
		}
	default:
		d := compareData(dataOfSingle(c.graph.from, fa, a), dataOfSingle(c.graph.to, fb, b), c.wire, false)
		o.class, o.why = max(Form, d.class), d.place()
	}
	c.record(at, o)
	return o.class
}

// bytesAsMessage compares bytes with the message that the reader took them for.
func (c *comparison) bytesAsMessage(raw []byte, b protoreflect.Message) (Class, string) {
	m := dynamicpb.NewMessage(b.Descriptor())
	switch {
	case holdsMessage(c.graph.to, raw, m) && equalMessages(m, b.Interface()):
		return Form, "the bytes are the message's wire form"
	case len(raw) == 0:
		return Form, "empty"
	case len(populated(b)) == 0:
		return Lost, "the bytes are no such message: all of them are unknown fields"
	}
	return Altered, "the bytes are no such message"
}
