package decide

import (
	"fmt"
	"slices"

	"github.com/protean-pb/protean/infer/schema"
)

// The evidence for a oneof.
const (
	oneofObjects = 20 // objects that have a member
	oneofTimes   = 3  // of each key
)

// exclusive reports whether each object that is not empty has one member: there are as many members as such objects.
func (s *shape) exclusive() bool {
	members := uint64(0)
	for _, c := range s.fields {
		members += c.stats.Count()
		if c.stats.Nulls > 0 { // which would be no member
			return false
		}
	}
	return members == s.stats.Objects-s.stats.EmptyObjects
}

// oneof decides whether the fields of a message are a oneof: in ProtoJSON that is an object with one of several keys,
// so that this is the same in either fidelity. If it is not, why says what is held against it; empty if nothing is for
// it.
func (d *decider) oneof(s *shape) (is bool, why string) {
	exclusive := s.exclusive()
	switch s.forced {
	case "oneof":
		if why = "some objects have several members, or null"; exclusive {
			return true, ""
		}
		for _, path := range s.paths {
			if d.Hints[path] == "oneof" {
				d.err = fmt.Errorf("hint %s=oneof: %s", path, why)
			}
		}
		return false, why
	case "message":
		return false, ""
	}
	if !exclusive || len(s.fields) < 2 {
		return false, ""
	}
	if n := s.stats.Objects - s.stats.EmptyObjects; n < oneofObjects {
		return false, fmt.Sprintf("each of %d objects has one member, which is little evidence", n)
	}
	for _, key := range s.sortedKeys() {
		if n := s.fields[key].stats.Count(); n < oneofTimes {
			return false, fmt.Sprintf("each object has one member, but %s was in %d of them", abbreviated(key), n)
		}
	}
	if !s.different() {
		return false, "each object has one member, but all are alike, as in a map"
	}
	return true, ""
}

// different reports whether the values of an object are of several kinds, or objects of several sets of keys.
func (s *shape) different() bool {
	first := ""
	for _, key := range s.sortedKeys() {
		c := s.fields[key]
		what := kindOf(&c.stats)
		if what == "object" && !c.shape().isMap() {
			what += fmt.Sprint(c.shape().sortedKeys())
		}
		if first == "" {
			first = what
		} else if what != first {
			return true
		}
	}
	return false
}

// addOneof makes a oneof of the fields of a message, but for lists and maps, which cannot be in one.
func (d *decider) addOneof(m made) {
	is, why := d.oneof(m.shape)
	m.message.Against = why
	if !is {
		if why != "" && m.shape.forced == "oneof" {
			m.message.Comment = append(m.message.Comment, "Was a oneof until "+why+".")
		}
		return
	}
	single := 0
	for _, f := range m.message.Fields {
		if f.Type.Cardinality == schema.Singular {
			single++
		}
	}
	if single < 2 && m.shape.locked == "" {
		m.message.Against = "each object has one member, but lists and maps cannot be in a oneof"
		return
	}
	m.message.Oneof = "kind"
}

// nameOneof names the oneof of a message, as the lock does or so that no field has the name, and has its fields not be
// optional.
func (d *decider) nameOneof(m made) {
	if m.message.Oneof == "" {
		return
	}
	if l := m.locked(d.Lock); l != nil && l.Oneof != "" {
		m.message.Oneof = l.Oneof
	}
	taken := func(name string) bool {
		named := func(f *schema.Field) bool { return f.Name == name }
		return slices.ContainsFunc(m.message.Fields, named) || slices.ContainsFunc(m.message.Reserved, named)
	}
	for i := 2; taken(m.message.Oneof); i++ {
		m.message.Oneof = fmt.Sprintf("kind_%d", i)
	}
	for _, f := range m.message.Fields {
		f.Optional = false
	}
}
