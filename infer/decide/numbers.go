package decide

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/protean-pb/protean/infer/lock"
	"github.com/protean-pb/protean/infer/profile"
	"github.com/protean-pb/protean/infer/schema"
)

// The numbers that Protobuf keeps for itself.
const firstKept, lastKept = 19000, 19999

// take returns the next number.
func take(m *schema.Message) int32 {
	if m.Next >= firstKept && m.Next <= lastKept {
		m.Next = lastKept + 1
	}
	m.Next++
	return m.Next - 1
}

// numbers gives all fields their numbers: those of the lock where its type holds what was seen, new ones otherwise.
func (d *decider) numbers() {
	for _, m := range d.made {
		m.message.Next = 1
		l := m.locked(d.Lock)
		if l == nil {
			for _, f := range m.message.Fields {
				f.Number = take(m.message)
			}
			continue
		}
		d.numberLocked(m, l)
	}
}

func (d *decider) numberLocked(m made, l *lock.Message) {
	out := m.message
	out.Next = l.Next
	old := lockedFields(l)
	kept := map[int32]bool{}
	for _, f := range out.Fields {
		o := old[f.Key]
		if o == nil || !d.keeps(f, o, m.value(f.Key), slices.Contains(l.Fields, o)) {
			continue
		}
		f.Number = o.Number
		kept[o.Number] = true
	}
	for _, f := range out.Fields {
		if f.Number == 0 {
			f.Number = take(out)
		}
	}
	if d.KeepUnseen {
		d.keepUnseen(out, l, kept)
	}
	slices.SortFunc(out.Fields, func(a, b *schema.Field) int { return cmp.Compare(a.Number, b.Number) })
	for _, o := range append(slices.Clone(l.Reserved), l.Fields...) {
		if !kept[o.Number] {
			union, value := lockedUnion(out, o.Union)
			out.Reserved = append(out.Reserved, &schema.Field{
				Key: o.Key, Name: o.Name, Number: o.Number, Type: lockedType(o.Type), Optional: o.Optional,
				Union: union, Value: value,
				NameInUse: slices.ContainsFunc(out.Fields, func(f *schema.Field) bool { return f.Name == o.Name }),
			})
		}
	}
	slices.SortFunc(out.Reserved, func(a, b *schema.Field) int { return cmp.Compare(a.Number, b.Number) })
}

// keepUnseen adds the fields of the lock whose keys were not seen.
func (d *decider) keepUnseen(m *schema.Message, l *lock.Message, kept map[int32]bool) {
	for _, o := range l.Fields {
		if slices.ContainsFunc(m.Fields, func(f *schema.Field) bool { return f.Key == o.Key }) || ended(m, o.Union) {
			continue
		}
		union, value := lockedUnion(m, o.Union)
		m.Fields = append(m.Fields, &schema.Field{
			Key: o.Key, Name: o.Name, Number: o.Number, Type: d.resolve(o.Type), Optional: o.Optional,
			Union: union, Value: value,
			Comment: []string{"Not in the documents that were seen last."},
			Facts:   schema.Facts{Path: m.Paths[0] + keyPath(o.Key), Objects: m.Objects},
		})
		kept[o.Number] = true
	}
}

// resolve returns the type that the lock names. Messages and enums that are not in the schema any more are made again.
func (d *decider) resolve(text string) schema.Type {
	t := lockedType(text)
	if known(t) {
		return t
	}
	name := t.Name
	t.Name = ""
	for _, m := range d.file.Messages {
		if m.Name == name {
			t.Message = m
			return t
		}
	}
	for _, e := range d.file.Enums {
		if e.Name == name {
			t.Enum = e
			return t
		}
	}
	for _, e := range d.Lock.Enums {
		if e.Name == name {
			t.Enum = &schema.Enum{Name: e.Name, Path: e.Path}
			for _, v := range e.Values {
				t.Enum.Values = append(t.Enum.Values, schema.EnumValue(v))
			}
			d.file.Enums = append(d.file.Enums, t.Enum)
			return t
		}
	}
	t.Message = &schema.Message{Name: name, Paths: []string{"$"}, Next: 1}
	d.file.Messages = append(d.file.Messages, t.Message)
	for _, l := range d.Lock.Messages {
		if l.Name != name {
			continue
		}
		t.Message.Paths, t.Message.Next, t.Message.Wraps = l.Paths, l.Next, l.Wraps
		t.Message.Oneof, t.Message.Variant = l.Oneof, l.Variant
		d.keepUnseen(t.Message, l, map[int32]bool{})
		for _, o := range l.Reserved {
			union, value := lockedUnion(t.Message, o.Union)
			t.Message.Reserved = append(t.Message.Reserved, &schema.Field{
				Key: o.Key, Name: o.Name, Number: o.Number, Type: lockedType(o.Type), Union: union, Value: value,
			})
		}
	}
	return t
}

// keeps decides whether a field keeps its number: with the type of the lock if that holds what was seen, with the new
// one if old bytes and old readers of new ones agree with it.
func (d *decider) keeps(f *schema.Field, o *lock.Field, s *slot, live bool) bool {
	if f.Type.String() == o.Type {
		f.Optional = f.Optional || o.Optional
		return true
	}
	if !live {
		return false
	}
	t := lockedType(o.Type)
	if known(t) && d.holds(t, s) {
		f.Type = t
		f.Optional = t.Cardinality == schema.Singular && t.Scalar() && (f.Optional || o.Optional || absentSometimes(f))
		f.Comment = append(f.Comment, "The type is that of the lockfile.")
		return true
	}
	if f.Type.Cardinality == t.Cardinality && widens(t.Name, f.Type.Name) {
		f.Optional = f.Optional || o.Optional
		return true
	}
	was := fmt.Sprintf("Was %s with number %d, which does not hold what was seen since.", o.Type, o.Number)
	f.Comment = append(f.Comment, was)
	return false
}

