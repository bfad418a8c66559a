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

// event is the schema in the README, as a descriptor set without what it imports.
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

func Example() {
	set := new(descriptorpb.FileDescriptorSet)
	if err := protojson.Unmarshal([]byte(event), set); err != nil {
		panic(err)
	}
	set.File = append(set.File, protodesc.ToFileDescriptorProto(timestamppb.File_google_protobuf_timestamp_proto))
	for _, file := range set.File { // as buf does, where FileDescriptorProto has no such field
		file.ProtoReflect().SetUnknown(protowire.AppendBytes(protowire.AppendTag(nil, 8042, protowire.BytesType), nil))
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
	defer os.Chdir(before)
	main()
	// Output: {"id":"evt_1","at":"1970-01-01T00:00:00Z","account":"81723","tags":["web","eu"],"amount":12.5}
}

// TestReadme holds the program in the README against this one.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	_, body, ok := strings.Cut(string(program), "package main\n")
	if !ok || !strings.Contains(string(readme), "package main\n"+body+"```") {
		t.Error("README.md has another program")
	}
}
