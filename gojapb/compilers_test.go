package gojapb

import (
	"strings"
	"testing"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/proto"
)

// imageField is what buf writes into each file of an image: field 8042 of FileDescriptorProto, which that has not got.
var imageField = protowire.AppendBytes(protowire.AppendTag(nil, 8042, protowire.BytesType), []byte{8, 1, 24, 0})

// compilers are what compilers write into a file beside what it declares.
var compilers = map[string]func(*descriptorpb.FileDescriptorProto){
	"buf's field of an image": func(f *descriptorpb.FileDescriptorProto) { f.ProtoReflect().SetUnknown(imageField) },
	"unknown fields everywhere": func(f *descriptorpb.FileDescriptorProto) {
		f.ProtoReflect().SetUnknown(imageField)
		for _, m := range f.MessageType {
			m.ProtoReflect().SetUnknown(imageField)
			for _, field := range m.Field {
				field.ProtoReflect().SetUnknown(imageField)
			}
		}
	},
	"custom options": func(f *descriptorpb.FileDescriptorProto) {
		f.Options = new(descriptorpb.FileOptions)
		f.Options.ProtoReflect().SetUnknown(imageField)
		f.MessageType[0].Options = new(descriptorpb.MessageOptions)
		f.MessageType[0].Options.ProtoReflect().SetUnknown(imageField)
		f.MessageType[0].Field[0].Options = new(descriptorpb.FieldOptions)
		f.MessageType[0].Field[0].Options.ProtoReflect().SetUnknown(imageField)
	},
	"options for the source alone": func(f *descriptorpb.FileDescriptorProto) {
		m := f.MessageType[0]
		m.Options = &descriptorpb.MessageOptions{Features: &descriptorpb.FeatureSet{
			EnforceNamingStyle: descriptorpb.FeatureSet_STYLE2024.Enum(),
		}}
	},
	"empty options": func(f *descriptorpb.FileDescriptorProto) {
		f.MessageType[0].Options = new(descriptorpb.MessageOptions)
		f.MessageType[0].Field[0].Options = new(descriptorpb.FieldOptions)
	},
	"comments": func(f *descriptorpb.FileDescriptorProto) {
		f.SourceCodeInfo = &descriptorpb.SourceCodeInfo{Location: []*descriptorpb.SourceCodeInfo_Location{{
			Path: []int32{4, 0}, Span: []int32{1, 2, 3}, LeadingComments: proto.String("A comment."),
		}}}
	},
	"no JSON names": func(f *descriptorpb.FileDescriptorProto) {
		for _, field := range f.MessageType[0].Field {
			field.JsonName = nil
		}
	},
	"no options of the file": func(f *descriptorpb.FileDescriptorProto) { f.Options = nil },
}

// differences are changes of what a file declares.
var differences = map[string]func(*descriptorpb.FileDescriptorProto){
	"name":   func(f *descriptorpb.FileDescriptorProto) { f.MessageType[0].Field[0].Name = proto.String("other") },
	"number": func(f *descriptorpb.FileDescriptorProto) { f.MessageType[0].Field[0].Number = proto.Int32(99) },
	"type": func(f *descriptorpb.FileDescriptorProto) {
		f.MessageType[0].Field[0].Type = descriptorpb.FieldDescriptorProto_TYPE_BYTES.Enum()
	},
	"label": func(f *descriptorpb.FileDescriptorProto) {
		f.MessageType[0].Field[0].Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
	},
	"JSON":    func(f *descriptorpb.FileDescriptorProto) { f.MessageType[0].Field[0].JsonName = proto.String("other") },
	"removed": func(f *descriptorpb.FileDescriptorProto) { f.MessageType[0].Field = f.MessageType[0].Field[1:] },
	"message": func(f *descriptorpb.FileDescriptorProto) {
		f.MessageType = append(f.MessageType, &descriptorpb.DescriptorProto{Name: proto.String("Another")})
	},
	"package": func(f *descriptorpb.FileDescriptorProto) { f.Package = proto.String("other") },
	"syntax":  func(f *descriptorpb.FileDescriptorProto) { f.Syntax = nil },
	"option": func(f *descriptorpb.FileDescriptorProto) {
		f.MessageType[0].Field[0].Options = &descriptorpb.FieldOptions{Deprecated: proto.Bool(true)}
	},
}

// linked are files that the program has linked: one that scripts' schemas import, and one with fields of all kinds.
var linked = []protoreflect.FileDescriptor{
	timestamppb.File_google_protobuf_timestamp_proto,
	new(benchpb.Order).ProtoReflect().Descriptor().ParentFile(),
}

// TestLoadOfOtherCompilers loads files that are linked, as other compilers write them: the types stay those that are
// linked. What declares something else is a conflict.
func TestLoadOfOtherCompilers(t *testing.T) {
	m, err := New(goja.New())
	if err != nil {
		t.Fatal(err)
	}
	load := func(fd protoreflect.FileDescriptor, change func(*descriptorpb.FileDescriptorProto)) ([]string, error) {
		file := protodesc.ToFileDescriptorProto(fd)
		change(file)
		b, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{file}})
		if err != nil {
			t.Fatal(err)
		}
		return m.LoadDescriptorSetBytes(b)
	}
	before := m.schema
	for _, fd := range linked {
		for name, change := range compilers {
			names, err := load(fd, change)
			if err != nil || len(names) < fd.Messages().Len() || m.schema != before {
				t.Errorf("%s, %s: %v, error %v", fd.Path(), name, names, err)
			}
		}
		for name, change := range differences {
			_, err := load(fd, change)
			if err == nil || !strings.Contains(err.Error(), fd.Path()+" conflicts with the file") ||
				m.schema != before {
				t.Errorf("%s, another %s: error %v", fd.Path(), name, err)
			}
		}
	}
}

// TestLoadOfOtherDescriptorProto loads a set with a later version of the schema of descriptors, as each compiler has
// its own, and with a file that adds custom options to it.
func TestLoadOfOtherDescriptorProto(t *testing.T) {
	m, err := New(goja.New())
	if err != nil {
		t.Fatal(err)
	}
	later := protodesc.ToFileDescriptorProto(descriptorpb.File_google_protobuf_descriptor_proto)
	later.MessageType = append(later.MessageType, &descriptorpb.DescriptorProto{Name: proto.String("Later")})
	options := &descriptorpb.FileDescriptorProto{
		Name: proto.String("own_options.proto"), Package: proto.String("own.options"), Syntax: proto.String("proto3"),
		Dependency: []string{"google/protobuf/descriptor.proto"},
		Extension: []*descriptorpb.FieldDescriptorProto{{
			Name: proto.String("note"), Number: proto.Int32(50000),
			Extendee: proto.String(".google.protobuf.FieldOptions"),
			Type:     descriptorpb.FieldDescriptorProto_TYPE_STRING.Enum(),
			Label:    descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
		}},
	}
	b, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{later, options}})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := m.LoadDescriptorSetBytes(b); err != nil {
			t.Fatal(err)
		}
	}
	var want protoreflect.Descriptor = new(descriptorpb.FieldOptions).ProtoReflect().Descriptor()
	if d, err := m.FindDescriptor(want.FullName()); err != nil || d != want {
		t.Errorf("%v, error %v, want what is linked", d, err)
	}
	if _, err := m.FindDescriptor("own.options.note"); err != nil {
		t.Error(err)
	}
}
