package harness

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// schemaOf compiles the text of a file called t.proto.
func schemaOf(t *testing.T, text string) *descriptorpb.FileDescriptorSet {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "t.proto")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := suite.ParseSchema([]string{file}, []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	return s.FileSet()
}

// What a generator from before APIv2 cannot serve is told before it is asked.
func TestPluginRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, text   string
		golang, gogo string
	}{
		{"plain", `syntax = "proto3"; message M { int32 a = 1; oneof o { string b = 2; } }`, "", ""},
		{"proto2", `syntax = "proto2"; message M { optional int32 a = 1; required int32 b = 2; }`, "", ""},
		{"known type", `syntax = "proto3"; import "google/protobuf/timestamp.proto"; message M { google.protobuf.Timestamp t = 1; }`, "", ""},
		{"unknown known type", `syntax = "proto3"; import "google/protobuf/field_mask.proto"; message M { google.protobuf.FieldMask t = 1; }`,
			"golang/protobuf 1.3.5 has no Go package for google/protobuf/field_mask.proto", ""},
		{"optional", `syntax = "proto3"; message M { message N { optional int32 a = 1; } }`,
			"the generator of golang/protobuf 1.3.5 does not support optional fields in proto3 (t.proto)",
			"the generator of gogo/protobuf does not support optional fields in proto3 (t.proto)"},
		{"editions", `edition = "2023"; message M { int32 a = 1; }`,
			"the generator of golang/protobuf 1.3.5 does not support editions (t.proto)",
			"the generator of gogo/protobuf does not support editions (t.proto)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set := schemaOf(t, tt.text)
			for code, want := range map[variant.Code]string{variant.GolangCode: tt.golang, variant.GogoCode: tt.gogo} {
				if got := plugins[code].refuses(set); got != want {
					t.Errorf("%q, want %q", got, want)
				}
			}
		})
	}
}

// Each Protobuf package goes to a Go package below v1, whatever its files say; those of
// the libraries stay where they are, and the schema itself stays as it is.
func TestPluginPlace(t *testing.T) {
	set := schemaOf(t, `syntax = "proto3"; package a.b; option go_package = "example.com/x;y"; import "google/protobuf/struct.proto"; message M { google.protobuf.Struct s = 1; }`)
	for code, known := range map[variant.Code]string{
		variant.GolangCode: "github.com/golang/protobuf/ptypes/struct;structpb",
		variant.GogoCode:   "github.com/gogo/protobuf/types",
	} {
		files, byPackage := plugins[code].place(set)
		var got []string
		for _, f := range files {
			got = append(got, f.GetName()+" "+f.GetOptions().GetGoPackage())
		}
		want := []string{"google/protobuf/struct.proto " + known, "t.proto " + modulePath + "/v1/pb_a_b"}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		if names := byPackage[modulePath+"/v1/pb_a_b"]; len(byPackage) != 1 ||
			!slices.Equal(names, []string{"t.proto"}) {
			t.Errorf("to generate: %v", byPackage)
		}
	}
	if got := set.File[1].GetOptions().GetGoPackage(); got != "example.com/x;y" {
		t.Errorf("the schema has the Go package %s now", got)
	}
}

// The program of a library in another version is linked with that, and with nothing else
// that the command does not have.
func TestModuleOfOtherVersion(t *testing.T) {
	m := &Module{GoMod: []byte("module " + commandModule +
		"\n\ngo 1.26\n\nrequire github.com/golang/protobuf v1.5.4\n"), GoSum: []byte("sums\n"), Checkout: "/src"}
	for code, want := range map[variant.Code]bool{variant.NoCode: false, variant.GogoCode: false,
		variant.GolangCode: true} {
		text, err := m.goMod(code)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(text),
			"github.com/golang/protobuf => github.com/golang/protobuf v1.3.5"); got != want {
			t.Errorf("code %d: replaced %v\n%s", code, got, text)
		}
		if got := m.goSum(code); strings.Contains(got, golangSums) != want || !strings.HasPrefix(got, "sums\n") {
			t.Errorf("code %d: go.sum\n%s", code, got)
		}
	}
}

// Where two parts of a program do not compile, each is blamed for its own error.
func TestErrorIn(t *testing.T) {
	const text = "# pb\npb/pb_x/t_vtproto.pb.go:1:2: undefined: a\n# v1\nv1/pb_x/t.pb.go:3:4: undefined: b\n"
	for mark, want := range map[string]string{
		vtSuffix: "pb/pb_x/t_vtproto.pb.go:1:2: undefined: a", v1Folder + "/": "v1/pb_x/t.pb.go:3:4: undefined: b",
		"structs/": "# pb",
	} {
		if got := errorIn(text, mark); got != want {
			t.Errorf("%s: %s, want %s", mark, got, want)
		}
	}
}
