package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// badFiles are files that are wrong, or right, in one way each.
var badFiles = map[string]string{
	"event.proto": "syntax = \"proto3\";\npackage acme.v1;\nmessage Event { string id = 1; int32 count = 2; " +
		"repeated Item items = 3; }\nmessage Item { string name = 1; }\n",
	"syntax.proto":  "syntax = \"proto3\";\nmessage M {\n  string id = 1\n}\n",
	"import.proto":  "syntax = \"proto3\";\nimport \"acme/missing.proto\";\nmessage M { string id = 1; }\n",
	"good.json":     "{\"id\": \"a\", \"count\": 1}\n",
	"type.jsonl":    "{\"id\": \"a\", \"count\": 1}\n{\"id\": \"b\", \"count\": \"many\"}\n",
	"unknown.json":  "{\"id\": \"a\", \"cuont\": 1}\n",
	"cut.json":      "{\"id\": \"a\"\n",
	"empty.json":    "",
	"blank.jsonl":   "\n \n",
	"garbage.binpb": "\xff\xff\xff",
}

// event is the user's schema, without data.
var event = []string{"--proto", "event.proto", "--message", "Event"}

// Each wrong command line or file is told of in one line; want is that line after
// "protean: ", or, where it goes on with a library's or the system's words, its
// beginning and "…".
var badInputs = []struct {
	name  string
	flags []string // of protean bench
	want  string
}{
	{"syntax error", []string{"--proto", "syntax.proto", "--data", "good.json"}, `syntax.proto:4:1: syntax error: …`},
	{"import", []string{"--proto", "import.proto", "--data", "good.json", "-I", ".", "-I", "third_party"},
		`import.proto:2:8: import "acme/missing.proto" not found; searched: ., third_party`},
	{"message", []string{"--proto", "event.proto", "--message", "Evnt", "--data", "good.json"},
		"message Evnt is not in the schema; did you mean acme.v1.Event?"},
	{"no message", []string{"--proto", "event.proto", "--data", "good.json"},
		"which message? the schema has acme.v1.Event, acme.v1.Item"},
	{"no data", event, "which data? give --data FILE, or --data - for standard input"},
	{"no schema", []string{"--data", "good.json"}, "which schema? give --proto FILE or --descriptor-set FILE"},
	{"two schemas", flags(event, "--descriptor-set", "good.json", "--data", "good.json"),
		"give .proto files or a descriptor set, not both"},
	{"wrong type", flags(event, "--data", "good.json", "--data", "type.jsonl"),
		`type.jsonl:2:22: field count: expected int32, found "many"`},
	{"unknown field", flags(event, "--data", "unknown.json"),
		"unknown.json:1:13: field cuont: no such field in acme.v1.Event; did you mean count?"},
	{"cut off", flags(event, "--data", "cut.json"), "cut.json:2:1: syntax error: unexpected end of file"},
	{"empty", flags(event, "--data", "empty.json"), "no samples in empty.json"},
	{"blank", flags(event, "--data", "blank.jsonl"), "no samples in blank.jsonl"},
	{"empty standard input", flags(event, "--data", "-"), "no samples in stdin"},
	{"no known form", flags(event, "--data", "garbage.binpb"),
		"garbage.binpb: neither JSON (it does not begin with a brace or bracket) nor binary acme.v1.Event (…"},
	{"missing data", flags(event, "--data", "absent.json"), "absent.json: no such file"},
	{"missing schema", []string{"--proto", "absent.proto", "--data", "good.json"}, "absent.proto: no such file"},
	{"folder as data", flags(event, "--data", "."), ".: is a directory"},
	{"no descriptor set", []string{"--descriptor-set", "good.json", "--data", "good.json"},
		"good.json: not a descriptor set"},
	{"data format", flags(event, "--data", "good.json", "--data-format", "yaml"),
		`unknown data format "yaml"; it is auto, json, binary or delimited`},
	{"fewer samples than none", flags(event, "--data", "good.json", "--samples", "-1"),
		"--samples -1: must not be below 0"},
	{"samples of a built-in suite", []string{"--samples", "5"},
		"--samples is for data of your own: built-in suites are measured on all of theirs"},
	{"rows", flags(event, "--data", "good.json", "--rows", "itmes"),
		"rows itmes: no such field in acme.v1.Event; did you mean items?"},
	{"not mere rows", flags(event, "--data", "good.json", "--rows", "items"),
		"good.json:1: rows items: field id is set too, so the message is not a mere list"},
	{"suite and schema without data", flags(event, "--suite", "libraries"),
		"which data? give --data FILE, or --data - for standard input"},
	{"payload of another suite", flags(event, "--suite", "libraries", "--data", "good.json", "--payloads", "people"),
		"unknown payload \"people\" (the payloads of acme.v1.Event are good)"},
	{"suite", []string{"--suite", "hiden-cost"}, "no suite hiden-cost; did you mean hidden-cost?"},
	{"far suite", []string{"--suite", "orders"}, "no suite orders; there is hidden-cost…"},
	{"variant", []string{"--variants", "Concrete (prto)"},
		`unknown variant "Concrete (prto)"; did you mean Concrete (proto) or Concrete (vtproto)? (protean list variants lists all)`},
	{"operation", []string{"--ops", "size,marshall"},
		`unknown operation "marshall"; did you mean marshal or unmarshal? (protean list ops lists all)`},
	{"operation that none has", []string{"--ops", "construct", "--variants", "Concrete (proto)"},
		"none of the chosen variants has the operation construct"},
	{"payload", []string{"--payloads", "medum"},
		`unknown payload "medum"; did you mean medium? (the payloads of hidden-cost are small, medium, large)`},
	{"format", []string{"--format", "jsn"}, `unknown format "jsn"…`},
	{"baseline", []string{"--baseline", "Concrete (vtprto)"},
		`--baseline: unknown variant "Concrete (vtprto)"; did you mean Concrete (vtproto)…`},
	{"vague baseline", []string{"--baseline", "Map ("},
		`--baseline "Map (" fits several variants: Map (JSON), Map (JSONv2), Map (sonic), Map (go-json)`},
	{"precision", []string{"--precision", "high"}, `--precision "high": expected a percentage such as 2%`},
	{"no precision", []string{"--precision", "0%"}, `--precision "0%": expected a percentage such as 2%`},
	{"precision of a hundred", []string{"--precision", "100%"}, `--precision "100%": expected a percentage such as 2%`},
	{"precision that is no number", []string{"--precision", "NaN"},
		`--precision "NaN": expected a percentage such as 2%`},
	{"time", []string{"--time", "soon"}, `invalid argument "soon" for "--time" flag: …`},
	{"no time", []string{"--time", "-1s"}, "--time -1s: must not be below 0"},
	{"rate", []string{"--rate", "fast"},
		`--rate "fast": expected messages in a time, such as 20000/s, 500k/h or 2M/d (s, m, h, d; k, M, G)`},
	{"ambiguous rate", []string{"--rate", "5m"}, `--rate "5m": expected messages in a time…`},
	{"prices without a rate", []string{"--core-price", "25", "--tb-price", "20"},
		"prices need a rate: give --rate, such as --rate 20000/s"},
	{"one price", []string{"--rate", "20k", "--tb-price", "20"}, "give --core-price and --tb-price, or neither"},
	{"price", []string{"--rate", "20k", "--tb-price", "20", "--core-price", "-1"},
		`--core-price "-1": expected a number such as 25 or 0.09`},
	{"flag", []string{"--varaints", "proto"}, "unknown flag: --varaints"},
	{"argument", []string{"--data", "good.json", "type.jsonl"},
		`unexpected argument "type.jsonl": a flag that takes several files is repeated, as in --data a.json --data b.json`},
}

