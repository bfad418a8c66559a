package decide

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/protean-pb/protean/infer/lock"
	"github.com/protean-pb/protean/infer/names"
	"github.com/protean-pb/protean/infer/profile"
	"github.com/protean-pb/protean/infer/schema"
)

// The evidence for a oneof of messages, one for each string beside objects that says what these are.
const (
	unionObjects = 20  // in all
	unionTimes   = 3   // of each string
	unionOverlap = 0.5 // of the keys of two strings, those of both among those of either, in the mean
)

// tagCounts are objects by the strings of a key beside them.
type tagCounts struct {
	beyond bool
	values map[string]*variant
}

// A variant is the objects beside one string.
type variant struct {
	objects uint64
	keys    map[string]uint64 // how many objects have each
}

// tagsOf returns what a node has counted, by the keys of the strings.
func tagsOf(n *profile.Node) map[string]*tagCounts {
	if len(n.Tagged) == 0 {
		return nil
	}
	out := map[string]*tagCounts{}
	for _, t := range n.Tagged {
		c := &tagCounts{beyond: t.Beyond, values: map[string]*variant{}}
		for text, v := range t.Values {
			c.values[text] = &variant{v.Objects, v.Keys.ByKey()}
		}
		out[t.Tag] = c
	}
	return out
}

// mergeTags adds what another slot has counted.
func (s *slot) mergeTags(other *slot) {
	for tag, t := range other.tags {
		if s.tags == nil {
			s.tags = map[string]*tagCounts{}
		}
		own := s.tags[tag]
		if own == nil {
			s.tags[tag] = t
			continue
		}
		own.beyond = own.beyond || t.beyond
		for text, v := range t.values {
			sum := own.values[text]
			if sum == nil {
				own.values[text] = v
				continue
			}
			sum.objects += v.objects
			for key, n := range v.keys {
				sum.keys[key] += n
			}
		}
	}
}

// A union is the objects under one key of others, by a string beside them.
type union struct {
	tag    string
	values map[string]*variant
}

func (t *tagCounts) objects() uint64 {
	sum := uint64(0)
	for _, v := range t.values {
		sum += v.objects
	}
	return sum
}

// overlap is the mean share of keys that the objects of two strings have in common.
func (t *tagCounts) overlap() float64 {
	texts := slices.Sorted(maps.Keys(t.values))
	sum, pairs := 0.0, 0
	for i, a := range texts {
		for _, b := range texts[:i] {
			sum += common(t.values[a].keys, t.values[b].keys)
			pairs++
		}
	}
	return sum / float64(max(pairs, 1))
}

