package suite

import (
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/shapes"
)

// TestShapes loads what package shapes writes, schema and samples.
func TestShapes(t *testing.T) {
	object := must(structpb.NewStruct(map[string]any{"name": "x", "list": []any{1, "two", nil}}))(t)
	inAny := must(anypb.New(object))(t)
	dir := t.TempDir()
	recorder := must(shapes.Open(dir, shapes.Options{PerSecond: 1e9}))(t)
	messages := []proto.Message{object, inAny, object}
	for _, m := range messages {
		recorder.Record(m)
	}
	if err := recorder.Close(); err != nil {
		t.Fatal(err)
	}
	for name, samples := range map[string]int{"google.protobuf.Struct": 2, "google.protobuf.Any": 1} {
		s := must(Load(Source{
			DescriptorSet: filepath.Join(dir, name+".binpb"), Message: name,
			Data: []string{filepath.Join(dir, name+".jsonl")},
		}))(t)
		if got := len(s.Payloads[0].Samples); got != samples || s.Payloads[0].Name != name {
			t.Errorf("%s: %d samples of %s, want %d", name, got, s.Payloads[0].Name, samples)
		}
	}
}
