package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const eventProto = `syntax = "proto3";
package acme.v1;
message Event { string id = 1; int64 account = 2; repeated string tags = 3; optional double amount = 4; }
`

// inConvertFolder is a folder with a schema and samples.
func inConvertFolder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"event.proto":   eventProto,
		"samples.jsonl": "{\"id\": \"a\", \"account\": 1, \"tags\": [\"x\"]}\n{\"id\": \"b\", \"amount\": 2.5}\n",
		"broken.jsonl":  "{\"id\": \"a\"}\n{\"id\": 1}\n{\"account\": 9007199254740993}\nbroken\n{\"id\": \"b\"}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Data goes through all forms, one after the other, and comes back.
func TestConvertChain(t *testing.T) {
	inConvertFolder(t)
	schema := []string{"--proto", "event.proto", "--message", "Event"}
	file, from := "samples.jsonl", "json"
	for i, to := range []string{"value", "struct", "bson", "msgpack", "proto", "protojson", "json", "value", "jsonl"} {
		out := fmt.Sprintf("out%d.%s.gz", i, to)
		args := []string{"convert", "--from", from, "--to", to, "--data", file, "-o", out}
		if to == "proto" || to == "protojson" || from == "proto" || from == "protojson" {
			args = append(args, schema...)
		}
		if got := protean(t, nil, args...); got.code != 0 || got.stdout != "" || !strings.HasPrefix(got.stderr,
			"2 records converted from "+from+" to "+to+": ") {
			t.Fatalf("%s: %+v", args, got)
		}
		file, from = out, to
	}
	got := protean(t, nil, "convert", "--from", "json", "--to", "jsonl", "--data", file, "-q")
	want := `{"account":"1","id":"a","tags":["x"]}` + "\n" + `{"amount":2.5,"id":"b"}` + "\n"
	if got != (outcome{0, want, ""}) {
		t.Errorf("%+v, want %s", got, want)
	}
	if left, err := filepath.Glob("*.partial"); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// What cannot be converted ends the work, and the file that was there stays; or it is left out,
// counted and listed.
func TestConvertBroken(t *testing.T) {
	inConvertFolder(t)
	toProto := []string{"convert", "--from", "json", "--to", "proto", "--proto", "event.proto", "--data",
		"broken.jsonl", "-o", "out.delim"}
	if err := os.WriteFile("out.delim", []byte("before"), 0o666); err != nil {
		t.Fatal(err)
	}
	got := protean(t, nil, toProto...)
	want := `protean: broken.jsonl:2:8: protojson: acme.v1.Event: id: invalid value: 1 instead of a string (--keep-going leaves it out and goes on)` + "\n"
	if got != (outcome{1, "", want}) || readFile(t, "out.delim") != "before" {
		t.Errorf("%+v, want %s", got, want)
	}
	got = protean(t, nil, append(toProto, "--keep-going")...)
	if _, list, _ := strings.Cut(got.stderr, "\n"); got.code != 1 || list != `2 records not converted:
  broken.jsonl:2:8: protojson: acme.v1.Event: id: invalid value: 1 instead of a string
  broken.jsonl:4:1: protojson: acme.v1.Event: syntax error: 'b' instead of an object
` || len(readFile(t, "out.delim")) != 4+10+4 {
		t.Errorf("%+v, %q", got, readFile(t, "out.delim"))
	}

	toValue := []string{"convert", "--from", "json", "--to", "value", "--data", "broken.jsonl", "-o", os.DevNull, "-k"}
	got = protean(t, nil, toValue...)
	if _, list, _ := strings.Cut(got.stderr, "\n"); got.code != 1 || list != `2 records not converted:
  broken.jsonl:3:13: $: would be altered: the number 9007199254740993 becomes the nearest double
  broken.jsonl:4:1: value: $: syntax error: 'b' instead of a value
` {
		t.Errorf("%+v", got)
	}
	got = protean(t, nil, append(toValue, "--alter")...)
	if _, list, _ := strings.Cut(got.stderr, "\n"); got.code != 1 || list != `1 record altered:
  broken.jsonl:3:13: $: the number 9007199254740993 becomes the nearest double
1 record not converted:
  broken.jsonl:4:1: value: $: syntax error: 'b' instead of a value
` {
		t.Errorf("%+v", got)
	}
	many := strings.Repeat("x\n", 100000)
	got = protean(t, strings.NewReader(many), "convert", "--from", "jsonl", "--to", "value", "--data", "-", "-k")
	if !strings.HasSuffix(got.stderr, "\n  and 99990 more\n") || !strings.Contains(got.stderr, "\n  stdin:10:1: ") ||
		got.stdout != "" {
		t.Errorf("%+v", got)
	}
}

// The order is kept, whatever the number of workers.
func TestConvertOrder(t *testing.T) {
	var in, want bytes.Buffer
	for i := range 200000 {
		fmt.Fprintf(&in, "{\"number\": %d}\n", i)
		fmt.Fprintf(&want, "{\"number\":%d}\n", i)
	}
	got := protean(t, &in, "convert", "--from", "json", "--to", "jsonl", "--data", "-", "--workers", "3", "-q")
	if got.code != 0 || got.stdout != want.String() {
		t.Errorf("exit code %d, %d bytes, want %d: %s", got.code, len(got.stdout), want.Len(), got.stderr)
	}
}

func TestConvertFolder(t *testing.T) {
	inConvertFolder(t)
	got := protean(t, nil, "convert", "--from", "json", "--to", "struct", "--data", "samples.jsonl", "--out-format",
		"binary", "-o", "folder", "-q")
	if got != (outcome{}) {
		t.Fatal(got)
	}
	files, err := filepath.Glob("folder/*")
	if err != nil || !slices.Equal(files, []string{"folder/000000001.binpb", "folder/000000002.binpb"}) {
		t.Fatal(files, err)
	}
	args := []string{"convert", "--from", "struct", "--to", "json"}
	for _, f := range files {
		args = append(args, "--data", f)
	}
	got = protean(t, nil, append(args, "-q")...)
	want := "[\n" + `{"account":1,"id":"a","tags":["x"]}` + ",\n" + `{"amount":2.5,"id":"b"}` + "\n]\n"
	if got != (outcome{0, want, ""}) {
		t.Errorf("%+v, want %s", got, want)
	}
	if got := protean(t, strings.NewReader(""), "convert", "--from", "json", "--to", "json", "--data", "-",
		"-q"); got.stdout != "[]\n" {
		t.Errorf("%+v", got)
	}
	// An array is a ListValue, not a list of records.
	if got := protean(t, strings.NewReader("[1, 2]"), "convert", "--from", "json", "--to", "list", "--data", "-",
		"-q"); len(got.stdout) != 23 {
		t.Errorf("%+v", got)
	}
}

// A mistake of the user is one line, and exit code 2.
func TestConvertMistakes(t *testing.T) {
	inConvertFolder(t)
	for _, tt := range []struct{ args, want string }{
		{"", "which form? give --from, one of json, "},
		{"--from json", "which form? give --to, one of json, "},
		{"--from xml --to json", `--from: unknown form "xml"; want one of json, jsonl, `},
		{"--from json --to value", "which data? give --data FILE, or --data - for standard input"},
		{"--from json --to value --data a.jsonl", "a.jsonl: no such file"},
		{"--from json --to value --data .", ".: is a folder"},
		{"--from json --to value --data - --data -", "standard input can be read only once"},
		{"--from json --to proto --data samples.jsonl", "which schema? give --proto FILE or --descriptor-set FILE"},
		{"--from json --to value --data samples.jsonl --proto event.proto",
			"json and value have no schema; messages are proto, or protojson as text"},
		{"--from json --to proto --data samples.jsonl --proto event.proto --message Evnet",
			"message Evnet is not in the schema; did you mean"},
		{"--from json --to value --data samples.jsonl --data-format binary",
			"--data-format is for data in wire form, and json is not"},
		{"--from value --to json --data samples.jsonl --data-format json",
			`--data-format: unknown format "json"; want one of`},
		{"--from json --to jsonl --data samples.jsonl --out-format binary",
			"--out-format binary is for wire form, and jsonl is not"},
		{"--from json --to value --data samples.jsonl --out-format binary",
			"--out-format binary writes a file for each record: give --out FOLDER"},
		{"--from json --to value --data samples.jsonl --out-format text",
			`--out-format: unknown format "text"; want delimited or binary`},
		{"--from json --to value --data samples.jsonl -o none/out", "none/out: its folder does not exist"},
		{"--from json --to value --data samples.jsonl --max-record 0", "--max-record 0: expected a number of bytes"},
		{"--from json --to value --data samples.jsonl --workers -1", "--workers -1: expected a number from 1"},
	} {
		got := protean(t, strings.NewReader(""), append([]string{"convert"}, strings.Fields(tt.args)...)...)
		if got.code != 2 || got.stdout != "" || !strings.HasPrefix(got.stderr, "protean: "+tt.want) ||
			strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: %+v, want %s", tt.args, got, tt.want)
		}
	}
}
