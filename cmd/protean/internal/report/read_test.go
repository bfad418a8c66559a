package report

import (
	"os"
	"path/filepath"
	"testing"
)

// Every golden file is recognised, those that are parts of documents too.
func TestFormatOf(t *testing.T) {
	formats := map[string]Format{".txt": Table, ".md": Markdown, ".json": JSON, ".csv": CSV, ".bench": Bench, ".html": HTML}
	for _, name := range []string{"full", "minimal", "interrupted", "counted", "excerpt"} {
		paths, err := filepath.Glob(filepath.Join("testdata", name+".*"))
		if err != nil || len(paths) == 0 {
			t.Fatal(name, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want := formats[filepath.Ext(path)]
			if got := FormatOf(append([]byte("\ufeff\r\n"), text...)); got != want {
				t.Errorf("%s: %q, want %q", path, got, want)
			}
		}
	}
	for _, text := range []string{"", "It is fast.", "PASS\nok  \tacme\t0.1s\n"} {
		if got := FormatOf([]byte(text)); got != "" {
			t.Errorf("%q: %q", text, got)
		}
		if r, err := Read([]byte(text)); err == nil {
			t.Errorf("%q: %v", text, r)
		}
	}
}
