package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// inferSchema are the flags of a schema in the working directory.
var inferSchema = []string{"--package", "acme.v1", "--message", "Event", "-o", "event.proto", "--lock",
	"event.lock.yaml"}

// The exit code is 0, 1 if documents do not fit, 2 if a flag or file is wrong; what is wrong is one line.
func TestInferExitCodes(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "good.jsonl", "{\"a\":1,\"b\":\"x\"}\n{\"a\":2,\"b\":\"y\"}\n")
	writeFile(t, "more.jsonl", "{\"a\":1,\"b\":\"x\",\"c\":true}\n")
	writeFile(t, "other.jsonl", "{\"a\":\"one\",\"b\":\"x\"}\n")
	writeFile(t, "broken.jsonl", "{\"a\":1,\"b\":\"x\"}\n{\"a\":1,\"b\":}\n")
	writeFile(t, "empty.jsonl", "")
	writeFile(t, "bad.lock.yaml", "version: 1\nmessages: 3\n")
	mustProtean(t, flags([]string{"infer", "--data", "good.jsonl"}, inferSchema...)...)
	for _, tt := range []struct {
		name   string
		args   []string
		code   int
		stderr string
	}{
		{"the same", flags([]string{"--check", "--data", "good.jsonl"}, inferSchema...), exitOK, ""},
		{"fewer fields", flags([]string{"--check", "--data", "-"}, inferSchema...), exitOK, ""},
		{"a new field", flags([]string{"--check", "--data", "more.jsonl"}, inferSchema...), exitFailed, ""},
		{"another type", flags([]string{"--check", "--data", "other.jsonl"}, inferSchema...), exitFailed, ""},
		{"broken", flags([]string{"--data", "broken.jsonl"}, inferSchema...), exitUsage, "broken.jsonl:2:12: syntax error: expected a value, not '}'"},
		{"no data", inferSchema, exitUsage, "which data? give --data FILE, or --data - for standard input"},
		{"no documents", flags([]string{"--data", "empty.jsonl"}, inferSchema...), exitUsage, "there are no documents"},
		{"no file", flags([]string{"--data", "none.jsonl"}, inferSchema...), exitUsage, "none.jsonl: no such file"},
		{"no message", []string{"--data", "good.jsonl", "--package", "p"}, exitUsage, "which message? give --message NAME, as in --message Event"},
		{"no package", []string{"--data", "good.jsonl", "--message", "M"}, exitUsage, "which package? give --package NAME, as in --package acme.v1"},
		{"package", []string{"--data", "good.jsonl", "--message", "M", "--package", "1.x"}, exitUsage, `--package "1.x": expected names with dots between them, as in acme.v1`},
		{"message", []string{"--data", "good.jsonl", "--message", "p.M", "--package", "p"}, exitUsage, `--message "p.M": expected a name without dots, as in Event`},
		{"check without a lock", []string{"--check", "--data", "good.jsonl", "--package", "p", "--message", "M"}, exitUsage, "--check needs --lock FILE, with the schema so far"},
		{"no lockfile", []string{"--check", "--data", "good.jsonl", "--package", "p", "--message", "M", "--lock", "none.yaml"}, exitUsage,
			"none.yaml: no such file: --check needs the lockfile of the schema so far"},
		{"lockfile", []string{"--data", "good.jsonl", "--package", "p", "--message", "M", "--lock", "bad.lock.yaml"}, exitUsage,
			"bad.lock.yaml: not a lockfile: unmarshal errors: line 2: cannot unmarshal !!int `3` into []*lock.Message"},
		{"other package", []string{"--data", "good.jsonl", "--package", "p", "--message", "Event", "--lock", "event.lock.yaml"}, exitUsage,
			"event.lock.yaml: it is of package acme.v1, not p"},
		{"other message", []string{"--data", "good.jsonl", "--package", "acme.v1", "--message", "M", "--lock", "event.lock.yaml"}, exitUsage,
			"event.lock.yaml: its message is Event, not M"},
		{"hint", flags([]string{"--data", "good.jsonl", "--hint", "$.a"}, inferSchema...), exitUsage, `--hint "$.a": expected PATH=KIND, as in $.labels=map`},
		{"memory", flags([]string{"--data", "good.jsonl", "--memory", "lots"}, inferSchema...), exitUsage, `--memory "lots": expected a size such as 256MB or 2GB`},
		{"form", flags([]string{"--data", "good.jsonl", "--from", "proto"}, inferSchema...), exitUsage, `--from "proto": want one of json, jsonl, value, struct, bson, msgpack`},
		{"fidelity", flags([]string{"--data", "good.jsonl", "--fidelity", "text"}, inferSchema...), exitUsage, `--fidelity "text": want json or wire`},
		{"rest", flags([]string{"--data", "good.jsonl", "--rest", "Rest"}, inferSchema...), exitUsage, `--rest "Rest": expected the name of a field, as in long_tail`},
		{"share", flags([]string{"--data", "good.jsonl", "--rest", "rest", "--rest-below", "much"}, inferSchema...), exitUsage, `--rest-below "much": expected a percentage such as 2%`},
		{"rest of the lock", flags([]string{"--data", "good.jsonl", "--rest", "b"}, inferSchema...), exitUsage, "--rest b: the lockfile has a field of that key; give another name"},
		{"a key of that name", []string{"--data", "good.jsonl", "--rest", "b", "--package", "p", "--message", "M"}, exitUsage, "--rest b: documents have such a key; give another name"},
		{"long documents", flags([]string{"--data", "good.jsonl", "--max-record", "0"}, inferSchema...), exitUsage, "--max-record 0: expected a number of bytes"},
		{"measure a check", flags([]string{"--check", "--bench", "--data", "good.jsonl"}, inferSchema...), exitUsage, "--bench is for a schema that is made of --data"},
		{"measure for ever", flags([]string{"--bench", "--bench-time", "-1s", "--data", "good.jsonl"}, inferSchema...), exitUsage, "--bench-time -1s: must not be below 0"},
		{"no profile", flags([]string{"good.jsonl"}, inferSchema...), exitUsage, "good.jsonl:1: not a profile: it has no format and root"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := readFile(t, "event.proto") + readFile(t, "event.lock.yaml")
			o := protean(t, strings.NewReader(`{"b":"x"}`), append([]string{"infer"}, tt.args...)...)
			want := tt.stderr
			if want != "" {
				want = "protean: " + want + "\n"
			}
			if o.code != tt.code || o.stderr != want {
				t.Errorf("exit code %d, want %d; standard error %q, want %q\n%s", o.code, tt.code, o.stderr, want,
					o.stdout)
			}
			if readFile(t, "event.proto")+readFile(t, "event.lock.yaml") != before {
				t.Error("the schema was changed")
			}
		})
	}
}

