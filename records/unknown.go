package records

import "google.golang.org/protobuf/reflect/protoreflect"

// HasUnknown reports whether m or a message in it has fields that its type has not got.
func HasUnknown(m protoreflect.Message) bool { return unknownSearch{}.in(m) }

// An unknownSearch finds unknown fields. It remembers of each message type which fields hold messages: looking at all
// of a message's fields would take as long as decoding them.
type unknownSearch map[protoreflect.MessageDescriptor][]protoreflect.FieldDescriptor

func (s unknownSearch) in(m protoreflect.Message) bool {
	if len(m.GetUnknown()) > 0 {
		return true
	}
	md := m.Descriptor()
	if md.ExtensionRanges().Len() > 0 { // whose fields only m knows
		found := false
		m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
			found = holdsMessages(fd) && s.inField(fd, v)
			return !found
		})
		return found
	}
	fields, ok := s[md]
	if !ok {
		fields = messageFields(md)
		s[md] = fields
	}
	for _, fd := range fields {
		if m.Has(fd) && s.inField(fd, m.Get(fd)) {
			return true
		}
	}
	return false
}

// messageFields are the fields of a type that hold messages.
func messageFields(md protoreflect.MessageDescriptor) []protoreflect.FieldDescriptor {
	var out []protoreflect.FieldDescriptor
	for i := range md.Fields().Len() {
		if fd := md.Fields().Get(i); holdsMessages(fd) {
			out = append(out, fd)
		}
	}
	return out
}

func holdsMessages(fd protoreflect.FieldDescriptor) bool {
	if fd.IsMap() {
		fd = fd.MapValue()
	}
	return fd.Message() != nil
}

// inField searches the value of a field that holds messages.
func (s unknownSearch) inField(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
	found := false
	switch {
	case fd.IsMap():
		v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
			found = s.in(v.Message())
			return !found
		})
	case fd.IsList():
		for i := 0; i < v.List().Len() && !found; i++ {
			found = s.in(v.List().Get(i).Message())
		}
	default:
		found = s.in(v.Message())
	}
	return found
}
