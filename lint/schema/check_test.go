package schema_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/lint/schema"
)

// compile compiles files, of which the first is what is looked at.
func compile(t testing.TB, first string, files map[string]string) protoreflect.FileDescriptor {
	t.Helper()
	c := protocompile.Compiler{
		SourceInfoMode: protocompile.SourceInfoStandard,
		Resolver: protocompile.WithStandardImports(
			&protocompile.SourceResolver{Accessor: protocompile.SourceAccessorFromMap(files)}),
	}
	out, err := c.Compile(context.Background(), first)
	if err != nil {
		t.Fatal(err)
	}
	return out[0]
}

// A line of a file in testdata that ends so has such findings, and others have none.
var want = regexp.MustCompile(`// want ((?:[A-Z_]+ ?)+)$`)

// TestFiles checks each file in testdata against the findings that its comments name.
func TestFiles(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.proto")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	files := make(map[string]string)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = string(text)
	}
	for name, text := range files {
		t.Run(name, func(t *testing.T) {
			expected := make(map[string]bool)
			for i, line := range strings.Split(text, "\n") {
				if m := want.FindStringSubmatch(line); m != nil {
					for id := range strings.FieldsSeq(m[1]) {
						expected[fmt.Sprintf("%d %s", i+1, id)] = true
					}
				}
			}
			for _, f := range schema.Check([]protoreflect.FileDescriptor{compile(t, name, files)}, schema.Options{}) {
				key := fmt.Sprintf("%d %s", f.Line, f.Rule.ID)
				if !expected[key] {
					t.Errorf("unexpected: %s", f.String())
				}
				delete(expected, key)
			}
			for key := range expected {
				t.Errorf("%s:%s is not found", name, key)
			}
		})
	}
}

func TestText(t *testing.T) {
	file := compile(t, "acme/a.proto", map[string]string{"acme/a.proto": `syntax = "proto3";
package acme;
import "google/protobuf/struct.proto";
message Event {
  map<string, google.protobuf.Value> labels = 1;
  oneof body { google.protobuf.Struct data = 2; }
  Node node = 3;
}
message Node { map<string, Node> children = 1; }
`})
	found := schema.Check([]protoreflect.FileDescriptor{file}, schema.Options{})
	for i, want := range []string{
		"acme/a.proto:5:3: map acme.Event.labels has values of type google.protobuf.Value: in Go about ten times",
		"acme/a.proto:6:16: member acme.Event.data of oneof body is a google.protobuf.Struct: in Go about",
		"acme/a.proto:9:16: message acme.Node can contain itself, by Node.children: 50 levels of it are nested within 100: ",
	} {
		if i >= len(found) || !strings.HasPrefix(found[i].String(), want) {
			t.Errorf("%d: %v, want %s", i, found, want)
		}
	}
	if text, proof := found[0].String(),
		"proof: protean migrate --old OLD --new NEW --message acme.Event --data SAMPLES. (PROTEAN_VALUE)"; !strings.HasSuffix(text, proof) {
		t.Errorf("%s: want %s", text, proof)
	}
}

// Without source information there is no position, and no comment.
func TestNoSourceInfo(t *testing.T) {
	c := protocompile.Compiler{Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{
		Accessor: protocompile.SourceAccessorFromMap(map[string]string{
			"a.proto": `syntax = "proto3"; import "google/protobuf/any.proto"; message M { google.protobuf.Any any = 1; }`})})}
	out, err := c.Compile(context.Background(), "a.proto")
	if err != nil {
		t.Fatal(err)
	}
	found := schema.Check([]protoreflect.FileDescriptor{out[0]}, schema.Options{})
	if len(found) != 1 || !strings.HasPrefix(found[0].String(), "a.proto: field M.any is a google.protobuf.Any: ") {
		t.Errorf("%v", found)
	}
}

func TestBufIgnores(t *testing.T) {
	file := compile(t, "a.proto", map[string]string{"a.proto": `syntax = "proto3";
import "google/protobuf/any.proto";
message M {
  // buf:lint:ignore PROTEAN_ANY
  google.protobuf.Any any = 1;
}`})
	for _, honoured := range []bool{false, true} {
		found := schema.Check([]protoreflect.FileDescriptor{file}, schema.Options{BufIgnores: honoured})
		if (len(found) == 0) != honoured {
			t.Errorf("honoured %v: %v", honoured, found)
		}
	}
}

