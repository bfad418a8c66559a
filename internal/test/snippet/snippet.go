// Package snippet holds the code in documentation against the examples that are run.
package snippet

import (
	"os"
	"strings"
	"testing"
)

// Check fails the test unless each Go block of the Markdown file is a part of the Go file,
// but for indentation, and there is one at least.
func Check(t *testing.T, markdown, goFile string) {
	t.Helper()
	text, err := os.ReadFile(markdown)
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(goFile)
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
