package marker

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fill replaces every place by the same text.
func fill(f *File, text string) []byte {
	with := map[*Place]string{}
	for _, p := range f.Places {
		with[p] = text
	}
	return f.Replace(with)
}

func TestReplace(t *testing.T) {
	for _, tt := range []struct{ name, before, want string }{
		{"one", "a\n<!-- protean:begin -->\nold\n<!-- protean:end -->\nb\n",
			"a\n<!-- protean:begin -->\nnew\n\nlines\n<!-- protean:end -->\nb\n"},
		{"empty place, no end of line", "<!-- protean:begin -->\n<!-- protean:end -->",
			"<!-- protean:begin -->\nnew\n\nlines\n<!-- protean:end -->"},
		{"ends of lines", "a\r\n<!-- protean:begin -->\r\nold\n<!-- protean:end -->\n\r\n\r",
			"a\r\n<!-- protean:begin -->\r\nnew\r\n\r\nlines\r\n<!-- protean:end -->\n\r\n\r"},
		{"indented", "- a\n  <!-- protean:begin -->  \n  <!--protean:end-->\n  <!-- protean:end -->\n",
			"- a\n  <!-- protean:begin -->  \n  new\n\n  lines\n  <!-- protean:end -->\n"},
		{"two", "<!-- protean:begin x=1 -->\n<!-- protean:end -->\nmid\n<!-- protean:begin x=2 -->\n<!-- " +
			"protean:end -->\n", "<!-- protean:begin x=1 -->\nnew\n\nlines\n<!-- protean:end -->\nmid\n<!-- " +
			"protean:begin x=2 -->\nnew\n\nlines\n<!-- protean:end -->\n"},
		{"in code", "```md\n<!-- protean:begin -->\n```\n~~~~\n~~~\n<!-- protean:end -->\n~~~~\n`<!-- protean:begin " +
			"-->` and <!-- protean:begin -->\n", ""},
		{"code in the place", "<!-- protean:begin -->\n```text\n<!-- protean:end -->\n```\n<!-- protean:end -->\n",
			"<!-- protean:begin -->\nnew\n\nlines\n<!-- protean:end -->\n"},
		{"code within a line", "```a``` b\n<!-- protean:begin -->\n<!-- protean:end -->\n",
			"```a``` b\n<!-- protean:begin -->\nnew\n\nlines\n<!-- protean:end -->\n"},
		{"other bytes", "\xff\x00\n<!-- protean:begin -->\n\xfe\n<!-- protean:end -->\n\xff",
			"\xff\x00\n<!-- protean:begin -->\nnew\n\nlines\n<!-- protean:end -->\n\xff"},
		{"none", "text\n", ""},
	} {
		if tt.want == "" {
			tt.want = tt.before
		}
		f, err := Parse("x.md", []byte(tt.before))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		got := fill(f, "new\n\nlines\n")
		if string(got) != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		again, err := Parse("x.md", got)
		if err != nil || string(fill(again, "new\n\nlines\n")) != tt.want {
			t.Errorf("%s: replaced twice, it differs: %v", tt.name, err)
		}
		if string(f.Replace(nil)) != tt.before {
			t.Errorf("%s: it changes without new text", tt.name)
		}
	}
}