func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	for name, text := range badFiles {
		writeFile(t, filepath.Join(dir, name), text)
	}
	t.Chdir(dir)
	for _, tt := range badInputs {
		t.Run(tt.name, func(t *testing.T) {
			refuses(t, tt.want, flags([]string{"bench"}, tt.flags...)...)
		})
	}
}

// refuses runs a command line that must end in one line, before anything is built.
func refuses(t *testing.T, want string, args ...string) {
	t.Helper()
	o := protean(t, strings.NewReader(""), args...)
	if o.code != exitUsage {
		t.Errorf("exit code %d, want %d", o.code, exitUsage)
	}
	if o.stdout != "" {
		t.Errorf("standard output %q", o.stdout)
	}
	line, ended := strings.CutSuffix(o.stderr, "\n")
	line, named := strings.CutPrefix(line, "protean: ")
	if !ended || !named || strings.Contains(line, "\n") {
		t.Errorf("standard error %q, want one line that begins with protean:", o.stderr)
	}
	if begin, cut := strings.CutSuffix(want, "…"); line != want && !(cut && strings.HasPrefix(line, begin)) {
		t.Errorf("\n%s, want\n%s", line, want)
	}
}

// Where a schema has several errors, each has its line.
func TestSeveralErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "two.proto", "syntax = \"proto3\";\nmessage Two {\n  Gone a = 1;\n  Lost b = 2;\n}\n")
	o := protean(t, nil, "bench", "--proto", "two.proto", "--data", "-")
	want := "protean: two.proto:3:3: field Two.a: unknown type Gone\n" +
		"protean: two.proto:4:3: field Two.b: unknown type Lost\n"
	if o.code != exitUsage || o.stdout != "" || o.stderr != want {
		t.Errorf("exit code %d, standard output %q, standard error %q", o.code, o.stdout, o.stderr)
	}
}

