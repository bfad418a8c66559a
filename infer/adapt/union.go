package adapt

import (
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/infer/schema"
)

// A union is a oneof for the objects under one key, by a string beside them.
type union struct {
	key, tag string
	members  map[string]protoreflect.FieldDescriptor // by the string
}

func (a *Adapter) addUnions(m *schema.Message, md protoreflect.MessageDescriptor) {
	for _, f := range m.Fields {
		fd := md.Fields().ByNumber(protoreflect.FieldNumber(f.Number))
		if f.Union == nil || fd == nil {
			continue
		}
		u := a.union(md, f.Union.Key)
		if u == nil {
			u = &union{f.Union.Key, f.Union.Tag, map[string]protoreflect.FieldDescriptor{}}
			a.unions[md.FullName()] = append(a.unions[md.FullName()], u)
		}
		u.members[f.Value] = fd
		a.keys[fd.FullName()] = u.key
	}
}

// union returns the union of a key in documents; nil if there is none.
func (a *Adapter) union(md protoreflect.MessageDescriptor, key string) *union {
	for _, u := range a.unions[md.FullName()] {
		if u.key == key {
			return u
		}
	}
	return nil
}

// Member returns the field that a member of an object in a document is, by a string beside it; nil if none says so. The
// function says what the string with a key is.
func (a *Adapter) Member(md protoreflect.MessageDescriptor, key string, text func(key string) (string, bool),
) protoreflect.FieldDescriptor {
	u := a.union(md, key)
	if u == nil {
		return nil
	}
	if tag, ok := text(u.tag); ok {
		return u.members[tag]
	}
	return nil
}

// text returns the string with a key of an object, if there is one.
func (n *Node) text(key string) (string, bool) {
	if i := n.index(key); i >= 0 && n.All[i].Kind == '"' {
		return n.All[i].Text, true
	}
	return "", false
}

// notInDocuments is put before a key that a document has though it is a name that only ProtoJSON has, so that it is
// told to be unknown.
const notInDocuments = "not in documents: "

// unions gives members of an object the names of their fields, and returns the keys that they had.
func (f *forward) unions(n *Node, md protoreflect.MessageDescriptor) map[int]string {
	if len(f.a.unions[md.FullName()]) == 0 {
		return nil
	}
	renamed := map[int]string{}
	keys := make([]string, len(n.Keys))
	for i, key := range n.Keys {
		keys[i] = key
		if fd := f.a.Member(md, key, n.text); fd != nil {
			keys[i], renamed[i] = fd.JSONName(), key
			f.move("is the field "+string(fd.Name())+" of a oneof", "."+key)
		} else if fd := md.Fields().ByJSONName(key); fd != nil && f.a.keys[fd.FullName()] != "" {
			keys[i] = notInDocuments + key
		}
	}
	n.Keys = keys
	return renamed
}
