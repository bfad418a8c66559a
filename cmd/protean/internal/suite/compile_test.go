package suite

import (
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

const (
	partProto  = `syntax = "proto3"; package part; message Part { string id = 1; }`
	eventProto = `syntax = "proto3";
package event;
import "part/part.proto";
message Event { part.Part part = 1; }
`
)

// Files are found and named as the user would expect, with import paths or without.
func TestImportPaths(t *testing.T) {
	dir := inDir(t, map[string]string{
		"api/event/event.proto": eventProto,
		"api/part/part.proto":   partProto,
		"part/part.proto":       partProto,
		"event.proto":           eventProto,
		"event/local.proto":     `syntax = "proto3"; package local; import "event/other.proto"; message Local { Other o = 1; }`,
		"event/other.proto":     `syntax = "proto3"; package local; message Other {}`,
	})
	for _, tt := range []struct {
		name   string
		protos []string
		paths  []string
		want   string
	}{
		{"below the working directory", []string{"event/local.proto"}, nil, "event/local.proto"},
		{"in the working directory", []string{"./event.proto"}, nil, "event.proto"},
		{"below an import path", []string{"api/event/event.proto"}, []string{"api"}, "event/event.proto"},
		{"the longest import path wins", []string{"api/event/event.proto"}, []string{".", "api/event", "api"},
			"event.proto"},
		{"import path with a slash", []string{"api/event/event.proto"}, []string{"./api/"}, "event/event.proto"},
		{"absolute file, relative import path", []string{filepath.Join(dir, "api/event/event.proto")}, []string{"api"},
			"event/event.proto"},
		{"relative file, absolute import path", []string{"api/event/event.proto"}, []string{filepath.Join(dir, "api")},
			"event/event.proto"},
		{"outside every import path", []string{"event.proto"}, []string{"api"}, "event.proto"},
		{"named as imports have it", []string{"event/event.proto"}, []string{"api"}, "event/event.proto"},
		{"twice the same file", []string{"event.proto", "./event.proto"}, nil, "event.proto"},
		{"built in", []string{"google/protobuf/duration.proto"}, nil, "google/protobuf/duration.proto"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := must(ParseSchema(tt.protos, tt.paths))(t)
			if len(s.roots) != 1 || s.roots[0] != tt.want {
				t.Errorf("known as %v, want %s", s.roots, tt.want)
			}
		})
	}
}

// An import path of a sibling whose name begins alike is not a parent.
func TestSiblingIsNotParent(t *testing.T) {
	inDir(t, map[string]string{"api2/event.proto": partProto})
	s := must(ParseSchema([]string{"api2/event.proto"}, []string{"api"}))(t)
	if s.roots[0] != "event.proto" {
		t.Errorf("known as %s, want event.proto", s.roots[0])
	}
}