func TestStandardInputTwice(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "event.proto", badFiles["event.proto"])
	o := protean(t, strings.NewReader(badFiles["good.json"]),
		flags([]string{"bench"}, flags(event, "--data", "-", "--data", "-")...)...)
	if want := "protean: standard input can be read only once\n"; o.code != exitUsage || o.stdout != "" ||
		o.stderr != want {
		t.Errorf("exit code %d, standard output %q, standard error %q", o.code, o.stdout, o.stderr)
	}
}

func TestBadCommands(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"benhc"}, `unknown command "benhc"; did you mean bench? (protean --help lists all)`},
		{[]string{"measure"}, `unknown command "measure" (protean --help lists all)`},
		{[]string{"list"}, "list what? suites, variants, ops"},
		{[]string{"list", "variant"}, `cannot list "variant"; …`},
		{[]string{"list", "suites", "ops"}, "list what? suites, variants, ops"},
		{[]string{"--suite", "hidden-cost"}, "unknown flag: --suite"},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) { refuses(t, tt.want, tt.args...) })
	}
}

func TestNoToolchain(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	refuses(t, "no Go toolchain: the command go is not on PATH, and the benchmark program must be built with it; see "+
		"https://go.dev/doc/install", "bench")
}

func TestBrokenToolchain(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte("#!/bin/sh\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	refuses(t, "no usable Go toolchain: "+dir+"/go env GOVERSION: …", "bench")
}

// The first build on a machine that has no modules and no way to them.
func TestNoNetwork(t *testing.T) {
	for _, tt := range []struct{ proxy, want string }{
		{"http://127.0.0.1:1", `^protean: cannot build the benchmark program: the module \S+@v\S+ is not on this machine and cannot be downloaded \(.*127\.0\.0\.1:1.*\); the first build needs the network, or a GOPROXY that has it\n$`},
		{"off", `^protean: cannot build the benchmark program: modules that it needs are not on this machine, and GOPROXY=off forbids to download them\n$`},
	} {
		t.Run(tt.proxy, func(t *testing.T) {
			t.Setenv("GOPROXY", tt.proxy)
			t.Setenv("GOMODCACHE", t.TempDir())
			t.Setenv("PROTEAN_CACHE", t.TempDir())
			o := protean(t, nil, "bench")
			if o.code != exitUsage || o.stdout != "" || !regexp.MustCompile(tt.want).MatchString(o.stderr) {
				t.Errorf("exit code %d, standard output %q, standard error\n%s", o.code, o.stdout, o.stderr)
			}
		})
	}
}
