package harness

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
)

var update = flag.Bool("update", false, "write generated files anew; the test fails while it does")

// TestEnvelopesUpToDate checks the generated code of the lab's own messages, or
// writes it.
func TestEnvelopesUpToDate(t *testing.T) {
	dir := filepath.Join("..", "envelope")
	s, err := suite.ParseSchema([]string{filepath.Join(dir, "envelope.proto")}, []string{filepath.Join("..")})
	if err != nil {
		t.Fatal(err)
	}
	want, err := GenerateGo(s.FileSet(), "envelope/envelope.proto")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "envelopepb", "envelope.pb.go")
	if *update {
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
		t.Fatalf("wrote %s", name)
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not up to date: run make generate", name)
	}
}
