package main

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// The libraries of the suite, by format, each with its row of totals.
var libraries = map[string][]string{
	"binary": {"golang/protobuf 1.3.5 (proto)", "golang/protobuf 1.5 (proto)", "Concrete (proto)",
		"gogo/protobuf (proto)",
		"Concrete (vtproto)", "Concrete (protean)"},
	"text": {"golang/protobuf 1.3.5 (JSONProto)", "golang/protobuf 1.5 (JSONProto)", "Concrete (JSONProto)",
		"gogo/protobuf (JSONProto)",
		"Concrete (JSONProto, protean)"},
}

// Every library of the suite marshals and unmarshals the corpus, those of another program
// too, to the same size; and each has a total.
func TestLibraries(t *testing.T) {
	heavy(t)
	d := benchJSON(t, exitOK, "--suite", "libraries", "--time", "2s")
	for i := range d.Results {
		if c := &d.Results[i]; c.Status != "ok" {
			t.Errorf("%s: %s (%s)", c, c.Status, c.Reason)
		}
	}
	checkTimes(t, d)
	for format, variants := range libraries {
		want := number(d.cell(t, "people", variants[0], "size").Wire)
		for _, v := range variants {
			if got := number(d.cell(t, "people", v, "size").Wire); got != want {
				t.Errorf("%s: %v bytes as %s, others have %v", v, got, format, want)
			}
			checkTotal(t, d, v)
		}
		if format == "binary" && math.Trunc(want) != 383 {
			t.Errorf("%v bytes on average, published are 383", want)
		}
	}
	// What was published as 151 ns and no allocations cannot have read the texts.
	for variant, least := range map[string]float64{"Concrete (vtproto)": 3, "Concrete (vtproto, unsafe)": 2} {
		if c := d.cell(t, "people", variant, "unmarshal"); number(c.Allocs) < least {
			t.Errorf("%s: %v allocations", c, number(c.Allocs))
		}
	}
}

// checkTotal checks that a variant's total is the sum of its operations.
func checkTotal(t *testing.T, d *document, variant string) {
	t.Helper()
	total, marshal, unmarshal := d.cell(t, "people", variant, "marshal+unmarshal"),
		d.cell(t, "people", variant, "marshal"), d.cell(t, "people", variant, "unmarshal")
	if math.Abs(number(total.Allocs)-number(marshal.Allocs)-number(unmarshal.Allocs)) > 0.01 {
		t.Errorf("%s: %v allocations, of %v and %v", total, number(total.Allocs), number(marshal.Allocs),
			number(unmarshal.Allocs))
	}
	if ns := number(total.NS); ns <= number(marshal.NS) || ns <= number(unmarshal.NS) || total.Samples == 0 {
		t.Errorf("%s: %v ns, of %v and %v", total, ns, number(marshal.NS), number(unmarshal.NS))
	}
}

// A schema that needs much of what generators can do.
const (
	richSchema = `syntax = "proto3";
package acme.v1;
import "google/protobuf/any.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
import "thing.proto";
message Event {
  message Inner { string s = 1; repeated int64 n = 2; Kind kind = 3; enum Kind { NONE = 0; SOME = 1; } }
  string id = 1;
  google.protobuf.Timestamp at = 2;
  map<string, Inner> inners = 3;
  map<int32, string> names = 4;
  repeated Inner.Kind kinds = 5;
  google.protobuf.Struct data = 6;
  google.protobuf.StringValue label = 7;
  other.v2.Thing thing = 8;
  oneof content { Inner inner = 9; bytes raw = 10; }
  google.protobuf.Any any = 11;
  float f = 12;
}
`
	thingSchema = `syntax = "proto3";
package other.v2;
message Thing { uint64 u = 1; repeated Thing things = 2; sint32 z = 3; fixed64 q = 4; }
`
	richData = `{"id":"1","at":"2026-03-01T12:00:00.5Z","inners":{"a":{"s":"x","n":["1","9007199254740993"],"kind":"SOME"},"b":{}},"names":{"7":"seven","-1":"m"},` +
		`"kinds":["SOME","NONE"],"data":{"a":[1,null,"x",{"b":true}]},"label":"hi","thing":{"u":"18446744073709551615","things":[{"z":-5}],"q":"3"},"inner":{"s":"q"},"f":1.5}
{"id":"2","raw":"AAEC","any":{"@type":"type.googleapis.com/other.v2.Thing","u":"5"}}
`
)

// The suite's libraries serve a user's own schema: packages, maps, oneofs and well-known
// types, each as its own generator makes them.
func TestLibrariesOnOwnSchema(t *testing.T) {
	heavy(t)
	dir := t.TempDir()
	schema := writeFile(t, filepath.Join(dir, "event.proto"), richSchema)
	writeFile(t, filepath.Join(dir, "thing.proto"), thingSchema)
	data := writeFile(t, filepath.Join(dir, "events.jsonl"), richData)
	kept := filepath.Join(dir, "kept")
	d := benchJSON(t, exitOK, "--suite", "libraries", "--time", "0", "--proto", schema, "-I", dir, "--message", "Event",
		"--data", data, "--keep", kept)
	for i := range d.Results {
		if c := &d.Results[i]; c.Status != "ok" {
			t.Errorf("%s: %s (%s)", c, c.Status, c.Reason)
		}
	}
	for _, v := range append(libraries["binary"], libraries["text"]...) {
		d.cell(t, "events", v, "unmarshal")
	}
	// Each program is kept with the requests that are its own.
	for folder, own := range map[string]bool{"": false, "v1.3.5": true} {
		text := readFile(t, filepath.Join(kept, folder, "run.json"))
		if got := strings.Contains(text, "golang/protobuf 1.3.5"); got != own || strings.Contains(text, `"program"`) {
			t.Errorf("run.json of %q has cells of 1.3.5: %v", folder, got)
		}
	}
}
