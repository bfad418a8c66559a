package proof

import (
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/infer/adapt"
)

// A place says what the schema knows of a value: the message of an object, or the field of which it is a value.
type place struct {
	path    string
	message protoreflect.MessageDescriptor // of an object, if it is one of the schema's
	field   protoreflect.FieldDescriptor   // of a list or map as a whole

	// The places below that were asked for.
	members map[string]*place
	each    *place // of all elements, or all entries
	*places
}

// places are what the places of a schema share.
type places struct {
	adapter *adapt.Adapter // which knows messages that stand for lists and maps; nil without a schema
	left    int            // how many more places may be remembered
}

// maxPlaces is how many places are remembered.
const maxPlaces = 10000

// rootPlace is the place of a message.
func rootPlace(md protoreflect.MessageDescriptor, adapter *adapt.Adapter) *place {
	all := &places{adapter: adapter, left: maxPlaces}
	return all.inMessage("$", md)
}

// inMessage is the place of a value of a message type: nil for scalars, and nothing is known within Value and the like.
func (all *places) inMessage(path string, md protoreflect.MessageDescriptor) *place {
	p := &place{path: path, places: all}
	if md == nil || md.ParentFile().Package() == "google.protobuf" {
		return p
	}
	if p.field = all.adapter.Wrapped(md); p.field == nil {
		p.message = md
	}
	return p
}

// key is the place of a member. The function says what the string with a key is in the same object.
func (p *place) key(key string, text func(key string) (string, bool)) *place {
	switch {
	case p.field != nil && p.field.IsMap():
		return p.every("{}", p.field.MapValue().Message())
	case p.message == nil:
		return p.every("{}", nil)
	}
	path := p.path + "." + key
	if fd := p.adapter.Member(p.message, key, text); fd != nil {
		return p.ofField(path, fd) // not remembered, since the next object may have another string
	}
	if known := p.members[key]; known != nil {
		return known
	}
	fd := p.message.Fields().ByJSONName(key)
	if fd == nil {
		return &place{path: path, places: p.places}
	}
	m := p.ofField(path, fd)
	if p.remember() {
		if p.members == nil {
			p.members = map[string]*place{}
		}
		p.members[key] = m
	}
	return m
}

// ofField is the place of the value of a field.
func (all *places) ofField(path string, fd protoreflect.FieldDescriptor) *place {
	if fd.IsList() || fd.IsMap() {
		return &place{path: path, field: fd, places: all}
	}
	return all.inMessage(path, fd.Message())
}

// element is the place of the elements of an array.
func (p *place) element() *place {
	if p.field != nil && p.field.IsList() {
		return p.every("[]", p.field.Message())
	}
	return p.every("[]", nil)
}

// every is the place of all elements or entries.
func (p *place) every(mark string, md protoreflect.MessageDescriptor) *place {
	path := p.path + mark
	if p.each != nil && p.each.path == path {
		return p.each
	}
	m := p.inMessage(path, md)
	if p.remember() {
		p.each = m
	}
	return m
}

// maxPath is how long the path of a place may be below which places are remembered.
const maxPath = 1000

// remember reports whether a place below p is to be remembered.
func (p *place) remember() bool {
	if p.left == 0 || len(p.path) > maxPath {
		return false
	}
	p.left--
	return true
}
