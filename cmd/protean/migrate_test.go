package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
)

// migrateFiles are two versions of a schema under the same names, and samples.
var migrateFiles = map[string]string{
	"v1/acme/event.proto":   "syntax = \"proto3\";\npackage acme.v1;\nimport \"acme/item.proto\";\nmessage Event { string id = 1; int64 account = 2; repeated Item items = 3; }\n",
	"v1/acme/item.proto":    "syntax = \"proto3\";\npackage acme.v1;\nmessage Item { string name = 1; }\n",
	"v2/acme/event.proto":   "syntax = \"proto3\";\npackage acme.v1;\nimport \"acme/item.proto\";\nmessage Event { string id = 1; int32 account = 2; repeated Item items = 3; }\n",
	"v2/acme/item.proto":    "syntax = \"proto3\";\npackage acme.v1;\nmessage Item { string name = 1; optional string note = 2; }\n",
	"moved/other.proto":     "// One file, another order.\nsyntax = \"proto3\";\npackage acme.v1;\nmessage Item { string name = 1; }\nmessage Event { repeated Item items = 3; /* the account */ int64 account = 2; string id = 1; }\n",
	"renamed/event.proto":   "syntax = \"proto3\";\npackage acme.v2;\nmessage Item { string name = 1; }\nmessage Happening { string id = 1; int64 account = 2; repeated Item items = 3; optional bool done = 4; }\n",
	"syntax/event.proto":    "syntax = \"proto3\";\nmessage M {\n  string id = 1\n}\n",
	"empty/readme.txt":      "",
	"set.txt":               "no descriptor set",
	"good.jsonl":            "{\"id\": \"a\", \"account\": 3, \"items\": [{\"name\": \"x\"}]}\n",
	"large.jsonl":           "{\"id\": \"a\", \"account\": 4294967301}\n",
	"new.jsonl":             "{\"id\": \"a\", \"items\": [{\"name\": \"x\", \"note\": \"y\"}]}\n",
	"newer.jsonl":           "{\"items\": [{\"note\": \"y\"}, {\"name\": \"x\"}, {\"nte\": \"y\"}]}\n",
	"neither.jsonl":         "{\"id\": \"a\"}\n{\"id\": \"a\", \"acount\": 3}\n",
	"deep/schema.proto":     "syntax = \"proto3\";\nmessage Tree { Tree child = 1; int32 n = 2; }\n",
	"deep/more/other.proto": "syntax = \"proto3\";\nmessage Other { int32 n = 1; }\n",
}

func writeMigrateFiles(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range migrateFiles {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, name, text)
	}
	s, err := suite.ParseSchema([]string{"v1/acme/event.proto"}, []string{"v1"})
	if err != nil {
		t.Fatal(err)
	}
	b, err := proto.Marshal(s.FileSet())
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, "old.binpb", string(b))
}

// migrateArgs are a command line of protean migrate.
func migrateArgs(before, after string, more ...string) []string {
	return flags([]string{"migrate", "--old", before, "--new", after, "--message", "acme.v1.Event"}, more...)
}

