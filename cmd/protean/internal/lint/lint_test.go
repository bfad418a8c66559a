package lint

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/lint/schema"
)

const eventProto = `syntax = "proto3";
package acme;
import "google/protobuf/any.proto";
import "google/protobuf/struct.proto";
message Event {
  google.protobuf.Struct data = 1;
  map<string, google.protobuf.Value> labels = 2;
  repeated Event events = 3; // protean:lint:ignore PROTEAN_RECURSIVE
  repeated int64 ids = 4;
  map<sint32, google.protobuf.ListValue> lists = 5;
  fixed64 hash = 6;
  // protean:lint:ignore PROTEAN_VALUE PROTEAN_DATA_INTEGER
  google.protobuf.Value excused = 7;
  oneof body { google.protobuf.Any any = 8; }
}
`

// load writes a schema and samples, and reads them as the command does.
func load(t *testing.T, name string, data []byte) *suite.Suite {
	t.Helper()
	dir := t.TempDir()
	for file, text := range map[string][]byte{"event.proto": []byte(eventProto), name: data} {
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := suite.Load(suite.Source{Protos: []string{filepath.Join(dir, "event.proto")},
		Data: []string{filepath.Join(dir, name)}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// found are findings as RULE line: what.
func found(fs []Finding) []string {
	var out []string
	for _, f := range fs {
		out = append(out, fmt.Sprintf("%s %d: %s", f.Rule, f.Line, f.What))
	}
	return out
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	for i, w := range want {
		if i >= len(got) || !strings.HasPrefix(got[i], w) {
			t.Errorf("%d: %q, want %s", i, got, w)
			return
		}
	}
	if len(got) > len(want) {
		t.Errorf("more than wanted: %q", got[len(want):])
	}
}

func TestSchema(t *testing.T) {
	s := load(t, "a.json", []byte(`{}`))
	got := Schema(s.Schema)
	expect(t, found(got), "PROTEAN_STRUCT 6: field acme.Event.data", "PROTEAN_VALUE 7: map acme.Event.labels",
		"PROTEAN_LIST_VALUE 10: map acme.Event.lists", "PROTEAN_ANY 14: member acme.Event.any of oneof body")
	if place := got[0].Position(); !filepath.IsAbs(got[0].File) || !strings.HasSuffix(place, "event.proto:6:3") {
		t.Errorf("%s is not where the file is", place)
	}
}

func TestLook(t *testing.T) {
	s := load(t, "a.jsonl", []byte(`{"data":{"user":{"id":9007199254740993,"big":1e300,"half":0.5}},"ids":["1","9007199254740993","-9007199254740993"],"hash":"9007199254740992"}
{"events":[{"data":{"user":{"id":-9007199254740992}}}],"excused":9007199254740993,"labels":{"k":{"a b":[1,{"c":2}]}},"lists":{"-7":[18446744073709551615]}}
`))
	data, got := Look(s, s.Payloads[0])
	expect(t, found(got),
		"PROTEAN_DATA_INTEGER 6: field acme.Event.data has 2 integers of 2^53 or more, the first 9007199254740992 at data.user.id in ")
	expect(t, []string{data.Integers[0].First[:len("9007199254740993 at ids[1]")]}, "9007199254740993 at ids[1]")
	if len(data.Integers) != 1 || data.Integers[0].Count != 2 {
		t.Errorf("%+v", data.Integers)
	}
	if data.Samples != 2 || data.Bytes != len(s.Payloads[0].Samples[0].Wire)+len(s.Payloads[0].Samples[1].Wire) {
		t.Errorf("%+v", data)
	}
	// Event, labels' entry, Value, Struct, its entry, Value, ListValue, Value, Struct, its entry, Value
	if data.Deepest != 11 || data.DeepestPath != `labels["k"]."a b"[1].c` {
		t.Errorf("%d levels at %s", data.Deepest, data.DeepestPath)
	}
}

// The accounts of fields are exact: the values' own sizes, tags and lengths included.
func TestFields(t *testing.T) {
	s := load(t, "a.jsonl", []byte(`{"data":{"id":1,"name":"x"},"labels":{"k":null}}
{"data":{"id":2},"events":[{"data":{"name":"y"}}]}
`))
	data, _ := Look(s, s.Payloads[0])
	size := 0
	for _, text := range []map[string]any{{"id": 1, "name": "x"}, {"id": 2}, {"name": "y"}} {
		m, err := structpb.NewStruct(text)
		if err != nil {
			t.Fatal(err)
		}
		size += 1 + protowire.SizeBytes(proto.Size(m))
	}
	f := data.Fields[0]
	if f.Name != "acme.Event.data" || f.Type != "google.protobuf.Struct" || f.Values != 3 || f.Bytes != size {
		t.Errorf("%+v, want 3 values of %d bytes", f, size)
	}
	if f.Keys != 2*4+2*6 || f.Repeated != 4+6 {
		t.Errorf("keys %d, repeated %d", f.Keys, f.Repeated)
	}
	if f := data.Fields[1]; f.Name != "acme.Event.labels" || f.Type != "google.protobuf.Value" || f.Values != 1 ||
		f.Keys != 0 ||
		f.Bytes != 1+1+3+2+2 {
		t.Errorf("%+v", f)
	}
	for _, f := range data.Fields {
		if f.Times.Known() {
			t.Errorf("%s has times before it was timed", f.Name)
		}
	}
	data.Clock(30 * time.Millisecond)
	for _, f := range data.Fields {
		if x := f.Times; !x.Known() || x.Problem != "" || x.Unmarshal.Median <= 0 || x.Marshal.Median <= 0 ||
			x.Parse.Median <= 0 {
			t.Errorf("%s: %+v", f.Name, x)
		}
	}
}

// What JSON cannot express, and what others refuse, comes in binary form.
func TestBinary(t *testing.T) {
	nan := structpb.NewNumberValue(math.NaN())
	odd := &structpb.Struct{Fields: map[string]*structpb.Value{"a": nan, "b": {},
		"c": structpb.NewListValue(&structpb.ListValue{
			Values: []*structpb.Value{structpb.NewNumberValue(math.Inf(-1))}})}}
	body, err := proto.Marshal(odd)
	if err != nil {
		t.Fatal(err)
	}
	s := load(t, "a.binpb", protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), body))
	_, got := Look(s, s.Payloads[0])
	expect(t, found(got),
		"PROTEAN_DATA_NOT_FINITE 6: field acme.Event.data has 2 numbers that are not finite, the first NaN at data.a in",
		"PROTEAN_DATA_NO_KIND 6: field acme.Event.data has 1 Value without a kind, at data.b in")

	deep := []byte{}
	for range 100 {
		deep = protowire.AppendBytes(protowire.AppendTag(nil, 3, protowire.BytesType), deep)
	}
	for extra, want := range [][]string{{"PROTEAN_DATA_DEPTH 5: a message acme.Event is nested 101 levels deep, at events[0].events[0]"}, nil} {
		s = load(t, "a.binpb", deep)
		_, got = Look(s, s.Payloads[0])
		expect(t, found(got), want...)
		if extra == 0 {
			deep, _ = protowire.ConsumeBytes(deep[1:])
		}
	}
}

func TestSize(t *testing.T) {
	for size, want := range map[int][]string{schema.SizeLimit: nil,
		schema.SizeLimit + 1: {"PROTEAN_DATA_SIZE 5: a message acme.Event takes 4194305 bytes"}} {
		text := strings.Repeat("x", size-23)
		s := load(t, "a.json", []byte(`{"data":{"k":"`+text+`"}}`))
		if got := len(s.Payloads[0].Samples[0].Wire); got != size {
			t.Fatalf("the sample has %d bytes, want %d", got, size)
		}
		_, got := Look(s, s.Payloads[0])
		expect(t, found(got), want...)
	}
}

// Keys may hold anything, and paths are for one line.
func TestPath(t *testing.T) {
	s := load(t, "a.json", []byte(`{"data":{"`+strings.Repeat("k", 1000)+`":9007199254740993}}`))
	_, got := Look(s, s.Payloads[0])
	if len(got) != 1 || len(got[0].What) > 400 || !strings.Contains(got[0].What, "kkk…kkk") {
		t.Errorf("%v", got)
	}
}

// Samples have been read before they are looked at; other bytes do no harm.
func FuzzLook(f *testing.F) {
	dir := f.TempDir()
	path := filepath.Join(dir, "event.proto")
	if err := os.WriteFile(path, []byte(eventProto), 0o644); err != nil {
		f.Fatal(err)
	}
	s, err := suite.LoadSchema(suite.Source{Protos: []string{path}})
	if err != nil {
		f.Fatal(err)
	}
	md, err := s.Message("Event")
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte("\x0a\x0b\x0a\x09\x0a\x01a\x12\x04\x22\x02xy"))
	f.Add([]byte("\x12\x05\x0a\x01k\x12\x80\x22\x02\x80\x80\x2a\x01\x08"))
	f.Fuzz(func(t *testing.T, wire []byte) {
		p := &suite.Payload{Message: md, Samples: []suite.Sample{{Source: "x", Wire: wire}}}
		data, _ := Look(&suite.Suite{Schema: s}, p)
		for _, x := range data.Fields {
			if x.Bytes > len(wire) || x.Keys > x.Bytes || x.Repeated > x.Keys {
				t.Errorf("%+v of %d bytes", x, len(wire))
			}
		}
	})
}
