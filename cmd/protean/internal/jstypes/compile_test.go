package jstypes

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
)

// typescript is the compiler that make typescript fetches.
const typescript = "../../../../.bin/typescript/package/lib/tsc.js"

// TestCompile has the TypeScript compiler check the declarations, with files of
// uses. Where a use is wrong on purpose, the compiler must say so: a mark
// @ts-expect-error on a line without an error is one itself.
func TestCompile(t *testing.T) {
	if _, err := os.Stat(typescript); err != nil {
		t.Skip("no TypeScript compiler: make typescript fetches it")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node to run the TypeScript compiler")
	}
	for _, tt := range []struct {
		name          string
		schemas, uses []string
	}{
		{"typed", []string{"orders", "telemetry", "nasty"},
			[]string{"right.ts", "wrong.ts", "script.js", "module.mts"}},
		{"bigints", []string{"wide"}, []string{"bigints.ts"}},
		{"strings", []string{"flags", "few"}, []string{"strings.ts"}},
		{"untyped", nil, []string{"untyped.ts"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if out, err := compile(goldenAndUses(tt.schemas, tt.uses)); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	t.Run("documentation", func(t *testing.T) {
		t.Parallel()
		compileDocumentation(t)
	})
	t.Run("unlike policies", func(t *testing.T) {
		t.Parallel()
		const conflict = "TS2717: Subsequent property declarations must have the same type.  Property 'int64'"
		if out, err := compile(goldenAndUses([]string{"wide", "flags"}, nil)); err == nil ||
			!strings.Contains(string(out), conflict) {
			t.Errorf("declarations of unlike policies: %v\n%s", err, out)
		}
	})
}

func goldenAndUses(schemas, uses []string) []string {
	var files []string
	for _, name := range schemas {
		files = append(files, filepath.Join("testdata", "golden", name+".d.ts"))
	}
	for _, name := range uses {
		files = append(files, filepath.Join("testdata", "uses", name))
	}
	return files
}

// compile compiles files with the module's own declarations.
func compile(files []string) ([]byte, error) {
	args := []string{
		typescript, "--strict", "--noEmit", "--target", "es2020", "--lib", "es2020", "--module", "node16",
		"--moduleResolution", "node16",
		"--allowJs", "--checkJs", filepath.FromSlash(moduleDeclarations),
	}
	return exec.Command("node", append(args, files...)...).CombinedOutput()
}

// compileDocumentation compiles the schema and the uses of it that the documentation
// shows.
func compileDocumentation(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/gojapb.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	event := write("event.proto", between(t, string(text), "<<'EOP'\n", "EOP\n"))
	use := write("use.ts", between(t, string(text), "```ts\n", "```\n"))
	declarations := Generate(load(t, suite.Source{Protos: []string{event}}).Files(), nil, Safe)
	if out, err := compile([]string{write("event.d.ts", string(declarations)), use}); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// between is what stands between two marks.
func between(t *testing.T, text, begin, end string) string {
	t.Helper()
	_, text, begins := strings.Cut(text, begin)
	text, _, ends := strings.Cut(text, end)
	if !begins || !ends {
		t.Fatalf("nothing between %q and %q", begin, end)
	}
	return text
}
