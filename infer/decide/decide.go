// Package decide makes a schema of the profile of JSON documents.
//
// It works in three steps. Each object is found to be a message or a map, by the form of its keys, the likeness of its
// values, and whether keys keep coming (maps.go). Objects with the same keys, or nearly the same, become one message,
// and so does what is below them (cluster.go, shape.go). Then each field gets a type that holds all that was seen
// (types.go), a name by the style guide (naming.go), and a number: that of the lock, or a new one (numbers.go).
//
// What is decided depends on the profile alone, not on the order of documents.
package decide

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/protean-pb/protean/infer/lock"
	"github.com/protean-pb/protean/infer/profile"
	"github.com/protean-pb/protean/infer/schema"
)

// Options say what a schema is to be like.
type Options struct {
	// Package and Message are the names of the package and of the message of a document.
	Package, Message string
	// GoPackage is the option go_package; none if empty.
	GoPackage string
	// Wire asks for the types that are best on the wire, though ProtoJSON may then write values otherwise than they
	// were. Without it, the JSON stays what it is.
	Wire bool
	// Hints are kinds by paths: map, message, oneof, enum, value, struct, timestamp, or a scalar type.
	Hints map[string]string
	// Lock is that of the schema so far; nil if there is none.
	Lock *lock.Lock
	// Rest is the name of a field of the root message, a Struct, for members of documents that have no field of their
	// own: keys that less than RestBelow of all documents have, unless the lock has a field for them. If it is empty,
	// it is that of the lock, if any.
	Rest      string
	RestBelow float64
	// KeepUnseen keeps fields of the lock that no document has, instead of reserving their names and numbers.
	KeepUnseen bool
}

// hintKinds are the kinds that a hint may ask for.
var hintKinds = []string{
	"map", "message", "oneof", "enum", "value", "struct", "timestamp", "string", "bytes", "bool", "double", "float",
	"int32", "int64", "uint32", "uint64", "sint32", "sint64",
}

// Schema returns the schema of a profile.
func Schema(p *profile.Profile, o Options) (*schema.File, error) {
	if p.Documents == 0 {
		return nil, errors.New("there are no documents")
	}
	pins, err := pinsOf(o)
	if err != nil {
		return nil, err
	}
	rest, stats, err := restOf(p.Root, o, pins)
	if err != nil {
		return nil, err
	}
	root := build(stats, o.Message, []*pin{pins})
	d := &decider{Options: o, json: !o.Wire, of: map[*shape]*schema.Message{}, used: map[string]bool{},
		wraps: map[wrapKey]*schema.Message{}, enums: map[*shape]*schema.Enum{}}
	d.file = &schema.File{Package: o.Package, GoPackage: o.GoPackage}
	if err := unmatched(pins, "$"); err != nil {
		return nil, err
	}
	root.to.setPaths("$", 0)
	cluster(root, o.Wire || o.Lock.Wraps())
	d.used[o.Message] = true
	if d.isWrapped(root) {
		d.file.Wrapped = true
		root = wrapper(root)
		if o.Lock != nil && o.Lock.Wrapped {
			root.to.locked = o.Lock.Messages[0].Name
		}
	}
	m := d.message(root.shape())
	if rest != nil {
		d.file.Rest = rest.key
		if err := rest.add(m, o); err != nil {
			return nil, err
		}
	}
	if d.err != nil {
		return nil, d.err
	}
	d.naming()
	d.numbers()
	for _, m := range d.made {
		d.nameOneof(m)
		nameUnions(m.message)
	}
	d.prune()
	return d.file, nil
}

// pinsOf makes pins of hints and of the lock. Hints come before the lock.
func pinsOf(o Options) (*pin, error) {
	root := &pin{}
	if o.Lock != nil {
		root.lock(o.Lock)
	}
	for path, kind := range o.Hints {
		if !strings.HasPrefix(path, "$") {
			return nil, fmt.Errorf("hint %s=%s: a path begins with $, as in $.labels", path, kind)
		}
		if !slices.Contains(hintKinds, kind) {
			return nil, fmt.Errorf("hint %s=%s: want one of %s", path, kind, strings.Join(hintKinds, ", "))
		}
		at := root.at(steps(path))
		at.kind, at.hint = kind, path
	}
	return root, nil
}

// unmatched finds hints of paths that there are not.
func unmatched(p *pin, path string) error {
	if p.hint != "" && !p.seen {
		return fmt.Errorf("hint %s=%s: no document has that path", p.hint, p.kind)
	}
	for _, step := range slices.Sorted(maps.Keys(p.below)) {
		if err := unmatched(p.below[step], path+step); err != nil {
			return err
		}
	}
	return nil
}

// A decider makes messages of shapes.
type decider struct {
	Options
	json  bool
	file  *schema.File
	of    map[*shape]*schema.Message
	wraps map[wrapKey]*schema.Message
	enums map[*shape]*schema.Enum
	used  map[string]bool // names in the package
	made  []made
	err   error // of a hint that cannot be followed
}

// A made message, and what it was made of.
type made struct {
	message *schema.Message
	shape   *shape
	slot    *slot  // of which a message is that stands for lists or maps; nil for objects
	as      string // the name in the lock of a message that has some fields of the shape
}

