package decide

import (
	"cmp"
	"slices"
	"strings"
)

// Objects share a message where they have the same keys, or nearly so. The rules:
const (
	// sameKeys is how many keys objects have at least that share a message since all are the same.
	sameKeys = 4
	// nearKeys is the same where nearly all are, and nearShare how many must be in both, of those in either.
	nearKeys  = 6
	nearShare = 0.75
	// partShare is how many keys of the smaller object the larger has, where both have the same name.
	partShare = 0.8
)

// maxRounds bounds how often clusters are looked for anew: what is below objects that were unified may then be alike.
const maxRounds = 4

// cluster unifies objects that share a message. The result depends on the shapes, not on the order of documents.
// Deep says that objects in lists of lists are messages too, and so on.
func cluster(root *slot, deep bool) {
	unifyLocked(root, deep)
	for range maxRounds {
		if !clusterOnce(root, deep) {
			return
		}
	}
}

// unifyLocked brings together what is one message in the lock.
func unifyLocked(root *slot, deep bool) {
	first := map[string]*shape{}
	for _, s := range messages(root, deep) {
		if s = s.find(); s.locked == "" {
			continue
		}
		if f := first[s.locked]; f != nil {
			unify(f, s)
		} else {
			first[s.locked] = s
		}
	}
}

// clusterOnce unifies each object with the first larger one that it is alike, and reports whether there was any.
func clusterOnce(root *slot, deep bool) bool {
	all := messages(root, deep)
	slices.SortFunc(all, func(a, b *shape) int {
		return cmp.Or(cmp.Compare(len(b.fields), len(a.fields)), cmp.Compare(a.paths[0], b.paths[0]))
	})
	var leaders []*leader
	byKey := map[string][]int{}
	found := false
	for _, s := range all {
		if s.into != nil { // by what was unified meanwhile
			continue
		}
		l := newLeader(s)
		if i := l.match(leaders, byKey); i >= 0 {
			if a, b := leaders[i].shape.find(), s.find(); a != b && compatible(a, b) {
				unify(a, b)
				found = true
				continue
			}
		}
		for key := range l.keys {
			byKey[key] = append(byKey[key], len(leaders))
		}
		leaders = append(leaders, l)
	}
	return found
}

// A leader is the object that others are compared with, as it was before any were unified with it.
type leader struct {
	shape *shape
	keys  map[string]string // the kind of each
	name  string
}

func newLeader(s *shape) *leader {
	l := &leader{shape: s, keys: make(map[string]string, len(s.fields)), name: lastKey(s.paths[0])}
	for key, c := range s.fields {
		l.keys[key] = kindOf(&c.stats)
	}
	return l
}

// match returns the first of the leaders that is most alike, or -1.
func (l *leader) match(leaders []*leader, byKey map[string][]int) int {
	common := map[int]int{}
	for key := range l.keys {
		for _, i := range byKey[key] {
			common[i]++
		}
	}
	best, bestShare := -1, 0.0
	for i, both := range common {
		share := float64(both) / float64(len(l.keys)+len(leaders[i].keys)-both)
		if l.alike(leaders[i], both, share) && (share > bestShare || share == bestShare && i < best) {
			best, bestShare = i, share
		}
	}
	return best
}

func (l *leader) alike(other *leader, both int, share float64) bool {
	small := min(len(l.keys), len(other.keys))
	switch {
	case share == 1 && small >= sameKeys:
	case share >= nearShare && small >= nearKeys:
	case l.name != other.name:
		return false
	case share == 1:
	case small >= sameKeys && float64(both) >= partShare*float64(small):
	default:
		return false
	}
	for key, kind := range l.keys {
		if k := other.keys[key]; k != "" && k != kind && k != "null" && kind != "null" {
			return false
		}
	}
	return true
}

// compatible reports whether the lock lets two objects be one message.
func compatible(a, b *shape) bool { return a.locked == "" || b.locked == "" || a.locked == b.locked }

// messages returns the objects that become messages, each once, from the root down.
func messages(root *slot, deep bool) []*shape {
	var out []*shape
	seen := map[*shape]bool{}
	var walk func(*slot)
	walk = func(at *slot) {
		s := at.shape()
		switch {
		case at.arraysOnly():
			walkElements(s.elem, deep, walk)
		case !at.objectsOnly():
		case s.isMap():
			walkElements(s.wild, deep, walk)
		case len(s.fields) > 0 && !seen[s]:
			seen[s] = true
			slices.Sort(s.paths)
			out = append(out, s)
			for _, key := range s.sortedKeys() {
				walk(s.fields[key])
			}
		}
	}
	walk(root)
	return out
}

// walkElements goes on where elements of a list or values of a map may be messages.
func walkElements(e *slot, deep bool, walk func(*slot)) {
	if e == nil || e.stats.Nulls > 0 {
		return
	}
	if deep || e.objectsOnly() && !e.shape().isMap() {
		walk(e)
	}
}

// lastKey returns the last key of a path, and what follows it: "$.users[]" has "users".
func lastKey(path string) string {
	all := steps(path)
	for i := len(all) - 1; i >= 0; i-- {
		switch s := all[i]; {
		case s == elementPath || s == valuesPath:
		case s[0] == '.':
			return s[1:]
		default:
			return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(s[2 : len(s)-2])
		}
	}
	return ""
}
