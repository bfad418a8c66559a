package harness

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/cmd/protean/internal/visit"
)

// The method that reads a message calls every getter but those of oneofs as a whole, and
// that of each message that is generated.
func TestReadsEveryField(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.proto")
	const schema = `syntax = "proto2";
package a;
import "google/protobuf/timestamp.proto";
enum Color { RED = 0; }
message Outer {
  optional string text = 1;
  repeated bytes pieces = 2;
  map<int32, Inner> inners = 3;
  oneof kind { Inner one = 4; double two = 5; }
  repeated group Part = 6 { optional bool flag = 1; }
  optional google.protobuf.Timestamp at = 7;
  optional Color color = 8;
  optional string get_text = 9;
  message Inner { optional uint64 number = 1; extensions 100 to 200; }
}`
	if err := os.WriteFile(file, []byte(schema), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := suite.ParseSchema([]string{file}, []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	g, err := generateMessages(s.FileSet(), "example.com/m", false)
	if err != nil {
		t.Fatal(err)
	}
	read, messages := "", ""
	for name, text := range g.files {
		if strings.HasSuffix(name, readSuffix) {
			read = text
		} else {
			messages = text
		}
	}
	getters := regexp.MustCompile(`func \(x \*\w+\) (Get\w+)\(\)`).FindAllStringSubmatch(messages, -1)
	if len(getters) < 11 {
		t.Fatalf("%d getters in\n%s", len(getters), messages)
	}
	for _, m := range getters {
		if called := strings.Contains(read, "x."+m[1]+"()"); called != (m[1] != "GetKind") {
			t.Errorf("%s is called: %v, in\n%s", m[1], called, read)
		}
	}
	for _, message := range []string{"Outer", "Outer_Inner", "Outer_Part"} {
		if !strings.Contains(read, "func (x *"+message+") "+visit.Method+"() ") {
			t.Errorf("%s has no method in\n%s", message, read)
		}
	}
	if strings.Count(read, "visit.Extensions(x)") != 1 {
		t.Errorf("extensions are not those of one message in\n%s", read)
	}
}
