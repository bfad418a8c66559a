package suite

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// names are full names of declarations.
type names = map[protoreflect.FullName]bool

// A reach is what messages of some types can hold: types and extensions, by full name.
type reach struct {
	messages, enums, extensions names
	// of lists the extensions of the schema by the message that they extend.
	of map[protoreflect.FullName][]protoreflect.ExtensionDescriptor
}

// reachOf walks what messages of the types can hold, at any depth, extensions of the whole
// schema included.
func (s *Schema) reachOf(roots []protoreflect.MessageDescriptor) *reach {
	r := &reach{
		messages:   make(names),
		enums:      make(names),
		extensions: make(names),
		of:         s.extensionsOf(),
	}
	for pending := slices.Clone(roots); len(pending) > 0; {
		md := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if r.messages[md.FullName()] {
			continue
		}
		r.messages[md.FullName()] = true
		for i := range md.Fields().Len() {
			pending = r.addType(pending, md.Fields().Get(i))
		}
		for _, xd := range r.of[md.FullName()] {
			r.extensions[xd.FullName()] = true
			pending = r.addType(pending, xd)
		}
	}
	return r
}

// addType adds the type of a field: an enum to the reach, a message to those to walk.
func (r *reach) addType(
	pending []protoreflect.MessageDescriptor, fd protoreflect.FieldDescriptor,
) []protoreflect.MessageDescriptor {
	if ed := fd.Enum(); ed != nil {
		r.enums[ed.FullName()] = true
	}
	if md := fd.Message(); md != nil {
		pending = append(pending, md)
	}
	return pending
}

// extensionsOf lists the extensions that files and messages declare, by the message that
// they extend.
func (s *Schema) extensionsOf() map[protoreflect.FullName][]protoreflect.ExtensionDescriptor {
	of := make(map[protoreflect.FullName][]protoreflect.ExtensionDescriptor)
	var collect func(protoreflect.ExtensionDescriptors, protoreflect.MessageDescriptors)
	collect = func(xds protoreflect.ExtensionDescriptors, mds protoreflect.MessageDescriptors) {
		for i := range xds.Len() {
			xd := xds.Get(i)
			of[xd.ContainingMessage().FullName()] = append(of[xd.ContainingMessage().FullName()], xd)
		}
		for i := range mds.Len() {
			collect(mds.Get(i).Extensions(), mds.Get(i).Messages())
		}
	}
	s.files.RangeFiles(func(fd protoreflect.FileDescriptor) bool {
		collect(fd.Extensions(), fd.Messages())
		return true
	})
	return of
}

// ReachedSet returns what messages of some types need of the schema: the files that
// declare a type or an extension that such a message can hold, without services and without
// other declarations. A message that only encloses the declaration of another is empty.
// Files below google/protobuf are whole. Dependencies come first; the caller owns the result.
func (s *Schema) ReachedSet(roots ...protoreflect.MessageDescriptor) *descriptorpb.FileDescriptorSet {
	r := s.reachOf(roots)
	needed := make(map[string]bool)
	for _, md := range roots {
		needed[md.ParentFile().Path()] = true
	}
	set := new(descriptorpb.FileDescriptorSet)
	// Backwards, each file comes after all that import it.
	for _, f := range slices.Backward(s.FileSet().File) {
		if !isWellKnownFile(f) {
			needed[f.GetName()] = r.prune(f)
			f.Dependency = s.importsOf(f)
		}
		if !needed[f.GetName()] {
			continue
		}
		for _, path := range f.Dependency {
			needed[path] = true
		}
		set.File = append(set.File, f)
	}
	slices.Reverse(set.File)
	return set
}

// isWellKnownFile reports whether every Protobuf library brings the file.
func isWellKnownFile(f *descriptorpb.FileDescriptorProto) bool {
	return strings.HasPrefix(f.GetName(), "google/protobuf/")
}

// importsOf returns the files, in order, that declare the types that f names.
func (s *Schema) importsOf(f *descriptorpb.FileDescriptorProto) []string {
	var paths []string
	fields := func(fs []*descriptorpb.FieldDescriptorProto) {
		for _, fd := range fs {
			for _, name := range []string{fd.GetTypeName(), fd.GetExtendee()} {
				d, err := s.files.FindDescriptorByName(protoreflect.FullName(strings.TrimPrefix(name, ".")))
				if err == nil && d.ParentFile().Path() != f.GetName() {
					paths = append(paths, d.ParentFile().Path())
				}
			}
		}
	}
	var messages func([]*descriptorpb.DescriptorProto)
	messages = func(ms []*descriptorpb.DescriptorProto) {
		for _, m := range ms {
			fields(m.Field)
			fields(m.Extension)
			messages(m.NestedType)
		}
	}
	fields(f.Extension)
	messages(f.MessageType)
	slices.Sort(paths)
	return slices.Compact(paths)
}

// prune leaves in a file what is reached, and none of its imports; false if that is nothing.
func (r *reach) prune(f *descriptorpb.FileDescriptorProto) bool {
	scope := protoreflect.FullName(f.GetPackage())
	f.Service = nil
	f.Dependency, f.PublicDependency, f.WeakDependency, f.OptionDependency = nil, nil, nil, nil
	f.MessageType = r.pruneMessages(f.MessageType, scope)
	f.EnumType = r.pruneEnums(f.EnumType, scope)
	f.Extension = r.pruneExtensions(f.Extension, scope)
	return len(f.MessageType)+len(f.EnumType)+len(f.Extension) > 0
}

func (r *reach) pruneMessages(
	ms []*descriptorpb.DescriptorProto, scope protoreflect.FullName,
) []*descriptorpb.DescriptorProto {
	return slices.DeleteFunc(ms, func(m *descriptorpb.DescriptorProto) bool { return !r.pruneMessage(m, scope) })
}

// pruneMessage leaves in a message what is reached; false if that is nothing, and the
// message is not reached itself.
func (r *reach) pruneMessage(m *descriptorpb.DescriptorProto, scope protoreflect.FullName) bool {
	name := member(scope, m.GetName())
	m.NestedType = r.pruneMessages(m.NestedType, name)
	m.EnumType = r.pruneEnums(m.EnumType, name)
	m.Extension = r.pruneExtensions(m.Extension, name)
	if r.messages[name] {
		return true
	}
	m.Field, m.OneofDecl, m.ExtensionRange = nil, nil, nil
	if m.Options != nil {
		// Features are for what is inside too.
		m.Options = &descriptorpb.MessageOptions{Features: m.Options.Features}
	}
	return len(m.NestedType)+len(m.EnumType)+len(m.Extension) > 0
}

func (r *reach) pruneEnums(
	es []*descriptorpb.EnumDescriptorProto, scope protoreflect.FullName,
) []*descriptorpb.EnumDescriptorProto {
	return slices.DeleteFunc(es, func(e *descriptorpb.EnumDescriptorProto) bool {
		return !r.enums[member(scope, e.GetName())]
	})
}

func (r *reach) pruneExtensions(
	xs []*descriptorpb.FieldDescriptorProto, scope protoreflect.FullName,
) []*descriptorpb.FieldDescriptorProto {
	return slices.DeleteFunc(xs, func(x *descriptorpb.FieldDescriptorProto) bool {
		return !r.extensions[member(scope, x.GetName())]
	})
}

// member returns the full name of what a package or message declares.
func member(scope protoreflect.FullName, name string) protoreflect.FullName {
	if scope == "" {
		return protoreflect.FullName(name)
	}
	return scope.Append(protoreflect.Name(name))
}
