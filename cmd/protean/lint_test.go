package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const lintSchema = `syntax = "proto3";
package acme;
import "google/protobuf/struct.proto";
message Event {
  google.protobuf.Struct data = 1;
}
`

// The exit code is 0 if nothing is found, 1 if anything is, 2 if a flag or file is wrong; what is
// wrong is one line.
func TestLintExitCodes(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	for name, text := range map[string]string{
		"event.proto":      lintSchema,
		"clean.proto":      "syntax = \"proto3\";\nmessage Clean { string s = 1; }\n",
		"broken.proto":     "syntax = \"proto3\";\nmessage Broken { strng s = 1; }\n",
		"good.jsonl":       `{"data":{"a":1}}`,
		"bad.jsonl":        `{"dota":{"a":1}}`,
		"notes.txt":        "notes",
		"protos/a/a.proto": "syntax = \"proto3\";\npackage a;\nimport \"b/b.proto\";\nmessage A { b.B b = 1; }\n",
		"protos/b/b.proto": "syntax = \"proto3\";\npackage b;\nmessage B { string s = 1; }\n",
		"go.mod":           "module m\n\ngo 1.26.0\n",
		"pkg/a.go":         "package pkg\n",
		"wrong/a.go":       "package wrong\n\nvar a int = \"s\"\nvar b int = \"s\"\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, name), text)
	}
	for _, tt := range []struct {
		name   string
		args   []string
		code   int
		stderr string
	}{
		{"found", []string{"event.proto"}, exitFailed, ""},
		{"by a flag", []string{"--proto", "event.proto"}, exitFailed, ""},
		{"nothing found", []string{"clean.proto"}, exitOK, ""},
		{"a folder with imports from its root", []string{"protos"}, exitOK, ""},
		{"samples", []string{"event.proto", "--data", "good.jsonl", "--time", "0"}, exitFailed, ""},
		{"a Go package", []string{"./pkg"}, exitOK, ""},
		{"a folder of Go", []string{"pkg"}, exitOK, ""},
		{"both", []string{"clean.proto", "./pkg/..."}, exitOK, ""},
		{"nothing named", nil, exitUsage, "what is to be checked? name .proto files, a folder of them, a descriptor set, or Go packages (./...)"},
		{"no such file", []string{"nope.proto"}, exitUsage, "nope.proto: no such file"},
		{"no such folder", []string{"nope"}, exitUsage, "nope: no such file"},
		{"no schema", []string{"broken.proto"}, exitUsage, `broken.proto:2:18: field Broken.s: unknown type strng`},
		{"no descriptor set", []string{"notes.txt"}, exitUsage, "notes.txt: not a descriptor set"},
		{"two descriptor sets", []string{"notes.txt", "go.mod"}, exitUsage, "go.mod: one descriptor set at a time"},
		{"samples that do not fit", []string{"event.proto", "--data", "bad.jsonl"}, exitUsage,
			"bad.jsonl:1:2: field dota: no such field in acme.Event; did you mean data?"},
		{"no such message", []string{"event.proto", "--message", "Evnt"}, exitUsage, "message Evnt is not in the schema; did you mean acme.Event?"},
		{"data without a schema", []string{"./pkg", "--data", "good.jsonl"}, exitUsage, "which schema? give --proto FILE or --descriptor-set FILE"},
		{"profile without code", []string{"event.proto", "--profile", "cpu.pprof"}, exitUsage, "--profile ranks findings in Go code: name packages (./...)"},
		{"no such profile", []string{"./pkg", "--profile", "cpu.pprof"}, exitUsage, "cpu.pprof: no such file"},
		{"no profile", []string{"./pkg", "--profile", "notes.txt"}, exitUsage, "notes.txt: not a profile of pprof: parsing profile: unrecognized profile format"},
		{"format", []string{"event.proto", "--format", "csv"}, exitUsage, `unknown format "csv"; want one of table, markdown, json`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := protean(t, nil, flags([]string{"lint"}, tt.args...)...)
			want := tt.stderr
			if want != "" {
				want = "protean: " + want + "\n"
			}
			if o.code != tt.code || o.stderr != want {
				t.Errorf("exit code %d, %q, want %d, %q", o.code, o.stderr, tt.code, want)
			}
			if (o.stdout == "") != (tt.code == exitUsage) {
				t.Errorf("standard output %q", o.stdout)
			}
		})
	}
	// Each thing that is wrong with Go code is a line.
	if o := protean(t, nil, "lint", "./wrong"); o.code != exitUsage || strings.Count(o.stderr, "protean: ") != 2 ||
		!strings.Contains(o.stderr, "a.go:4:13: ") {
		t.Errorf("exit code %d, %q", o.code, o.stderr)
	}
}

