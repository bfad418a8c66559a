// Package corpus holds the documents and the wire forms that tests, fuzz targets and
// benchmarks of several packages share. It is for tests only.
package corpus

import (
	"bytes"
	"encoding/json"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/structpb"
)

// A Shape is a document for tests and benchmarks.
type Shape struct {
	Name string
	Text []byte          // compact JSON
	Data any             // as encoding/json decodes it
	Tree *structpb.Value // as protojson decodes it
	Wire []byte          // as the official library writes it, keys in order
}

// Shapes yields documents of the forms that people send: those of the suite
// hidden-cost, and others that nothing was tuned on. It makes one after the other: what
// is alive beside the data of a benchmark makes every collection of garbage slower.
func Shapes(t testing.TB) iter.Seq[Shape] {
	t.Helper()
	root := top(t)
	return func(yield func(Shape) bool) {
		for _, name := range []string{"small", "medium", "large"} {
			text, err := os.ReadFile(filepath.Join(root, "cmd", "protean", "internal", "suite", "builtin",
				"hidden-cost", name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			if !yield(New(t, name, text)) {
				return
			}
		}
		r := rand.New(rand.NewPCG(1, 2))
		for _, s := range []struct {
			name string
			data func() any
		}{
			{"twitter", func() any { return twitter(r) }},
			{"rows", func() any { return rows(r) }},
			{"floats", func() any { return floats(r) }},
			{"flat500", func() any { return flat(r, 500) }},
			{"strings", func() any { return letters(r) }},
			{"nested30", func() any { return nested(30) }},
		} {
			b, err := json.Marshal(s.data())
			if err != nil {
				t.Fatal(err)
			}
			if !yield(New(t, s.name, b)) {
				return
			}
		}
		// Real data, which lies beside the repository, if it is there.
		for _, c := range []struct{ name, path string }{
			{"envoy", "envoy-bootstrap/brotli__envoy.json"},
			{"message1", "protobuf-benchmarks"},
		} {
			path := filepath.Join(root, "..", "shared", "corpora", filepath.FromSlash(c.path))
			if _, err := os.Stat(path); err != nil {
				t.Logf("without the shape %s: %v", c.name, err)
				continue
			}
			var text []byte
			var err error
			if c.name == "envoy" {
				text, err = os.ReadFile(path)
			} else {
				text, err = benchmarkMessage(path)
			}
			if err != nil {
				t.Fatal(err)
			}
			if !yield(New(t, c.name, text)) {
				return
			}
		}
	}
}

// top returns the top of the checkout.
func top(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("these tests must be run in a checkout")
		}
		dir = filepath.Dir(dir)
	}
}

// benchmarkMessage returns the classic google_message1 as JSON text.
func benchmarkMessage(dir string) ([]byte, error) {
	schema, err := os.ReadFile(filepath.Join(dir, "schema.binpb"))
	if err != nil {
		return nil, err
	}
	set := new(descriptorpb.FileDescriptorSet)
	if err := proto.Unmarshal(schema, set); err != nil {
		return nil, err
	}
	files, err := protodesc.NewFiles(set)
	if err != nil {
		return nil, err
	}
	d, err := files.FindDescriptorByName("benchmarks.proto3.GoogleMessage1")
	if err != nil {
		return nil, err
	}
	wire, err := os.ReadFile(filepath.Join(dir, "google_message1_proto3.pb"))
	if err != nil {
		return nil, err
	}
	m := dynamicpb.NewMessage(d.(protoreflect.MessageDescriptor))
	if err := proto.Unmarshal(wire, m); err != nil {
		return nil, err
	}
	return protojson.Marshal(m)
}

// New makes a shape of JSON text.
func New(t testing.TB, name string, text []byte) Shape {
	t.Helper()
	s := Shape{Name: name, Tree: new(structpb.Value)}
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		t.Fatal(err)
	}
	s.Text = b.Bytes()
	if err := json.Unmarshal(s.Text, &s.Data); err != nil {
		t.Fatal(err)
	}
	if err := protojson.Unmarshal(s.Text, s.Tree); err != nil {
		t.Fatal(err)
	}
	var err error
	if s.Wire, err = (proto.MarshalOptions{Deterministic: true}).Marshal(s.Tree); err != nil {
		t.Fatal(err)
	}
	return s
}
