package jstypes

import (
	"cmp"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// withImports returns the files and all that they import, sorted by path.
func withImports(files []protoreflect.FileDescriptor) []protoreflect.FileDescriptor {
	seen := make(map[string]bool)
	var all []protoreflect.FileDescriptor
	todo := slices.Clone(files)
	for len(todo) > 0 {
		fd := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[fd.Path()] {
			continue
		}
		seen[fd.Path()] = true
		all = append(all, fd)
		for i := range fd.Imports().Len() {
			todo = append(todo, fd.Imports().Get(i).FileDescriptor)
		}
	}
	slices.SortFunc(all, func(a, b protoreflect.FileDescriptor) int { return strings.Compare(a.Path(), b.Path()) })
	return all
}

// A reach is the set of messages and enums that are declared.
type reach struct {
	types      map[protoreflect.FullName]bool
	known      func(protoreflect.Descriptor) bool // what is declared elsewhere
	extensions map[protoreflect.FullName][]protoreflect.ExtensionDescriptor
}

func newReach(files []protoreflect.FileDescriptor, known func(protoreflect.Descriptor) bool) *reach {
	r := &reach{
		types:      make(map[protoreflect.FullName]bool),
		known:      known,
		extensions: make(map[protoreflect.FullName][]protoreflect.ExtensionDescriptor),
	}
	for _, fd := range files {
		r.addExtensions(fd)
	}
	for _, list := range r.extensions {
		slices.SortFunc(list, func(a,
			b protoreflect.ExtensionDescriptor) int {
			return cmp.Compare(a.Number(), b.Number())
		})
	}
	return r
}

// A scope is a file or a message.
type scope interface {
	Enums() protoreflect.EnumDescriptors
	Messages() protoreflect.MessageDescriptors
	Extensions() protoreflect.ExtensionDescriptors
}

func (r *reach) addExtensions(s scope) {
	for i := range s.Extensions().Len() {
		xd := s.Extensions().Get(i)
		extended := xd.ContainingMessage().FullName()
		r.extensions[extended] = append(r.extensions[extended], xd)
	}
	for i := range s.Messages().Len() {
		r.addExtensions(s.Messages().Get(i))
	}
}

// declared adds all that a file or a message declares at any depth.
func (r *reach) declared(s scope) {
	for i := range s.Enums().Len() {
		r.enum(s.Enums().Get(i))
	}
	for i := range s.Messages().Len() {
		if md := s.Messages().Get(i); !md.IsMapEntry() {
			r.message(md)
			r.declared(md)
		}
	}
}

// message adds a message and all that it reaches.
func (r *reach) message(md protoreflect.MessageDescriptor) {
	if r.types[md.FullName()] || r.known(md) {
		return
	}
	r.types[md.FullName()] = true
	for i := range md.Fields().Len() {
		r.field(md.Fields().Get(i))
	}
	for _, xd := range r.extensions[md.FullName()] {
		r.field(xd)
	}
}

func (r *reach) field(fd protoreflect.FieldDescriptor) {
	if fd.IsMap() {
		fd = fd.MapValue()
	}
	if fd.Message() != nil {
		r.message(fd.Message())
	}
	if fd.Enum() != nil {
		r.enum(fd.Enum())
	}
}

func (r *reach) enum(ed protoreflect.EnumDescriptor) {
	if !r.known(ed) {
		r.types[ed.FullName()] = true
	}
}

// inModule reports whether the module's own declarations have a type.
func inModule(d protoreflect.Descriptor) bool {
	name, ok := strings.CutPrefix(string(d.FullName()), "google.protobuf.")
	return ok && slices.Contains(moduleTypes, name)
}

// moduleTypes are the types of package google.protobuf in gojapb/protobuf.d.ts.
var moduleTypes = []string{
	"Any", "Duration", "Empty", "FieldMask", "Timestamp",
	"Struct", "Value", "ListValue", "NullValue",
	"BoolValue", "BytesValue", "DoubleValue", "FloatValue", "Int32Value", "Int64Value", "StringValue", "UInt32Value",
	"UInt64Value",
}
