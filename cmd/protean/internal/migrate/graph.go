package migrate

import (
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// A graph pairs the message types of the writer with those that the reader has in their
// place, and their fields, as one form of the wire does: by number, or by name in JSON.
type graph struct {
	from, to *Side
	wire     Wire
	dir      Direction
	root     *pair
	pairs    map[pairKey]*pair
	order    []*pair                        // breadth first, so that the shortest path to a pair is its first
	changed  map[protoreflect.FullName]bool // the fields of the writer that differ
	hasAdded bool
}

type pairKey struct{ a, b protoreflect.FullName }

// A pair is a message type of the writer, and the reader's in its place.
type pair struct {
	a, b  protoreflect.MessageDescriptor
	links []*link // the fields of a, extensions last
	of    map[protoreflect.FullName]*link
	// via and parent are how the pair was met first; nil for the root.
	via    *link
	parent *pair
	// differs reports whether a field of the pair, or of a pair below it, differs.
	differs  bool
	users    []*pair
	hasAdded bool
	// loose: messages of the pair lie in an Any, or in place of others, and not in the root.
	loose bool
	// defaults are the fields that both have, and whose values differ where they are absent.
	defaults []*link
}

// A link is a field of the writer, and the reader's in its place.
type link struct {
	a, b protoreflect.FieldDescriptor // b is nil where the reader has none
	// added: the writer is new, and the old reader knows neither number nor name.
	added bool
	// swapped: the number is that of a field which the writer has under another number.
	swapped bool
	changed bool
	next    *pair // of the messages in the fields, if both have them
}

func newGraph(from, to *Side, w Wire, d Direction) *graph {
	g := &graph{from: from, to: to, wire: w, dir: d, pairs: map[pairKey]*pair{},
		changed: map[protoreflect.FullName]bool{}}
	g.root = g.pair(from.Message, to.Message, nil, nil)
	for i := 0; i < len(g.order); i++ { // which grows meanwhile
		g.link(g.order[i])
	}
	g.propagate()
	return g
}

// pair returns the pair of two types.
func (g *graph) pair(a, b protoreflect.MessageDescriptor, via *link, parent *pair) *pair {
	k := pairKey{a.FullName(), b.FullName()}
	n := g.pairs[k]
	if n == nil {
		n = &pair{a: a, b: b, via: via, parent: parent, of: map[protoreflect.FullName]*link{}}
		g.pairs[k] = n
		g.order = append(g.order, n)
	}
	return n
}

// find returns the pair of two types, which may not be part of the graph, as what an Any holds.
func (g *graph) find(a, b protoreflect.MessageDescriptor) *pair {
	if n := g.pairs[pairKey{a.FullName(), b.FullName()}]; n != nil {
		return n
	}
	at := len(g.order)
	n := g.pair(a, b, nil, nil)
	for i := at; i < len(g.order); i++ {
		g.order[i].loose = true
		g.link(g.order[i])
	}
	return n
}

// link finds the reader's field for each of the writer's.
func (g *graph) link(n *pair) {
	for i := range n.a.Fields().Len() {
		g.add(n, n.a.Fields().Get(i))
	}
	for _, xd := range g.from.Schema.Extensions(n.a) {
		if et, err := g.from.Schema.Types().FindExtensionByNumber(n.a.FullName(), xd.Number()); err == nil {
			g.add(n, et.TypeDescriptor())
		}
	}
	if !n.differs {
		n.differs = g.newRequired(n)
	}
}

func (g *graph) add(n *pair, a protoreflect.FieldDescriptor) {
	l := &link{a: a, b: g.counterpart(n.b, a)}
	n.links = append(n.links, l)
	n.of[a.FullName()] = l
	if l.b == nil {
		l.added = g.dir == NewToOld && g.unknownTo(n.b, a)
		l.changed = true
		n.hasAdded = n.hasAdded || l.added
	} else {
		y := n.a.Fields().ByName(l.b.Name())
		l.swapped = g.wire == Binary && !a.IsExtension() && y != nil && y.Number() != a.Number()
		l.changed = l.swapped || fieldDiffers(a, l.b, g.wire)
		if defaultDiffers(a, l.b) {
			n.defaults = append(n.defaults, l)
		}
		g.descend(n, l)
	}
	n.differs = n.differs || l.changed
	if l.changed {
		g.changed[a.FullName()] = true
	}
}

// descend pairs the messages in two fields, unless JSON has a form of its own for one of them.
func (g *graph) descend(n *pair, l *link) {
	a, b := elementOf(l.a).Message(), elementOf(l.b).Message()
	if a == nil || b == nil || hasJSONForm(a) || hasJSONForm(b) {
		return
	}
	l.next = g.pair(a, b, l, n)
	l.next.users = append(l.next.users, n)
}

// elementOf returns the descriptor of a map's values; any other field describes its elements.
func elementOf(fd protoreflect.FieldDescriptor) protoreflect.FieldDescriptor {
	if fd.IsMap() {
		return fd.MapValue()
	}
	return fd
}

// counterpart returns the reader's field for one of the writer's, or nil.
func (g *graph) counterpart(
	b protoreflect.MessageDescriptor, a protoreflect.FieldDescriptor,
) protoreflect.FieldDescriptor {
	types := g.to.Schema.Types()
	if g.wire == Binary {
		if fd := b.Fields().ByNumber(a.Number()); fd != nil {
			return fd
		}
		if et, err := types.FindExtensionByNumber(b.FullName(), a.Number()); err == nil {
			return et.TypeDescriptor()
		}
		return nil
	}
	if a.IsExtension() {
		et, err := types.FindExtensionByName(a.FullName())
		if err != nil || et.TypeDescriptor().ContainingMessage().FullName() != b.FullName() {
			return nil
		}
		return et.TypeDescriptor()
	}
	if fd := b.Fields().ByJSONName(a.JSONName()); fd != nil {
		return fd
	}
	return b.Fields().ByTextName(a.JSONName())
}

// unknownTo reports whether a type has neither the number nor the name of a field.
func (g *graph) unknownTo(b protoreflect.MessageDescriptor, a protoreflect.FieldDescriptor) bool {
	types := g.to.Schema.Types()
	if b.Fields().ByNumber(a.Number()) != nil {
		return false
	}
	if _, err := types.FindExtensionByNumber(b.FullName(), a.Number()); err == nil {
		return false
	}
	if a.IsExtension() {
		_, err := types.FindExtensionByName(a.FullName())
		return err != nil
	}
	return b.Fields().ByName(a.Name()) == nil && b.Fields().ByJSONName(a.JSONName()) == nil
}

// newRequired reports whether the reader requires a field that the writer need not set.
func (g *graph) newRequired(n *pair) bool {
	nums := n.b.RequiredNumbers()
	for i := range nums.Len() {
		if fd := n.a.Fields().ByNumber(nums.Get(i)); fd == nil || fd.Cardinality() != protoreflect.Required {
			return true
		}
	}
	return false
}

// propagate marks the pairs above those that differ, and above those with new fields.
func (g *graph) propagate() {
	spread := func(has func(*pair) bool, mark func(*pair)) {
		var pending []*pair
		for _, n := range g.order {
			if has(n) {
				pending = append(pending, n)
			}
		}
		for len(pending) > 0 {
			n := pending[len(pending)-1]
			pending = pending[:len(pending)-1]
			for _, u := range n.users {
				if !has(u) {
					mark(u)
					pending = append(pending, u)
				}
			}
		}
	}
	spread(func(n *pair) bool { return n.differs }, func(n *pair) { n.differs = true })
	spread(func(n *pair) bool { return n.hasAdded }, func(n *pair) { n.hasAdded = true })
	g.hasAdded = g.root.hasAdded
}

// link returns the link of a field of a.
func (n *pair) link(fd protoreflect.FieldDescriptor) *link { return n.of[fd.FullName()] }

// changes reports whether the innermost field of a place differs between the sides.
func (g *graph) changes(at *place) bool {
	fd := at.innermost()
	return fd != nil && g.changed[fd.FullName()]
}

// fieldDiffers reports whether two fields may hold other values, or show them otherwise.
// Messages in them are pairs of their own.
func fieldDiffers(a, b protoreflect.FieldDescriptor, w Wire) bool {
	if reshapes(&link{a: a, b: b}) {
		return true
	}
	if a.IsMap() {
		return a.MapKey().Kind() != b.MapKey().Kind() || fieldDiffers(a.MapValue(), b.MapValue(), w)
	}
	if a.Kind() != b.Kind() || a.Cardinality() != b.Cardinality() || a.HasPresence() != b.HasPresence() ||
		checksUTF8(a) != checksUTF8(b) || oneofOf(a) != oneofOf(b) || a.IsPacked() != b.IsPacked() {
		return true
	}
	if a.Enum() != nil {
		return enumDiffers(a.Enum(), b.Enum())
	}
	if a.Message() != nil {
		return a.Message().FullName() != b.Message().FullName() &&
			(hasJSONForm(a.Message()) || hasJSONForm(b.Message()))
	}
	return false
}

// reshapes reports whether one field of a link is a list or a map and the other is not such.
func reshapes(l *link) bool { return l.a.IsList() != l.b.IsList() || l.a.IsMap() != l.b.IsMap() }

// oneofOf is the members of the oneof that a field is in.
func oneofOf(fd protoreflect.FieldDescriptor) string {
	od := fd.ContainingOneof()
	if od == nil || od.IsSynthetic() {
		return ""
	}
	var names []string
	for i := range od.Fields().Len() {
		names = append(names, string(od.Fields().Get(i).Name()))
	}
	return strings.Join(names, " ")
}

func enumDiffers(a, b protoreflect.EnumDescriptor) bool {
	if a.IsClosed() != b.IsClosed() || a.Values().Len() != b.Values().Len() {
		return true
	}
	for i := range a.Values().Len() {
		x, y := a.Values().Get(i), b.Values().ByName(a.Values().Get(i).Name())
		if y == nil || x.Number() != y.Number() {
			return true
		}
	}
	return false
}

// checksUTF8 reports whether a string field must be UTF-8. The method is not part of the
// interface; all descriptors of the official library have it.
func checksUTF8(fd protoreflect.FieldDescriptor) bool {
	if x, ok := fd.(protoreflect.ExtensionTypeDescriptor); ok {
		fd = x.Descriptor()
	}
	if x, ok := fd.(interface{ EnforceUTF8() bool }); ok {
		return fd.Kind() == protoreflect.StringKind && x.EnforceUTF8()
	}
	return fd.Syntax() == protoreflect.Proto3 && fd.Kind() == protoreflect.StringKind
}

// defaultDiffers reports whether readers see different values where two fields are absent.
func defaultDiffers(a, b protoreflect.FieldDescriptor) bool {
	if !isScalar(a) || !isScalar(b) {
		return false
	}
	return compareScalars(scalarOf(a, a.Default()), scalarOf(b, b.Default()), Binary) > Form &&
		!(isZero(scalarOf(a, a.Default())) && isZero(scalarOf(b, b.Default())))
}

// isScalar reports whether a field is singular and of no message.
func isScalar(fd protoreflect.FieldDescriptor) bool {
	return !fd.IsList() && !fd.IsMap() && fd.Message() == nil
}

// hasJSONForm reports whether JSON has a form of its own for a type.
func hasJSONForm(md protoreflect.MessageDescriptor) bool {
	name, ok := strings.CutPrefix(string(md.FullName()), "google.protobuf.")
	if !ok {
		return false
	}
	switch name {
	case "Any", "Timestamp", "Duration", "FieldMask", "Struct", "Value", "ListValue", "Empty",
		"BoolValue", "Int32Value", "Int64Value", "UInt32Value", "UInt64Value", "FloatValue", "DoubleValue",
		"StringValue", "BytesValue":
		return true
	}
	return false
}
