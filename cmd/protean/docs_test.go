package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestDocumentation runs every shell block of the README and the documentation:
// what a user copies from there works.
func TestDocumentation(t *testing.T) {
	heavy(t)
	files := documents(t)
	if len(shellBlocks(readFile(t, files[0]))) == 0 {
		t.Error("README.md: no block of language sh")
	}
	path := documentPath(t)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			if err := runDocument(readFile(t, file), t.TempDir(), path, makeTargets(t)); err != nil {
				t.Errorf("%s:%v", file, err)
			}
		})
	}
}

// documents returns the paths of the README and of everything in docs.
func documents(t *testing.T) []string {
	out := []string{filepath.Join(checkout, "README.md")}
	for _, pattern := range []string{"*.md", "*/*.md"} {
		docs, err := filepath.Glob(filepath.Join(checkout, "docs", pattern))
		if err != nil || len(docs) == 0 {
			t.Fatalf("docs/%s: %d files, %v", pattern, len(docs), err)
		}
		out = append(out, docs...)
	}
	return out
}

// metaFiles returns the paths of the documents about the repository itself.
func metaFiles() []string {
	var out []string
	for _, name := range []string{"SECURITY.md", "CONTRIBUTING.md", "RELEASING.md", "CHANGELOG.md"} {
		out = append(out, filepath.Join(checkout, name))
	}
	return out
}

// Lines are at most as wide as a screen; tables, blocks of code and markers cannot be broken.
func TestLinesOfDocuments(t *testing.T) {
	for _, file := range append(documents(t), metaFiles()...) {
		fenced := false
		for i, line := range strings.Split(readFile(t, file), "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				fenced = !fenced
			}
			if n := utf8.RuneCountInString(line); n > 120 && !fenced && !strings.HasPrefix(line, "|") &&
				!strings.HasPrefix(line, "<!--") {
				t.Errorf("%s:%d: %d columns, want 120 at most", file, i+1, n)
			}
		}
	}
}

// The index of decision records names each, and nothing else.
func TestDecisionsAreListed(t *testing.T) {
	folder := filepath.Join(checkout, "docs", "decisions")
	index := readFile(t, filepath.Join(folder, "README.md"))
	records, err := filepath.Glob(filepath.Join(folder, "[0-9]*.md"))
	if err != nil || len(records) == 0 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	headings := []string{"Problem", "Options", "Decision", "What it gained", "Cost", "When to remove it"}
	for _, path := range records {
		text := readFile(t, path)
		number, _, _ := strings.Cut(filepath.Base(path), "-")
		title, _, _ := strings.Cut(strings.TrimPrefix(text, "# "+number+": "), "\n")
		if !strings.Contains(index, "["+number+"]("+filepath.Base(path)+") | "+title+" |") {
			t.Errorf("%s is not in the index as %q", filepath.Base(path), title)
		}
		for _, h := range headings {
			if !strings.Contains(text, "\n## "+h+"\n") {
				t.Errorf("%s has no section %s", filepath.Base(path), h)
			}
		}
	}
}

// TestTables looks at every table of the documents: one without its line of dashes is shown as text.
func TestTables(t *testing.T) {
	dashes := regexp.MustCompile(`^\|(:?-+:?\|)+$`)
	columns := func(row string) int { return strings.Count(strings.ReplaceAll(row, `\|`, ""), "|") }
	tables := 0
	for _, file := range documents(t) {
		header := 0 // the line of the table's; 0 outside of tables
		lines := strings.Split(readFile(t, file), "\n")
		for i, line := range lines {
			switch {
			case !strings.HasPrefix(line, "|"):
				header = 0
			case header == 0:
				header = i + 1
				tables++
				if i+1 == len(lines) || !dashes.MatchString(strings.ReplaceAll(lines[i+1], " ", "")) {
					t.Errorf("%s:%d: the table has no line of dashes", file, header)
				}
			case columns(line) != columns(lines[header-1]):
				t.Errorf("%s:%d: %d columns, and %d in the header", file, i+1, columns(line)-1,
					columns(lines[header-1])-1)
			}
		}
	}
	if tables == 0 {
		t.Error("there are no tables")
	}
}

// The README is read to its end: it is short, and its lines are as wide as a screen; tables cannot be
// broken.
func TestReadmeIsShort(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(readFile(t, documents(t)[0])), "\n")
	const most = 150
	if len(lines) > most {
		t.Errorf("README.md has %d lines, want %d at most", len(lines), most)
	}
	for i, line := range lines {
		if n := utf8.RuneCountInString(line); n > 120 && !strings.HasPrefix(line, "|") {
			t.Errorf("README.md:%d: %d columns, want 120 at most", i+1, n)
		}
	}
}

