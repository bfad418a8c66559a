package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

func TestFixes(t *testing.T) {
	t.Setenv("GOWORK", "off")
	results := analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), Analyzer, "./app/...")
	if len(results) != 4 {
		t.Errorf("%d packages were analysed, want 4", len(results))
	}
}

// TestFixedCompiles builds what the fixes make of the packages, against the runtime of this checkout.
func TestFixedCompiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(analysistest.TestData())); err != nil {
		t.Fatal(err)
	}
	fixed := 0
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if name, ok := strings.CutSuffix(path, ".golden"); ok {
			fixed++
			return os.Rename(path, name)
		}
		return err
	})
	if err != nil || fixed < 5 {
		t.Fatalf("%d files: %v", fixed, err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	run("mod", "edit", "-require=github.com/protean-pb/protean@v0.1.0", "-replace=github.com/protean-pb/protean="+root)
	run("build", "./app/opts", "./app/plain", "./app/left")
}
