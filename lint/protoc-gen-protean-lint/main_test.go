package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/pluginpb"
)

// newRequest asks for a file with a Struct in line 6.
func newRequest(parameter string) *pluginpb.CodeGeneratorRequest {
	return &pluginpb.CodeGeneratorRequest{
		FileToGenerate: []string{"acme/event.proto"}, Parameter: proto.String(parameter),
		ProtoFile: []*descriptorpb.FileDescriptorProto{
			protodesc.ToFileDescriptorProto(structpb.File_google_protobuf_struct_proto),
			{
				Name: proto.String("acme/event.proto"), Package: proto.String("acme"), Syntax: proto.String("proto3"),
				Dependency: []string{"google/protobuf/struct.proto"},
				MessageType: []*descriptorpb.DescriptorProto{{Name: proto.String("Event"),
					Field: []*descriptorpb.FieldDescriptorProto{{
						Name: proto.String("data"), Number: proto.Int32(1),
						Label:    descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
						Type:     descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(),
						TypeName: proto.String(".google.protobuf.Struct"),
					}}}},
				SourceCodeInfo: &descriptorpb.SourceCodeInfo{Location: []*descriptorpb.SourceCodeInfo_Location{
					{Path: []int32{4, 0, 2, 0}, Span: []int32{5, 2, 34}},
				}},
			},
		},
	}
}

func TestRespond(t *testing.T) {
	for _, tt := range []struct{ parameter, want string }{
		{"", "1 found\nacme/event.proto:6:3: field acme.Event.data is a google.protobuf.Struct: "},
		{"except=PROTEAN_ANY", "1 found\n"},
		{"except=PROTEAN_ANY,except=PROTEAN_STRUCT", ""},
		{"except=PROTEAN_STRUKT", `option "except=PROTEAN_STRUKT": there is no rule PROTEAN_STRUKT`},
		{"paths=source_relative", `unknown option "paths=source_relative"; there is except=ID`},
	} {
		got := respond(newRequest(tt.parameter))
		if tt.want == "" && got.Error != nil || !strings.HasPrefix(got.GetError(), tt.want) {
			t.Errorf("%q: %q, want %q", tt.parameter, got.GetError(), tt.want)
		}
	}
	missing := newRequest("")
	missing.FileToGenerate[0] = "nope.proto"
	if got := respond(missing).GetError(); got != "nope.proto is to be checked and not in the request" {
		t.Error(got)
	}
}

func TestRun(t *testing.T) {
	in, err := proto.Marshal(newRequest(""))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(bytes.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	response := new(pluginpb.CodeGeneratorResponse)
	if err := proto.Unmarshal(out.Bytes(), response); err != nil || response.Error == nil || len(response.File) > 0 {
		t.Errorf("%v, %v", response, err)
	}
	if err := run(strings.NewReader("not a request"), &out); err == nil ||
		!strings.HasPrefix(err.Error(), "standard input is no request of protoc: ") {
		t.Errorf("%v", err)
	}
}

// TestProtoc runs protoc with the plugin, where protoc is installed.
func TestProtoc(t *testing.T) {
	if _, err := exec.LookPath("protoc"); err != nil {
		t.Skip("protoc is not installed")
	}
	dir, bin := t.TempDir(), t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "protoc-gen-protean-lint"),
		".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const text = "syntax = \"proto3\";\nimport \"google/protobuf/any.proto\";\nmessage M { google.protobuf.Any any = 1; }\n"
	if err := os.WriteFile(filepath.Join(dir, "m.proto"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	protoc := func(options ...string) (int, string) {
		cmd := exec.Command("protoc", append(options, "--protean-lint_out=.", "m.proto")...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, _ := cmd.CombinedOutput()
		return cmd.ProcessState.ExitCode(), string(out)
	}
	if code, out := protoc(); code != 1 ||
		!strings.Contains(out, "\nm.proto:3:13: field M.any is a google.protobuf.Any: ") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if code, out := protoc("--protean-lint_opt=except=PROTEAN_ANY"); code != 0 || out != "" {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// Whatever the request holds gets an answer or an error.
func FuzzRun(f *testing.F) {
	in, err := proto.Marshal(newRequest("except=PROTEAN_ANY"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(in)
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		if err := run(bytes.NewReader(in), &out); (err == nil) == (out.Len() == 0) {
			t.Errorf("%v, and an answer of %d bytes", err, out.Len())
		}
	})
}
