package main

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	// The well-known types are linked, not generated.
	_ "google.golang.org/protobuf/types/known/anypb"
	_ "google.golang.org/protobuf/types/known/durationpb"
	_ "google.golang.org/protobuf/types/known/emptypb"
	_ "google.golang.org/protobuf/types/known/fieldmaskpb"
	_ "google.golang.org/protobuf/types/known/structpb"
	_ "google.golang.org/protobuf/types/known/timestamppb"
	_ "google.golang.org/protobuf/types/known/wrapperspb"
)

// wellKnown reports whether the official library holds the file.
func wellKnown(file string) bool {
	_, err := protoregistry.GlobalFiles.FindFileByPath(file)
	return err == nil
}

// withImports puts the well-known files before the others, each file once.
func withImports(files []*descriptorpb.FileDescriptorProto) []*descriptorpb.FileDescriptorProto {
	known := map[string]*descriptorpb.FileDescriptorProto{}
	protoregistry.GlobalFiles.RangeFiles(func(fd protoreflect.FileDescriptor) bool {
		known[fd.Path()] = protodesc.ToFileDescriptorProto(fd)
		return true
	})
	var all []*descriptorpb.FileDescriptorProto
	for _, f := range files {
		for _, dep := range f.Dependency {
			if k := known[dep]; k != nil && !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
	}
	for _, f := range files {
		if known[f.GetName()] == nil {
			all = append(all, f)
		}
	}
	return all
}

// prefixed returns copies of the files whose paths and packages begin with the name
// of the API, so that all can be linked into one program. The open API's copies keep
// their names.
func prefixed(files []*descriptorpb.FileDescriptorProto, api string) []*descriptorpb.FileDescriptorProto {
	var copies []*descriptorpb.FileDescriptorProto
	for _, f := range files {
		if wellKnown(f.GetName()) {
			continue
		}
		c := proto.CloneOf(f)
		if api != "open" {
			c.Name = proto.String(api + "/" + c.GetName())
			c.Package = proto.String(api + "." + c.GetPackage())
			rename(c.ProtoReflect(), "."+api)
		}
		copies = append(copies, c)
	}
	return copies
}

// rename puts the prefix before every reference to a type that is not well-known.
func rename(m protoreflect.Message, prefix string) {
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.Name() == "type_name" || fd.Name() == "extendee":
			if !strings.HasPrefix(v.String(), ".google.protobuf.") {
				m.Set(fd, protoreflect.ValueOfString(prefix+v.String()))
			}
		case fd.Message() == nil:
		case fd.IsList():
			for i := range v.List().Len() {
				rename(v.List().Get(i).Message(), prefix)
			}
		default:
			rename(v.Message(), prefix)
		}
		return true
	})
}
