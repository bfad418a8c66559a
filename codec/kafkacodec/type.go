package kafkacodec

import (
	"errors"
	"fmt"
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/proto"
)

// A Type is a message type of a schema in the registry. It stays usable when the [Codec] has forgotten the schema. All
// methods are safe for concurrent use.
type Type struct {
	schema  *schema
	indexes []int
	header  []byte
	desc    protoreflect.MessageDescriptor
	dynamic *dynamic.Type
	nested  scope
	scratch scratchPool
}

// ID returns the id of the schema.
func (t *Type) ID() int { return t.schema.id }

// Indexes returns where the message type is in the schema: its index among those of the file, or of the type that it is
// nested in, from the outermost on.
func (t *Type) Indexes() []int { return slices.Clone(t.indexes) }

// Descriptor returns what describes the messages.
func (t *Type) Descriptor() protoreflect.MessageDescriptor { return t.desc }

// New returns an empty message.
func (t *Type) New() *dynamic.Message { return t.dynamic.New() }

// String says which message type of which schema it is.
func (t *Type) String() string { return fmt.Sprintf("%s of schema %d", t.desc.FullName(), t.schema.id) }

var errNil = errors.New("a nil message cannot be written as a record")

// Append appends m, a generated message or a dynamic one of the name of t, as a record of type t: the header and then
// its wire form. With an error it returns dst as it was.
func (t *Type) Append(dst []byte, m proto.Message) ([]byte, error) {
	if m == nil {
		return dst, errNil
	}
	if name := m.ProtoReflect().Descriptor().FullName(); name != t.desc.FullName() {
		return dst, fmt.Errorf("a message %s cannot be written as %s", name, t)
	}
	out, err := proto.MarshalOptions{}.MarshalAppend(append(dst, t.header...), m)
	if err != nil {
		return dst, err
	}
	return out, nil
}

// A scope has the message types that are declared in a file or in a message type.
type scope struct {
	all      []*Type // by the index of the descriptor
	numbered []*Type // by the index in records: see [Options.SourceIndexes]
}

// at returns the message type at the indexes.
func (s *schema) at(indexes []int) (*Type, error) {
	in := &s.types
	var t *Type
	for i, index := range indexes {
		if index >= len(in.numbered) {
			return nil, fmt.Errorf("%w: schema %d has no message type at %d", ErrSchema, s.id, indexes[:i+1])
		}
		t = in.numbered[index]
		in = &t.nested
	}
	if t.desc.IsMapEntry() {
		return nil, fmt.Errorf("%w: %s, at %d, is the entry of a map: does the producer need Options.SourceIndexes?",
			ErrSchema, t, indexes)
	}
	return t, nil
}

// named returns the message type of a name.
func (s *schema) named(name protoreflect.FullName) (*Type, error) {
	if d, err := s.files.FindDescriptorByName(name); err == nil {
		if md, ok := d.(protoreflect.MessageDescriptor); ok && md.ParentFile() == s.file && !md.IsMapEntry() {
			return s.typeOf(md), nil
		}
	}
	return nil, fmt.Errorf("%w: schema %d has no message type %s", ErrSchema, s.id, name)
}

// typeOf returns the type of a descriptor of the schema's own file.
func (s *schema) typeOf(md protoreflect.MessageDescriptor) *Type {
	if parent, ok := md.Parent().(protoreflect.MessageDescriptor); ok {
		return s.typeOf(parent).nested.all[md.Index()]
	}
	return s.types.all[md.Index()]
}

// makeScope makes the types of all messages of a scope, whose indexes begin with those of the scope. Nothing is
// compiled until a type is used.
func (s *schema) makeScope(messages protoreflect.MessageDescriptors, above []int, sourceIndexes bool) scope {
	var out scope
	for i := range messages.Len() {
		md := messages.Get(i)
		indexes := append(slices.Clone(above), len(out.numbered))
		t := &Type{
			schema: s, indexes: indexes, header: appendHeader(nil, s.id, indexes),
			desc: md, dynamic: dynamic.NewType(md), nested: s.makeScope(md.Messages(), indexes, sourceIndexes),
		}
		out.all = append(out.all, t)
		if !md.IsMapEntry() || !sourceIndexes {
			out.numbered = append(out.numbered, t)
		}
	}
	return out
}
