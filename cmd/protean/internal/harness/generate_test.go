package harness

import (
	"bytes"
	"flag"
	"fmt"
	"go/build"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
)

var update = flag.Bool("update", false, "write generated files anew; the test fails while it does")

// TestEnvelopesUpToDate checks the generated code of the lab's own messages, or
// writes it.
func TestEnvelopesUpToDate(t *testing.T) {
	dir := filepath.Join("..", "envelope")
	s, err := suite.ParseSchema([]string{filepath.Join(dir, "envelope.proto")}, []string{filepath.Join("..")})
	if err != nil {
		t.Fatal(err)
	}
	want, err := GenerateGo(s.FileSet(), "envelope/envelope.proto")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "envelopepb", "envelope.pb.go")
	if *update {
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
		t.Fatalf("wrote %s", name)
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not up to date: run make generate", name)
	}
}

// The files of a Protobuf package go to one Go package, whatever names theirs have for it.
func TestGenerateMessagesOfOnePackage(t *testing.T) {
	root := filepath.Join("..", "suite", "testdata", "schemas", "annotated", "proto")
	s, err := suite.ParseSchema([]string{filepath.Join(root, "acme", "shelf", "v1", "shelf.proto")}, []string{root})
	if err != nil {
		t.Fatal(err)
	}
	g, err := generateMessages(s.FileSet(), modulePath, true)
	if err != nil {
		t.Fatal(err)
	}
	if g.noVT != "" {
		t.Errorf("no methods of vtprotobuf: %s", g.noVT)
	}
	for file, want := range map[string]string{
		"pb/pb_acme_api/annotations.pb.go":  "package pb_acme_api",
		"pb/pb_acme_api/http.pb.go":         "package pb_acme_api",
		"pb/pb_acme_api/http_vtproto.pb.go": "package pb_acme_api",
		"pb/pb_acme_shelf_v1/shelf.pb.go":   "package pb_acme_shelf_v1",
	} {
		if !strings.Contains(g.files[file], "\n"+want+"\n") {
			t.Errorf("%s lacks %q; there are %q", file, want, slices.Sorted(maps.Keys(g.files)))
		}
	}
}

// Files are named so that the go command compiles all of them, on every machine: x_arm.pb.go is
// for another one than amd64, and it ignores names that begin with an underscore.
func TestGenerateFileNames(t *testing.T) {
	dir := t.TempDir()
	imports := ""
	for i, name := range []string{"trial_arm", "on_linux", "is_windows_amd64", "on_darwin_test", "_hidden", "x_js"} {
		text := fmt.Sprintf("syntax = \"proto3\"; package t; message M%d {}", i)
		writeFile(t, filepath.Join(dir, name+".proto"), text)
		imports += fmt.Sprintf("import %q;", name+".proto")
	}
	writeFile(t, filepath.Join(dir, "t_unix.proto"), `syntax = "proto3"; package t; `+imports+`
		message T { M0 a = 1; M1 b = 2; M2 c = 3; M3 d = 4; M4 e = 5; M5 f = 6; }`)
	writeFile(t, filepath.Join(dir, "samples.json"), "{}")
	s, err := suite.Load(suite.Source{
		Protos: []string{filepath.Join(dir, "t_unix.proto")}, Message: "T",
		Data: []string{filepath.Join(dir, "samples.json")},
	})
	if err != nil {
		t.Fatal(err)
	}
	g, err := generate(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.writeFiles(dir); err != nil {
		t.Fatal(err)
	}
	messages := 0
	for name, text := range g.files {
		messages += strings.Count(text, ") ProtoReflect()")
		for _, machine := range []build.Context{{GOOS: "linux", GOARCH: "amd64"}, {GOOS: "plan9", GOARCH: "arm"}} {
			match, err := machine.MatchFile(filepath.Join(dir, filepath.Dir(name)), filepath.Base(name))
			if err != nil || !match {
				t.Errorf("%s is not compiled for %s/%s: %v", name, machine.GOOS, machine.GOARCH, err)
			}
		}
	}
	if messages != 7 {
		t.Errorf("%d messages, want 7", messages)
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Only what the samples' type can hold is generated: a schema may have thousands of messages.
func TestGenerateWhatIsReached(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"t.proto": `syntax = "proto3"; package t; import "other.proto";
			message Used { Part part = 1; } message Part {} message Idle { o.Other other = 1; }`,
		"other.proto":  `syntax = "proto3"; package o; message Other {}`,
		"samples.json": `{"part": {}}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := suite.Load(suite.Source{
		Protos: []string{filepath.Join(dir, "t.proto")}, Message: "Used",
		Data: []string{filepath.Join(dir, "samples.json")},
	})
	if err != nil {
		t.Fatal(err)
	}
	g, err := generate(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"pb/pb_t/t.pb.go", "pb/pb_t/t_read.pb.go", "pb/pb_t/t_vtproto.pb.go", "program_test.go",
		"structs/read.go", "structs/structs.go", "types.go",
	}
	if got := slices.Sorted(maps.Keys(g.files)); !slices.Equal(got, want) {
		t.Errorf("generated %q, want %q", got, want)
	}
	text := g.files["pb/pb_t/t.pb.go"]
	if strings.Contains(text, "Idle") || !strings.Contains(text, "type Used s") ||
		!strings.Contains(text, "type Part s") {
		t.Errorf("other messages than those needed:\n%s", text)
	}
}