// The table and the picture of the README are of one run.
func TestReadmePicture(t *testing.T) {
	table, picture := readFile(t, documents(t)[0]), readFile(t, filepath.Join(checkout, "docs", "overview.svg"))
	figures := regexp.MustCompile(`\| ([\d.,]+ (?:ns|µs|ms)|[\d.,]+x)\b`).FindAllStringSubmatch(table, -1)
	for _, m := range figures {
		if !strings.Contains(picture, ">"+m[1]) {
			t.Errorf("%s is not in docs/overview.svg: make readme writes both", m[1])
		}
	}
	if len(figures) < 20 {
		t.Errorf("the table has %d figures", len(figures))
	}
}

// Links within the repository lead somewhere: to a file, and in a document to a heading.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	links := 0
	for _, file := range append(documents(t), metaFiles()...) {
		text := withoutBlocks(readFile(t, file))
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			path, anchor, _ := strings.Cut(m[1], "#")
			target := filepath.Join(filepath.Dir(file), path)
			if path == "" {
				target = file
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %s: %v", file, m[1], err)
			} else if anchor != "" && !slices.Contains(anchors(readFile(t, target)), anchor) {
				t.Errorf("%s: %s: no such heading", file, m[1])
			}
		}
	}
	if links == 0 {
		t.Error("there are no links")
	}
}

// anchors are the names that GitHub gives to the headings of a document.
func anchors(document string) []string {
	var out []string
	drop := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	for _, line := range strings.Split(withoutBlocks(document), "\n") {
		if heading, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			out = append(out, strings.ReplaceAll(drop.ReplaceAllString(strings.ToLower(heading), ""), " ", "-"))
		}
	}
	return out
}

// withoutBlocks leaves out fenced blocks.
func withoutBlocks(document string) string {
	var out []string
	fenced := false
	for _, line := range strings.Split(document, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		} else if !fenced {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// A block is a fenced block of a document.
type block struct {
	line int // of the fence, from 1
	text string
}

// shellBlocks returns the blocks of language sh.
func shellBlocks(document string) []block {
	var out []block
	fence := ""
	for i, line := range strings.Split(document, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case fence == "" && strings.HasPrefix(trimmed, "```"):
			if fence = strings.TrimPrefix(trimmed, "```"); fence == "" {
				fence = "none"
			}
			if fence == "sh" {
				out = append(out, block{line: i + 1})
			}
		case trimmed == "```":
			fence = ""
		case fence == "sh":
			out[len(out)-1].text += line + "\n"
		}
	}
	return out
}

// runDocument runs the shell blocks of a document in their order in a folder. The
// error begins with the line of the block.
func runDocument(document, dir, path string, targets map[string]bool) error {
	for _, b := range shellBlocks(document) {
		script, err := runnable(b.text, targets)
		if err == nil {
			err = runShell(script, dir, path)
		}
		if err != nil {
			return fmt.Errorf("%d: %w", b.line, err)
		}
	}
	return nil
}

// The lines that are not run, because they need a network or the whole checkout;
// only their form is checked.
var (
	needsNetwork = regexp.MustCompile(`^(go install |git clone |cd protean$|make\b)`)
	goodForm     = regexp.MustCompile(`^(go install \./cmd/protean|go install [\w./-]+@latest|git clone https://` +
		rootModule + `|cd protean)$`)
	makeLine = regexp.MustCompile(`^make ([a-z-]+)( [A-Z]+=('[^']*'|\S+))*$`)
)

// runnable takes the lines that are not run out of a script, after a look at their
// form.
func runnable(script string, targets map[string]bool) (string, error) {
	var out []string
	for _, line := range strings.Split(script, "\n") {
		plain, _, _ := strings.Cut(line, " #")
		plain = strings.TrimRight(plain, " ")
		if !needsNetwork.MatchString(plain) {
			out = append(out, line)
			continue
		}
		if m := makeLine.FindStringSubmatch(plain); m != nil {
			if !targets[m[1]] {
				return "", fmt.Errorf("the Makefile has no target %s", m[1])
			}
		} else if !goodForm.MatchString(plain) {
			return "", fmt.Errorf("%q: not of the form of such lines", plain)
		}
	}
	return strings.Join(out, "\n"), nil
}

// runShell runs a script, which ends at the first command that fails.
func runShell(script, dir, path string) error {
	cmd := exec.Command("bash", "-e", "-u", "-o", "pipefail", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+path, "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s\n%s", err, script, out)
	}
	return nil
}

