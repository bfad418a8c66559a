package suite

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// takeMessageSets makes the message sets of files empty messages without extensions, and
// returns their full names. The official library links no file that has one in it, and
// generates no code for it; a schema may have some that have nothing to do with the data.
func takeMessageSets(files []*descriptorpb.FileDescriptorProto) names {
	sets := make(names)
	for _, f := range files {
		takeMessageSetsIn(f.MessageType, protoreflect.FullName(f.GetPackage()), sets)
	}
	if len(sets) == 0 {
		return nil
	}
	for _, f := range files {
		f.Extension = withoutExtensionsOf(sets, f.Extension)
		dropExtensionsOf(sets, f.MessageType)
	}
	return sets
}

func takeMessageSetsIn(ms []*descriptorpb.DescriptorProto, scope protoreflect.FullName, sets names) {
	for _, m := range ms {
		name := member(scope, m.GetName())
		if m.GetOptions().GetMessageSetWireFormat() {
			sets[name] = true
			m.Options.MessageSetWireFormat = nil
			m.ExtensionRange, m.ReservedRange = nil, nil // which go beyond what a message may have
		}
		takeMessageSetsIn(m.NestedType, name, sets)
	}
}

func dropExtensionsOf(sets names, ms []*descriptorpb.DescriptorProto) {
	for _, m := range ms {
		m.Extension = withoutExtensionsOf(sets, m.Extension)
		dropExtensionsOf(sets, m.NestedType)
	}
}

func withoutExtensionsOf(sets names, xs []*descriptorpb.FieldDescriptorProto) []*descriptorpb.FieldDescriptorProto {
	return slices.DeleteFunc(xs, func(x *descriptorpb.FieldDescriptorProto) bool {
		return sets[protoreflect.FullName(strings.TrimPrefix(x.GetExtendee(), "."))]
	})
}

// checkMessageSets refuses a message that is or can hold a message set.
func (s *Schema) checkMessageSets(md protoreflect.MessageDescriptor) error {
	if len(s.messageSets) == 0 {
		return nil
	}
	const unsupported = "the Protobuf library for Go does not support the message set wire format"
	if s.messageSets[md.FullName()] {
		return usererr.Errorf(md.ParentFile().Path(), "message %s is a message set: %s", md.FullName(), unsupported)
	}
	var inside []string
	for name := range s.reachOf([]protoreflect.MessageDescriptor{md}).messages {
		if s.messageSets[name] {
			inside = append(inside, string(name))
		}
	}
	if len(inside) == 0 {
		return nil
	}
	slices.Sort(inside)
	return usererr.Errorf(md.ParentFile().Path(), "message %s can hold the message set %s: %s",
		md.FullName(), listed(inside), unsupported)
}
