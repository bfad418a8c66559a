package proof

import "google.golang.org/protobuf/reflect/protoreflect"

// A place says what the schema knows of a value: the message of an object, or the field of which it is a value.
type place struct {
	path    string
	message protoreflect.MessageDescriptor // of an object, if it is one of the schema's
	field   protoreflect.FieldDescriptor   // of a list or map as a whole

	// The places below that were asked for, and how many more may be remembered at all.
	members map[string]*place
	each    *place // of all elements, or all entries
	left    *int
}

// maxPlaces is how many places are remembered.
const maxPlaces = 10000

// rootPlace is the place of a message.
func rootPlace(md protoreflect.MessageDescriptor) *place {
	left := maxPlaces
	return inMessage("$", md, &left)
}

// inMessage is the place of a value of a message type: nil for scalars, and nothing is known within Value and the like.
func inMessage(path string, md protoreflect.MessageDescriptor, left *int) *place {
	if md != nil && md.ParentFile().Package() == "google.protobuf" {
		md = nil
	}
	return &place{path: path, message: md, left: left}
}

// key is the place of a member.
func (p *place) key(key string) *place {
	switch {
	case p.field != nil && p.field.IsMap():
		return p.every("{}", p.field.MapValue().Message())
	case p.message == nil:
		return p.every("{}", nil)
	}
	if known := p.members[key]; known != nil {
		return known
	}
	path := p.path + "." + key
	fd := p.message.Fields().ByJSONName(key)
	if fd == nil {
		return &place{path: path, left: p.left}
	}
	m := inMessage(path, fd.Message(), p.left)
	if fd.IsList() || fd.IsMap() {
		m = &place{path: path, field: fd, left: p.left}
	}
	if p.remember() {
		if p.members == nil {
			p.members = map[string]*place{}
		}
		p.members[key] = m
	}
	return m
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
	m := inMessage(path, md, p.left)
	if p.remember() {
		p.each = m
	}
	return m
}

// maxPath is how long the path of a place may be below which places are remembered.
const maxPath = 1000

// remember reports whether a place below p is to be remembered.
func (p *place) remember() bool {
	if *p.left == 0 || len(p.path) > maxPath {
		return false
	}
	*p.left--
	return true
}
