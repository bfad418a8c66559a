package decide

import (
	"slices"
	"strings"

	"github.com/protean-pb/protean/infer/profile"
)

// A shape is the values of one or more paths that get one type. Shapes form a graph, in which those that turn out to
// be one are unified, with all that is below them; a type that holds itself makes a cycle.
type shape struct {
	into   *shape       // what it was unified with, or nil
	stats  profile.Node // of the values at all paths; its children are not used
	fields map[string]*slot
	elem   *slot
	wild   *slot // all values of an object that is a map
	paths  []string
	locked string // the message of the lock
	forced string // the type that a hint asks for
	depth  int    // of the shallowest path
	why    string // why an object is a map or a message
}

// A slot is what a shape has under one key, or as elements: the values there, whose shape others may share.
type slot struct {
	to    *shape
	stats profile.Node
	tags  map[string]*tagCounts // of the objects, by the keys of strings beside them
}

// shape returns the shape of the values; nil if there is no slot.
func (s *slot) shape() *shape {
	if s == nil {
		return nil
	}
	return s.to.find()
}

// merge makes one slot of two, and returns it. Either may be nil.
func (s *slot) merge(other *slot) *slot {
	switch {
	case s == nil:
		return other
	case other == nil || s == other:
		return s
	}
	s.stats.Merge(&other.stats)
	s.mergeTags(other)
	s.to = unify(s.to, other.to)
	return s
}

// find returns the shape that stands for s.
func (s *shape) find() *shape {
	if s == nil {
		return nil
	}
	for s.into != nil {
		if s.into.into != nil {
			s.into = s.into.into
		}
		s = s.into
	}
	return s
}

func (s *shape) isMap() bool { return s.wild != nil }

// sortedKeys returns the keys of the fields in the order of their bytes.
func (s *shape) sortedKeys() []string {
	keys := make([]string, 0, len(s.fields))
	for k := range s.fields {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// objectsOnly reports whether all values but null are objects, of which something is known.
func (s *slot) objectsOnly() bool {
	n := &s.stats
	return n.Objects > 0 && n.Bools+n.Ints+n.Floats+n.Strings+n.Arrays == 0 && !n.Cut
}

// arraysOnly is the same for arrays.
func (s *slot) arraysOnly() bool {
	n := &s.stats
	return n.Arrays > 0 && n.Bools+n.Ints+n.Floats+n.Strings+n.Objects == 0 && !n.Cut
}

// unify makes one shape of two, and of what is below them.
func unify(a, b *shape) *shape {
	a, b = a.find(), b.find()
	switch {
	case a == nil:
		return b
	case b == nil || a == b:
		return a
	}
	b.into = a
	a.stats.Merge(&b.stats)
	a.depth = min(a.depth, b.depth)
	a.paths = append(a.paths, b.paths...)
	b.paths = nil
	if a.locked == "" {
		a.locked = b.locked
	}
	if a.forced == "" {
		a.forced = b.forced
	}
	if b.isMap() && !a.isMap() {
		a.why = b.why
	}
	elem, wild, fields := b.elem, b.wild, b.fields
	// What the calls below change may be a itself, where a type holds itself.
	a.elem = a.elem.merge(elem)
	if wild != nil {
		a.find().widen(wild)
	}
	for _, key := range sorted(fields) {
		a.find().addField(key, fields[key])
	}
	return a.find()
}

// addField unifies a child with that of the same key.
func (s *shape) addField(key string, child *slot) {
	if s.isMap() {
		s.wild.merge(child)
		return
	}
	if s.fields == nil {
		s.fields = map[string]*slot{}
	}
	if own := s.fields[key]; own != nil {
		own.merge(child)
	} else {
		s.fields[key] = child
	}
}

// widen makes a map of an object, whose values are unified with wild.
func (s *shape) widen(wild *slot) {
	fields := s.fields
	s.fields = nil
	s.wild = s.wild.merge(wild)
	for _, key := range sorted(fields) {
		s.find().addField(key, fields[key])
	}
}

func sorted(fields map[string]*slot) []string {
	return (&shape{fields: fields}).sortedKeys()
}

// Element and Values are what stands in paths for all elements of an array and all values of a map.
const (
	elementPath = "[]"
	valuesPath  = "{}"
)

// keyPath is what stands in paths for a key.
func keyPath(key string) string {
	for i, r := range key {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return quotedPath(key)
		}
	}
	if key == "" {
		return quotedPath(key)
	}
	return "." + key
}

func quotedPath(key string) string {
	return `["` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key) + `"]`
}

// steps splits a path, without its "$".
func steps(path string) []string {
	var out []string
	rest := strings.TrimPrefix(path, "$")
	for rest != "" {
		end := len(rest)
		switch {
		case strings.HasPrefix(rest, elementPath), strings.HasPrefix(rest, valuesPath):
			end = 2
		case rest[0] == '[':
			end = quotedEnd(rest)
		default:
			if i := strings.IndexAny(rest[1:], ".[{"); i >= 0 {
				end = i + 1
			}
		}
		out, rest = append(out, rest[:end]), rest[end:]
	}
	return out
}

// quotedEnd returns where a quoted key ends, with its bracket.
func quotedEnd(s string) int {
	for i := 2; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return min(i+2, len(s))
		}
	}
	return len(s)
}

// setPaths gives the shapes of a tree their paths.
func (s *shape) setPaths(path string, depth int) {
	s = s.find()
	s.paths = append(s.paths, path)
	s.depth = depth
	for key, c := range s.fields {
		c.to.setPaths(path+keyPath(key), depth+1)
	}
	if s.elem != nil {
		s.elem.to.setPaths(path+elementPath, depth+1)
	}
	if s.wild != nil {
		s.wild.to.setPaths(path+valuesPath, depth+1)
	}
}