// What is safe ends with 0, what does harm in the order of the rollout with 1.
func TestMigrateExitCodes(t *testing.T) {
	writeMigrateFiles(t)
	for _, tt := range []struct {
		name string
		args []string
		code int
		want string // in the report
	}{
		{"identical", migrateArgs("v1", "v1", "--data", "good.jsonl"), exitOK, "safe: nothing is lost"},
		{"moved to another file", migrateArgs("v1", "moved", "--data", "good.jsonl"), exitOK, "safe: nothing is lost"},
		{"renamed", migrateArgs("v1", "renamed", "--data", "good.jsonl", "--new-message", "acme.v2.Happening"), exitOK, "acme.v1.Event → acme.v2.Happening"},
		{"renamed, by its last name", migrateArgs("v1", "renamed", "--new-message", "Happening"), exitOK, "safe: nothing is lost"},
		{"a file and its neighbours", migrateArgs("v1/acme/event.proto", "v1", "--old-path", "v1"), exitOK, "safe: nothing is lost"},
		{"a descriptor set", migrateArgs("old.binpb", "v1", "--data", "good.jsonl"), exitOK, "safe: nothing is lost"},
		{"harm", migrateArgs("v1", "v2", "--data", "large.jsonl"), exitFailed, "large.jsonl:1: 4294967301 → 5"},
		{"harm of own values", migrateArgs("v1", "v2", "--data", "good.jsonl"), exitFailed, "altered silently at account"},
		{"none on the samples", migrateArgs("v1", "v2", "--data", "good.jsonl", "--samples-only"), exitOK, "safe: nothing is lost"},
		{"no samples", migrateArgs("v1", "v2"), exitFailed, "altered silently at account"},
		{"readers first", migrateArgs("v1", "v2", "--rollout", "readers-first"), exitFailed, "(rollout: readers-first)"},
		{"writers first", migrateArgs("v1", "v2", "--rollout", "writers-first"), exitOK, "the other direction, which the rollout does not have"},
		{"a new field in JSON", migrateArgs("v1", "v2", "--rollout", "writers-first"), exitOK, "new fields in JSON: a strict reader"},
		{"binary alone", migrateArgs("v1", "v2", "--wire", "binary", "--rollout", "writers-first"), exitOK, "new → old  binary  same"},
		{"a sample of the new side", migrateArgs("v1", "v2", "--data", "new.jsonl", "--samples-only"), exitOK, "0 of old writers, 1 of new ones"},
		{"standard input", migrateArgs("v1", "v2", "--data", "-", "--samples-only"), exitOK, "1 of old writers, 1 of new ones"},
		{"deep", []string{"migrate", "--old", "deep", "--new", "deep", "--message", "Tree", "--data", "deep.json"}, exitOK, "nest deeper than 100 messages"},
	} {
		writeFile(t, "deep.json", strings.Repeat(`{"child":`, 120)+`{"n":1}`+strings.Repeat("}", 120))
		t.Run(tt.name, func(t *testing.T) {
			o := protean(t, strings.NewReader(migrateFiles["good.jsonl"]), tt.args...)
			if o.code != tt.code || !strings.Contains(o.stdout, tt.want) || o.stderr != "" {
				t.Errorf("exit code %d, want %d with %q; standard error %q, standard output\n%s", o.code, tt.code,
					tt.want, o.stderr, o.stdout)
			}
		})
	}
}

// Each wrong command line or file is told of in one line.
func TestMigrateBadInput(t *testing.T) {
	writeMigrateFiles(t)
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"migrate"}, "which old schema? give --old FILE, a folder or a descriptor set"},
		{[]string{"migrate", "--old", "v1"}, "which new schema? give --new FILE, a folder or a descriptor set"},
		{migrateArgs("v0", "v1"), "v0: no such file"},
		{migrateArgs("v1", "empty"), "empty: no .proto files in this folder"},
		{migrateArgs("v1", "set.txt"), "set.txt: not a descriptor set"},
		{migrateArgs("v1", "syntax"), "syntax/event.proto:4:1: syntax error: …"},
		{migrateArgs("v1/acme/event.proto", "v2"), `v1/acme/event.proto:3:8: import "acme/item.proto" not found; searched: …`},
		{migrateArgs("v1", "renamed"), "new schema: message acme.v1.Event is not in the schema…"},
		{[]string{"migrate", "--old", "v1", "--new", "v2", "--message", "Evnt"}, "old schema: message Evnt is not in the schema; did you mean acme.v1.Event?"},
		{[]string{"migrate", "--old", "v1", "--new", "v2"}, "old schema: which message? the schema has acme.v1.Event, acme.v1.Item"},
		{migrateArgs("v1", "v2", "--old", "old.binpb"), "old.binpb: neither a .proto file nor a folder, and a descriptor set must come alone"},
		{migrateArgs("v1", "v2", "--data", "neither.jsonl"), "neither.jsonl:2:13: field acount: no such field in acme.v1.Event; did you mean account?"},
		{migrateArgs("v1", "v2", "--data", "newer.jsonl"), "newer.jsonl:1:43: field items[2].nte: no such field in acme.v1.Item…"},
		{migrateArgs("v1", "v2", "--data", "none.jsonl"), "none.jsonl: no such file"},
		{migrateArgs("v1", "v2", "--old-data", "new.jsonl"), "new.jsonl:1:37: field items[0].note: no such field in acme.v1.Item…"},
		{migrateArgs("v1", "v2", "--data", "-", "--old-data", "-"), "standard input can be read only once"},
		{migrateArgs("v1", "v2", "--wire", "xml"), `--wire "xml": expected binary, json or both with a comma between`},
		{migrateArgs("v1", "v2", "--rollout", "fast"), `--rollout "fast": expected readers-first, writers-first or both`},
		{migrateArgs("v1", "v2", "--bytes", "json"), `--bytes "json": expected any or message`},
		{migrateArgs("v1", "v2", "--samples", "-1"), "--samples -1: must not be below 0"},
		{migrateArgs("v1", "v2", "--samples-only"), "--samples-only: which data? give --data FILE, or --data - for standard input"},
		{migrateArgs("v1", "v2", "--format", "csv"), `unknown format "csv"; want one of table, markdown, json`},
		{migrateArgs("v1", "v2", "--data", "good.jsonl", "--data-format", "yaml"), `unknown data format "yaml"; …`},
		{migrateArgs("v1", "v2", "v3"), `unexpected argument "v3": …`},
	} {
		t.Run(tt.want, func(t *testing.T) {
			o := protean(t, strings.NewReader(migrateFiles["good.jsonl"]), tt.args...)
			line := strings.TrimPrefix(strings.TrimSuffix(o.stderr, "\n"), "protean: ")
			begin, cut := strings.CutSuffix(tt.want, "…")
			if o.code != exitUsage || o.stdout != "" || strings.Contains(line, "\n") ||
				line != tt.want && !(cut && strings.HasPrefix(line, begin)) {
				t.Errorf("exit code %d, standard error %q, want %q; standard output %q", o.code, o.stderr, tt.want,
					o.stdout)
			}
		})
	}
}

