// Package adapt makes JSON documents the ProtoJSON of a schema that was inferred from such, and back, where the two are
// not the same: members without a field, strings that are values of enums, and lists and maps within lists and maps.
package adapt

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/infer/schema"
)

// An Adapter adapts documents to a schema. It may be used by several goroutines.
type Adapter struct {
	md      protoreflect.MessageDescriptor
	wrapped protoreflect.FieldDescriptor // the field of which a document is the value; nil if it is the message
	rest    string
	wraps   map[protoreflect.FullName]protoreflect.FieldDescriptor // the only fields of messages for lists and maps
	enums   map[protoreflect.FullName]*enum
	unions  map[protoreflect.FullName][]*union // by messages
	keys    map[protoreflect.FullName]string   // of the members of unions in documents
}

// An enum has the names of values by the texts in JSON, and the other way round.
type enum struct{ names, texts map[string]string }

// New returns an adapter to a schema whose root message was compiled to md.
func New(file *schema.File, md protoreflect.MessageDescriptor) *Adapter {
	a := &Adapter{md: md, wraps: map[protoreflect.FullName]protoreflect.FieldDescriptor{},
		enums: map[protoreflect.FullName]*enum{}, unions: map[protoreflect.FullName][]*union{},
		keys: map[protoreflect.FullName]string{}}
	if md.Fields().ByJSONName(file.Rest) != nil {
		a.rest = file.Rest
	}
	if file.Wrapped {
		a.wrapped = md.Fields().ByJSONName(file.Root().Fields[0].Key)
	}
	pkg := md.ParentFile().Package()
	for _, m := range file.Messages {
		if of := md.ParentFile().Messages().ByName(protoreflect.Name(m.Name)); m.Wraps && of != nil {
			a.wraps[of.FullName()] = of.Fields().Get(0)
		} else if of != nil {
			a.addUnions(m, of)
		}
	}
	for _, e := range file.Enums {
		of := &enum{names: map[string]string{}, texts: map[string]string{}}
		for _, v := range e.Values {
			of.names[v.Text], of.texts[v.Name] = v.Name, v.Text
		}
		a.enums[pkg.Append(protoreflect.Name(e.Name))] = of
	}
	return a
}

// Trivial reports whether the documents are ProtoJSON as they are, but that one may be the value of a field.
func (a *Adapter) Trivial() bool {
	return a.rest == "" && len(a.wraps) == 0 && len(a.enums) == 0 && len(a.keys) == 0
}

// A Move is something that is elsewhere, or otherwise, in the ProtoJSON of a document.
type Move struct{ Path, What string }

// Forward makes the tree of a document that of the ProtoJSON of the message, but for a document that is the value of a
// field, and says what was moved.
func (a *Adapter) Forward(n *Node) []Move {
	f := &forward{a: a, path: []string{"$"}, seen: map[Move]bool{}}
	f.document(n)
	return f.moves
}

// Back undoes Forward.
func (a *Adapter) Back(n *Node) {
	a.backObject(n, a.md)
	if i := n.index(a.rest); a.rest != "" && i >= 0 && n.All[i].Kind == '{' {
		n.lift(i)
	}
}

// AppendProtoJSON appends the ProtoJSON of a document. What is no JSON is left for those to judge who read it.
func (a *Adapter) AppendProtoJSON(dst, text []byte) ([]byte, error) {
	if a.Trivial() && a.wrapped == nil || !jsontext.Value(text).IsValid() {
		return append(dst, text...), nil
	}
	n := Parse(text)
	if a.wrapped != nil {
		n = Node{Kind: '{', Keys: []string{a.wrapped.JSONName()}, All: []Node{n}}
	}
	if !a.Trivial() {
		f := &forward{a: a}
		f.document(&n)
	}
	return Append(dst, &n), nil
}

// AppendDocument appends the document of which a text is the ProtoJSON.
func (a *Adapter) AppendDocument(dst, text []byte) ([]byte, error) {
	if a.Trivial() && a.wrapped == nil {
		return append(dst, text...), nil
	}
	n := Parse(text)
	a.Back(&n)
	if a.wrapped != nil {
		if len(n.All) == 0 {
			return append(dst, unset(a.wrapped)...), nil
		}
		n = n.All[0]
	}
	return Append(dst, &n), nil
}

// unset is the JSON of a field that is not set.
func unset(fd protoreflect.FieldDescriptor) string {
	switch {
	case fd.IsMap():
		return "{}"
	case fd.IsList():
		return "[]"
	case fd.HasPresence():
		return "null"
	}
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return "false"
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.EnumKind:
		return `""`
	}
	return "0"
}

// index returns where a key is, or -1.
func (n *Node) index(key string) int {
	for i, k := range n.Keys {
		if k == key {
			return i
		}
	}
	return -1
}

// take removes the members of some keys, and returns an object of them.
func (n *Node) take(some func(key string) bool) Node {
	kept, taken := Node{Kind: '{'}, Node{Kind: '{'}
	for i, key := range n.Keys {
		to := &kept
		if some(key) {
			to = &taken
		}
		to.put(key, n.All[i])
	}
	if len(taken.Keys) > 0 {
		*n = kept
	}
	return taken
}

func (n *Node) put(key string, v Node) { n.Keys, n.All = append(n.Keys, key), append(n.All, v) }

