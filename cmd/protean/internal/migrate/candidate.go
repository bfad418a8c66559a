package migrate

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// A candidate is a schema in the making: the new one, changed so that it may be safe.
type candidate struct {
	set     *descriptorpb.FileDescriptorSet
	message string
	failed  bool // it cannot be made
}

func newCandidate(s *Side) *candidate {
	return &candidate{set: s.Schema.FileSet(), message: string(s.Message.FullName())}
}

// side links the candidate; nil if it cannot be.
func (c *candidate) side() *Side {
	if c.failed {
		return nil
	}
	s, err := NewSide(c.set, c.message)
	if err != nil {
		return nil
	}
	return s
}

// find returns a message and its file.
func (c *candidate) find(name protoreflect.FullName) (*descriptorpb.FileDescriptorProto, *descriptorpb.DescriptorProto) {
	for _, f := range c.set.File {
		rest, ok := strings.CutPrefix(string(name), f.GetPackage())
		if !ok {
			continue
		}
		ms := f.MessageType
		var found *descriptorpb.DescriptorProto
		for _, part := range strings.Split(strings.TrimPrefix(rest, "."), ".") {
			i := slices.IndexFunc(ms, func(m *descriptorpb.DescriptorProto) bool { return m.GetName() == part })
			if found = nil; i < 0 {
				break
			}
			found = ms[i]
			ms = found.NestedType
		}
		if found != nil {
			return f, found
		}
	}
	return nil, nil
}

// need has the file of a message import the file of another type, which comes from the other
// side if the set lacks it.
func (c *candidate) need(f *descriptorpb.FileDescriptorProto, d protoreflect.Descriptor) {
	if _, err := c.linked(d.FullName()); err != nil {
		file := d.ParentFile()
		if slices.ContainsFunc(c.set.File, func(x *descriptorpb.FileDescriptorProto) bool { return x.GetName() == file.Path() }) ||
			file.Imports().Len() > 0 {
			c.failed = true // both versions have the file, and only one the type
			return
		}
		c.set.File = append(c.set.File, protodesc.ToFileDescriptorProto(file))
	}
	for _, x := range c.set.File {
		if x.GetName() == d.ParentFile().Path() && x != f && !slices.Contains(f.Dependency, x.GetName()) {
			f.Dependency = append(f.Dependency, x.GetName())
		}
	}
}

// linked reports whether the set declares a type.
func (c *candidate) linked(name protoreflect.FullName) (protoreflect.Descriptor, error) {
	files, err := protodesc.FileOptions{AllowUnresolvable: true}.NewFiles(c.set)
	if err != nil {
		return nil, err
	}
	return files.FindDescriptorByName(name)
}

// free returns a number that neither version of a message uses.
func free(m *descriptorpb.DescriptorProto, others ...protoreflect.MessageDescriptor) int32 {
	highest := int32(0)
	for _, f := range m.Field {
		highest = max(highest, f.GetNumber())
	}
	for _, r := range m.ReservedRange {
		highest = max(highest, r.GetEnd()-1)
	}
	for _, r := range m.ExtensionRange {
		highest = max(highest, r.GetEnd()-1)
	}
	for _, md := range others {
		for i := range md.Fields().Len() {
			highest = max(highest, int32(md.Fields().Get(i).Number()))
		}
		for i := range md.ReservedRanges().Len() {
			highest = max(highest, int32(md.ReservedRanges().Get(i)[1]-1))
		}
	}
	switch n := highest + 1; {
	case n >= 19000 && n < 20000:
		return 20000
	default:
		return n
	}
}

// keep puts a field of the old version back into the new one. What the new version has under
// its number or its name moves to a free number, and to another name where it must. It
// returns what has moved, or nil.
func (c *candidate) keep(old protoreflect.FieldDescriptor, in protoreflect.MessageDescriptor) (moved *descriptorpb.FieldDescriptorProto) {
	file, m := c.find(in.FullName())
	if m == nil || old.IsExtension() || old.Kind() == protoreflect.GroupKind {
		c.failed = true
		return nil
	}
	field := protodesc.ToFieldDescriptorProto(old)
	// A synthetic oneof, and options, are more than the proof needs.
	field.OneofIndex, field.Proto3Optional, field.Options = nil, nil, nil
	c.needTypes(file, elementOf(old))
	dropReserved(m, field)
	for _, f := range m.Field {
		if f.GetNumber() != field.GetNumber() && f.GetName() != field.GetName() {
			continue
		}
		moved = f
		f.Number = proto.Int32(free(m, old.ContainingMessage(), in))
		if f.GetName() == field.GetName() {
			rename(in, m, f, field.GetName()+"_v2")
		}
	}
	if old.IsMap() {
		entry := protodesc.ToDescriptorProto(old.Message())
		field.TypeName = proto.String("." + string(in.FullName()) + "." + entry.GetName())
		m.NestedType = append(m.NestedType, entry)
	}
	m.Field = append(m.Field, field)
	return moved
}

// rename gives a field another name, and the entries of a map the name that follows from it.
func rename(in protoreflect.MessageDescriptor, m *descriptorpb.DescriptorProto, f *descriptorpb.FieldDescriptorProto, name string) {
	fd := in.Fields().ByName(protoreflect.Name(f.GetName()))
	f.Name, f.JsonName = proto.String(name), proto.String(jsonName(name))
	if fd == nil || !fd.IsMap() {
		return
	}
	for _, nested := range m.NestedType {
		if nested.GetName() == string(fd.Message().Name()) {
			nested.Name = proto.String(strings.ToUpper(name[:1]) + jsonName(name)[1:] + "Entry")
			f.TypeName = proto.String("." + string(in.FullName()) + "." + nested.GetName())
		}
	}
}

// needTypes has a file import what the type of a field is declared in.
func (c *candidate) needTypes(f *descriptorpb.FileDescriptorProto, fd protoreflect.FieldDescriptor) {
	if ed := fd.Enum(); ed != nil {
		c.need(f, ed)
	}
	if md := fd.Message(); md != nil {
		c.need(f, md)
	}
}

// dropReserved takes the number and the name of a field out of what is reserved.
func dropReserved(m *descriptorpb.DescriptorProto, f *descriptorpb.FieldDescriptorProto) {
	m.ReservedName = slices.DeleteFunc(m.ReservedName, func(s string) bool { return s == f.GetName() })
	m.ReservedRange = slices.DeleteFunc(m.ReservedRange, func(r *descriptorpb.DescriptorProto_ReservedRange) bool {
		return r.GetStart() <= f.GetNumber() && f.GetNumber() < r.GetEnd()
	})
}

// change changes the field of a name in the new version.
func (c *candidate) change(fd protoreflect.FieldDescriptor, edit func(*descriptorpb.FileDescriptorProto, *descriptorpb.DescriptorProto, *descriptorpb.FieldDescriptorProto)) {
	file, m := c.find(fd.ContainingMessage().FullName())
	if m == nil {
		c.failed = true
		return
	}
	for _, f := range m.Field {
		if f.GetName() == string(fd.Name()) {
			edit(file, m, f)
			return
		}
	}
	c.failed = true
}
