package snippet

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// inChild says that the test runs in a process of its own, where it may fail, and with which document.
const inChild = "PROTEAN_SNIPPET_CHILD"

const source = "package p\n\nfunc Example() {\n\tone()\n\tif two {\n\t\tthree()\n\t}\n}\n"

// TestCheckFindsSnippetsInTheSource checks documents, each in a process of its own.
func TestCheckFindsSnippetsInTheSource(t *testing.T) {
	if markdown := os.Getenv(inChild); markdown != "" {
		Check(t, markdown, strings.TrimSuffix(markdown, ".md")+".go")
		return
	}
	for name, c := range map[string]struct{ markdown, want string }{
		"some lines":             {"Text.\n```go\none()\nif two {\n```\n", "PASS"},
		"another indentation":    {"```go\n        if two {\n    three()\n        }\n```\n", "PASS"},
		"two blocks":             {"```go\none()\n```\nand\n```go\nthree()\n```\n", "PASS"},
		"other languages":        {"```sh\nfour\n```\n```go\none()\n```\n", "PASS"},
		"another line":           {"```go\nfour()\n```\n", "no example has these lines:\nfour()"},
		"lines in another order": {"```go\nif two {\none()\n```\n", "no example has these lines"},
		"the end of a line":      {"```go\ntwo {\n```\n", "no example has these lines"},
		"the second is wrong":    {"```go\none()\n```\nand\n```go\nfour()\n```\n", "no example has these lines:\nfour()"},
		"no block":               {"Text.\n```sh\none()\n```\n", "there is no block of language go"},
	} {
		t.Run(name, func(t *testing.T) {
			markdown := filepath.Join(t.TempDir(), "doc.md")
			for file, text := range map[string]string{markdown: c.markdown,
				strings.TrimSuffix(markdown, ".md") + ".go": source} {
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			test := exec.Command(os.Args[0], "-test.run=^TestCheckFindsSnippetsInTheSource$")
			test.Env = append(os.Environ(), inChild+"="+markdown)
			out, err := test.CombinedOutput()
			// The lines of a failure are indented.
			if text := strings.ReplaceAll(string(out), "\n        ", "\n"); !strings.Contains(text, c.want) ||
				(err == nil) != (c.want == "PASS") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
