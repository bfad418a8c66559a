package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// event is the schema that the program in docs/gojapb.md loads, as a descriptor set without what it imports.
const event = `{"file": [{
	"name": "api/event.proto", "package": "acme.v1", "syntax": "proto3", "dependency": ["google/protobuf/timestamp.proto"],
	"messageType": [{"name": "Event", "field": [
		{"name": "id", "number": 1, "type": "TYPE_STRING", "label": "LABEL_OPTIONAL"},
		{"name": "at", "number": 2, "type": "TYPE_MESSAGE", "typeName": ".google.protobuf.Timestamp", "label": "LABEL_OPTIONAL"},
		{"name": "account", "number": 3, "type": "TYPE_INT64", "label": "LABEL_OPTIONAL"},
		{"name": "tags", "number": 4, "type": "TYPE_STRING", "label": "LABEL_REPEATED"},
		{"name": "amount", "number": 5, "type": "TYPE_DOUBLE", "label": "LABEL_OPTIONAL", "proto3Optional": true, "oneofIndex": 0}
	], "oneofDecl": [{"name": "_amount"}]}]
}]}`

// Example_buf runs the program on what buf build -o writes: an image, each file of which has a field
// that FileDescriptorProto has not got.
func Example_buf() {
	run(func(file *descriptorpb.FileDescriptorProto) {
		file.ProtoReflect().SetUnknown(protowire.AppendBytes(protowire.AppendTag(nil, 8042, protowire.BytesType), nil))
	})
	// Output: {"id":"evt_1","at":"1970-01-01T00:00:00Z","account":"81723","tags":["web","eu"],"amount":12.5}
}

// Example_protoc runs it on what protoc --include_imports -o writes: fields have their names in JSON.
func Example_protoc() {
	run(func(file *descriptorpb.FileDescriptorProto) {
		for _, message := range file.MessageType {
			for _, field := range message.Field {
				field.JsonName = proto.String(field.GetName()) // none of these has an underscore
			}
		}
	})
	// Output: {"id":"evt_1","at":"1970-01-01T00:00:00Z","account":"81723","tags":["web","eu"],"amount":12.5}
}

// run runs the program in a folder with the schema, as a compiler writes it that adds something to each
// file.
func run(add func(*descriptorpb.FileDescriptorProto)) {
	set := new(descriptorpb.FileDescriptorSet)
	if err := protojson.Unmarshal([]byte(event), set); err != nil {
		panic(err)
	}
	// What is imported comes first.
	imported := protodesc.ToFileDescriptorProto(timestamppb.File_google_protobuf_timestamp_proto)
	set.File = append([]*descriptorpb.FileDescriptorProto{imported}, set.File...)
	for _, file := range set.File {
		add(file)
	}
	b, err := proto.Marshal(set)
	if err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "event.binpb"), b, 0o666); err != nil {
		panic(err)
	}
	before, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	if err := os.Chdir(dir); err != nil {
		panic(err)
	}
	main()
	if err := os.Chdir(before); err != nil {
		panic(err)
	}
}

// TestDocumentation holds the program in docs/gojapb.md against this one.
func TestDocumentation(t *testing.T) {
	document, err := os.ReadFile("../../docs/gojapb.md")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	_, body, ok := strings.Cut(string(program), "package main\n")
	if !ok || !strings.Contains(string(document), "package main\n"+body+"```") {
		t.Error("docs/gojapb.md has another program")
	}
}