// mustProtean runs the command, and returns its standard output.
func mustProtean(t *testing.T, args ...string) string {
	t.Helper()
	o := protean(t, nil, args...)
	if o.code != exitOK {
		t.Fatalf("%s: exit code %d, %s%s", strings.Join(args, " "), o.code, o.stdout, o.stderr)
	}
	return o.stdout
}

// --check says where documents do not fit, which the first is, what the schema needs, and whether that is safe.
func TestInferCheck(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "good.jsonl", "{\"a\":1,\"b\":\"x\"}\n")
	writeFile(t, "new.jsonl", "{\"a\":1,\"b\":\"x\"}\n{\"a\":1,\"b\":\"x\",\"c\":{\"d\":1}}\n")
	mustProtean(t, flags([]string{"infer", "--data", "good.jsonl"}, inferSchema...)...)
	o := protean(t, nil, flags([]string{"infer", "--check", "--format", "json", "--data", "new.jsonl"},
		inferSchema...)...)
	var d inferDocument
	if err := json.Unmarshal([]byte(o.stdout), &d); err != nil || o.code != exitFailed {
		t.Fatalf("exit code %d, %v\n%s", o.code, err, o.stdout)
	}
	if got, want := fmt.Sprint(d.Changes),
		"[{$.c add C c = 3 to message Event} {$.c.d add message C with int32 d = 1}]"; got != want {
		t.Errorf("changes %s, want %s", got, want)
	}
	if len(d.Proof.Findings) != 1 || d.Proof.Findings[0].First != "new.jsonl:2" || d.Proof.Lossy != 1 {
		t.Errorf("findings %+v", d.Proof.Findings)
	}
	if d.Safe == nil || !*d.Safe {
		t.Error("the change is not proven safe")
	}
	text := protean(t, nil, flags([]string{"infer", "--check", "--data", "new.jsonl"}, inferSchema...)...).stdout
	for _, want := range []string{"add C c = 3 to message Event", "new.jsonl:2", "proven safe"} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Names that were changed by hand in the .proto file are kept, and so are numbers.
