package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// comparable are files of results: of the lab in each format, and of go test.
func comparable(t *testing.T, name string) string {
	t.Helper()
	return filepath.Join(checkout, "cmd", "protean", "internal", name)
}

// The exit codes of protean compare are what CI goes by.
func TestCompareExitCodes(t *testing.T) {
	dir := t.TempDir()
	old := writeFile(t, filepath.Join(dir, "old.txt"), "BenchmarkA 1 100 B/op 10 allocs/op\nBenchmarkB 1 5 B/op\n")
	more := writeFile(t, filepath.Join(dir, "new.txt"), "BenchmarkA 1 103 B/op 10 allocs/op\n")
	prose := writeFile(t, filepath.Join(t.TempDir(), "prose.md"),
		"# How fast\n\nEach variant is measured · and none is left out.\n")
	for _, tt := range []struct {
		name   string
		args   []string
		code   int
		stderr string
	}{
		{"difference without a limit", []string{old, more}, exitOK, ""},
		{"difference within the limit", []string{old, more, "--fail-above", "3%"}, exitOK, ""},
		{"difference beyond the limit", []string{old, more, "--fail-above", "2.9%"}, exitFailed, ""},
		{"beyond the limit of its own", []string{old, more, "--fail-above", "50%,bytes=1%"}, exitFailed, ""},
		{"beyond, but of another metric", []string{old, more, "--fail-above", "0%", "--metrics", "allocs"}, exitOK, ""},
		{"improvement", []string{more, old, "--fail-above", "0%"}, exitOK, ""},
		{"row that is missing", []string{old, more, "--strict"}, exitFailed, ""},
		{"several files a side", []string{old + "," + old, more + ",-", "--fail-above", "0%"}, exitFailed, ""},
		{"standard input twice in one side", []string{old + ",-,-", more}, exitUsage,
			"only one of the files can be standard input"},
		{"several files, one of which is not there", []string{old, more + "," + filepath.Join(dir, "none.txt")},
			exitUsage, filepath.Join(dir, "none.txt") + ": no such file"},
		{"standard input", []string{old, "-", "--fail-above", "0%"}, exitFailed, ""},
		{"no file", []string{old, filepath.Join(dir, "none.txt")}, exitUsage,
			filepath.Join(dir, "none.txt") + ": no such file"},
		{"one file", []string{old}, exitUsage, "compare needs two files, the old results and the new ones; 1 given"},
		{"standard input twice", []string{"-", "-"}, exitUsage, "only one of the files can be standard input"},
		{"no figures", []string{old, prose}, exitUsage,
			prose + ": no results that can be recognised; compare reads what protean bench writes with --format " +
				"json, csv or bench, " +
				"or with --html, and the output of go test -bench"},
		{"table", []string{old, comparable(t, "report/testdata/full.txt")}, exitUsage,
			comparable(t, "report/testdata/full.txt") +
				": a table report, which is rounded for people; compare reads what protean bench " +
				"writes with --format json, csv or bench, or with --html, and the output of go test -bench"},
		{"limit", []string{old, more, "--fail-above", "5"}, exitUsage,
			`--fail-above "5": expected a percentage such as 5%, or METRIC=PERCENTAGE`},
		{"metric", []string{old, more, "--metrics", "tme"}, exitUsage,
			`unknown metric "tme" (both files have bytes, allocs)`},
		{"format", []string{old, more, "--format", "csv"}, exitUsage,
			`unknown format "csv"; want one of table, markdown, json`},
		{"nothing in common", []string{old, comparable(t, "compare/testdata/gotest-old.txt")}, exitUsage, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := protean(t, strings.NewReader(readFile(t, more)), flags([]string{"compare"}, tt.args...)...)
			if o.code != tt.code {
				t.Errorf("exit code %d, want %d: %s%s", o.code, tt.code, o.stdout, o.stderr)
			}
			if tt.stderr != "" && o.stderr != "protean: "+tt.stderr+"\n" {
				t.Errorf("standard error %q, want %q", o.stderr, tt.stderr)
			}
			if (o.stdout == "") != (tt.code == exitUsage) || (o.stderr == "") == (tt.code == exitUsage) {
				t.Errorf("standard output %q, standard error %q", o.stdout, o.stderr)
			}
		})
	}
}

// A run compared with itself differs in nothing, in any two formats; the comparison
// can be written to a file.
func TestCompareFormats(t *testing.T) {
	formats := []string{"full.json", "full.csv", "full.bench", "full.html"}
	for _, a := range formats {
		for _, b := range formats {
			old, now := comparable(t, "report/testdata/"+a), comparable(t, "report/testdata/"+b)
			o := protean(t, nil, "compare", old, now, "--strict", "--fail-above", "0%", "--metrics",
				"bytes,allocs,wire,gzip,zstd")
			if o.code != exitOK || !strings.Contains(o.stdout, "do not differ") {
				t.Errorf("%s and %s: exit code %d: %s%s", a, b, o.code, o.stdout, o.stderr)
			}
		}
	}
	out := filepath.Join(t.TempDir(), "comparison.json")
	o := protean(t, nil, "compare", comparable(t, "compare/testdata/gotest-old.txt"),
		comparable(t, "compare/testdata/gotest-new.txt"), "--format", "json", "--out", out)
	var document struct {
		Changes []struct{ Variant, Metric, Verdict string }
		OnlyNew []struct{ Variant string } `json:"only_new"`
	}
	if err := json.Unmarshal([]byte(readFile(t, out)), &document); err != nil || o.code != exitOK || o.stdout != "" {
		t.Fatalf("%v: %+v", err, o)
	}
	if len(document.Changes) != 24 || len(document.OnlyNew) != 3 {
		t.Errorf("%+v", document)
	}
	if _, err := os.Stat(out); err != nil {
		t.Error(err)
	}
}
