package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"buf.build/go/bufplugin/check/checktest"
)

// Real buf, where it is installed, is tried by TestBuf; this is the same server without it.
func TestSpec(t *testing.T) { checktest.SpecTest(t, newSpec()) }

const eventProto = `syntax = "proto3";
package acme.v1;
import "google/protobuf/any.proto";
import "google/protobuf/struct.proto";
message Event {
  google.protobuf.Struct data = 1;
  map<string, google.protobuf.Value> labels = 2;
  // buf:lint:ignore PROTEAN_ANY
  google.protobuf.Any excused = 3;
  // protean:lint:ignore PROTEAN_ANY
  google.protobuf.Any excused_too = 4;
  google.protobuf.Any any = 5;
  repeated Event events = 6;
}
`

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "acme/v1/event.proto", eventProto)
	write(t, dir, "imported.proto", `syntax = "proto3"; import "google/protobuf/any.proto"; message M { google.protobuf.Any any = 1; }`)
	at := func(line, column, end int) *checktest.ExpectedFileLocation {
		return &checktest.ExpectedFileLocation{FileName: "acme/v1/event.proto", StartLine: line - 1,
			StartColumn: column - 1, EndLine: line - 1, EndColumn: end - 1}
	}
	checktest.CheckTest{
		Request: &checktest.RequestSpec{Files: &checktest.ProtoFileSpec{DirPaths: []string{dir},
			FilePaths: []string{"acme/v1/event.proto"}}},
		Spec: newSpec(),
		ExpectedAnnotations: []checktest.ExpectedAnnotation{
			// buf's own comments are for buf to read.
			{RuleID: "PROTEAN_ANY", FileLocation: at(9, 3, 35)},
			{RuleID: "PROTEAN_ANY", FileLocation: at(12, 3, 31)},
			{RuleID: "PROTEAN_RECURSIVE", FileLocation: at(13, 3, 29)},
			{RuleID: "PROTEAN_STRUCT", FileLocation: at(6, 3, 35)},
			{RuleID: "PROTEAN_VALUE", FileLocation: at(7, 3, 49)},
		},
	}.Run(t)
}

// TestBuf runs buf lint with the plugin.
func TestBuf(t *testing.T) {
	if _, err := exec.LookPath("buf"); err != nil {
		t.Skip("buf is not installed")
	}
	dir, bin := t.TempDir(), t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "buf-plugin-protean"),
		".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	write(t, dir, "buf.yaml", documented(t))
	write(t, dir, "acme/v1/event.proto", eventProto)
	cmd := exec.Command("buf", "lint", "--error-format=json")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"XDG_CACHE_HOME="+t.TempDir())
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != 100 {
		t.Fatalf("%v: exit code %d\n%s", err, cmd.ProcessState.ExitCode(), &stderr)
	}
	var found []string
	for line := range strings.Lines(stdout.String()) {
		var a struct {
			Path   string `json:"path"`
			Line   int    `json:"start_line"`
			Type   string `json:"type"`
			Plugin string `json:"plugin"`
		}
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if a.Path != filepath.Join("acme", "v1", "event.proto") || a.Plugin != "buf-plugin-protean" {
			t.Errorf("%s", line)
		}
		found = append(found, fmt.Sprintf("%s:%d", a.Type, a.Line))
	}
	if got, want := strings.Join(found, " "),
		"PROTEAN_STRUCT:6 PROTEAN_VALUE:7 PROTEAN_ANY:12 PROTEAN_RECURSIVE:13"; got != want {
		t.Errorf("found %s, want %s", got, want)
	}
}

// documented is the buf.yaml of docs/lint.md.
func documented(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "lint.md"))
	if err != nil {
		t.Fatal(err)
	}
	for block := range strings.SplitSeq(string(page), "```yaml\n") {
		if text, _, _ := strings.Cut(block, "```"); strings.HasPrefix(text, "version: v2\n") {
			return text
		}
	}
	t.Fatal("docs/lint.md has no buf.yaml")
	return ""
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
