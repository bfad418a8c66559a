package main

import (
	"fmt"
	"strings"
	"testing"
)

// roundTrip infers a schema of documents, converts them to messages and back by the lockfile, and returns what comes
// back, with the schema. Every document must come back without loss.
func roundTrip(t *testing.T, documents string, flags ...string) (back, schema string) {
	t.Helper()
	t.Chdir(t.TempDir())
	writeFile(t, "a.jsonl", documents)
	out := mustProtean(t, append(append([]string{"infer", "--data", "a.jsonl"}, inferSchema...), flags...)...)
	if !strings.Contains(strings.Join(strings.Fields(out), " "), ", 0 lossy") {
		t.Errorf("the proof: %s", out)
	}
	convert := []string{"-q", "--proto", "event.proto", "--message", "acme.v1.Event", "--lock", "event.lock.yaml"}
	mustProtean(t, append([]string{"convert", "--from", "json", "--to", "proto", "--data", "a.jsonl", "-o", "a.delim"},
		convert...)...)
	return mustProtean(t, append([]string{"convert", "--from", "proto", "--to", "jsonl", "--data", "a.delim"},
		convert...)...), readFile(t, "event.proto")
}

// What moves into the field for the rest moves back, and so do the texts of enums.
func TestConvertLock(t *testing.T) {
	in := strings.Repeat(`{"id":1,"state":"on"}`+"\n", 200) +
		`{"id":2,"state":"off","":true,"debug":{"trace":null},"rest":[1]}` + "\n"
	back, schema := roundTrip(t, in, "--rest", "long_tail", "--hint", "$.state=enum")
	if back != in {
		t.Errorf("got %s", back[max(0, len(back)-200):])
	}
	if !strings.Contains(schema, "google.protobuf.Struct long_tail = 3;") {
		t.Errorf("got\n%s", schema)
	}
	// ProtoJSON is the message as it is.
	args := []string{"convert", "--proto", "event.proto", "--message", "acme.v1.Event", "--lock", "event.lock.yaml", "-q"}
	out := mustProtean(t, append(args, "--from", "json", "--to", "protojson", "--data", "a.jsonl")...)
	want := `{"id":2,"state":"EVENT_STATE_OFF","longTail":{"":true,"debug":{"trace":null},"rest":[1]}}`
	if !strings.HasSuffix(out, want+"\n") {
		t.Errorf("got %s, want %s", out[max(0, len(out)-200):], want)
	}
	// An error in a document that was adapted is at the document.
	o := protean(t, strings.NewReader(in+`{"id":"x","state":"on"}`), append(args, "--from", "jsonl", "--to", "proto",
		"--data", "-")...)
	if o.code != exitFailed || !strings.Contains(o.stderr, "stdin:202:1: protojson: acme.v1.Event: id: invalid value") {
		t.Errorf("exit code %d, %s", o.code, o.stderr)
	}
}

// Objects that a string beside them tells apart are members of a oneof, and come back. A string that the schema does
// not know is told by --check, with what is needed.
func TestConvertUnion(t *testing.T) {
	in := strings.Repeat(`{"type":"PushEvent","payload":{"sha":"a","size":2}}`+"\n"+
		`{"type":"WatchEvent","payload":{"action":"started"}}`+"\n"+`{"type":"PublicEvent","payload":{}}`+"\n", 20)
	back, schema := roundTrip(t, in, "--fidelity", "wire")
	if back != in {
		t.Errorf("got %s", back[:min(len(back), 300)])
	}
	if !strings.Contains(schema, "  oneof payload {\n") {
		t.Errorf("got\n%s", schema)
	}
	args := []string{"convert", "--proto", "event.proto", "--message", "acme.v1.Event", "--lock", "event.lock.yaml", "-q"}
	out := mustProtean(t, append(args, "--from", "json", "--to", "protojson", "--data", "a.jsonl")...)
	want := `{"type":"EVENT_TYPE_PUSH_EVENT","pushEventPayload":{"sha":"a","size":2}}` + "\n"
	if !strings.HasPrefix(out, want) {
		t.Errorf("got %s, want %s", out[:min(len(out), 300)], want)
	}
	check := append(append([]string{"infer", "--check", "--fidelity", "wire"}, inferSchema...), "--data")
	mustProtean(t, append(check, "a.jsonl")...)
	writeFile(t, "new.jsonl", `{"type":"ForkEvent","payload":{"id":1}}`+"\n")
	o := protean(t, nil, append(check, "new.jsonl")...)
	want = `add ForkEventPayload fork_event_payload = 5 to oneof payload of message Event for type "ForkEvent"`
	if o.code != exitFailed || !strings.Contains(strings.Join(strings.Fields(o.stdout), " "), want) {
		t.Errorf("exit code %d, %s", o.code, o.stdout)
	}
	explain := []string{"infer", "--explain", "--fidelity", "wire", "--data", "a.jsonl"}
	explained := mustProtean(t, append(explain, inferSchema...)...)
	if !strings.Contains(explained, "oneof payload: PushEventPayload") {
		t.Errorf("got %s", explained)
	}
}

