package decide

import (
	"cmp"
	"fmt"

	"github.com/protean-pb/protean/infer/lock"
	"github.com/protean-pb/protean/infer/profile"
	"github.com/protean-pb/protean/infer/schema"
)

// DefaultRestBelow is the share of documents below which a key has no field of its own, if there is a field for the
// rest.
const DefaultRestBelow = 0.01

// A rest is the field of the root message for members of documents that have no field of their own.
type rest struct {
	key  string
	keys []string // that the documents have
}

// restOf says which members of documents have no field of their own, and returns the statistics without them; nil
// if there is no field for them.
func restOf(root *profile.Node, o Options, pins *pin) (*rest, *profile.Node, error) {
	key, err := restKey(root, o)
	if err != nil || key == "" {
		return nil, root, err
	}
	if !onlyObjects(root) || root.Wild != nil {
		return nil, nil, fmt.Errorf(
			"--rest %s: documents must be objects, with no more keys than are told apart", o.Rest)
	}
	var locked map[string]*lock.Field
	if o.Lock != nil {
		locked = lockedFields(&lock.Message{Fields: o.Lock.Messages[0].Fields})
	}
	if pins.kind == "" {
		pins.kind = "message"
	}
	r := &rest{key: key}
	kept := *root
	kept.Fields = map[string]*profile.Node{}
	for _, k := range root.SortedKeys() {
		n := root.Fields[k]
		own := locked[k] != nil && k != key || hintedBelow(pins.below[keyPath(k)])
		rare := float64(n.Count()) < o.RestBelow*float64(root.Objects)
		if unusable(k) == "" && k != key && (own || !rare || beyondStruct(n)) {
			kept.Fields[k] = n
		} else {
			r.keys = append(r.keys, k)
		}
	}
	return r, &kept, nil
}

func onlyObjects(n *profile.Node) bool { return n.Objects > 0 && n.Objects == n.Count() }

// restKey is the key of the field for the rest, empty if there is none: that of the lock, or else a new one.
func restKey(root *profile.Node, o Options) (string, error) {
	key := schema.JSONName(o.Rest)
	if o.Lock == nil {
		if key != "" && root.Fields[key] != nil {
			return "", fmt.Errorf("--rest %s: documents have such a key; give another name", o.Rest)
		}
		return key, nil
	}
	old := o.Lock.Rest
	for _, f := range o.Lock.Messages[0].Fields {
		switch {
		case f.Key == old && f.Name == o.Rest:
			return old, nil
		case f.Key == key && key != old:
			return "", fmt.Errorf("--rest %s: the lockfile has a field of that key; give another name", o.Rest)
		}
	}
	switch {
	case o.Lock.Wrapped && key != "":
		return "", fmt.Errorf("--rest %s: the documents of the lockfile are not messages by themselves", o.Rest)
	case key != "" && old != "" && key != old:
		return "", fmt.Errorf("--rest %s: the lockfile has %s", o.Rest, old)
	}
	return cmp.Or(old, key), nil
}

// hintedBelow reports whether there is a hint at a path or below it.
func hintedBelow(p *pin) bool {
	if p == nil {
		return false
	}
	for _, c := range p.below {
		if hintedBelow(c) {
			return true
		}
	}
	return p.hint != ""
}

// beyondStruct reports whether a value has numbers anywhere that Struct does not hold.
func beyondStruct(n *profile.Node) bool {
	if n == nil {
		return false
	}
	for _, c := range n.Fields {
		if beyondStruct(c) {
			return true
		}
	}
	return digitsLost(n) > 0 || beyondStruct(n.Elem) || beyondStruct(n.Wild)
}

// add adds the field for the rest to the root message.
func (r *rest) add(m *schema.Message, o Options) error {
	for _, f := range m.Fields {
		if f.Key == r.key { // of objects further down, which have the same message
			return fmt.Errorf("--rest %s: %s has such a key; give another name", cmp.Or(o.Rest, r.key), f.Facts.Path)
		}
	}
	m.Fields = append(m.Fields, r.field(o))
	return nil
}

// field is the field for the rest.
func (r *rest) field(o Options) *schema.Field {
	f := &schema.Field{Key: r.key, Type: schema.Type{Name: schema.Struct}, Facts: schema.Facts{Path: "$"}}
	f.Comment = []string{"Members of documents that have no field of their own. In ProtoJSON they are members of " +
		"this one: move them here, and back."}
	if len(r.keys) == 0 {
		return f
	}
	listed := make([]string, 0, 3)
	for _, k := range r.keys[:min(len(r.keys), cap(listed))] {
		if k != "" {
			k = abbreviated(k)
		}
		listed = append(listed, k)
	}
	keys := fmt.Sprintf("%d keys", len(r.keys))
	if len(r.keys) == 1 {
		keys = "1 key"
	}
	f.Facts.Kinds = []string{keys}
	text := fmt.Sprintf("So far %s, such as %s", keys, quoteAll(listed))
	if o.RestBelow <= 1 {
		text += fmt.Sprintf(", each in less than %g %% of documents", o.RestBelow*100)
	}
	f.Comment = append(f.Comment, text+".")
	return f
}