// value returns what a field of the message was made of.
func (m made) value(key string) *slot {
	if m.slot != nil {
		return m.slot
	}
	return m.shape.fields[key]
}

// isWrapped reports whether documents are no messages by themselves.
func (d *decider) isWrapped(root *slot) bool {
	return !root.objectsOnly() || root.shape().isMap() || root.stats.Nulls > 0
}

// wrapper returns a message whose only field is a document.
func wrapper(root *slot) *slot {
	key := "value"
	if root.objectsOnly() && root.shape().isMap() {
		key = "entries"
	}
	w := &shape{fields: map[string]*slot{key: root}, paths: []string{"$"}}
	w.stats.Objects = root.stats.Count()
	return &slot{to: w}
}

// message returns the message of a shape.
func (d *decider) message(s *shape) *schema.Message {
	s = s.find()
	if m := d.of[s]; m != nil {
		return m
	}
	m := &schema.Message{Objects: s.stats.Objects, Paths: slices.Compact(s.paths)}
	d.of[s] = m
	d.file.Messages = append(d.file.Messages, m)
	d.made = append(d.made, made{message: m, shape: s})
	d.describe(m)
	left := d.addFields(m, s, func(string) bool { return true }, func(key string) *schema.Field {
		return d.makeField(s, key)
	})
	if !left && (d.Rest == "" && (d.Lock == nil || d.Lock.Rest == "") || len(d.made) > 1) {
		d.addOneof(made{message: m, shape: s})
	}
	return m
}

// addFields adds the fields of those keys of a shape that there are in a message, and reports whether any was left out.
func (d *decider) addFields(
	m *schema.Message, s *shape, in func(key string) bool, field func(key string) *schema.Field) bool {
	members := map[string]bool{}
	for _, f := range d.lockedMembers(s) {
		members[f.Key] = true
	}
	var left []string
	for _, key := range inOrder(s) {
		if !in(key) {
			continue
		}
		why := unusable(key)
		if members[key] {
			why = "it is the name of a member of a oneof"
		}
		if why != "" {
			left = append(left, fmt.Sprintf("%s (%s)", abbreviated(key), why))
			continue
		}
		u, against := d.union(s, key)
		if u != nil {
			m.Fields = append(m.Fields, d.members(s, key, u)...)
			continue
		}
		f := field(key)
		if against != "" {
			f.Facts.Against = append(f.Facts.Against, "oneof: "+against)
		}
		m.Fields = append(m.Fields, f)
	}
	if len(left) > 0 {
		m.Comment = append(m.Comment, "Left out, since no field can have such a key: "+strings.Join(left, ", ")+".")
	}
	return len(left) > 0
}

// describe says where the objects of a message were.
func (d *decider) describe(m *schema.Message) {
	if len(m.Paths) < 2 {
		return
	}
	listed := m.Paths[:min(len(m.Paths), 4)]
	text := "One message for "
	for i, p := range listed {
		if i > 0 {
			text += ", "
		}
		text += abbreviated(p)
	}
	if more := len(m.Paths) - len(listed); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	m.Comment = append(m.Comment, text+".")
}

// abbreviated shortens what may be very long.
func abbreviated(s string) string {
	if len(s) > 80 {
		s = strings.ToValidUTF8(s[:77], "") + "…"
	}
	if s == "" {
		return `""`
	}
	return s
}

// inOrder returns the keys of an object in the order in which they mostly come. Means of positions are rounded, so
// that a few more documents do not change the order.
func inOrder(s *shape) []string {
	keys := s.sortedKeys()
	mean := func(key string) uint64 {
		n := &s.fields[key].stats
		return (n.Position + n.Count()/2) / max(n.Count(), 1)
	}
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(mean(a), mean(b)) })
	return keys
}

// unusable says why no field can have a key as its JSON name; empty if one can.
func unusable(key string) string {
	switch {
	case key == "":
		return "it is empty"
	case strings.HasPrefix(key, "[") && strings.HasSuffix(key, "]"):
		return "in brackets, it is the name of an extension"
	case strings.ContainsRune(key, 0):
		return "it has a zero byte"
	}
	return ""
}

func (d *decider) makeField(s *shape, key string) *schema.Field {
	c := s.fields[key]
	v := d.field(c)
	n := &c.stats
	if v.Message == nil && (v.Name == schema.Value || v.Name == schema.ListValue || v.Name == schema.Struct) {
		v.noteDigits(c)
	}
	f := &schema.Field{Key: key, Type: v.Type, Comment: v.notes}
	objects := max(s.stats.Objects, n.Count()) // a key may come twice
	f.Facts = facts(n, s.paths[0]+keyPath(key), objects, v)
	absent := objects - n.Count()
	var presence []string
	if absent > 0 {
		presence = append(presence, "Present in "+share(n.Count(), objects)+".")
	}
	if n.Nulls > 0 && v.Name != schema.Value {
		presence = append(presence, "Null in "+share(n.Nulls, n.Count())+", which is read as absent.")
	}
	f.Comment = append(presence, f.Comment...)
	zeros := n.False + n.Zeros + n.EmptyStrings
	f.Optional = f.Type.Cardinality == schema.Singular && f.Type.Scalar() &&
		(absent > 0 || n.Nulls > 0 || d.json && zeros > 0)
	return f
}
