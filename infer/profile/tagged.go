package profile

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// The bounds of what is kept of objects by the strings beside them. What goes beyond one of them is not kept at all, so
// that profiles add up.
const (
	maxTags    = 64  // different strings
	maxTagSize = 64  // bytes of a string
	maxTagKeys = 256 // keys of the objects
	// tagBytes is the estimated memory of one string, but for its bytes and the counts.
	tagBytes = 160
)

// tagNames are what keys end in, in lower case, whose strings may say what other members are.
var tagNames = []string{"type", "kind", "event", "action", "method", "operation", "topic", "category"}

func isTag(key string) bool {
	if len(key) > maxTagSize {
		return false
	}
	key = strings.ToLower(key)
	return slices.ContainsFunc(tagNames, func(name string) bool { return strings.HasSuffix(key, name) })
}

// Tagged counts the keys of objects by a string beside them: in {"type":"circle","size":{"radius":1}}, those of size
// by type.
type Tagged struct {
	// Tag is the key of the string.
	Tag string `json:"tag"`
	// Beyond says that there are too many strings or keys, or a string is empty or long: then there are no Values.
	Beyond bool `json:"beyond,omitempty"`
	// Values are by the strings.
	Values map[string]*TagValue `json:"values,omitempty"`
}

// A TagValue counts the objects beside one string.
type TagValue struct {
	Objects uint64    `json:"objects"`
	Keys    KeyCounts `json:"keys"`
}

// KeyCounts is how many objects have each key.
type KeyCounts struct {
	counts []uint64 // by the order of the keys in the node
	node   *Node
	saved  map[string]uint64 // read, until the node is known
	// Objects mostly have the keys of the one before: how many had these is not in counts yet.
	last  []int32
	times uint64
}

// ByKey returns the counts that are not 0.
func (k *KeyCounts) ByKey() map[string]uint64 {
	out := map[string]uint64{}
	for i, n := range k.counts {
		if n > 0 {
			out[k.node.order[i].key] = n
		}
	}
	for _, at := range k.last {
		out[k.node.order[at].key] += k.times
	}
	return out
}

// MarshalJSON writes the counts by their keys.
func (k KeyCounts) MarshalJSON() ([]byte, error) { return json.Marshal(k.ByKey()) }

// UnmarshalJSON reads what MarshalJSON has written.
func (k *KeyCounts) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &k.saved) }

func (k *KeyCounts) add(at int32, n uint64) {
	if int(at) >= len(k.counts) {
		k.counts = append(k.counts, make([]uint64, int(at)+1-len(k.counts))...)
	}
	k.counts[at] += n
}

// object counts an object of some keys.
func (k *KeyCounts) object(keys []int32) {
	if slices.Equal(k.last, keys) {
		k.times++
		return
	}
	for _, at := range k.last {
		k.add(at, k.times)
	}
	k.last, k.times = append(k.last[:0], keys...), 1
}

// size is the memory of the counts.
func (k *KeyCounts) size() int { return 8*cap(k.counts) + 4*cap(k.last) }

func (t *Tagged) size() int {
	size := tagBytes
	for value, v := range t.Values {
		size += tagBytes + len(value) + v.Keys.size()
	}
	return size
}

// value returns what is counted beside a string; nil if that is beyond the bounds.
func (t *Tagged) value(n *Node, text string) *TagValue {
	if t.Beyond {
		return nil
	}
	if v := t.Values[text]; v != nil {
		return v
	}
	if text == "" || len(text) > maxTagSize || len(t.Values) >= maxTags || n.Wild != nil || len(n.Fields) > maxTagKeys {
		t.Beyond, t.Values = true, nil
		return nil
	}
	if t.Values == nil {
		t.Values = map[string]*TagValue{}
	}
	v := &TagValue{Keys: KeyCounts{node: n}}
	t.Values[strings.Clone(text)] = v
	return v
}

// tagged returns what is counted by the strings of a key.
func (n *Node) tagged(tag string) *Tagged {
	for _, t := range n.Tagged {
		if t.Tag == tag {
			return t
		}
	}
	t := &Tagged{Tag: strings.Clone(tag)}
	n.Tagged = append(n.Tagged, t)
	slices.SortFunc(n.Tagged, func(a, b *Tagged) int { return strings.Compare(a.Tag, b.Tag) })
	return t
}

