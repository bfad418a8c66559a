package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// inFolder makes a folder with files the working directory, or a folder below it.
func inFolder(t *testing.T, files map[string]string, below string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, path, text)
	}
	at := filepath.Join(dir, below)
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(at)
	return dir
}

// Whatever is wrong with the file is told of in one line, with its place, whatever is measured.
func TestConfigErrors(t *testing.T) {
	const bench = "version: v1\nbench:\n  events:\n    "
	for _, tt := range []struct {
		name, text string
		args       []string
		want       string // the beginning, and up to "…" only
	}{
		{"empty", "", nil, "protean.yaml: is empty: expected version: v1"},
		{"no version", "bench: {}\n", nil, "protean.yaml:1:1: expected version: v1"},
		{"other version", "version: v3\n", nil, `protean.yaml:1:10: version "v3" is not known; this release reads v1`},
		{"list", "- version: v1\n", nil, "protean.yaml:1:1: expected keys and values"},
		{"syntax", "version: v1\nbench:\n  a: b: c\n", nil,
			"protean.yaml:3: mapping values are not allowed in this context"},
		{"key", "version: v1\nbenches: {}\n", nil,
			`protean.yaml:2:1: unknown key "benches"; did you mean bench?; known: version, bench, compare`},
		{"twice", "version: v1\nversion: v1\n", nil, `protean.yaml:2:1: key "version" is there twice`},
		{"no benchmarks", "version: v1\nbench: api/event.proto\n", nil,
			"protean.yaml:2:8: expected benchmarks by name"},
		{"no flags", "version: v1\nbench:\n  - proto\n", nil, "protean.yaml:3:3: expected benchmarks by name"},
		{"benchmark", "version: v1\nbench:\n  proto: a.proto\n", nil,
			"protean.yaml:3:10: expected flags and their values"},
		{"flag", bench + "protos: a.proto\n", nil,
			`protean.yaml:4:5: unknown key "protos"; did you mean proto or rows?; known: suite, proto, …`},
		{"no flag of this command", "version: v1\ncompare:\n  proto: a.proto\n", nil,
			`protean.yaml:3:3: unknown key "proto"; known: fail-above, metrics, strict, all, format, out`},
		{"configuration", bench + "config: none\n", nil, `protean.yaml:4:5: unknown key "config"; known: …`},
		{"duration", bench + "time: 30\n", nil, `protean.yaml:4:11: time: "30": expected a duration such as 30s`},
		{"truth", bench + "all: yes\n", nil, `protean.yaml:4:10: all: "yes": expected true or false`},
		{"number", bench + "samples: many\n", nil, `protean.yaml:4:14: samples: "many": expected a whole number`},
		{"list of texts", bench + "message: [A, B]\n", nil, "protean.yaml:4:14: message: expected a value"},
		{"nothing", bench + "data:\n", nil, "protean.yaml:4:10: data: expected a value, or a list of values"},
		{"list of nothing", bench + "data: []\n", nil, "protean.yaml:4:11: data: the list is empty"},
		{"list of lists", bench + "data: [[a]]\n", nil,
			"protean.yaml:4:12: data: expected a value, or a list of values"},
		{"no such benchmark", bench + "time: 1s\n", []string{"evnets"},
			`protean.yaml has no benchmark "evnets"; did you mean events?; it has events (a flag that …`},
		{"several benchmarks", bench + "time: 1s\n  orders:\n    time: 1s\n", nil,
			"which benchmark? protean.yaml has events, orders: protean bench events"},
		{"two arguments", bench + "time: 1s\n", []string{"events", "orders"}, `unexpected argument "orders": …`},
		{"no benchmark", "version: v1\n", []string{"events"}, `unexpected argument "events": …`},
		{"no file", bench + "time: 1s\n", []string{"events", "--config", "none"}, `unexpected argument "events": …`},
		{"other file", "", []string{"--config", "other.yaml"}, "other.yaml: no such file"},
		{"other benchmark", bench + "time: 1s\n  orders:\n    tiem: 1s\n", []string{"events"},
			`protean.yaml:6:5: unknown key "tiem"; did you mean time?; known: …`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inFolder(t, map[string]string{"protean.yaml": tt.text}, "")
			o := protean(t, nil, flags([]string{"bench"}, tt.args...)...)
			want, partly := strings.CutSuffix("protean: "+tt.want, "…")
			fits := strings.TrimSpace(o.stderr) == want || partly && strings.HasPrefix(o.stderr, want)
			if o.code != exitUsage || !fits || strings.Count(o.stderr, "\n") != 1 {
				t.Errorf("exit code %d, got\n%swant\n%s", o.code, o.stderr, want)
			}
		})
	}
}

