package migrate

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

// blame records the fields that by themselves make fails return an error, and returns the
// message without the top-level fields that they are in; nil where that leaves nothing to
// compare. If no field does so by itself, it returns the message as it is.
func (p *prover) blame(
	m *dynamicpb.Message, err error, rec *recorder, prefix string, fails func(*dynamicpb.Message) error,
) *dynamicpb.Message {
	s := &search{p: p, left: maxSearchOne, bytes: maxSearchBytes, fails: fails}
	rest := proto.CloneOf(m)
	for _, fd := range populated(m) {
		found := s.field(p.graph.root, m, fd, asMessage, nil)
		for _, f := range found {
			rec.record(f.at, outcome{class: Error, wrote: f.wrote, why: prefix + errorText(f.err)})
		}
		if len(found) > 0 {
			rest.Clear(fd)
		}
	}
	if prefix != "" && s.found == 0 {
		rec.record(nil, outcome{class: Error, wrote: showMessage(m), why: prefix + errorText(err)})
	}
	if s.found > 0 && len(populated(rest)) == 0 {
		return nil
	}
	return rest
}

// maxSearchOne bounds the reads that look for the cause of one error, and maxSearchBytes the
// bytes of what they read.
const (
	maxSearchOne   = 400
	maxSearchBytes = 1 << 19
)

// A search looks for the smallest parts of a message that fail.
type search struct {
	p     *prover
	left  int // reads
	bytes int
	found int
	fails func(*dynamicpb.Message) error
}

// A culprit is a part that fails.
type culprit struct {
	at    *place
	wrote string
	err   error
}

// try reports the error of a whole message, if there are reads left.
func (s *search) try(m *dynamicpb.Message) error {
	if s.left <= 0 || s.p.reads <= 0 || s.bytes <= 0 {
		return nil
	}
	s.left--
	s.bytes -= proto.Size(m)
	s.p.reads--
	return s.fails(m)
}

// A wrapper puts a part into the place that it has in the whole message, with nothing beside.
type wrapper func(protoreflect.Message) *dynamicpb.Message

// asMessage is the wrapper of the whole message.
func asMessage(x protoreflect.Message) *dynamicpb.Message { return x.(*dynamicpb.Message) }

// field looks in a field of m, whose pair is n and which wrap puts in its place. What the
// reader has not, or not in that shape, fails as a whole.
func (s *search) field(
	n *pair, m protoreflect.Message, fd protoreflect.FieldDescriptor, wrap wrapper, at *place,
) []culprit {
	v := m.Get(fd)
	alone := m.New()
	alone.Set(fd, v)
	err := s.try(wrap(alone))
	if err == nil {
		return nil
	}
	at = at.field(fd)
	var found []culprit
	l := n.link(fd)
	switch {
	case l == nil || l.b == nil || reshapes(l):
	case fd.IsMap():
		for _, k := range sortedKeys(v.Map()) {
			one, inner := withEntry(m, fd, k, v.Map().Get(k))
			found = append(found, s.part(l.next, one, inner, wrap, fd.MapValue(), v.Map().Get(k), at.key(k))...)
		}
	case fd.IsList():
		for i := range v.List().Len() {
			one, inner := withElement(m, fd, v.List().Get(i))
			found = append(found, s.part(l.next, one, inner, wrap, fd, v.List().Get(i), at.index(i))...)
		}
	case fd.Message() != nil:
		found = s.message(l.next, v.Message(), func(x protoreflect.Message) *dynamicpb.Message {
			outer := m.New()
			outer.Set(fd, protoreflect.ValueOfMessage(x))
			return wrap(outer)
		}, at)
	}
	if len(found) == 0 {
		s.found++
		found = []culprit{{at, showField(fd, v), err}}
	}
	return found
}

// part looks in an element or an entry.
func (s *search) part(
	n *pair, one protoreflect.Message, inner, wrap wrapper,
	fd protoreflect.FieldDescriptor, v protoreflect.Value, at *place,
) []culprit {
	err := s.try(wrap(one))
	if err == nil {
		return nil
	}
	if fd.Message() != nil {
		found := s.message(n, v.Message(), func(x protoreflect.Message) *dynamicpb.Message { return wrap(inner(x)) },
			at)
		if len(found) > 0 {
			return found
		}
	}
	s.found++
	return []culprit{{at, showSingle(fd, v), err}}
}

// message looks in the fields of a message; n is nil where the reader has no such fields.
func (s *search) message(n *pair, m protoreflect.Message, wrap wrapper, at *place) []culprit {
	if n == nil {
		return nil
	}
	var found []culprit
	for _, fd := range populated(m) {
		found = append(found, s.field(n, m, fd, wrap, at)...)
	}
	return found
}

// withElement returns a message like m with a list of one element, and what puts another
// message in its place.
func withElement(
	m protoreflect.Message, fd protoreflect.FieldDescriptor, v protoreflect.Value,
) (protoreflect.Message, wrapper) {
	build := func(v protoreflect.Value) protoreflect.Message {
		one := m.New()
		one.Mutable(fd).List().Append(v)
		return one
	}
	return build(v), func(x protoreflect.Message) *dynamicpb.Message {
		return build(protoreflect.ValueOfMessage(x)).(*dynamicpb.Message)
	}
}

// withEntry is withElement for an entry of a map.
func withEntry(
	m protoreflect.Message, fd protoreflect.FieldDescriptor, k protoreflect.MapKey, v protoreflect.Value,
) (protoreflect.Message, wrapper) {
	build := func(v protoreflect.Value) protoreflect.Message {
		one := m.New()
		one.Mutable(fd).Map().Set(k, v)
		return one
	}
	return build(v), func(x protoreflect.Message) *dynamicpb.Message {
		return build(protoreflect.ValueOfMessage(x)).(*dynamicpb.Message)
	}
}