// A document that is no message by itself is the value of its field.
func TestConvertWrapped(t *testing.T) {
	in := "[[1,2],[]]\n[]\n"
	if back, _ := roundTrip(t, in); back != in {
		t.Errorf("got %s", back)
	}
}

// --rest needs no lockfile.
func TestConvertRest(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "event.proto", `syntax = "proto3"; import "google/protobuf/struct.proto";
		message Event { string id = 1; google.protobuf.Struct more = 2; }`)
	args := []string{"convert", "-q", "--proto", "event.proto", "--message", "Event", "--rest"}
	in := `{"id":"a","b":[1,{"c":null}],"more":2}` + "\n"
	out := protean(t, strings.NewReader(in), append(args, "more", "--from", "jsonl", "--to", "proto", "--data", "-")...)
	back := protean(t, strings.NewReader(out.stdout), append(args, "more", "--from", "proto", "--to", "jsonl",
		"--data", "-")...)
	if out.code != exitOK || back.stdout != in {
		t.Errorf("%+v\n%+v", out, back)
	}
	for _, tt := range []struct{ flags, want string }{
		{"id", "--rest id: Event has no such field of type google.protobuf.Struct"},
		{"none", "--rest none: Event has no such field of type google.protobuf.Struct"},
		{"more --lock e.yaml", "--lock knows the field of --rest; give one of them"},
	} {
		args := append(append(args, strings.Fields(tt.flags)...), "--from", "jsonl", "--to", "proto", "--data", "-")
		if o := protean(t, strings.NewReader(in), args...); o.code != exitUsage || o.stderr != "protean: "+tt.want+"\n" {
			t.Errorf("%+v, want %s", o, tt.want)
		}
	}
	o := protean(t, strings.NewReader(in), "convert", "--from", "json", "--to", "value", "--data", "-", "--rest", "x")
	if want := "protean: json and value have no schema, which --lock and --rest are for\n"; o.stderr != want {
		t.Errorf("%+v, want %s", o, want)
	}
}

// In wire fidelity, lists and maps within such are messages, few values an enum, and an object with one of several
// members is a oneof: documents become messages and come back as they were.
func TestConvertWire(t *testing.T) {
	var b strings.Builder
	for i := range 40 {
		state := []string{"open", "closed"}[i%2]
		value := []string{`{"text":"a"}`, `{"flag":false}`}[i%2]
		fmt.Fprintf(&b, `{"state":%q,"grid":[[1,2.5],[]],"deep":[[[{"x":1}]]],"by":{"10":{"20":1},"11":{},"12":{"7":2}},`+
			`"one":%s}`+"\n", state, value)
	}
	back, schema := roundTrip(t, b.String(), "--fidelity", "wire")
	if back != b.String() {
		t.Errorf("got %s", back[:min(len(back), 300)])
	}
	for _, want := range []string{
		"EventState state = 1;", "repeated GridList grid = 2;", "repeated double values = 1;",
		"repeated DeepList2 values = 1;",
		"map<string, ByMap> by = 4;", "map<string, int32> entries = 1;", "  oneof kind {\n",
	} {
		if !strings.Contains(schema, want) {
			t.Errorf("no %q in\n%s", want, schema)
		}
	}
	// The numbers and names last, by the lockfile; a second member in one object ends the oneof, and that is safe.
	args := flags([]string{"infer", "--fidelity", "wire", "--data", "a.jsonl"}, inferSchema...)
	mustProtean(t, args...)
	if again := readFile(t, "event.proto"); again != schema {
		t.Errorf("got\n%s\nwant\n%s", again, schema)
	}
	mustProtean(t, append(args, "--check")...)
	writeFile(t, "a.jsonl", strings.Replace(b.String(), `{"flag":false}`, `{"flag":false,"text":"b"}`, 1))
	o := protean(t, nil, append(args, "--check")...)
	text := strings.Join(strings.Fields(o.stdout), " ")
	for _, want := range []string{"take the fields of message One out of oneof kind", "a.jsonl:2"} {
		if o.code != exitFailed || !strings.Contains(text, want) {
			t.Errorf("exit code %d, no %q in\n%s", o.code, want, o.stdout)
		}
	}
}