func TestInferRenamed(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "a.jsonl", "{\"a\":1,\"user\":{\"login\":\"l\"}}\n")
	mustProtean(t, flags([]string{"infer", "--data", "a.jsonl"}, inferSchema...)...)
	writeFile(t, "event.proto", strings.NewReplacer(" a = 1", ` amount = 1 [json_name = "a"]`, "User", "Person").Replace(readFile(t, "event.proto")))
	writeFile(t, "a.jsonl", "{\"new\":1,\"user\":{\"login\":\"l\"},\"a\":1}\n")
	mustProtean(t, flags([]string{"infer", "--data", "a.jsonl"}, inferSchema...)...)
	text := readFile(t, "event.proto")
	for _, want := range []string{`int32 amount = 1 [json_name = "a"];`, "Person user = 2;", "message Person {", "int32 new = 3;"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// With --rest, what few documents have is in one Struct: keys that no field can have and new ones too. What has a
// field keeps it, and so does what Struct does not hold.
func TestInferRest(t *testing.T) {
	t.Chdir(t.TempDir())
	var b strings.Builder
	for i := range 1000 {
		extra := map[int]string{1: `,"rare":{"a":null}`, 2: `,"":1`, 3: `,"big":12345678901234567890`, 4: `,"asked":1`}[i]
		fmt.Fprintf(&b, "{\"id\":%d%s}\n", i+1, extra)
	}
	writeFile(t, "a.jsonl", b.String())
	first := []string{"infer", "--rest", "long_tail", "--hint", "$.asked=int32", "--data", "a.jsonl"}
	mustProtean(t, flags(first, inferSchema...)...)
	text := readFile(t, "event.proto")
	for _, want := range []string{
		"optional int32 asked = ", "optional uint64 big = ", "google.protobuf.Struct long_tail = ", "So far 2 keys",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, " rare = ") {
		t.Errorf("a field for what is rare\n%s", text)
	}

	// An object further down, which has the message of a document, has such a key.
	members := `"a":1,"b":2,"c":3,"d":4,"e":5,"g":6,"h":7,"i":8,"j":9,"k":10`
	nested := fmt.Sprintf(`{%s,"f":{%s,"f":{%s,"extra":1}}}`, members, members, members)
	writeFile(t, "nested.jsonl", nested+"\n"+nested+"\n")
	o := protean(t, nil, "infer", "--rest", "extra", "--package", "p", "--message", "M", "--data", "nested.jsonl")
	if o.code != exitUsage || !strings.Contains(o.stderr, "--rest extra: $.extra has such a key; give another name") {
		t.Errorf("exit code %d, %s%s", o.code, o.stderr, o.stdout)
	}

	// A member that has the key of the field is one of the rest like any other.
	writeFile(t, "new.jsonl", "{\"id\":1,\"longTail\":[1],\"new\":{\"x\":0.5}}\n")
	args := flags([]string{"infer", "--check", "--format", "json", "--data", "new.jsonl"}, inferSchema...)
	o = protean(t, nil, args...)
	var d inferDocument
	err := json.Unmarshal([]byte(o.stdout), &d)
	if err != nil || o.code != exitOK || d.Proof.SameValue != 1 || len(d.Proof.Findings) != 2 {
		t.Errorf("exit code %d, %v\n%s%s", o.code, err, o.stdout, o.stderr)
	}
	// What a Struct does not hold does not fit.
	writeFile(t, "new.jsonl", "{\"id\":1,\"new\":[12345678901234567890]}\n")
	if o := protean(t, nil, args...); o.code != exitFailed || !strings.Contains(o.stdout, "loses digits") {
		t.Errorf("exit code %d\n%s", o.code, o.stdout)
	}

	// The lockfile remembers the field, and what has one keeps it though it is rare.
	mustProtean(t, flags([]string{"infer", "--data", "a.jsonl"}, inferSchema...)...)
	if again := readFile(t, "event.proto"); again != text {
		t.Errorf("got\n%s\nwant\n%s", again, text)
	}
}

// --bench has the lab measure documents as they are in the message: adapted, from whatever form.
func TestInferBench(t *testing.T) {
	heavy(t)
	t.Chdir(t.TempDir())
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "{\"state\":\"%s\",\"id\":%d,\"k%d\":null}\n", []string{"on", "off"}[i%2], i+1, i)
	}
	args := flags([]string{
		"infer", "--rest", "rest", "--hint", "$.state=enum", "--bench", "--bench-time", "0", "--data", "-",
	}, inferSchema...)
	o := protean(t, strings.NewReader(b.String()), args...)
	if o.code != exitOK {
		t.Fatalf("exit code %d\n%s%s", o.code, o.stdout, o.stderr)
	}
	for _, want := range []string{
		"1000 same value", "acme.v1.Event · documents · size", "Concrete (protean)", "Map (JSON)",
		"google.protobuf.Value (proto)",
	} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("no %q in\n%s", want, o.stdout)
		}
	}
	if strings.Contains(o.stdout, "failed") {
		t.Errorf("got\n%s", o.stdout)
	}
}