// makeTargets are the targets that the Makefile lists for users.
func makeTargets(t *testing.T) map[string]bool {
	t.Helper()
	targets := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^([a-z-]+):.*## `).FindAllStringSubmatch(readFile(t,
		filepath.Join(checkout, "Makefile")), -1) {
		targets[m[1]] = true
	}
	return targets
}

// documentPath is PATH with the command first, which measures for a second whatever
// the document says: of two flags the later one counts.
func documentPath(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	wrapper := fmt.Sprintf("#!/bin/sh\nif [ \"$1\" = bench ]; then exec '%s' \"$@\" --time 1s; fi\nexec '%[1]s' "+
		"\"$@\"\n", mustBinary(t))
	if err := os.WriteFile(filepath.Join(dir, "protean"), []byte(wrapper), 0o755); err != nil {
		t.Fatal(err)
	}
	// The tools of the checkout, such as benchstat, where they have been built.
	return strings.Join([]string{dir, filepath.Join(checkout, ".bin"), os.Getenv("PATH")}, string(os.PathListSeparator))
}

// The blocks of a document share a folder, and each thing that can be wrong with one
// is found.
func TestRunDocument(t *testing.T) {
	targets := map[string]bool{"bench": true}
	fenced := func(blocks ...string) string {
		return "# Title\n\n```sh\n" + strings.Join(blocks, "\n```\n\nText.\n\n```sh\n") + "\n```\n"
	}
	for _, tt := range []struct {
		name, document string
		want           string // the beginning of the error
		files          string
	}{
		{"heredoc", fenced("cat > a.txt <<'EOF'\none $two\nEOF", "grep 'one $two' a.txt > b.txt"), "", "a.txt b.txt"},
		{"text", "```text\nfalse\n```\n\n```\nfalse\n```\n\n```go\nfalse\n```\n", "", ""},
		{"failing command", fenced("true", "touch a.txt\nfalse\ntouch b.txt"), "9: exit status 1", "a.txt"},
		{"failing pipe", fenced("false | cat"), "3: exit status 1", ""},
		{"unknown command", fenced("protaen bench"), "3: exit status 127", ""},
		{"not run", fenced("git clone https://github.com/protean-pb/protean\ncd protean\nmake bench  # a " +
			"minute\nmake bench BENCHARGS='--ops size'\ngo install " +
			"github.com/protean-pb/protean/cmd/protean@latest\ntouch a.txt"), "", "a.txt"},
		{"no target", fenced("make bnech"), "3: the Makefile has no target bnech", ""},
		{"no version", fenced("go install github.com/protean-pb/protean/cmd/protean"),
			`3: "go install github.com/protean-pb/protean/cmd/protean": not`, ""},
		{"other repository", fenced("git clone https://github.com/protean/protean"),
			`3: "git clone https://github.com/protean/protean": not`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			err := runDocument(tt.document, dir, os.Getenv("PATH"), targets)
			if got := fmt.Sprint(err); tt.want == "" && err != nil || !strings.HasPrefix(got, tt.want) &&
				tt.want != "" {
				t.Errorf("%v, want %q", err, tt.want)
			}
			files, _ := filepath.Glob(filepath.Join(dir, "*"))
			for i := range files {
				files[i] = filepath.Base(files[i])
			}
			if got := strings.Join(files, " "); got != tt.files {
				t.Errorf("files %q, want %q", got, tt.files)
			}
		})
	}
}

// The wrapper is the command itself but for the time that it measures.
func TestDocumentCommand(t *testing.T) {
	heavy(t)
	document := "```sh\nprotean list ops > ops.txt\nprotean bench " + quoted(ordersFlags) + " " + quoted(onlyOneSize) +
		" --time 1h --format json > results.json\n```\n"
	dir := t.TempDir()
	if err := runDocument(document, dir, documentPath(t), nil); err != nil {
		t.Fatal(err)
	}
	if got, want := readFile(t, filepath.Join(dir, "ops.txt")), protean(t, nil, "list", "ops").stdout; got != want {
		t.Errorf("operations\n%s, want\n%s", got, want)
	}
	d := parse(t, readFile(t, filepath.Join(dir, "results.json")))
	if want := "--time 1s"; !strings.Contains(d.Env.Command, want) {
		t.Errorf("command %q, want %s in it", d.Env.Command, want)
	}
}

func quoted(words []string) string {
	var out []string
	for _, w := range words {
		out = append(out, quote(w))
	}
	return strings.Join(out, " ")
}