// lift puts the members of a member in its place.
func (n *Node) lift(i int) {
	inner := n.All[i]
	n.Keys = append(append(n.Keys[:i:i], inner.Keys...), n.Keys[i+1:]...)
	n.All = append(append(n.All[:i:i], inner.All...), n.All[i+1:]...)
}

// A forward is one document on its way to ProtoJSON.
type forward struct {
	a     *Adapter
	path  []string
	moves []Move
	seen  map[Move]bool // nil if nobody asks for moves
}

func (f *forward) document(n *Node) {
	f.object(n, f.a.md)
	if f.a.rest != "" && n.Kind == '{' {
		f.rest(n)
	}
}

func (f *forward) move(what string, steps ...string) {
	if f.seen == nil {
		return
	}
	m := Move{strings.Join(f.path, "") + strings.Join(steps, ""), what}
	if !f.seen[m] {
		f.seen[m] = true
		f.moves = append(f.moves, m)
	}
}

func (f *forward) object(n *Node, md protoreflect.MessageDescriptor) {
	if n.Kind != '{' {
		return
	}
	renamed := f.unions(n, md)
	for i, key := range n.Keys {
		fd := md.Fields().ByJSONName(key)
		if fd == nil {
			continue
		}
		if was := renamed[i]; was != "" {
			key = was
		}
		f.path = append(f.path, "."+key)
		f.field(&n.All[i], fd)
		f.path = f.path[:len(f.path)-1]
	}
}

// field adapts the value of a field.
func (f *forward) field(n *Node, fd protoreflect.FieldDescriptor) {
	step := "[]"
	switch {
	case fd.IsMap() && n.Kind == '{':
		fd, step = fd.MapValue(), "{}"
	case fd.IsList() && n.Kind == '[':
	case fd.IsMap(), fd.IsList():
		return
	default:
		f.value(n, fd)
		return
	}
	if !f.a.concerns(fd) {
		return
	}
	f.path = append(f.path, step)
	for i := range n.All {
		f.value(&n.All[i], fd)
	}
	f.path = f.path[:len(f.path)-1]
}

// concerns reports whether values of a field may have to be adapted.
func (a *Adapter) concerns(fd protoreflect.FieldDescriptor) bool {
	return fd.Enum() != nil || inFile(fd.Message())
}

// inFile reports whether a message is none of google.protobuf.
func inFile(md protoreflect.MessageDescriptor) bool {
	return md != nil && !strings.HasPrefix(string(md.FullName()), "google.protobuf.")
}

// value adapts one value, of a field, a list or a map.
func (f *forward) value(n *Node, fd protoreflect.FieldDescriptor) {
	if e := fd.Enum(); e != nil {
		if of := f.a.enums[e.FullName()]; of != nil && n.Kind == '"' {
			if name, ok := of.names[n.Text]; ok && name != n.Text {
				n.Text = name
				f.move("strings are written as the names of enum values")
			}
		}
		return
	}
	md := fd.Message()
	if !inFile(md) {
		return
	}
	fd = f.a.wraps[md.FullName()]
	if fd == nil {
		f.object(n, md)
		return
	}
	if n.Kind != '[' && n.Kind != '{' {
		return
	}
	f.move("is the field " + string(fd.Name()) + " of a message")
	*n = Node{Kind: '{', Keys: []string{fd.JSONName()}, All: []Node{*n}}
	f.field(&n.All[0], fd)
}

// rest moves members that have no field into the one for them.
func (f *forward) rest(n *Node) {
	fields := f.a.md.Fields()
	rest := n.take(func(key string) bool { return key == f.a.rest || fields.ByJSONName(key) == nil })
	for _, key := range rest.Keys {
		f.move("becomes a member of "+f.a.rest, "."+key)
	}
	if len(rest.Keys) > 0 {
		n.put(f.a.rest, rest)
	}
}

func (a *Adapter) backObject(n *Node, md protoreflect.MessageDescriptor) {
	if n.Kind != '{' {
		return
	}
	for i, key := range n.Keys {
		if fd := md.Fields().ByJSONName(key); fd != nil {
			a.backField(&n.All[i], fd)
			if was, ok := a.keys[fd.FullName()]; ok {
				n.Keys[i] = was
			}
		}
	}
}

func (a *Adapter) backField(n *Node, fd protoreflect.FieldDescriptor) {
	switch {
	case fd.IsMap():
		fd = fd.MapValue()
	case fd.IsList():
	default:
		a.backValue(n, fd)
		return
	}
	if !a.concerns(fd) {
		return
	}
	for i := range n.All {
		a.backValue(&n.All[i], fd)
	}
}

func (a *Adapter) backValue(n *Node, fd protoreflect.FieldDescriptor) {
	if e := fd.Enum(); e != nil {
		if of := a.enums[e.FullName()]; of != nil && n.Kind == '"' {
			if text, ok := of.texts[n.Text]; ok {
				n.Text = text
			}
		}
		return
	}
	md := fd.Message()
	if !inFile(md) {
		return
	}
	fd = a.wraps[md.FullName()]
	if fd == nil {
		a.backObject(n, md)
		return
	}
	if len(n.All) == 1 {
		*n = n.All[0]
	} else {
		*n = Node{Kind: '['}
		if fd.IsMap() {
			n.Kind = '{'
		}
	}
	a.backField(n, fd)
}

// Wrapped returns the only field of a message that stands for a list or map; nil if it does not.
func (a *Adapter) Wrapped(md protoreflect.MessageDescriptor) protoreflect.FieldDescriptor {
	return a.wraps[md.FullName()]
}
