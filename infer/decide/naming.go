package decide

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/protean-pb/protean/infer/lock"
	"github.com/protean-pb/protean/infer/names"
	"github.com/protean-pb/protean/infer/schema"
)

// naming names messages, fields and enums. What the lock has keeps its name.
func (d *decider) naming() {
	if d.Lock != nil {
		for _, m := range d.Lock.Messages {
			d.used[m.Name] = true
		}
		for _, e := range d.Lock.Enums {
			d.used[e.Name] = true
		}
	}
	for i, m := range d.made {
		switch {
		case i == 0:
			m.message.Name = d.Message
		case m.locked(d.Lock) != nil:
			m.message.Name = m.locked(d.Lock).Name
		case m.message.Variant != "":
			m.message.Name = d.unique(names.Message(m.message.Variant) + names.Message(lastKey(m.message.Paths[0])))
		case m.message.Wraps:
			m.message.Name = d.wrapName(m.message)
		default:
			m.message.Name = d.messageName(m.message.Paths)
		}
	}
	for _, m := range d.made {
		nameFields(m.message, m.locked(d.Lock))
	}
	for _, m := range d.made {
		for _, f := range m.message.Fields {
			if e := f.Type.Enum; e != nil && e.Name == "" {
				d.nameEnum(m.message, f, e)
			}
		}
	}
}

// locked returns the message of the lock, or nil.
func (m made) locked(l *lock.Lock) *lock.Message {
	name := m.as
	if m.message == nil || m.message.Variant == "" {
		name = m.shape.locked
	}
	if l == nil || name == "" {
		return nil
	}
	for _, one := range l.Messages {
		if one.Name == name {
			return one
		}
	}
	return nil
}

// messageName names a message after the key at which most of its objects are.
func (d *decider) messageName(paths []string) string {
	counts := map[string]int{}
	longer := map[string]string{} // with the name of what it is in
	for _, p := range paths {
		name := baseName(p)
		counts[name]++
		if longer[name] == "" {
			longer[name] = baseName(parentPath(p)) + name
		}
	}
	all := make([]string, 0, len(counts))
	for name := range counts {
		all = append(all, name)
	}
	slices.SortFunc(all, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	for _, name := range append(slices.Clone(all[:1]), longer[all[0]]) {
		if !d.used[name] {
			d.used[name] = true
			return name
		}
	}
	return d.unique(longer[all[0]])
}

// unique returns a name that nothing in the package has.
func (d *decider) unique(name string) string {
	for i := 2; d.used[name]; i++ {
		if next := fmt.Sprintf("%s%d", name, i); !d.used[next] {
			name = next
		}
	}
	d.used[name] = true
	return name
}

// baseName is the name of a message after its path alone.
func baseName(path string) string {
	all := steps(path)
	if len(all) == 0 {
		return "Document"
	}
	key := lastKey(path)
	if last := all[len(all)-1]; last == elementPath || last == valuesPath {
		key = names.Singular(key)
	}
	if key == "" {
		return "Item"
	}
	return names.Message(key)
}

// parentPath is the path of the object that has the last key.
func parentPath(path string) string {
	all := steps(path)
	for len(all) > 0 {
		last := all[len(all)-1]
		all = all[:len(all)-1]
		if last != elementPath && last != valuesPath {
			break
		}
	}
	return "$" + strings.Join(all, "")
}

// nameFields names the fields of a message, those first whose keys follow from their names.
func nameFields(m *schema.Message, locked *lock.Message) {
	taken := map[string]bool{}
	var open []*schema.Field
	for _, f := range m.Fields {
		if l := lockedFields(locked)[f.Key]; l != nil {
			f.Name = l.Name
			taken[names.Canonical(f.Name)] = true
		} else {
			open = append(open, f)
		}
	}
	if locked != nil {
		for _, r := range append(slices.Clone(locked.Reserved), locked.Fields...) {
			taken[names.Canonical(r.Name)] = true
		}
	}
	slices.SortStableFunc(open, func(a, b *schema.Field) int {
		return cmp.Or(cmp.Compare(exactness(a.Key), exactness(b.Key)), cmp.Compare(a.Key, b.Key))
	})
	for _, f := range open {
		f.Name = names.Field(f.Key)
		for i := 2; taken[names.Canonical(f.Name)]; i++ {
			f.Name = fmt.Sprintf("%s_%d", names.Field(f.Key), i)
		}
		taken[names.Canonical(f.Name)] = true
	}
}

// exactness is lower for keys that are more like the names made of them.
func exactness(key string) int {
	switch name := names.Field(key); key {
	case schema.JSONName(name), name:
		return 0
	}
	return 1
}

// lockedFields are the fields of a message by their keys; of those that are reserved, the last.
func lockedFields(m *lock.Message) map[string]*lock.Field {
	out := map[string]*lock.Field{}
	if m == nil {
		return out
	}
	for _, f := range append(slices.Clone(m.Reserved), m.Fields...) {
		out[f.Key] = f
	}
	return out
}

// enum returns the type that a hint asks for, or nil if there are other values than few strings.
func (d *decider) enum(s *shape) *verdict {
	n := &s.stats
	if kindOf(n) != "string" || n.Values.Full {
		return nil
	}
	if e := d.enums[s]; e != nil {
		return &verdict{Type: schema.Type{Enum: e}}
	}
	e := &schema.Enum{Path: s.paths[0]}
	for _, v := range n.Values.Values {
		e.Values = append(e.Values, schema.EnumValue{Text: v.Text})
	}
	slices.SortFunc(e.Values, func(a, b schema.EnumValue) int { return cmp.Compare(a.Text, b.Text) })
	d.file.Enums = append(d.file.Enums, e)
	d.enums[s] = e
	return &verdict{Type: schema.Type{Enum: e}}
}

// nameEnum names an enum and its values, and numbers these; the lock's come first.
func (d *decider) nameEnum(m *schema.Message, f *schema.Field, e *schema.Enum) {
	var old *lock.Enum
	if d.Lock != nil {
		for _, l := range d.Lock.Enums {
			if l.Path == e.Path {
				old = l
			}
		}
	}
	var values []schema.EnumValue
	have := map[string]bool{}
	if old != nil {
		e.Name = old.Name
		for _, v := range old.Values {
			values = append(values, schema.EnumValue(v))
			have[v.Text] = true
		}
	} else {
		e.Name = d.unique(m.Name + names.Message(f.Name))
		values = []schema.EnumValue{{Name: names.EnumValue(e.Name, "unspecified")}}
		have[""] = true
	}
	taken := map[string]bool{}
	next := int32(0)
	for _, v := range values {
		taken[v.Name] = true
		next = max(next, v.Number+1)
	}
	for _, v := range e.Values {
		if have[v.Text] {
			continue
		}
		v.Name, v.Number = names.EnumValue(e.Name, v.Text), next
		for i := 2; taken[v.Name]; i++ {
			v.Name = fmt.Sprintf("%s_%d", names.EnumValue(e.Name, v.Text), i)
		}
		taken[v.Name] = true
		next++
		values = append(values, v)
	}
	e.Values = values
}
