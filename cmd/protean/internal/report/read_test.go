package report

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// Every golden file is recognised, those that are parts of documents too.
func TestFormatOf(t *testing.T) {
	formats := map[string]Format{".txt": Table, ".md": Markdown, ".json": JSON, ".csv": CSV, ".bench": Bench,
		".html": HTML}
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
	for _, text := range []string{"", "It is fast.", "A variant is fast · and another is not.",
		"PASS\nok  \tacme\t0.1s\n"} {
		if got := FormatOf([]byte(text)); got != "" {
			t.Errorf("%q: %q", text, got)
		}
		if r, err := Read([]byte(text)); err == nil {
			t.Errorf("%q: %v", text, r)
		}
	}
}

// A report that is rounded for people is named in the error, not read.
func TestReadRefusesRoundedReports(t *testing.T) {
	for name, want := range map[string]string{
		"full.txt":         "a table report, which is rounded for people",
		"full-color.txt":   "a table report, which is rounded for people",
		"short-full.txt":   "a table report, which is rounded for people",
		"full.md":          "a markdown report, which is rounded for people",
		"excerpt.md":       "a markdown report, which is rounded for people",
		"excerpt-table.md": "a table report, which is rounded for people",
	} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Read(text); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// The formats for programs, and the page, have what is ranked apart and what refuses the data.
func TestReadKeepsApartAndRefused(t *testing.T) {
	for name, read := range map[string]func([]byte) (*Report, error){"full.json": readJSON, "full.csv": readCSV,
		"full.html": readHTML} {
		apart, refused := 0, 0
		for _, c := range readGolden(t, name, read).Results {
			if c.Apart == result.Reused && c.Variant == "hyperpb (proto, reuse)" && c.Op == "unmarshal" {
				apart++
			} else if c.Apart != "" {
				t.Errorf("%s: %s, %s is apart: %s", name, c.Variant, c.Op, c.Apart)
			}
			if c.Refused {
				refused++
			}
		}
		if apart != 1 || refused != 2 {
			t.Errorf("%s: %d cells apart and %d refused, want 1 and 2", name, apart, refused)
		}
	}
}

// The HTML format holds all that JSON has.
func TestReadHTML(t *testing.T) {
	for _, name := range []string{"full", "interrupted", "priced"} {
		got := render(t, readGolden(t, name+".html", readHTML), JSON, Options{All: true})
		if d := cmp.Diff(render(t, readGolden(t, name+".json", readJSON), JSON, Options{All: true}), got); d != "" {
			t.Errorf("%s (-JSON +HTML):\n%s", name, d)
		}
	}
	for _, text := range []string{"", "<!DOCTYPE html><p>", "<!DOCTYPE html>" + resultsTag,
		resultsTag + "{}</script>"} {
		if got, err := readHTML([]byte(text)); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func readGolden(t *testing.T, name string, read func([]byte) (*Report, error)) *Report {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	got, err := read(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return got
}