func absentSometimes(f *schema.Field) bool { return f.Facts.Present-f.Facts.Nulls < f.Facts.Objects }

// widens reports whether a type reads all that another has written, on the wire.
func widens(from, to string) bool {
	return from == "int32" && to == "int64" || from == "uint32" && (to == "uint64" || to == "int64")
}

// lockedType is the type that a lock names. The names of messages and enums stand for themselves.
func lockedType(text string) schema.Type {
	t := schema.Type{Name: text}
	if name, ok := strings.CutPrefix(text, "repeated "); ok {
		t = schema.Type{Cardinality: schema.Repeated, Name: name}
	} else if name, ok := strings.CutPrefix(text, "map<string, "); ok {
		t = schema.Type{Cardinality: schema.Map, Name: strings.TrimSuffix(name, ">")}
	}
	return t
}

// known reports whether a type is a scalar or one of google.protobuf.
func known(t schema.Type) bool {
	return t.Name != "" && (t.Name[0] >= 'a' && t.Name[0] <= 'z')
}

// holds reports whether a type holds all values of a shape, in the JSON of the fidelity that is asked for.
func (d *decider) holds(t schema.Type, s *slot) bool {
	switch t.Cardinality {
	case schema.Repeated:
		e := s.shape().elem
		return kindIn(&s.stats, "array") && (t.Name != schema.Value || s.stats.Nulls == 0) &&
			(e == nil || d.holdsOne(t.Name, &e.stats, true))
	case schema.Map:
		if !kindIn(&s.stats, "object") {
			return false
		}
		if w := s.shape().wild; w != nil {
			return d.holdsOne(t.Name, &w.stats, true)
		}
		for _, c := range s.shape().fields {
			if !d.holdsOne(t.Name, &c.stats, true) {
				return false
			}
		}
		return true
	}
	return d.holdsOne(t.Name, &s.stats, false)
}

func kindIn(n *profile.Node, kinds ...string) bool {
	k := kindOf(n)
	return k == "null" || slices.Contains(kinds, k)
}

// holdsOne is holds for single values. In elements there is no null but in Value.
func (d *decider) holdsOne(name string, n *profile.Node, element bool) bool {
	if name == schema.Value {
		return true
	}
	if element && n.Nulls > 0 {
		return false
	}
	switch name {
	case schema.Struct:
		return kindIn(n, "object")
	case schema.ListValue:
		return kindIn(n, "array")
	case schema.Timestamp:
		return kindIn(n, "string") && (n.Strings == 0 || n.Has(profile.ExactTime) || !d.json && n.Has(profile.Time))
	case "bytes":
		return kindIn(n, "string") && (n.Strings == 0 || n.Has(profile.Base64))
	case "string":
		return kindIn(n, "string")
	case "bool":
		return kindIn(n, "bool")
	case "double":
		return kindIn(n, "number") && n.Unsafe == 0
	}
	return kindIn(n, "number", "string") && holdsInteger(name, n)
}

// integers are the ranges of the types.
var integers = map[string]struct {
	min, max int64
	wide     bool // ProtoJSON has them as strings
}{
	"int32": {math.MinInt32, math.MaxInt32, false}, "sint32": {math.MinInt32, math.MaxInt32, false},
	"uint32": {0, math.MaxUint32, false},
	"int64":  {math.MinInt64, math.MaxInt64, true}, "sint64": {math.MinInt64, math.MaxInt64, true},
	"uint64": {0, math.MaxInt64, true},
}

func holdsInteger(name string, n *profile.Node) bool {
	r, ok := integers[name]
	switch {
	case !ok || n.Floats > 0 || n.Huge > 0 || n.Unsigned > 0 && name != "uint64":
		return false
	case n.Strings > 0:
		return r.wide && n.Has(profile.Integer) && name != "uint64"
	}
	return n.Ints == 0 || n.IntMin >= r.min && n.IntMax <= r.max
}

// lockedPin pins what the lock says of the objects at a path.
func lockedPin(m *lock.Message, at *pin) {
	switch {
	case m.Variant != "" && !m.Gone:
		at.kind = "union"
	case m.Variant != "":
		return
	case m.Oneof != "":
		at.kind = "oneof"
	case !m.Wraps && at.kind != "union":
		at.kind = "message"
	}
	if m.Variant == "" {
		at.message = m.Name
	}
}

// lock pins what a lockfile has decided.
func (p *pin) lock(l *lock.Lock) {
	for i, m := range l.Messages {
		for _, path := range m.Paths {
			if i > 0 || !l.Wrapped {
				at := p.at(steps(path))
				lockedPin(m, at)
			}
			for _, f := range m.Fields {
				at := p
				switch {
				case m.Wraps:
					at = p.at(steps(path))
				case i > 0 || !l.Wrapped:
					at = p.at(append(steps(path), keyPath(f.Key)))
				}
				if lockedType(f.Type).Cardinality == schema.Map && at.kind == "" {
					at.kind = "map"
				}
			}
		}
	}
	for _, e := range l.Enums {
		p.at(steps(e.Path)).kind = "enum"
	}
}