func TestAttributes(t *testing.T) {
	const text = "\n<!-- protean:begin suite=a  payloads=\"b c,d\" show= -->\n<!-- protean:end -->\n"
	f, err := Parse("x.md", []byte(text))
	if err == nil {
		t.Errorf("a value that is missing is taken for %v", f.Places[0].Attributes)
	}
	f, err = Parse("x.md", []byte("\n<!-- protean:begin suite=a  payloads=\"b c,d\" -->\n<!-- protean:end -->\n"))
	if err != nil {
		t.Fatal(err)
	}
	p := f.Places[0]
	want := []Attribute{{"suite", "a"}, {"payloads", "b c,d"}}
	if p.Line != 2 || len(p.Attributes) != 2 || p.Attributes[0] != want[0] || p.Attributes[1] != want[1] {
		t.Errorf("line %d, %v", p.Line, p.Attributes)
	}
	if got := f.Errorf(p, "no %s", "luck").Error(); got != "x.md:2: no luck" {
		t.Errorf("%q", got)
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"a\n<!-- protean:begin -->\n": "x.md:2: protean:begin has no protean:end",
		"<!-- protean:end -->\n":      "x.md:1: protean:end without a protean:begin",
		"<!-- protean:begin -->\n<!-- protean:begin -->\n<!-- protean:end -->": "x.md:2: protean:begin before the " +
			"protean:end of the one in line 1",
		"<!-- protean:begin\n-->\n": "x.md:1: a marker must end with --> " +
			"on its line, and nothing may follow",
		"<!-- protean:begin --> table\n": "x.md:1: a marker must end with --> " +
			"on its line, and nothing may follow",
		"<!-- protean:start -->\n":                             "x.md:1: unknown marker protean:start",
		"<!-- protean:begin ops -->\n":                         `x.md:1: "ops": expected NAME=VALUE or NAME="VALUE"`,
		"<!-- protean:begin ops=a ops=b -->\n":                 "x.md:1: ops is given twice",
		"<!-- protean:begin -->\n<!-- protean:end ops=a -->\n": "x.md:2: protean:end has no attributes",
		"<!-- protean:begin -->\n```\n<!-- protean:end -->\n": "x.md:1: protean:begin has no " +
			"protean:end",
		"<!-- protean:begin -->\nx <!-- protean:end -->\n<!-- protean:edn -->": "x.md:3: unknown marker protean:edn; " +
			"did you mean end?",
	} {
		if _, err := Parse("x.md", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A file is written as a whole, where a link points to, and keeps its permissions.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "a.md"), filepath.Join(dir, "link.md")
	if err := os.WriteFile(path, []byte("old and long"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.md", link); err != nil {
		t.Fatal(err)
	}
	if err := CheckWritable(link); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	info, _ := os.Lstat(path)
	if at, _ := os.Readlink(link); err != nil || string(text) != "new" || info.Mode().Perm() != 0o640 || at != "a.md" {
		t.Errorf("%q, %v, %v, link to %q", text, info.Mode(), err, at)
	}
	if files, _ := os.ReadDir(dir); len(files) != 2 {
		t.Errorf("files left behind: %v", files)
	}
	if err := CheckWritable(filepath.Join(dir, "none.md")); !os.IsNotExist(err) {
		t.Errorf("no such file: %v", err)
	}
	if err := Write(filepath.Join(dir, "none.md"), nil); !os.IsNotExist(err) {
		t.Errorf("no such file: %v", err)
	}
}

// FuzzParse: whatever the file, what is outside the places stays as it is, and the
// places are found again.
func FuzzParse(f *testing.F) {
	f.Add("a\r\n<!-- protean:begin x=\"1 2\" -->\nold\n<!-- protean:end -->\nb")
	f.Add("```\n<!-- protean:begin -->\n```\n ~~~\n<!-- protean:end -->\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse("x.md", []byte(text))
		if err != nil {
			if strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "x.md:") {
				t.Errorf("error %q", err)
			}
			return
		}
		if string(file.Replace(nil)) != text {
			t.Error("it changes without new text")
		}
		once := fill(file, "new\n")
		again, err := Parse("x.md", once)
		if err != nil || len(again.Places) != len(file.Places) || string(fill(again, "new\n")) != string(once) {
			t.Errorf("replaced, it has other places: %q: %v", once, err)
		}
		if outside(again) != outside(file) {
			t.Errorf("outside the places, %q became %q", outside(file), outside(again))
		}
	})
}

// outside is a file's text without its places.
func outside(f *File) string {
	var out strings.Builder
	at := 0
	for _, p := range f.Places {
		out.Write(f.text[at:p.start])
		at = p.end
	}
	out.Write(f.text[at:])
	return out.String()
}