// The formats say the same.
func TestLintFormats(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "event.proto", lintSchema)
	writeFile(t, "samples.jsonl", `{"data":{"id":9007199254740993}}`)
	args := []string{"lint", "event.proto", "--data", "samples.jsonl", "--time", "20ms"}
	var d struct {
		Findings []struct {
			Rule, File, Subject, Message, Cost, Safe string
			Line, Column                             int
		}
		Data struct {
			Samples, Bytes int
			Fields         []struct {
				Field     string
				Bytes     int
				KeyBytes  int `json:"key_bytes"`
				Unmarshal struct{ NS float64 }
			}
		}
	}
	if err := json.Unmarshal([]byte(protean(t, nil, flags(args, "--format", "json")...).stdout), &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Findings) != 2 || d.Findings[0].Rule != "PROTEAN_STRUCT" || d.Findings[1].Rule != "PROTEAN_DATA_INTEGER" {
		t.Fatalf("%+v", d.Findings)
	}
	f := d.Findings[1]
	if f.File != "event.proto" || f.Line != 5 || f.Column != 3 || f.Subject != "acme.Event.data" || f.Cost == "" ||
		!strings.Contains(f.Safe, "protean migrate --old OLD --new NEW --message acme.Event --data SAMPLES") {
		t.Errorf("%+v", f)
	}
	x := d.Data.Fields[0]
	if x.Field != "acme.Event.data" || x.Bytes != d.Data.Bytes || x.KeyBytes != 4 || x.Unmarshal.NS <= 0 {
		t.Errorf("%+v", d.Data)
	}
	for format, wants := range map[string][]string{
		"table":    {"event.proto:5:3: " + f.Message + " (PROTEAN_DATA_INTEGER)\n  cost: ", "\nEvent.data ", "\n2 findings in 1 file.\n"},
		"markdown": {`| event.proto:5:3 | PROTEAN\_STRUCT | field acme.Event.data is a google.protobuf.Struct |`, "| acme.Event.data | 1 |"},
	} {
		text := protean(t, nil, flags(args, "--format", format)...).stdout
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s has no %q:\n%s", format, want, text)
			}
		}
	}
}

// Names of files and texts of samples reach the terminal as text.
func TestLintEscapes(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "event\x1b[31m.proto", lintSchema)
	writeFile(t, "samples.jsonl", `{"data":{"\u001b[31m\n":9007199254740993}}`)
	o := protean(t, nil, "lint", "event\x1b[31m.proto", "--data", "samples.jsonl", "--time", "0")
	if o.code != exitFailed || strings.Contains(o.stdout, "\x1b") {
		t.Errorf("exit code %d, %q", o.code, o.stdout)
	}
}

// docs/lint.md opens with what the command prints for the file above it.
func TestLintExample(t *testing.T) {
	document := readFile(t, filepath.Join(checkout, "docs", "lint.md"))
	block := shellBlocks(document)[0].text
	m := regexp.MustCompile(`(?s)cat > event.proto <<'EOF'\n(.*?)EOF\n`).FindStringSubmatch(block)
	_, rest, ok := strings.Cut(document, "```text\n")
	if m == nil || !ok {
		t.Fatal("there is no example")
	}
	want, _, _ := strings.Cut(rest, "```")
	t.Chdir(t.TempDir())
	writeFile(t, "event.proto", m[1])
	if o := protean(t, nil, "lint", "event.proto"); o.stdout != want {
		t.Errorf("it prints\n%s, docs/lint.md has\n%s", o.stdout, want)
	}
}