func TestParseErrors(t *testing.T) {
	const badTypes = "api/type.proto:3:3: field A.m: unknown type Missing\n" +
		"api/type.proto:4:3: field A.o: unknown type Other"
	inDir(t, map[string]string{
		"api/event.proto":  "syntax = \"proto3\";\n\n\n\nimport \"x/y.proto\";\n",
		"api/syntax.proto": "syntax = \"proto3\";\nmessage A {\n  int32 a = 1\n  strin b = ;\n}\nmessage {",
		"api/type.proto":   "syntax = \"proto3\";\nmessage A {\n  Missing m = 1;\n  Other o = 2;\n}\n",
		"api/number.proto": "syntax = \"proto3\";\nmessage A {\n  int32 a = 1;\n  int32 b = 1;\n}\n",
		"api/cycle.proto":  "syntax = \"proto3\";\nimport \"cycle.proto\";\n",
		"api/bad.proto":    "syntax = \"proto3\";\nimport \"type.proto\";\nmessage B {}\n",
		"a/same.proto":     partProto,
		"b/same.proto":     partProto,
		"clash1.proto":     `syntax = "proto3"; message A {}`,
		"clash2.proto":     `syntax = "proto3"; message A {}`,
		"empty.proto":      "",
		"latin1.proto":     "syntax = \"proto3\"; // caf\xe9\nmessage A {}",
	})
	for _, tt := range []struct {
		protos, paths []string
		want          string
	}{
		{nil, nil, "no .proto files"},
		{[]string{"api/nope.proto"}, nil, "api/nope.proto: no such file"},
		{[]string{"api/nope.proto"}, []string{"api", "a"}, "api/nope.proto: no such file"},
		{[]string{"api"}, nil, "api: is a directory"},
		{[]string{"api/event.proto"}, []string{".", "third_party"},
			`api/event.proto:5:8: import "x/y.proto" not found; searched: ., third_party`},
		{[]string{"api/event.proto"}, nil, `api/event.proto:5:8: import "x/y.proto" not found; searched: .`},
		{[]string{"api/syntax.proto"}, nil, "api/syntax.proto:4:3: syntax error: expecting ';'\n" +
			"api/syntax.proto:4:13: syntax error: unexpected ';', expecting int literal"},
		{[]string{"api/type.proto"}, nil, badTypes},
		{[]string{"api/type.proto"}, []string{"api"}, badTypes},
		{[]string{"api/bad.proto"}, []string{"api"}, badTypes},
		{[]string{"api/number.proto"}, nil,
			`api/number.proto:4:13: message A: fields a and b both have the same tag 1`},
		{[]string{"api/cycle.proto"}, []string{"api"},
			`api/cycle.proto:2:8: cycle found in imports: "cycle.proto" -> "cycle.proto"`},
		{[]string{"a/same.proto", "b/same.proto"}, []string{"a", "b"},
			"b/same.proto: has the same name in imports, same.proto, as a/same.proto"},
	} {
		// The compiler is concurrent; the answer must not be.
		for range 5 {
			_, err := ParseSchema(tt.protos, tt.paths)
			wantError(t, err, tt.want)
		}
	}
	if _, err := ParseSchema([]string{"clash1.proto", "clash2.proto"}, nil); err == nil {
		t.Error("two messages of one name: no error")
	}
	for _, ok := range []string{"empty.proto", "latin1.proto"} {
		if _, err := ParseSchema([]string{ok}, nil); err != nil {
			t.Logf("%s: %v", ok, err)
		}
	}
}

// All errors of all files are told of at once, whichever file imports which: those of the
// user's own files first, and no more than people read.
func TestAllParseErrors(t *testing.T) {
	inDir(t, map[string]string{
		"main.proto": "syntax = \"proto3\";\nimport \"b.proto\";\nimport \"a.proto\";\n" +
			"import \"none.proto\";\nmessage Main {}\n",
		"a.proto": "syntax = \"proto3\";\nimport \"c.proto\";\nmessage A {\n  string x = 1\n}\n",
		"b.proto": "syntax = \"proto3\";\nimport \"c.proto\";\n" +
			"message B {\n  Missing x = 1;\n  C c = 2;\n  int32 y = 1;\n}\n",
		"c.proto":     "syntax = \"proto3\";\nmessage C {\n  int32 n = 1;\n  int32 m = 1;\n}\n",
		"z.proto":     "syntax = \"proto3\";\nmessage Z {\n  Gone g = 1;\n}\n",
		"many.proto":  "syntax = \"proto3\";\nmessage Many {\n" + strings.Repeat("  Gone g = 1\n", 12) + "}\n",
		"other.proto": "syntax = \"proto3\";\nmessage Other {\n  Gone g = 1;\n}\n",
	})
	for range 5 {
		_, err := ParseSchema([]string{"z.proto", "main.proto"}, nil)
		wantError(t, err, `z.proto:3:3: field Z.g: unknown type Gone
main.proto:4:8: import "none.proto" not found; searched: .
a.proto:5:1: syntax error: expecting ';'
b.proto:6:13: message B: fields x and y both have the same tag 1
c.proto:4:13: message C: fields n and m both have the same tag 1`)
	}
	_, err := ParseSchema([]string{"many.proto", "other.proto"}, nil)
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	if last := lines[len(lines)-1]; len(lines) != usererr.MaxListed+1 || last != "and 3 more errors" {
		t.Errorf("%d lines, the last %q", len(lines), last)
	}
}

