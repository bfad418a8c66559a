package decide

import (
	"github.com/protean-pb/protean/infer/profile"
)

// build returns the slot of a node, and decides which objects are maps. Key is the key at which it is, empty for
// elements; pins are what is said of the path beforehand.
func build(n *profile.Node, key string, pins []*pin) *slot {
	s := &shape{}
	s.stats.Merge(n)
	out := &slot{to: s, tags: tagsOf(n)}
	out.stats.Merge(n)
	for _, p := range pins {
		p.seen = true
		if s.forced == "" {
			s.forced = p.kind
		}
		if s.locked == "" {
			s.locked = p.message
		}
	}
	if n.Elem != nil {
		s.elem = build(n.Elem, "", below(pins, elementPath))
	}
	if n.Wild != nil {
		s.wild = build(n.Wild, "", below(pins, valuesPath))
		s.why = "there are too many keys for fields"
		return out
	}
	for _, k := range n.SortedKeys() {
		if s.fields == nil {
			s.fields = map[string]*slot{}
		}
		s.fields[k] = build(n.Fields[k], k, below(pins, keyPath(k)))
	}
	if len(s.fields) == 0 {
		return out
	}
	isMap := false
	switch s.forced {
	case "map":
		isMap, s.why = true, "asked for"
	case "message", "oneof", "union":
		s.why = "asked for"
	default:
		isMap, s.why = s.mapLike(key)
	}
	if isMap {
		keys := s.sortedKeys()
		for _, k := range keys {
			s.stats.Keys.Add([]byte(k), n.Fields[k].Count())
		}
		var wild *slot
		for _, k := range keys {
			wild = wild.merge(s.fields[k])
		}
		s.fields, s.wild = nil, wild
		// What each value was forced to be by its own path counts for all.
		for _, p := range below(pins, valuesPath) {
			p.seen = true
			if p.kind != "" && p.kind != "message" {
				wild.shape().forced = p.kind
			}
		}
	}
	return out
}

// A pin is what hints and the lock say of a path.
type pin struct {
	hint    string          // the path of a hint, as it was given
	seen    bool            // whether some document has the path
	kind    string          // message, map, enum or a type; empty if nothing
	message string          // of the lock
	below   map[string]*pin // by the steps of paths
}

// below returns the pins of a child: those of its key, and those of all keys.
func below(pins []*pin, step string) []*pin {
	var out []*pin
	for _, p := range pins {
		if c := p.below[step]; c != nil {
			out = append(out, c)
		}
		if c := p.below[valuesPath]; c != nil && step != valuesPath && step != elementPath {
			out = append(out, c)
		}
	}
	return out
}

// at returns the pin of a path, which is made if there is none.
func (p *pin) at(steps []string) *pin {
	for _, step := range steps {
		if p.below == nil {
			p.below = map[string]*pin{}
		}
		if p.below[step] == nil {
			p.below[step] = &pin{}
		}
		p = p.below[step]
	}
	return p
}