// Documents in other forms, compressed, in parts, or read by workers, give the same schema.
func TestInferForms(t *testing.T) {
	t.Chdir(t.TempDir())
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, `{"at":"2026-01-02T03:04:05Z","id":%d,"name":"n%d","tags":["a"]}`+"\n", i+1, i)
	}
	lines := b.String()
	writeFile(t, "a.jsonl", lines)
	writeFile(t, "a.json", "["+strings.Join(strings.Split(strings.TrimSpace(lines), "\n"), ",\n ")+"]")
	schema := []string{"--package", "acme.v1", "--message", "Event"}
	want := mustProtean(t, flags([]string{"infer", "--data", "a.jsonl"}, schema...)...)
	if !strings.Contains(want, "google.protobuf.Timestamp at = 1;") {
		t.Errorf("got\n%s", want)
	}
	for form, file := range map[string]string{"jsonl": "a.jsonl.gz", "value": "a.delim", "struct": "b.delim.zst",
		"bson": "a.bson", "msgpack": "a.msgpack"} {
		mustProtean(t, "convert", "--from", "json", "--to", form, "--data", "a.jsonl", "-o", file)
		if got := mustProtean(t, flags([]string{"infer", "--from", form, "--data", file}, schema...)...); got != want {
			t.Errorf("%s: another schema\n%s", form, got)
		}
	}
	if got := mustProtean(t, flags([]string{"infer", "--data", "a.json"}, schema...)...); got != want {
		t.Errorf("an array: another schema\n%s", got)
	}
	if o := protean(t, strings.NewReader(lines), flags([]string{"infer", "--data", "-"},
		schema...)...); o.stdout != want || !strings.Contains(o.stderr, "300 same text") {
		t.Errorf("standard input: another schema, or no proof\n%s%s", o.stdout, o.stderr)
	}

	size := len(lines)
	whole := protean(t, strings.NewReader("a.jsonl\n"), "infer", "worker")
	first := protean(t, strings.NewReader(fmt.Sprintf("a.jsonl\t0\t%d\n", size/3)), "infer", "worker")
	second := protean(t, strings.NewReader(fmt.Sprintf("a.jsonl\t%d\t%d\na.jsonl\t%d\t0\n", size/3, size/2, size/2)),
		"infer", "worker")
	if whole.code != exitOK || first.code != exitOK || second.code != exitOK {
		t.Fatalf("%s%s%s", whole.stderr, first.stderr, second.stderr)
	}
	writeFile(t, "p1", first.stdout)
	writeFile(t, "p2", second.stdout)
	if got := mustProtean(t, flags([]string{"infer", "p1", "p2"}, schema...)...); got != want {
		t.Errorf("profiles of workers: another schema\n%s", got)
	}
	mustProtean(t, "infer", "p1", "p2", "--save-profile", "sum")
	if readFile(t, "sum") != whole.stdout {
		t.Error("the profiles do not add up to that of the whole")
	}
	if o := protean(t, strings.NewReader("a.jsonl\t0\n"), "infer", "worker"); o.code != exitUsage ||
		!strings.HasPrefix(o.stderr, "protean: stdin:1: expected FILE") {
		t.Errorf("exit code %d, %s", o.code, o.stderr)
	}
}

// Broken documents are left out if asked for, counted, and named.
func TestInferSkipInvalid(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "a.jsonl", "{\"a\":1}\n{\"b\":\n{\"a\":2}\n")
	out := mustProtean(t, flags([]string{"infer", "--skip-invalid", "--data", "a.jsonl"}, inferSchema...)...)
	if !strings.Contains(out, "1 document left out") || !strings.Contains(out, "a.jsonl:2") {
		t.Errorf("got\n%s", out)
	}
	if text := readFile(t, "event.proto"); strings.Contains(text, " b = ") {
		t.Errorf("the broken document is in the schema\n%s", text)
	}
}

// The schema that docs/infer.md shows is what its first command writes.
func TestInferDocument(t *testing.T) {
	text := readFile(t, checkout+"/docs/infer.md")
	_, data, _ := strings.Cut(text, "<<'JSON'\n")
	data, _, _ = strings.Cut(data, "JSON\n")
	_, want, _ := strings.Cut(text, "```proto\n")
	want, _, _ = strings.Cut(want, "```")
	t.Chdir(t.TempDir())
	writeFile(t, "events.jsonl", data)
	mustProtean(t, flags([]string{"infer", "--data", "events.jsonl"}, inferSchema...)...)
	if got := readFile(t, "event.proto"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The example goes from samples to a service that answers calls.
func TestInferExample(t *testing.T) {
	heavy(t)
	out, err := exec.Command(checkout+"/examples/inferred/run.sh", t.TempDir()).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "evt_3: 109 bytes as JSON, 42 in binary form\n") {
		t.Errorf("%v\n%s", err, out)
	}
}
