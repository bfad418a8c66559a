package protojson_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/protojson"
)

// A suiteFile is a file of JSONTestSuite, as testdata/JSONTestSuite.jsonl.gz has it: all of
// the folders test_parsing and test_transform of nst/JSONTestSuite, commit 1ef36fa, by Nicolas
// Seriot, licence MIT (testdata/JSONTestSuite.LICENSE).
type suiteFile struct {
	Name string
	Text []byte
}

func suiteFiles(t testing.TB) []suiteFile {
	t.Helper()
	f, err := os.Open("testdata/JSONTestSuite.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var files []suiteFile
	for d := json.NewDecoder(z); d.More(); {
		var file suiteFile
		if err := d.Decode(&file); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if len(files) != 340 {
		t.Fatalf("%d files, want 340", len(files))
	}
	return files
}

// TestJSONTestSuite reads each of the files as a Value, and in other places: the verdict is
// the official library's, and it is that of the suite but for numbers out of range, keys
// that come twice and texts that are too deep.
func TestJSONTestSuite(t *testing.T) {
	values := []proto.Message{new(structpb.Value), dynamic.NewMessage(new(structpb.Value).ProtoReflect().Descriptor())}
	accepted := 0
	for _, f := range suiteFiles(t) {
		t.Run(f.Name, func(t *testing.T) {
			for _, m := range values {
				checkUnmarshal(t, f.Text, m, protojson.UnmarshalOptions{})
			}
			within := func(before, after string) []byte { return []byte(before + string(f.Text) + after) }
			discard := protojson.UnmarshalOptions{DiscardUnknown: true}
			checkUnmarshal(t, within(`{"payload":{"a":`, `}}`), new(wellknownpb.Event), protojson.UnmarshalOptions{})
			checkUnmarshal(t, within(`{"unknown":`, `,"id":1}`), new(benchpb.Leaf), discard)
			checkUnmarshal(t, within(`{"value":`, `,"@type":"google.protobuf.Value"}`), new(anypb.Any), protojson.UnmarshalOptions{})
			for _, m := range []proto.Message{new(structpb.Struct), new(structpb.ListValue), new(benchpb.Leaf)} {
				checkUnmarshal(t, f.Text, m, discard)
			}
			err := protojson.Unmarshal(f.Text, values[0])
			if err == nil {
				accepted++
			}
			switch kind := f.Name[strings.Index(f.Name, "/")+1:][:2]; {
			case kind == "n_" && err == nil:
				t.Error("it is no JSON, but taken")
			case kind == "y_" && err != nil && !strings.Contains(f.Name, "duplicated_key"):
				t.Errorf("it is JSON: %v", err)
			}
		})
	}
	if accepted < 100 || accepted > 300 {
		t.Errorf("%d files are accepted", accepted)
	}
}
