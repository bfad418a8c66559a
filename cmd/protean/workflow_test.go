package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// A workflow is one of GitHub Actions, as far as the tests look at it.
type workflow struct {
	On   any
	Jobs map[string]struct {
		RunsOn string `yaml:"runs-on"`
		Steps  []step
	}
}

type step struct {
	Name, Uses, If, Run string
	With, Env           map[string]any
}

// readWorkflow returns the steps of the workflow in docs/ci.md.
func readWorkflow(t *testing.T) []step {
	t.Helper()
	_, rest, found := strings.Cut(readFile(t, filepath.Join(checkout, "docs", "ci.md")), "```yaml\n")
	text, _, closed := strings.Cut(rest, "```\n")
	if !found || !closed {
		t.Fatal("docs/ci.md has no block of language yaml")
	}
	var w workflow
	d := yaml.NewDecoder(strings.NewReader(text))
	if err := d.Decode(&w); err != nil {
		t.Fatal(err)
	}
	if w.On != "pull_request" || len(w.Jobs) != 1 || w.Jobs["compare"].RunsOn == "" {
		t.Fatalf("%+v", w)
	}
	return w.Jobs["compare"].Steps
}

// Each step of the workflow is an action with a version, or a script that the shell can
// read, into which GitHub puts nothing that a pull request could choose.
func TestWorkflow(t *testing.T) {
	for _, s := range readWorkflow(t) {
		switch {
		case (s.Uses == "") == (s.Run == ""):
			t.Errorf("step %+v is neither an action nor a script, or both", s)
		case s.Uses != "" && !regexp.MustCompile(`^actions/[a-z-]+@v\d+$`).MatchString(s.Uses):
			t.Errorf("uses %s", s.Uses)
		case strings.Contains(s.Run, "${{"):
			t.Errorf("%s: the script has expressions in it: %s", s.Name, s.Run)
		case strings.HasPrefix(s.Run, "go install") && !goodForm.MatchString(s.Run):
			t.Errorf("%s: %s", s.Name, s.Run)
		}
		if out, err := exec.Command("bash", "-n", "-c", s.Run).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", s.Name, err, out)
		}
	}
}

// The scripts of the workflow, run as GitHub would on a pull request that makes
// messages larger: they fail where they should, and the comment says why.
func TestWorkflowRuns(t *testing.T) {
	heavy(t)
	repo, temp := t.TempDir(), t.TempDir()
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = repo
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	commit := func(sample string) string {
		writeFile(t, filepath.Join(repo, "samples.jsonl"), sample+"\n")
		git("add", "-A")
		git("commit", "-q", "-m", "x")
		return git("rev-parse", "HEAD")
	}
	git("init", "-q")
	if err := os.MkdirAll(filepath.Join(repo, "api"), 0o755); err != nil {
		t.Fatal(err)
	}
	// The schema of the documents, for which there is a program already.
	_, schema, _ := strings.Cut(readFile(t, filepath.Join(checkout, "docs", "ci.md")),
		"cat > api/event.proto <<'EOF'\n")
	schema, _, _ = strings.Cut(schema, "EOF\n")
	writeFile(t, filepath.Join(repo, "api", "event.proto"), schema)
	base := commit(`{"id": "evt_1"}`)
	commit(`{"id": "evt_1, and much more"}`)

	bin := t.TempDir()
	stub := func(name, script string) {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// Of flags that are given twice, the later counts: little is measured, of one variant.
	stub("protean", "if [ \"$1\" = bench ]; then exec '"+mustBinary(t)+
		"' \"$@\" --time 600ms --variants 'Concrete (proto)'; fi\nexec '"+mustBinary(t)+"' \"$@\"\n")
	stub("gh", "echo \"$@\" > \"$RUNNER_TEMP/gh.txt\"\n")
	want := map[string]int{"Measure": 0, "Compare": 1, "Show": 0, "Comment": 0}
	for _, s := range readWorkflow(t) {
		code, ok := want[s.Name]
		if !ok {
			continue
		}
		delete(want, s.Name)
		cmd := exec.Command("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", s.Run)
		cmd.Dir = repo
		cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "GOWORK=off",
			"RUNNER_TEMP="+temp, "GITHUB_STEP_SUMMARY="+filepath.Join(temp, "summary.md"), "BASE="+base, "NUMBER=7")
		out, err := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != code {
			t.Fatalf("%s: exit code %d, want %d: %v\n%s", s.Name, got, code, err, out)
		}
	}
	if len(want) > 0 {
		t.Errorf("the workflow has no steps %v", want)
	}
	summary := readFile(t, filepath.Join(temp, "summary.md"))
	if !strings.HasPrefix(summary,
		"Worse by more than allowed (5%, time=10%): samples · size · Concrete (proto): encoded size +") ||
		!strings.Contains(summary, "| variant | op |") {
		t.Errorf("the summary is\n%s", summary)
	}
	if got := readFile(t, filepath.Join(temp, "gh.txt")); !strings.HasPrefix(got, "pr comment 7 ") ||
		!strings.Contains(got, filepath.Join(temp, "comparison.md")) {
		t.Errorf("gh is asked for %q", got)
	}
}
