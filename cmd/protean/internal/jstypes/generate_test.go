package jstypes

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
)

var update = flag.Bool("update", false, "write the golden files anew, and fail")

// schemas is the folder of schemas that stand for a user's own.
const schemas = "../suite/testdata/schemas"

// cases are the schemas and what is generated from them.
var cases = []struct {
	name     string
	source   suite.Source
	messages []string
	policy   Int64
}{
	{"orders", suite.Source{Protos: []string{schemas + "/orders/proto/shop/orders/v1/order.proto"},
		ImportPaths: []string{schemas + "/orders/proto"}}, nil, Safe},
	{"telemetry", suite.Source{Protos: []string{schemas + "/telemetry/telemetry.proto"}}, nil, Safe},
	{"flags", suite.Source{Protos: []string{schemas + "/flags/flags.proto"}}, nil, String},
	{"wide", suite.Source{Protos: []string{schemas + "/wide/wide.proto"}}, nil, BigInt},
	{"nasty", suite.Source{Protos: []string{"testdata/nasty.proto", "testdata/legacy.proto"},
		ImportPaths: []string{"testdata"}}, nil, Safe},
	{"few", suite.Source{Protos: []string{"testdata/nasty.proto"}, ImportPaths: []string{"testdata"}},
		[]string{"nasty.function.v1.Map.google", "string.any", "JSONNames"}, String},
}

func load(t *testing.T, source suite.Source) *suite.Schema {
	t.Helper()
	s, err := suite.LoadSchema(source)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestGolden(t *testing.T) {
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			s := load(t, tt.source)
			var messages []protoreflect.MessageDescriptor
			for _, name := range tt.messages {
				md, err := s.Message(name)
				if err != nil {
					t.Fatal(err)
				}
				messages = append(messages, md)
			}
			golden(t, filepath.Join("testdata", "golden", tt.name+".d.ts"), Generate(s.Files(), messages, tt.policy))
		})
	}
}

// golden holds what was generated against a file.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(path)
	if err == nil && bytes.Equal(got, want) {
		return
	}
	if !*update {
		t.Fatalf("%s is out of date (%v): run go test with -update", path, err)
	}
	if err := os.WriteFile(path, got, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Errorf("wrote %s: run again without -update", path)
}