// Nesting is counted as readers count it, entries of maps included.
func TestDepth(t *testing.T) {
	chain := func(messages int, field string) string {
		var b strings.Builder
		b.WriteString("syntax = \"proto3\";\n")
		for i := range messages - 1 {
			fmt.Fprintf(&b, "message M%d { %s }\n", i, strings.ReplaceAll(field, "M", "M"+strconv.Itoa(i+1)))
		}
		fmt.Fprintf(&b, "message M%d {}\n", messages-1)
		return b.String()
	}
	for _, tt := range []struct {
		messages int
		field    string
		want     string // the message that crosses the limit
	}{
		{100, "M m = 1;", ""},
		{101, "M m = 1;", "M0"},
		{150, "repeated M m = 1;", "M49"},
		{50, "map<string, M> m = 1;", ""},
		{51, "map<string, M> m = 1;", "M0"},
		{60, "map<string, M> m = 1;", "M9"},
	} {
		file := compile(t, "a.proto", map[string]string{"a.proto": chain(tt.messages, tt.field)})
		got := ""
		for _, f := range schema.Check([]protoreflect.FileDescriptor{file}, schema.Options{}) {
			if f.Rule.ID != schema.Depth || got != "" {
				t.Errorf("%v: %s", tt, f.String())
			}
			got = string(f.Descriptor.Name())
		}
		if got != tt.want {
			t.Errorf("%v: %s crosses the limit", tt, got)
		}
	}
}

// A chain of many messages is no matter of the stack.
func TestLongChain(t *testing.T) {
	var b strings.Builder
	b.WriteString("syntax = \"proto3\";\n")
	const messages = 5000
	for i := range messages {
		fmt.Fprintf(&b, "message M%d { M%d m = 1; }\n", i, (i+1)%messages)
	}
	found := schema.Check([]protoreflect.FileDescriptor{compile(t, "a.proto",
		map[string]string{"a.proto": b.String()})}, schema.Options{})
	if len(found) != 1 || found[0].Rule.ID != schema.Recursive {
		t.Errorf("%d findings", len(found))
	}
	if want := "M3.m and 4996 more fields: 0 levels"; !strings.Contains(found[0].What, want) {
		t.Errorf("%s: want %s", found[0].What, want)
	}
}

// The rules' texts are what tables, messages and buf need.
func TestRules(t *testing.T) {
	seen := make(map[string]bool)
	for _, r := range schema.Rules() {
		if seen[r.ID] || !regexp.MustCompile(`^PROTEAN(_[A-Z]+)+$`).MatchString(r.ID) {
			t.Errorf("ID %q", r.ID)
		}
		seen[r.ID] = true
		if !strings.HasPrefix(r.Purpose, "Checks that ") || !strings.HasSuffix(r.Purpose, ".") {
			t.Errorf("%s: purpose %q", r.ID, r.Purpose)
		}
		for _, text := range []string{r.Cost, r.WayOut} {
			if text == "" || strings.ContainsAny(text, "|\n") || strings.HasSuffix(text, ".") {
				t.Errorf("%s: %q", r.ID, text)
			}
		}
	}
}

// What the rules call the same bytes are the same bytes, both ways.
func TestSameBytes(t *testing.T) {
	const text = `syntax = "proto3";
import "google/protobuf/struct.proto";
message Old { google.protobuf.Struct data = 2; google.protobuf.Value value = 3; map<string, google.protobuf.Value> values = 4; }
message New { Object data = 2; bytes value = 3; map<string, bytes> values = 4; }
message Object { repeated KeyValue fields = 1; }
message KeyValue { string key = 1; google.protobuf.Value value = 2; }`
	file := compile(t, "a.proto", map[string]string{"a.proto": text})
	older, newer := dynamicpb.NewMessage(file.Messages().ByName("Old")),
		dynamicpb.NewMessage(file.Messages().ByName("New"))
	if err := protojson.Unmarshal([]byte(`{"data":{"a":[1,{"b":null}],"c":"d"},"value":{"x":true},"values":{"k":7,"l":[]}}`), older); err != nil {
		t.Fatal(err)
	}
	deterministic := proto.MarshalOptions{Deterministic: true}
	wire, err := deterministic.Marshal(older)
	if err != nil {
		t.Fatal(err)
	}
	if err := proto.Unmarshal(wire, newer); err != nil {
		t.Fatal(err)
	}
	again, err := deterministic.Marshal(newer)
	if err != nil || !bytes.Equal(wire, again) {
		t.Errorf("%x, want %x (%v)", again, wire, err)
	}
	if n := newer.Get(file.Messages().ByName("New").Fields().ByName("data")).Message(); !n.IsValid() ||
		len(n.GetUnknown()) > 0 {
		t.Errorf("%v", n)
	}
}

// "About ten times" is what the lab's table in the README says.
func TestCosts(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`\| google.protobuf.Value \(proto\) \|[^|]+\| ([\d.]+)x~?\\?~? \|[^|]+\| ([\d.]+)x`).FindSubmatch(readme)
	if row == nil {
		t.Fatal("README.md has no row of google.protobuf.Value (proto)")
	}
	for _, m := range row[1:] {
		if ratio, err := strconv.ParseFloat(string(m), 64); err != nil || ratio < 6 || ratio > 16 {
			t.Errorf("%s times is not about ten times", m)
		}
	}
}
