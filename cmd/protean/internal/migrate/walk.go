package migrate

import (
	"cmp"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

// populated returns the fields that m has, in the order of their numbers.
func populated(m protoreflect.Message) []protoreflect.FieldDescriptor {
	var fds []protoreflect.FieldDescriptor
	m.Range(func(fd protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		fds = append(fds, fd)
		return true
	})
	slices.SortFunc(fds, func(a, b protoreflect.FieldDescriptor) int { return cmp.Compare(a.Number(), b.Number()) })
	return fds
}

// sortedKeys returns the keys of a map in the order of their text.
func sortedKeys(m protoreflect.Map) []protoreflect.MapKey {
	var keys []protoreflect.MapKey
	m.Range(func(k protoreflect.MapKey, _ protoreflect.Value) bool {
		keys = append(keys, k)
		return true
	})
	slices.SortFunc(keys, func(a, b protoreflect.MapKey) int { return cmp.Compare(a.String(), b.String()) })
	return keys
}

// eachMessage visits the messages in the fields of m until visit returns false.
func eachMessage(m protoreflect.Message, at *place, visit func(protoreflect.Message, *place) bool) {
	for _, fd := range populated(m) {
		if !eachMessageIn(fd, m.Get(fd), at.field(fd), visit) {
			return
		}
	}
}

func eachMessageIn(fd protoreflect.FieldDescriptor, v protoreflect.Value, at *place, visit func(protoreflect.Message, *place) bool) bool {
	switch {
	case fd.IsMap():
		if fd.MapValue().Message() == nil {
			return true
		}
		for _, k := range sortedKeys(v.Map()) {
			if !visit(v.Map().Get(k).Message(), at.key(k)) {
				return false
			}
		}
	case fd.Message() == nil:
	case fd.IsList():
		for i := range v.List().Len() {
			if !visit(v.List().Get(i).Message(), at.index(i)) {
				return false
			}
		}
	default:
		return visit(v.Message(), at)
	}
	return true
}

// dropUnknown takes the fields that the types lack out of m at every depth.
func dropUnknown(m protoreflect.Message) {
	m.SetUnknown(nil)
	eachMessage(m, nil, func(sub protoreflect.Message, _ *place) bool {
		dropUnknown(sub)
		return true
	})
}

// depthOf is how deep messages are nested in m on the wire, itself included; the entry of a map
// is a message too.
func depthOf(m protoreflect.Message) int {
	deepest := 0
	for _, fd := range populated(m) {
		extra := 0
		if fd.IsMap() {
			extra = 1
			deepest = max(deepest, 1)
		}
		eachMessageIn(fd, m.Get(fd), nil, func(sub protoreflect.Message, _ *place) bool {
			deepest = max(deepest, extra+depthOf(sub))
			return true
		})
	}
	return 1 + deepest
}

// hasUnknown reports whether m or a message in it has fields that its type lacks.
func hasUnknown(m protoreflect.Message) bool {
	found := len(m.GetUnknown()) > 0
	eachMessage(m, nil, func(sub protoreflect.Message, _ *place) bool {
		found = found || hasUnknown(sub)
		return !found
	})
	return found
}

// withoutAdded returns m without the fields that only the new schema knows, if it is the
// writer and a strict reader of JSON would refuse their names, and records that it would.
func (p *prover) withoutAdded(m *dynamicpb.Message, rec *recorder) *dynamicpb.Message {
	if !p.graph.hasAdded {
		return m
	}
	clone := proto.CloneOf(m)
	p.clearAdded(p.graph.root, clone, nil, rec)
	return clone
}

func (p *prover) clearAdded(n *pair, m protoreflect.Message, at *place, rec *recorder) {
	for _, fd := range populated(m) {
		l := n.link(fd)
		switch {
		case l == nil:
		case l.added:
			rec.record(at.field(fd), outcome{class: Same, wrote: showField(fd, m.Get(fd)), read: absent, why: addedJSON})
			m.Clear(fd)
		case l.next != nil && l.next.hasAdded:
			eachMessageIn(fd, m.Get(fd), at.field(fd), func(sub protoreflect.Message, at *place) bool {
				p.clearAdded(l.next, sub, at, rec)
				return true
			})
		}
	}
}

// Why a new field is no loss for an old reader.
const (
	addedBinary = "a new field, which old readers do not look for; kept among the unknown fields"
	addedJSON   = "a new field, which old readers do not look for; Go's protojson refuses its name unless DiscardUnknown is set"
)