// An edition that the compiler does not know is one line for each file, with what to do.
func TestNewerEdition(t *testing.T) {
	inDir(t, map[string]string{
		"old.proto": `edition = "2023"; import "new.proto"; message Old { n.New new = 1; Gone gone = 2; }`,
		"new.proto": "edition = \"2024\";\npackage n;\nimport option \"google/protobuf/go_features.proto\";\n" +
			"export message New { int32 a = 1; }\nlocal enum E { U = 0; }\n",
	})
	_, err := ParseSchema([]string{"old.proto"}, nil)
	wantError(t, err, "new.proto:1:11: edition 2024 is not supported in sources, which go up to 2023: "+
		"compile them with protoc or buf, and give --descriptor-set")
}

// A descriptor set may be of a newer edition than sources.
func TestNewerEditionOfDescriptorSet(t *testing.T) {
	f := &descriptorpb.FileDescriptorProto{
		Name: proto.String("new.proto"), Package: proto.String("n"), Syntax: proto.String("editions"),
		Edition:          descriptorpb.Edition_EDITION_2024.Enum(),
		OptionDependency: []string{"google/protobuf/go_features.proto"},
		MessageType: []*descriptorpb.DescriptorProto{{
			Name: proto.String("New"), Visibility: descriptorpb.SymbolVisibility_VISIBILITY_EXPORT.Enum(),
			Field: []*descriptorpb.FieldDescriptorProto{{
				Name: proto.String("id"), JsonName: proto.String("id"), Number: proto.Int32(1),
				Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
				Type:  descriptorpb.FieldDescriptorProto_TYPE_STRING.Enum(),
			}},
		}},
	}
	set := &descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{f}}
	inDir(t, map[string]string{"set.binpb": string(must(proto.Marshal(set))(t))})
	src := Source{DescriptorSet: "set.binpb", Data: []string{Stdin}, Stdin: strings.NewReader(`{"id":"a"}`)}
	s := must(Load(src))(t)
	if got := string(s.Payloads[0].Samples[0].Wire); got != "\x0a\x01a" {
		t.Errorf("%x", got)
	}
}

// Every syntax level and the features that change the wire form come through.
func TestSyntaxLevels(t *testing.T) {
	s := must(inlineSchema(map[string]string{
		"p2.proto": `syntax = "proto2"; package p2; import "google/protobuf/descriptor.proto";
			extend google.protobuf.FieldOptions { optional string unit = 50001; }
			message M { required int32 a = 1 [(unit) = "ms"]; optional group G = 2 { optional int32 b = 3; } repeated int32 c = 4; extensions 10 to 20; }`,
		"p3.proto": `syntax = "proto3"; package p3; message M { int32 a = 1; optional int32 b = 2; repeated int32 c = 3; }`,
		"ed.proto": `edition = "2023"; package ed; import "google/protobuf/go_features.proto";
			option features.field_presence = IMPLICIT; option features.(pb.go).api_level = API_OPAQUE;
			message M { int32 a = 1; int32 b = 2 [features.field_presence = EXPLICIT]; repeated int32 c = 3 [features.repeated_field_encoding = EXPANDED];
			M d = 4 [features.message_encoding = DELIMITED]; }`,
	}, nil, "p2.proto", "p3.proto", "ed.proto"))(t)
	field := func(m, name string) protoreflect.FieldDescriptor {
		return message(t, s, m).Fields().ByName(protoreflect.Name(name))
	}
	for _, tt := range []struct {
		what string
		ok   bool
	}{
		{"p2 required", field("p2.M", "a").Cardinality() == protoreflect.Required},
		{"p2 group", field("p2.M", "g").Kind() == protoreflect.GroupKind},
		{"p2 unpacked", !field("p2.M", "c").IsPacked()},
		{"p3 implicit", !field("p3.M", "a").HasPresence()},
		{"p3 optional", field("p3.M", "b").HasPresence()},
		{"p3 packed", field("p3.M", "c").IsPacked()},
		{"edition implicit", !field("ed.M", "a").HasPresence()},
		{"edition explicit", field("ed.M", "b").HasPresence()},
		{"edition expanded", !field("ed.M", "c").IsPacked()},
		{"edition delimited", field("ed.M", "d").Kind() == protoreflect.GroupKind},
		{"edition file", message(t, s, "ed.M").ParentFile().Syntax() == protoreflect.Editions},
	} {
		if !tt.ok {
			t.Errorf("%s: not so", tt.what)
		}
	}
}
