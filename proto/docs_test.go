package proto_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSnippets checks that the Go blocks of the documentation are parts of examples, which
// are run.
func TestSnippets(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "proto.md"))
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	examples := trimmed(string(source))
	blocks := strings.Split(string(text), "```go\n")[1:]
	if len(blocks) == 0 {
		t.Fatal("there is no block of language go")
	}
	for _, b := range blocks {
		body, _, _ := strings.Cut(b, "```")
		if !strings.Contains(examples, trimmed(body)) {
			t.Errorf("no example has these lines:\n%s", body)
		}
	}
}

// trimmed returns the lines without indentation, with a line break before each and a last.
func trimmed(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(text)) {
		b.WriteString("\n" + strings.TrimSpace(line))
	}
	return b.String() + "\n"
}