// The nearest file counts, up to the root of the repository, and the command line wins.
func TestConfigIsFound(t *testing.T) {
	const fails, passes = "version: v1\ncompare:\n  fail-above: 0%\n", "version: v1\ncompare:\n  fail-above: 50%\n"
	for _, tt := range []struct {
		name  string
		files map[string]string
		below string
		args  []string
		code  int
	}{
		{"here", map[string]string{"protean.yaml": fails}, "", nil, exitFailed},
		{"above, in the repository", map[string]string{".git/HEAD": "", "protean.yaml": fails}, "a/b", nil, exitFailed},
		{"above, in a linked worktree", map[string]string{".git": "", "protean.yaml": fails}, "a", nil, exitFailed},
		{"above, in no repository", map[string]string{"protean.yaml": fails}, "a", nil, exitOK},
		{"above the repository", map[string]string{"protean.yaml": fails, "a/.git/HEAD": ""}, "a/b", nil, exitOK},
		{"nearer", map[string]string{".git/HEAD": "", "protean.yaml": fails, "a/protean.yaml": passes}, "a/b", nil,
			exitOK},
		{"elsewhere", map[string]string{"ci/limits.yaml": fails}, "", []string{"--config", "ci/limits.yaml"},
			exitFailed},
		{"not wanted", map[string]string{"protean.yaml": fails}, "", []string{"--config", "none"}, exitOK},
		{"command line", map[string]string{"protean.yaml": fails}, "", []string{"--fail-above", "50%"}, exitOK},
		{"list", map[string]string{"protean.yaml": "version: v1\ncompare:\n  fail-above: [50%, bytes=1%]\n"}, "", nil,
			exitFailed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inFolder(t, tt.files, tt.below)
			writeFile(t, "old.txt", "BenchmarkA 1 100 B/op 10 allocs/op\n")
			writeFile(t, "new.txt", "BenchmarkA 1 103 B/op 10 allocs/op\n")
			o := protean(t, nil, flags([]string{"compare", "old.txt", "new.txt"}, tt.args...)...)
			if o.code != tt.code || o.stderr != "" {
				t.Errorf("exit code %d, want %d: %s", o.code, tt.code, o.stderr)
			}
		})
	}
}

// twoBenchmarks are a schema with an import from the folder of the file, and two benchmarks of it.
var twoBenchmarks = map[string]string{
	".git/HEAD":       "",
	"api/event.proto": "syntax = \"proto3\";\npackage acme;\nimport \"api/id.proto\";\nmessage Event { Id id = 1; }\n",
	"api/id.proto":    "syntax = \"proto3\";\npackage acme;\nmessage Id { string text = 1; }\n",
	"data/one.json":   `{"id": {"text": "evt_1"}}`,
	"data/two.json":   `{"id": {"text": "evt_2 is longer"}}`,
	"protean.yaml": `version: v1
bench:
  one:
    proto: api/event.proto
    message: Event
    data: data/one.json
    variants: &variants [Concrete (proto)]
    ops: size
    format: json
  two:
    proto: [api/event.proto, api/id.proto]
    message: Event
    data: [data/one.json, data/two.json]
    variants: *variants
    ops: [size]
    format: json
`,
}

// Paths are relative to the file, from wherever in the repository the command is started.
func TestConfigBenchmark(t *testing.T) {
	heavy(t)
	inFolder(t, twoBenchmarks, "deep/down")
	for _, tt := range []struct {
		args    []string
		payload string
		samples float64 // their mean size
		command string
	}{
		{[]string{"one"}, "one", 9, "protean bench one"},
		{[]string{"two"}, "data", 14, "protean bench two"},
		{[]string{"one", "--data", "../../data/two.json"}, "two", 19, "protean bench one --data ../../data/two.json"},
	} {
		d := parsed(t, protean(t, nil, flags([]string{"bench"}, tt.args...)...), exitOK)
		if got := number(d.cell(t, tt.payload, "Concrete (proto)", "size").Wire); got != tt.samples {
			t.Errorf("%s: %v bytes, want %v", tt.command, got, tt.samples)
		}
		if d.Env.Command != tt.command || len(d.Results) != 1 {
			t.Errorf("command %q, want %q; %d results", d.Env.Command, tt.command, len(d.Results))
		}
	}
}

// The only benchmark needs no name, unless the command line says what to measure.
func TestConfigOnlyBenchmark(t *testing.T) {
	files := map[string]string{"protean.yaml": "version: v1\nbench:\n  events:\n    proto: absent.proto\n    data: " +
		"absent.json\n",
		"event.proto": badFiles["event.proto"]}
	inFolder(t, files, "")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, "absent.proto: no such file"},
		{[]string{"--data", "good.json"}, "absent.proto: no such file"},
		{[]string{"--config", "none", "--data", "good.json"},
			"which schema? give --proto FILE or --descriptor-set FILE"},
		{[]string{"--proto", "event.proto"}, "which data? give --data FILE, or --data - for standard input"},
		{[]string{"events", "--proto", "event.proto", "--message", "Event"}, "absent.json: no such file"},
		{[]string{"events", "--descriptor-set", "set.binpb"}, "set.binpb: no such file"},
		{[]string{"--suite", "absent"}, "no suite absent"},
	} {
		o := protean(t, nil, flags([]string{"bench"}, tt.args...)...)
		if o.code != exitUsage || !strings.HasPrefix(o.stderr, "protean: "+tt.want) {
			t.Errorf("%q: exit code %d, %q, want %q", tt.args, o.code, o.stderr, tt.want)
		}
	}
}

// The shell proposes the names of benchmarks.
func TestConfigCompletion(t *testing.T) {
	inFolder(t, twoBenchmarks, "")
	for _, tt := range []struct{ args, want []string }{
		{[]string{""}, []string{"one", "two", ":4"}},
		{[]string{"t"}, []string{"two", ":4"}},
		{[]string{"one", ""}, []string{":4"}},
		{[]string{"--config", "none", ""}, []string{":4"}},
	} {
		o := protean(t, nil, flags([]string{"__complete", "bench"}, tt.args...)...)
		if got := strings.Fields(o.stdout); o.code != exitOK || !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.args, got, tt.want)
		}
	}
}
