package protean

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestMap checks that docs/map.md has every folder with Go code, and no other.
func TestMap(t *testing.T) {
	table, err := os.ReadFile("docs/map.md")
	if err != nil {
		t.Fatal(err)
	}
	mapped := map[string]bool{}
	for _, m := range regexp.MustCompile("`([^` ]+)/`").FindAllSubmatch(table, -1) {
		mapped[string(m[1])] = true
	}
	packages := map[string]bool{}
	err = eachGoFile(func(name string) error {
		if dir := path.Dir(name); dir != "." {
			packages[dir] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir := range packages {
		if !mapped[dir] {
			t.Errorf("docs/map.md lacks %s/", dir)
		}
	}
	for dir := range mapped {
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("docs/map.md has %s/, which is not there", dir)
		}
	}
}

// TestQuestions checks that the files that docs/questions.md names have what they are said to have, and that those
// which docs/architecture.md names are there.
func TestQuestions(t *testing.T) {
	text, err := os.ReadFile("docs/questions.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| ([^|]+\\?) \\| `([^`]+)` \\| `([^`]+)` \\|$").FindAllStringSubmatch(string(text), -1)
	if len(rows) < 20 {
		t.Fatalf("%d questions", len(rows))
	}
	for _, row := range rows {
		content, err := os.ReadFile(row[2])
		if err != nil {
			t.Errorf("%s %v", row[1], err)
		} else if !regexp.MustCompile(`\b` + regexp.QuoteMeta(row[3]) + `\b`).Match(content) {
			t.Errorf("%s %s has no %s", row[1], row[2], row[3])
		}
	}
	text, err = os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 8<<10 {
		t.Errorf("docs/architecture.md has %d bytes", len(text))
	}
	files := regexp.MustCompile("`((?:[a-z]+/)+[a-z]+\\.go)`").FindAllSubmatch(text, -1)
	if len(files) == 0 {
		t.Fatal("docs/architecture.md names no file")
	}
	for _, m := range files {
		name := string(m[1])
		if !strings.HasPrefix(name, "value/") {
			name = "internal/" + name
		}
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
}

// TestDocLinks checks that the packages which comments link to are imported by the same file, or are the file's own.
func TestDocLinks(t *testing.T) {
	link := regexp.MustCompile(`\[\*?([a-z][a-z0-9]*)\.[A-Z]\w*(\.\w+)?\]`)
	err := eachGoFile(func(name string) error {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		linked := map[string]bool{f.Name.Name: true}
		for _, spec := range f.Imports {
			base := path.Base(strings.Trim(spec.Path.Value, `"`))
			if spec.Name != nil {
				base = spec.Name.Name
			}
			linked[base] = true
		}
		for _, comment := range f.Comments {
			for _, m := range link.FindAllStringSubmatch(comment.Text(), -1) {
				if !linked[m[1]] {
					t.Errorf("%s: %s, whose package is not imported", name, m[0])
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// eachGoFile calls a function with the name of each Go file but those that are generated or data of tests.
func eachGoFile(do func(name string) error) error {
	return fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if d.IsDir() && name != "." && (strings.HasPrefix(base, ".") || base == "testdata" || base == "gen" ||
			base == "node_modules") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".pb.go") {
			return nil
		}
		return do(name)
	})
}