// untag forgets the counts, which are beyond the bounds.
func (n *Node) untag() {
	for _, t := range n.Tagged {
		t.Beyond, t.Values = true, nil
	}
}

// mergeTagged adds what other has counted. The children of n include those of other.
func (n *Node) mergeTagged(other *Node) {
	for _, t := range other.Tagged {
		own := n.tagged(t.Tag)
		if t.Beyond || n.Wild != nil || len(n.Fields) > maxTagKeys {
			own.Beyond, own.Values = true, nil
		}
		for text, v := range t.Values {
			sum := own.value(n, text)
			if sum == nil {
				break
			}
			sum.Objects += v.Objects
			for key, count := range v.Keys.ByKey() {
				sum.Keys.add(n.Fields[key].at, count)
			}
		}
	}
}

// indexTagged restores what is not saved, and checks the rest.
func (n *Node) indexTagged() error {
	for i, t := range n.Tagged {
		if t == nil || i > 0 && n.Tagged[i-1].Tag >= t.Tag {
			return errors.New("tags are not in order")
		}
		if len(t.Values) > maxTags || len(n.Fields) > maxTagKeys && len(t.Values) > 0 {
			return errors.New("there are too many tags")
		}
		for _, v := range t.Values {
			if v == nil {
				return errors.New("a tag has no counts")
			}
			v.Keys.node = n
			for key, count := range v.Keys.saved {
				c := n.Fields[key]
				if c == nil {
					return errors.New("a tag counts a key that there is not")
				}
				v.Keys.add(c.at, count)
			}
			v.Keys.saved = nil
		}
	}
	return nil
}

// A frame is what the scanner has seen of one object at one depth.
type frame struct {
	keys    []int32 // of its children, by their order in the node
	tags    []tag
	objects []object
	inner   []int32 // the keys of its objects, one after the other
}

// A tag is a string that may say what the objects beside it are: its node, by the order in the object's, and its text.
type tag struct {
	at   int32
	text []byte
}

// An object is a member that is an object, whose keys end at a place in a frame.
type object struct {
	node *Node
	end  int
}

// frame returns that of the depth, without what an object before has left there.
func (s *scanner) frame(depth int) *frame {
	if s.frames == nil {
		s.frames = make([]frame, limits[0].depth+1)
	}
	f := &s.frames[depth]
	f.keys, f.tags, f.objects, f.inner = f.keys[:0], f.tags[:0], f.objects[:0], f.inner[:0]
	return f
}

// maxObjectTags is how many strings of one object are looked at.
const maxObjectTags = 4

// member notes a member of the object at a depth that is an object, or a string that may say what those are.
func (s *scanner) member(child *Node, start, end, depth int) {
	f := &s.frames[depth]
	switch raw := s.text[start:end]; {
	case raw[0] == '{':
		f.inner = append(f.inner, s.frames[depth+1].keys...)
		f.objects = append(f.objects, object{child, len(f.inner)})
	case raw[0] == '"' && len(f.tags) < maxObjectTags:
		text := raw[1 : len(raw)-1]
		if bytes.IndexByte(text, '\\') >= 0 {
			text = bytes.Clone(s.buf)
		}
		f.tags = append(f.tags, tag{child.at, text})
	}
}

// tagObjects counts the objects in an object that has ended by the strings beside them.
func (s *scanner) tagObjects(n *Node, depth int) {
	f := &s.frames[depth]
	if n.Wild != nil {
		return
	}
	for _, tag := range f.tags {
		start := 0
		for _, o := range f.objects {
			s.grown += o.node.addTagged(n.order[tag.at].key, tag.text, f.inner[start:o.end])
			start = o.end
		}
	}
}

// addTagged counts an object of some keys, and returns by how many bytes the counts have grown.
func (n *Node) addTagged(key string, text []byte, keys []int32) (grown int) {
	t := n.tagged(key)
	v := t.Values[string(text)]
	if v == nil {
		if t.Beyond {
			return 0
		}
		if v = t.value(n, string(text)); v == nil {
			return tagBytes
		}
		grown = 2*tagBytes + len(text)
	}
	v.Objects++
	before := v.Keys.size()
	v.Keys.object(keys)
	return grown + v.Keys.size() - before
}