func common(a, b map[string]uint64) float64 {
	both := 0
	for key := range a {
		if b[key] > 0 {
			both++
		}
	}
	if len(a)+len(b) == 0 {
		return 1
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// union returns what the objects under a key are by a string beside them; nil if nothing says so. Why says what is held
// against one; empty if nothing is for it.
func (d *decider) union(s *shape, key string) (u *union, why string) {
	c := s.fields[key]
	of := c.shape()
	if !c.objectsOnly() || of.isMap() || len(of.fields) == 0 {
		return nil, ""
	}
	lockedTag := ""
	switch of.forced {
	case "union":
		for _, f := range d.lockedMembers(s) {
			if f.Union.Key == key {
				lockedTag = f.Union.Tag
			}
		}
		if lockedTag == "" {
			return nil, ""
		}
	case "", "oneof":
		if d.json || of.exclusive() { // which ProtoJSON has as it is
			return nil, ""
		}
	default:
		return nil, ""
	}
	best := unionOverlap
	for _, tag := range slices.Sorted(maps.Keys(c.tags)) {
		t := c.tags[tag]
		switch {
		case t.beyond || s.fields[tag] == nil || unusable(tag) != "" || t.objects() != c.stats.Objects:
		case tag == lockedTag:
			return &union{tag, t.values}, ""
		case lockedTag != "" || len(t.values) < 2:
		case of.forced == "oneof":
			if overlap := t.overlap(); u == nil || overlap < best {
				best, u = overlap, &union{tag, t.values}
			}
		default:
			overlap := t.overlap()
			if overlap >= best {
				break
			}
			if little := t.little(tag); little != "" {
				why = little
				break
			}
			best, u = overlap, &union{tag, t.values}
		}
	}
	return u, why
}

// little says of what there is too little evidence; empty if there is enough.
func (t *tagCounts) little(tag string) string {
	if n := t.objects(); n < unionObjects {
		return fmt.Sprintf("%s says what each of %d objects is, which is little evidence", tag, n)
	}
	for _, text := range slices.Sorted(maps.Keys(t.values)) {
		if n := t.values[text].objects; n < unionTimes {
			return fmt.Sprintf("%s says what each object is, but %s came only %d times", tag, abbreviated(text), n)
		}
	}
	return ""
}

// lockedMembers are the fields of the lock, reserved ones included, that are members of a oneof by a string.
func (d *decider) lockedMembers(s *shape) []*lock.Field {
	var out []*lock.Field
	if l := (made{shape: s}).locked(d.Lock); l != nil {
		for _, f := range append(slices.Clone(l.Fields), l.Reserved...) {
			if f.Union != nil {
				out = append(out, f)
			}
		}
	}
	return out
}

// members returns the fields for the objects under a key, one for each string that says what they are.
func (d *decider) members(s *shape, key string, u *union) []*schema.Field {
	locked := map[string]*lock.Field{}
	taken := map[string]bool{}
	for k := range s.fields {
		taken[k] = true
	}
	out := &schema.Union{Oneof: names.Field(key), Key: key, Tag: u.tag}
	for _, f := range d.lockedMembers(s) {
		taken[f.Key] = true
		if f.Union.Key == key && f.Union.Tag == u.tag {
			out.Oneof = f.Union.Oneof
			if locked[f.Union.Value] == nil {
				locked[f.Union.Value] = f
			}
		}
	}
	if n := &s.fields[key].stats; n.Count() < s.stats.Objects {
		out.Comment = append(out.Comment, "Present in "+share(n.Count(), s.stats.Objects)+".")
	}
	if n := &s.fields[key].stats; n.Nulls > 0 {
		out.Comment = append(out.Comment, "Null in "+share(n.Nulls, n.Count())+", which is read as absent.")
	}
	out.Comment = append(out.Comment, fmt.Sprintf("In the JSON this is the member %s, and %s says which message it is. "+
		"ProtoJSON has it under the name of the field below: rename it by %s, and back.",
		abbreviated(key), abbreviated(u.tag), abbreviated(u.tag)))
	var fields []*schema.Field
	for _, text := range slices.Sorted(maps.Keys(u.values)) {
		f := &schema.Field{Union: out, Value: text}
		as := ""
		if l := locked[text]; l != nil {
			f.Key, as = l.Key, l.Type
		} else {
			f.Key = memberKey(text, key, taken)
		}
		taken[f.Key] = true
		f.Type.Message = d.variant(s, key, u, text, as)
		f.Comment = append(f.Comment, fmt.Sprintf("Where %s is %s: %s.", abbreviated(u.tag), abbreviated(text),
			share(u.values[text].objects, s.fields[key].stats.Objects)))
		f.Facts = schema.Facts{Path: s.paths[0] + keyPath(key), Objects: s.stats.Objects,
			Present: u.values[text].objects, Kinds: []string{fmt.Sprintf("objects where %s is %s", u.tag, text)}}
		fields = append(fields, f)
	}
	return fields
}

// memberKey is the JSON name of a member.
func memberKey(text, key string, taken map[string]bool) string {
	name := names.Field(text) + "_" + names.Field(key)
	out := schema.JSONName(name)
	for i := 2; taken[out]; i++ {
		out = schema.JSONName(fmt.Sprintf("%s_%d", name, i))
	}
	return out
}

// variant returns the message of the objects beside one string: of all fields of such objects it has those that these
// had. As is its name in the lock; empty if that has none.
func (d *decider) variant(s *shape, key string, u *union, text, as string) *schema.Message {
	of, v := s.fields[key].shape(), u.values[text]
	m := &schema.Message{Variant: text, Objects: v.objects}
	for _, path := range s.paths {
		m.Paths = append(m.Paths, path+keyPath(key))
	}
	m.Paths = slices.Compact(m.Paths)
	d.file.Messages = append(d.file.Messages, m)
	d.made = append(d.made, made{message: m, shape: of, as: as})
	d.addFields(m, of, func(k string) bool { return v.keys[k] > 0 }, func(k string) *schema.Field {
		return d.variantField(of, k, v)
	})
	return m
}

// variantField is the field of a key in the message of a variant. The type is that which holds all values of the key,
// whatever string is beside them.
func (d *decider) variantField(of *shape, key string, v *variant) *schema.Field {
	f := d.makeField(of, key)
	n := &of.fields[key].stats
	count := v.keys[key]
	if count == n.Count() && v.objects == of.stats.Objects {
		return f
	}
	objects := max(v.objects, count)
	var presence []string
	if count < objects {
		presence = append(presence, "Present in "+share(count, objects)+".")
	}
	for _, line := range f.Comment {
		switch {
		case strings.HasPrefix(line, "Present in "):
		case strings.HasPrefix(line, "Null in "):
			presence = append(presence, "Null in "+share(n.Nulls, n.Count())+" of all messages of the oneof that have it, "+
				"which is read as absent.")
		default:
			presence = append(presence, line)
		}
	}
	f.Comment = presence
	f.Facts.Objects, f.Facts.Present, f.Facts.Nulls = objects, count, min(f.Facts.Nulls, count)
	f.Optional = f.Type.Cardinality == schema.Singular && f.Type.Scalar() &&
		(count < objects || n.Nulls > 0 || d.json && n.False+n.Zeros+n.EmptyStrings > 0)
	return f
}

// lockedUnion is what the lock says of a member, the same for all of a message.
func lockedUnion(m *schema.Message, u *lock.Union) (*schema.Union, string) {
	if u == nil {
		return nil, ""
	}
	for _, f := range m.Fields {
		if f.Union != nil && f.Union.Key == u.Key && f.Union.Tag == u.Tag {
			return f.Union, u.Value
		}
	}
	comment := fmt.Sprintf("In the JSON this is the member %s, by %s.", abbreviated(u.Key), abbreviated(u.Tag))
	return &schema.Union{Oneof: u.Oneof, Key: u.Key, Tag: u.Tag, Comment: []string{comment}}, u.Value
}

// nameUnions has no field have the name of a oneof.
func nameUnions(m *schema.Message) {
	seen := map[string]*schema.Union{}
	for _, f := range m.Fields {
		u := f.Union
		if u == nil || seen[u.Oneof] == u {
			continue
		}
		taken := func(name string) bool {
			named := func(f *schema.Field) bool { return f.Name == name }
			return seen[name] != nil || slices.ContainsFunc(m.Fields, named) || slices.ContainsFunc(m.Reserved, named)
		}
		for i, name := 2, u.Oneof; taken(u.Oneof); i++ {
			u.Oneof = fmt.Sprintf("%s_%d", name, i)
		}
		seen[u.Oneof] = u
	}
}

// ended reports whether a oneof of the lock is one no more, since its objects have one field.
func ended(m *schema.Message, u *lock.Union) bool {
	return u != nil && slices.ContainsFunc(m.Fields, func(f *schema.Field) bool { return f.Key == u.Key })
}
