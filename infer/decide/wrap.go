package decide

import (
	"slices"
	"strings"

	"github.com/protean-pb/protean/infer/names"
	"github.com/protean-pb/protean/infer/schema"
)

// wrapped reports whether lists or maps that are elements themselves are messages of one field: in wire fidelity, where
// their own elements are of one kind. ListValue and Struct hold the others as well.
func (d *decider) wrapped(s, inner *slot) bool {
	if d.json && s.shape().locked == "" || inner == nil || inner.stats.Nulls > 0 {
		return false
	}
	kind := kindOf(&inner.stats)
	return kind != "null" && kind != "mixed" && !inner.stats.Cut
}

// A wrapKey is the lists or the maps of a shape.
type wrapKey struct {
	shape *shape
	key   string
}

// wrap returns the message that stands for lists or maps as elements, with the only field key.
func (d *decider) wrap(s *slot, key string, typeOf func(*slot) *verdict) *verdict {
	shape := s.shape()
	if m := d.wraps[wrapKey{shape, key}]; m != nil {
		return &verdict{Type: schema.Type{Message: m}}
	}
	slices.Sort(shape.paths)
	m := &schema.Message{Wraps: true, Objects: s.stats.Count(), Paths: slices.Compact(slices.Clone(shape.paths))}
	d.wraps[wrapKey{shape, key}] = m
	d.file.Messages = append(d.file.Messages, m)
	d.made = append(d.made, made{message: m, shape: shape, slot: s})
	what := "A list"
	if key == "entries" {
		what = "A map"
	}
	m.Comment = []string{what + " where Protobuf has none: its JSON is that of the field."}
	v := typeOf(s)
	f := &schema.Field{Key: key, Type: v.Type, Comment: v.notes}
	f.Facts = facts(&s.stats, shape.paths[0], m.Objects, v)
	m.Fields = []*schema.Field{f}
	return &verdict{Type: schema.Type{Message: m}}
}

// wrapName names a message that stands for lists or maps.
func (d *decider) wrapName(m *schema.Message) string {
	suffix := "List"
	if m.Fields[0].Type.Cardinality == schema.Map {
		suffix = "Map"
	}
	key := lastKey(m.Paths[0])
	if key == "" {
		key = "item"
	}
	return d.unique(names.Message(names.Singular(key)) + suffix)
}

// enumStrings is how many strings there are at least for an enum that nobody asks for.
const enumStrings = 20

// enumLike reports whether strings are the values of an enum: few, words, each often enough, under a key that says so.
func enumLike(s *slot) bool {
	key := strings.ToLower(lastKey(s.shape().paths[0]))
	return s.stats.Strings >= enumStrings && hasSuffixOf(key, enumNames) && fewValues(&s.shape().stats) != ""
}

// enumNames are what keys end in that have values of an enum as a rule.
var enumNames = []string{"type", "kind", "state", "status", "level", "severity", "phase", "mode", "role", "category",
	"visibility", "priority", "action", "reason", "protocol", "method", "direction", "unit"}

func hasSuffixOf(s string, suffixes []string) bool {
	return slices.ContainsFunc(suffixes, func(x string) bool { return strings.HasSuffix(s, x) })
}

// prune leaves out messages and enums that no field has: those for which the lock has another type.
func (d *decider) prune() {
	seen := map[*schema.Message]bool{}
	enums := map[*schema.Enum]bool{}
	var walk func(*schema.Message)
	walk = func(m *schema.Message) {
		if m == nil || seen[m] {
			return
		}
		seen[m] = true
		for _, f := range m.Fields {
			enums[f.Type.Enum] = true
			walk(f.Type.Message)
		}
	}
	walk(d.file.Root())
	d.file.Messages = slices.DeleteFunc(d.file.Messages, func(m *schema.Message) bool { return !seen[m] })
	d.file.Enums = slices.DeleteFunc(d.file.Enums, func(e *schema.Enum) bool { return !enums[e] })
}
