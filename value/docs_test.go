package value_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/protean-pb/protean/internal/test/race"
)

// assigned matches the names that a line declares or assigns.
var assigned = regexp.MustCompile(`(?m)^\s*([a-zA-Z, ]+?)\s*:?=`)

// TestSnippets runs the Go blocks of the documentation: as they stand, with a check after
// each line that sets err and does not go on to look at it.
func TestSnippets(t *testing.T) {
	if testing.Short() || race.Enabled {
		t.Skip("it builds programs, which run without the race detector")
	}
	for _, doc := range []struct{ file, before string }{
		{"README.md", `actor := struct{ Email string ` + "`json:\"email\"`" + ` }{"ann@example.com"}
			event := structpb.NewStringValue("text")
			descriptor := event.ProtoReflect().Descriptor()
			wire := []byte{0x1a, 1, 'a'}
			_, _, _, _ = actor, event, descriptor, wire`},
		{filepath.Join("docs", "value.md"), `var event struct{ Payload []byte }
			event.Payload, _ = value.Marshal(map[string]any{"actor": map[string]any{"email": "ann@example.com"}})`},
	} {
		t.Run(doc.file, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("..", doc.file))
			if err != nil {
				t.Fatal(err)
			}
			blocks := strings.Split(string(text), "```go\n")[1:]
			if len(blocks) == 0 {
				t.Fatal("there is no block of language go")
			}
			for _, b := range blocks {
				body, _, _ := strings.Cut(b, "```")
				imports, body := cutImports(body)
				runSnippet(t, imports, doc.before+"\n"+checked(body))
			}
		})
	}
}

// cutImports takes the import declaration off the beginning of a block, if it has one.
func cutImports(body string) (imports, rest string) {
	const end = "\n)\n"
	if i := strings.Index(body, end); strings.HasPrefix(body, "import (\n") && i >= 0 {
		return body[:i+len(end)], body[i+len(end):]
	}
	return "", body
}

// checked adds what the documentation leaves out.
func checked(body string) string {
	var out []string
	lines := strings.Split(strings.TrimSpace(body), "\n")
	open := 0
	for i, line := range lines {
		out = append(out, line)
		open += strings.Count(line, "{") - strings.Count(line, "}")
		looked := i+1 < len(lines) && strings.Contains(lines[i+1], "if err")
		m := assigned.FindStringSubmatch(line)
		if open == 0 && !looked && (m != nil && strings.Contains(m[1], "err") || strings.HasPrefix(line, "}")) {
			out = append(out, "if err != nil { return err }")
		}
		if m != nil {
			for name := range strings.SplitSeq(m[1], ",") {
				if name = strings.TrimSpace(name); name != "err" && open == 0 {
					out = append(out, "_ = "+name)
				}
			}
		}
	}
	return strings.Join(out, "\n")
}

// packages are those that snippets may use without importing them, by name.
var packages = map[string]string{
	"value":     "github.com/protean-pb/protean/value",
	"proto":     "github.com/protean-pb/protean/proto",
	"dynamic":   "github.com/protean-pb/protean/dynamic",
	"protojson": "github.com/protean-pb/protean/protojson",
	"structpb":  "google.golang.org/protobuf/types/known/structpb",
}

// runSnippet runs statements in a program of their own, which may import this checkout.
func runSnippet(t *testing.T, imports, body string) {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for name, path := range packages {
		if strings.Contains(body, name+".") && !strings.Contains(imports, `"`+path+`"`) {
			imports += "import \"" + path + "\"\n"
		}
	}
	program := "package main\n\n" + imports +
		"\nfunc main() {\n\tif err := run(); err != nil {\n\t\tpanic(err)\n\t}\n}\n\nfunc run() error {\n" + body + "\nreturn nil\n}\n"
	for name, text := range map[string]string{
		"go.mod": strings.Replace(string(mod), "module github.com/protean-pb/protean", "module snippet", 1) +
			"\nrequire github.com/protean-pb/protean v0.1.0\nreplace github.com/protean-pb/protean => " + root + "\n",
		"go.sum":  string(sum),
		"main.go": program,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", "-mod=mod", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, out, program)
	}
}