// The JSON format has what the table has.
func TestMigrateJSON(t *testing.T) {
	writeMigrateFiles(t)
	o := protean(t, nil, migrateArgs("v1", "v2", "--data", "large.jsonl", "--format", "json", "--rollout",
		"readers-first")...)
	var report struct {
		Safe     bool
		Worst    string
		Samples  map[string]int
		Readers  struct{ Documents, Disagreements int }
		Findings []struct {
			Path, Direction, Wire, Class, Source, Wrote, Read string
			InRollout                                         bool `json:"in_rollout"`
		}
		Instead []struct {
			Title         string
			Schema, Steps []string
			Proof         string
		}
	}
	if err := json.Unmarshal([]byte(o.stdout), &report); err != nil || o.code != exitFailed {
		t.Fatalf("exit code %d, %v\n%s", o.code, err, o.stdout)
	}
	if report.Safe || report.Worst != "altered" || report.Samples["old"] != 1 || report.Readers.Documents == 0 ||
		report.Readers.Disagreements != 0 {
		t.Errorf("%+v", report)
	}
	found := false
	for _, f := range report.Findings {
		found = found || f.Path == "account" && f.Direction == "old-to-new" && f.Wire == "binary" &&
			f.Class == "altered" &&
			f.Source == "large.jsonl:1" && f.Wrote == "4294967301" && f.Read == "5" && f.InRollout
	}
	if !found {
		t.Errorf("no finding of account: %+v", report.Findings)
	}
	if len(report.Instead) < 2 || report.Instead[0].Proof == "" || len(report.Instead[1].Steps) == 0 {
		t.Errorf("instead: %+v", report.Instead)
	}
	if md := protean(t, nil, migrateArgs("v1", "v2", "--format", "markdown")...); !strings.Contains(md.stdout,
		"| account | old → new | binary | altered silently |") {
		t.Errorf("Markdown:\n%s", md.stdout)
	}
}

// What the pages show is what the command prints.
func TestMigrateDocuments(t *testing.T) {
	for _, name := range []string{"migrate.md", "value-to-bytes.md"} {
		t.Run(name, func(t *testing.T) {
			document := readFile(t, filepath.Join(checkout, "docs", name))
			t.Chdir(t.TempDir())
			script := strings.ReplaceAll(shellBlocks(document)[0].text, "\\\n", "")
			for _, m := range regexp.MustCompile(`(?ms)^cat > (\S+) <<'EOF'\n(.*?)^EOF$`).FindAllStringSubmatch(script, -1) {
				if err := os.MkdirAll(filepath.Dir(m[1]), 0o755); err != nil {
					t.Fatal(err)
				}
				writeFile(t, m[1], m[2])
			}
			for _, m := range regexp.MustCompile(`(?m)^echo '(.*)' > (\S+)$`).FindAllStringSubmatch(script, -1) {
				writeFile(t, m[2], m[1]+"\n")
			}
			_, line, _ := strings.Cut(script, "\nprotean ")
			line, _, _ = strings.Cut(line, "||")
			o := protean(t, nil, strings.Fields(line)...)
			_, shown, _ := strings.Cut(document, "```text\n")
			shown, _, _ = strings.Cut(shown, "```")
			if o.code != exitFailed || o.stdout != shown {
				t.Errorf("exit code %d; the page has\n%s\nand the command prints\n%s%s", o.code, shown, o.stdout,
					o.stderr)
			}
		})
	}
}
