package suite

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

const (
	ordersRoot  = "testdata/schemas/orders/proto"
	ordersProto = ordersRoot + "/shop/orders/v1/order.proto"
	telemetry   = "testdata/schemas/telemetry/telemetry.proto"
)

func ordersSchema(t testing.TB) *Schema {
	t.Helper()
	return must(ParseSchema([]string{ordersProto}, []string{ordersRoot}))(t)
}

func telemetrySchema(t testing.TB) *Schema {
	t.Helper()
	return must(ParseSchema([]string{telemetry}, nil))(t)
}

// must makes a test fail on the error of a call: must(f())(t).
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func message(t testing.TB, s *Schema, name string) protoreflect.MessageDescriptor {
	t.Helper()
	return must(s.Message(name))(t)
}

// inlineSchema compiles sources given as file name and text.
func inlineSchema(files map[string]string, importPaths []string, names ...string) (*Schema, error) {
	return parseSchema(linkedFiles(mapFS(files)), names, importPaths, ".")
}

func mapFS(files map[string]string) fstest.MapFS {
	fsys := make(fstest.MapFS)
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// readText reads data as if it came from standard input.
func readText(s *Schema, md protoreflect.MessageDescriptor, format DataFormat, text string) ([]Sample, error) {
	return ReadSamples(s, md, []string{Stdin}, format, strings.NewReader(text))
}

// parsed is a sample as a message again.
func parsed(t testing.TB, s *Schema, md protoreflect.MessageDescriptor, wire []byte) *dynamicpb.Message {
	t.Helper()
	m := dynamicpb.NewMessage(md)
	if err := (proto.UnmarshalOptions{Resolver: s.Types()}).Unmarshal(wire, m); err != nil {
		t.Fatalf("the wire form does not parse: %v", err)
	}
	return m
}

func sourcesOf(samples []Sample) string {
	var all []string
	for _, s := range samples {
		all = append(all, s.Source)
	}
	return strings.Join(all, " ")
}

// wantError checks the text and the type of an error.
func wantError(t testing.TB, err error, want string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %q", want)
	}
	if got := err.Error(); got != want {
		t.Errorf("error\n got %q\nwant %q", got, want)
	}
	var ie *usererr.InputError
	if !errors.As(err, &ie) {
		t.Errorf("error is a %T, want *InputError", err)
	}
}

// inDir runs the test in a folder with the given files.
func inDir(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	return dir
}
