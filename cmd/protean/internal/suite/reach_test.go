package suite

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// reachFiles are files in which much is not needed for much.
var reachFiles = map[string]string{
	"options.proto": `syntax = "proto3"; package o; import "google/protobuf/descriptor.proto";
		message Rule { string path = 1; }
		extend google.protobuf.FieldOptions { Rule rule = 50000; }`,
	"base.proto": `syntax = "proto2"; package b; import "options.proto";
		message Outer {
			message Inner { optional Color color = 1; enum Unused { U = 0; } }
			oneof which { Alone alone = 1; string text = 2; }
			optional string marked = 3 [(o.rule).path = "x"];
			extensions 100 to max;
			extend Open { optional Inner nested = 101; }
		}
		message Alone { optional Outer back = 1; }
		message Open { optional int32 id = 1; extensions 100 to max; }
		enum Color { RED = 0; }
		enum Other { OTHER = 0; }
		service S { rpc Call(Alone) returns (Alone); }`,
	"public.proto": `syntax = "proto3"; package p; import public "base.proto";`,
	"main.proto": `edition = "2023"; package m; import "public.proto"; import "options.proto";
		import "google/protobuf/timestamp.proto"; import "google/protobuf/struct.proto";
		message Main {
			map<string, b.Outer.Inner> by_name = 1 [(o.rule).path = "y"]; Main next = 2; google.protobuf.Timestamp at = 3;
		}
		message Leaf { int32 n = 1; }
		message Shell {
			option features.json_format = LEGACY_BEST_EFFORT; option deprecated = true;
			Leaf leaf = 1; message Kernel { int32 n = 1; } }
		message Data { google.protobuf.Struct data = 1; }`,
	"extend.proto": `syntax = "proto2"; package e; import "base.proto";
		message Load { optional string text = 1; } message Idle { optional string text = 1; }
		extend b.Open { optional Load load = 100; }
		extend b.Outer { optional Idle idle = 100; }`,
}

// declared lists the messages, enums and extensions of files.
func declared(fd protoreflect.FileDescriptor) []string {
	var names []string
	var collect func(d interface {
		Messages() protoreflect.MessageDescriptors
		Enums() protoreflect.EnumDescriptors
		Extensions() protoreflect.ExtensionDescriptors
	})
	collect = func(d interface {
		Messages() protoreflect.MessageDescriptors
		Enums() protoreflect.EnumDescriptors
		Extensions() protoreflect.ExtensionDescriptors
	}) {
		mds, eds, xds := d.Messages(), d.Enums(), d.Extensions()
		for i := range mds.Len() {
			md := mds.Get(i)
			name := string(md.FullName())
			if md.Fields().Len() == 0 {
				name += "{}"
			}
			names = append(names, name)
			collect(md)
		}
		for i := range eds.Len() {
			names = append(names, string(eds.Get(i).FullName()))
		}
		for i := range xds.Len() {
			names = append(names, "["+string(xds.Get(i).FullName())+"]")
		}
	}
	collect(fd)
	return names
}

func TestReachedSet(t *testing.T) {
	s := must(inlineSchema(reachFiles, nil, "main.proto", "extend.proto"))(t)
	for _, tt := range []struct{ roots, files, want string }{
		{"m.Leaf", "main.proto", "m.Leaf"},
		{"m.Shell.Kernel", "main.proto", "m.Shell{} m.Shell.Kernel"},
		{"m.Leaf m.Shell", "main.proto", "m.Leaf m.Shell"},
		{"m.Main", "base.proto google/protobuf/timestamp.proto main.proto",
			"b.Outer{} b.Outer.Inner b.Color m.Main m.Main.ByNameEntry"},
		{"b.Open", "base.proto extend.proto",
			"b.Outer{} b.Outer.Inner [b.Outer.nested] b.Open b.Color e.Load [e.load]"},
		{"b.Alone", "base.proto extend.proto", "b.Outer b.Alone e.Idle [e.idle]"},
		{"m.Data", "google/protobuf/struct.proto main.proto", "m.Data"},
		{"google.protobuf.Timestamp", "google/protobuf/timestamp.proto", ""},
	} {
		var roots []protoreflect.MessageDescriptor
		for name := range strings.FieldsSeq(tt.roots) {
			roots = append(roots, message(t, s, name))
		}
		set := s.ReachedSet(roots...)
		if got := fileNames(set); got != tt.files {
			t.Errorf("%s: files %s, want %s", tt.roots, got, tt.files)
		}
		files, err := protodesc.NewFiles(set)
		if err != nil {
			t.Errorf("%s: the set is not complete: %v", tt.roots, err)
			continue
		}
		var names []string
		for _, f := range set.File {
			if fd, err := files.FindFileByPath(f.GetName()); err == nil && !isWellKnownFile(f) {
				names = append(names, declared(fd)...)
			}
			if len(f.Service) > 0 {
				t.Errorf("%s: a service is left in %s", tt.roots, f.GetName())
			}
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.roots, got, tt.want)
		}
	}
}

// What encloses a declaration hands its features down, though it is not needed itself.
func TestReachedSetKeepsFeatures(t *testing.T) {
	s := must(inlineSchema(reachFiles, nil, "main.proto"))(t)
	got := s.ReachedSet(message(t, s, "m.Shell.Kernel")).File[0].MessageType[0].GetOptions()
	legacy := &descriptorpb.FeatureSet{JsonFormat: descriptorpb.FeatureSet_LEGACY_BEST_EFFORT.Enum()}
	want := &descriptorpb.MessageOptions{Features: legacy}
	if !proto.Equal(got, want) {
		t.Errorf("options %v, want %v", got, want)
	}
}

// The schema itself stays as it is.
func TestReachedSetIsTheCallersOwn(t *testing.T) {
	s := must(inlineSchema(reachFiles, nil, "main.proto"))(t)
	before := s.FileSet()
	s.ReachedSet(message(t, s, "m.Leaf"))
	after := s.FileSet()
	if !proto.Equal(before, after) {
		t.Error("the schema has changed")
	}
}
