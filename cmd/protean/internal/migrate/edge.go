package migrate

import (
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

// maxEdges bounds the messages of own values in one direction and form, and maxNodes the
// messages that one of them has in it.
const (
	maxEdges = 4000
	maxNodes = 500
)

// edges makes messages of the writer's type with values at the edges of each field that
// differs, one field at a time, and with all fields at once.
type edges struct {
	graph   *graph
	options Options
	out     []*dynamicpb.Message
	untried int
	nodes   int // left for the message in the making
}

func newEdges(g *graph, o Options) *edges { return &edges{graph: g, options: o} }

// messages returns the messages. There is at least the empty one and a full one, which a
// schema without a difference gives back as they are.
func (e *edges) messages() []*dynamicpb.Message {
	e.add(e.graph.root, nil)
	e.add(e.graph.root, func(m protoreflect.Message) { e.fill(e.graph.root, m, 0) })
	for _, n := range e.graph.order {
		if n.differs && !n.loose {
			e.pair(n)
		}
	}
	return e.out
}

// pair adds the values of each field that differs.
func (e *edges) pair(n *pair) {
	e.add(n, nil)
	e.add(n, func(m protoreflect.Message) { e.fill(n, m, 0) })
	for _, l := range n.links {
		if !l.changed {
			continue
		}
		for _, set := range e.settings(l) {
			e.add(n, set)
		}
	}
	e.oneofs(n)
}

// oneofs adds messages with all fields at once that the reader has in one oneof.
func (e *edges) oneofs(n *pair) {
	for i := range n.b.Oneofs().Len() {
		od := n.b.Oneofs().Get(i)
		if od.IsSynthetic() {
			continue
		}
		var fields []protoreflect.FieldDescriptor
		free := false
		for _, l := range n.links {
			if l.b != nil && l.b.ContainingOneof() == od {
				fields = append(fields, l.a)
				free = free || l.a.ContainingOneof() == nil || l.a.ContainingOneof().IsSynthetic() ||
					l.a.ContainingOneof() != fields[0].ContainingOneof()
			}
		}
		if len(fields) > 1 && free {
			e.add(n, func(m protoreflect.Message) {
				for _, fd := range fields {
					e.fillField(n, m, fd, 1)
				}
			})
		}
	}
}

// add adds a message in which one of the pair lies at its first place, and set has set
// something; set may be nil.
func (e *edges) add(n *pair, set func(protoreflect.Message)) {
	if len(e.out) >= maxEdges {
		e.untried++
		return
	}
	e.nodes = maxNodes
	m := dynamicpb.NewMessage(n.a)
	if set != nil {
		set(m)
	}
	e.fillRequired(m, 0)
	for ; n.via != nil; n = n.parent {
		outer := dynamicpb.NewMessage(n.parent.a)
		setOne(outer, n.via.a, protoreflect.ValueOfMessage(m))
		e.fillRequired(outer, 0)
		m = outer
	}
	e.out = append(e.out, m)
}

// setOne sets a field to one value, or to a list or map of it alone.
func setOne(m protoreflect.Message, fd protoreflect.FieldDescriptor, v protoreflect.Value) {
	switch {
	case fd.IsMap():
		m.Mutable(fd).Map().Set(keys(fd.MapKey())[0], v)
	case fd.IsList():
		m.Mutable(fd).List().Append(v)
	default:
		m.Set(fd, v)
	}
}

// settings returns what sets a field to each of its values.
func (e *edges) settings(l *link) []func(protoreflect.Message) {
	var out []func(protoreflect.Message)
	values := e.values(elementOf(l.a), facing(l))
	for _, v := range values {
		out = append(out, func(m protoreflect.Message) { setOne(m, l.a, v()) })
	}
	switch {
	case l.a.IsMap():
		for _, k := range keys(l.a.MapKey()) {
			out = append(out, func(m protoreflect.Message) { m.Mutable(l.a).Map().Set(k, values[0]()) })
		}
	case l.a.IsList() && len(values) > 1:
		out = append(out, func(m protoreflect.Message) {
			m.Mutable(l.a).List().Append(values[0]())
			m.Mutable(l.a).List().Append(values[1]())
		})
	}
	return out
}

// fill sets every field of a message, in oneofs the last member; n is its pair, or nil.
func (e *edges) fill(n *pair, m protoreflect.Message, depth int) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		e.fillField(n, m, fields.Get(i), depth)
	}
	for _, xd := range e.graph.from.Schema.Extensions(m.Descriptor()) {
		if et, err := e.graph.from.Schema.Types().
			FindExtensionByNumber(m.Descriptor().FullName(), xd.Number()); err == nil {
			e.fillField(n, m, et.TypeDescriptor(), depth)
		}
	}
}

// maxFill is how deep messages are filled.
const maxFill = 3

func (e *edges) fillField(n *pair, m protoreflect.Message, fd protoreflect.FieldDescriptor, depth int) {
	el := elementOf(fd)
	l := &link{}
	if n != nil && n.link(fd) != nil {
		l = n.link(fd)
	}
	md := el.Message()
	if md == nil || hasJSONForm(md) {
		e.nodes--
		setOne(m, fd, e.values(el, facing(l))[0]())
		return
	}
	if depth >= maxFill || e.nodes <= 0 {
		return
	}
	e.nodes--
	sub := dynamicpb.NewMessage(md)
	e.fill(l.next, sub, depth+1)
	e.fillRequired(sub, depth+1)
	setOne(m, fd, protoreflect.ValueOfMessage(sub))
}

// facing returns the reader's field, or its element, that the values of a link come to.
func facing(l *link) protoreflect.FieldDescriptor {
	if l.b == nil {
		return nil
	}
	return elementOf(l.b)
}

// fillRequired sets the required fields that are not set. Types that require themselves have
// no messages: what is left unset then makes the message one that nobody can write.
func (e *edges) fillRequired(m protoreflect.Message, depth int) {
	if depth > 50 || e.nodes <= 0 {
		return
	}
	e.nodes--
	nums := m.Descriptor().RequiredNumbers()
	for i := range nums.Len() {
		fd := m.Descriptor().Fields().ByNumber(nums.Get(i))
		if m.Has(fd) {
			continue
		}
		if fd.Message() == nil || hasJSONForm(fd.Message()) {
			m.Set(fd, e.values(fd, nil)[0]())
			continue
		}
		sub := dynamicpb.NewMessage(fd.Message())
		e.fillRequired(sub, depth+1)
		m.Set(fd, protoreflect.ValueOfMessage(sub))
	}
}
