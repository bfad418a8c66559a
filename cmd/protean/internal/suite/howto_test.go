package suite

import (
	"os"
	"regexp"
	"testing"
	"testing/fstest"
)

// The files that docs/howto/add-a-suite.md shows are a suite.
func TestHowToAddASuite(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/howto/add-a-suite.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks [][]byte
	for _, m := range regexp.MustCompile("(?s)```(?:json|proto)\n(.*?)```").FindAllSubmatch(text, -1) {
		blocks = append(blocks, m[1])
	}
	if len(blocks) != 3 {
		t.Fatalf("%d blocks, want the manifest, the schema and the data", len(blocks))
	}
	fsys := fstest.MapFS{}
	for i, name := range []string{"suite.json", "sensor.proto", "readings.jsonl"} {
		fsys["builtin/sensors/"+name] = &fstest.MapFile{Data: blocks[i]}
	}
	s := must(builtin(fsys, "sensors"))(t)
	if len(s.Payloads) != 1 || len(s.Payloads[0].Samples) != 2 {
		t.Fatalf("payloads %v", s.Payloads)
	}
	bytes := 0
	for _, sample := range s.Payloads[0].Samples {
		bytes += len(sample.Wire)
	}
	if mean := bytes / 2; mean != 27 {
		t.Errorf("%d bytes a sample, want 27 as the page says", mean)
	}
}
