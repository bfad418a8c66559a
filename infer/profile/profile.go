package profile

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// maxKey is the length of keys, in bytes, from which an object is a map.
const maxKey = 1024

// DefaultMemory is how many bytes a profile takes at most if nobody says.
const DefaultMemory = 256 << 20

// A limit bounds paths: the number of keys of one object, and the depth of nodes.
type limit struct{ keys, depth int }

// limits are the steps in which a profile that is too large is reduced.
var limits = [...]limit{
	{2000, 64}, {500, 64}, {500, 32}, {125, 32}, {125, 16}, {32, 16}, {32, 8}, {16, 8}, {16, 4}, {8, 4}, {8, 2}, {1, 1},
}

// A Profile is the statistics of documents.
type Profile struct {
	// Format is the version of the form in which profiles are saved.
	Format int `json:"format"`
	// Documents and Bytes are how many documents there were, and their length without what is between them.
	Documents uint64 `json:"documents"`
	Bytes     uint64 `json:"bytes"`
	// Invalid is how many were skipped since they are not JSON.
	Invalid uint64 `json:"invalid,omitempty"`
	// Reduced is how often the bounds of paths were lowered to keep within memory.
	Reduced int `json:"reduced,omitempty"`
	// Root has the documents themselves.
	Root *Node `json:"root"`

	size int // estimated memory of all nodes
}

// format changes whenever profiles that were saved mean something else.
const format = 1

// New returns the profile of no documents.
func New() *Profile { return &Profile{Format: format, Root: &Node{}} }

// Merge adds the documents of other, which it may use up: that must not be used any more. Memory is
// the number of bytes that the result takes at most; 0 means DefaultMemory.
func (p *Profile) Merge(other *Profile, memory int) {
	p.Documents += other.Documents
	p.Bytes += other.Bytes
	p.Invalid += other.Invalid
	p.Reduced = max(p.Reduced, other.Reduced)
	p.merge(p.Root, other.Root, 0)
	p.reduce(p.Root, 0)
	p.shrink(memory)
}

func (p *Profile) limit() limit { return limits[p.Reduced] }

// merge adds other to n, children included.
func (p *Profile) merge(n, other *Node, depth int) {
	n.Merge(other)
	if other.Elem != nil {
		if n.Elem == nil {
			n.Elem = other.Elem
		} else {
			p.merge(n.Elem, other.Elem, depth+1)
		}
	}
	for key, c := range other.Fields {
		switch own := n.Fields[key]; {
		case n.Wild != nil:
			n.Keys.add([]byte(key), c.Count())
			p.merge(n.Wild, c, depth+1)
			n.Wild.Tagged = nil
		case own != nil:
			p.merge(own, c, depth+1)
		default:
			own = n.addChild(key)
			p.merge(own, c, depth+1)
		}
	}
	if other.Wild != nil {
		p.widen(n, depth)
		p.merge(n.Wild, other.Wild, depth+1)
	} else if len(n.Fields) > p.limit().keys {
		p.widen(n, depth)
	}
	n.mergeTagged(other)
}

// widen makes one child of all children of an object.
func (p *Profile) widen(n *Node, depth int) {
	if n.Wild != nil {
		return
	}
	n.Wild = &Node{}
	fields := n.order
	n.Fields, n.order, n.next = nil, nil, 0
	for _, m := range fields {
		n.Keys.add([]byte(m.key), m.node.Count())
		p.merge(n.Wild, m.node, depth+1)
	}
	n.Wild.Tagged = nil
	n.untag()
}

// reduce brings n within the limits.
func (p *Profile) reduce(n *Node, depth int) {
	l := p.limit()
	if depth >= l.depth {
		n.Cut = n.Cut || n.Arrays > n.EmptyArrays || n.Objects > n.EmptyObjects
		n.Elem, n.Fields, n.order, n.next, n.Wild, n.Keys = nil, nil, nil, 0, nil, Sketch{}
		n.untag()
		return
	}
	if len(n.Fields) > l.keys {
		p.widen(n, depth)
	}
	for _, m := range n.order {
		p.reduce(m.node, depth+1)
	}
	for _, c := range []*Node{n.Elem, n.Wild} {
		if c != nil {
			p.reduce(c, depth+1)
		}
	}
}

// shrink lowers the limits until the profile is small enough.
func (p *Profile) shrink(memory int) {
	if memory == 0 {
		memory = DefaultMemory
	}
	p.size = measure(p.Root)
	for p.size > memory && p.Reduced < len(limits)-1 {
		p.Reduced++
		p.reduce(p.Root, 0)
		p.size = measure(p.Root)
	}
}

// measure estimates the memory of a node and its children.
func measure(n *Node) int {
	size := nodeBytes
	for _, s := range []*Sketch{&n.Values, &n.Keys} {
		for _, v := range s.Values {
			size += valueBytes + len(v.Text)
		}
	}
	for _, t := range n.Tagged {
		size += t.size()
	}
	for _, m := range n.order {
		size += len(m.key) + measure(m.node)
	}
	for _, c := range []*Node{n.Elem, n.Wild} {
		if c != nil {
			size += measure(c)
		}
	}
	return size
}

// Marshal returns the profile as JSON text: the same for equal profiles.
func (p *Profile) Marshal() ([]byte, error) {
	text, err := json.Marshal(p)
	return append(text, '\n'), err
}

// errNotProfile is what Unmarshal says of other JSON.
var errNotProfile = errors.New("not a profile: it has no format and root")

// Unmarshal reads what Marshal has written.
func Unmarshal(text []byte) (*Profile, error) {
	p := &Profile{}
	if err := json.Unmarshal(text, p); err != nil {
		return nil, fmt.Errorf("not a profile: %w", err)
	}
	if p.Root == nil || p.Format == 0 {
		return nil, errNotProfile
	}
	if p.Format != format {
		return nil, fmt.Errorf("a profile of format %d; this protean reads format %d", p.Format, format)
	}
	if p.Reduced < 0 || p.Reduced >= len(limits) {
		return nil, fmt.Errorf("not a profile: reduced is %d", p.Reduced)
	}
	if err := p.Root.index(0); err != nil {
		return nil, fmt.Errorf("not a profile: %w", err)
	}
	p.size = measure(p.Root)
	return p, nil
}

// index restores what is not saved, and checks what others rely on.
func (n *Node) index(depth int) error {
	if depth > limits[0].depth {
		return errors.New("nodes are nested too deeply")
	}
	if n == nil {
		return errors.New("a node is null")
	}
	for _, s := range []*Sketch{&n.Values, &n.Keys} {
		for i, v := range s.Values {
			if i > 0 && s.Values[i-1].Hash >= v.Hash {
				return errors.New("a sketch is not in order")
			}
		}
		if len(s.Values) > sketchSize || s.Full && len(s.Values) != sketchSize {
			return errors.New("a sketch is not of its size")
		}
	}
	for _, key := range n.SortedKeys() {
		n.order = append(n.order, member{key, n.Fields[key]})
		if c := n.Fields[key]; c != nil {
			c.at, c.tag = int32(len(n.order)-1), isTag(key)
		}
		if err := n.Fields[key].index(depth + 1); err != nil {
			return err
		}
	}
	if err := n.indexTagged(); err != nil {
		return err
	}
	for _, c := range []*Node{n.Elem, n.Wild} {
		if c != nil {
			if err := c.index(depth + 1); err != nil {
				return err
			}
		}
	}
	if math.IsNaN(n.FloatMin) {
		return errors.New("a range is not a number")
	}
	return nil
}
