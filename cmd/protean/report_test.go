package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
)

// saved are results as protean bench writes them.
var saved = absolute("internal/report/testdata/full.json")

func TestReport(t *testing.T) {
	r, err := readReport(saved, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []report.Format{report.Table, report.Markdown, report.JSON, report.CSV} {
		var want strings.Builder
		if err := report.Write(&want, r, f, report.Options{More: savedHint}); err != nil {
			t.Fatal(err)
		}
		o := protean(t, nil, "report", saved, "--format", string(f))
		if o.code != exitOK || o.stderr != "" || o.stdout != want.String() {
			t.Errorf("%s: exit code %d, standard error %q, standard output\n%s", f, o.code, o.stderr, o.stdout)
		}
	}
	page := absolute("internal/report/testdata/full.html")
	if json, html := protean(t, nil, "report", saved), protean(t, nil, "report", page); html != json {
		t.Errorf("of a page: exit code %d, standard error %q, standard output\n%s", html.code, html.stderr, html.stdout)
	}
	if o := protean(t, nil, "report", saved); !strings.HasPrefix(o.stdout, "small: ") ||
		!strings.HasSuffix(o.stdout, savedHint+"\n") {
		t.Errorf("no table but\n%s", o.stdout)
	}
}

// Saved results have all that the page shows.
func TestReportPage(t *testing.T) {
	page := filepath.Join(t.TempDir(), "report.html")
	o := protean(t, strings.NewReader(readFile(t, saved)), "report", "-", "--html", page)
	if o != (outcome{}) {
		t.Errorf("%+v, want silence", o)
	}
	for _, want := range []string{"<!doctype html>", "<h1>hidden-cost</h1>", "Concrete (vtproto)",
		"protean bench --suite hidden-cost"} {
		if !strings.Contains(readFile(t, page), want) {
			t.Errorf("no %q in the page", want)
		}
	}
	o = protean(t, nil, "report", saved, "--html", page, "--format", "csv", "--rate", "20000/s")
	if o.code != exitOK || !strings.HasPrefix(o.stdout, "suite,") {
		t.Errorf("exit code %d, standard error %q, standard output %.100q", o.code, o.stderr, o.stdout)
	}
	if !strings.Contains(readFile(t, page), "cost at 20,000/s") {
		t.Error("no costs in the page")
	}
}

func TestReportRefuses(t *testing.T) {
	dir := t.TempDir()
	broken := writeFile(t, filepath.Join(dir, "broken.json"), `{"results": 1}`)
	page := filepath.Join(dir, "page.html")
	const partial = "no whole report in it; protean report reads what protean bench writes with --format json or --html"
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"nothing", nil, "report on what?"},
		{"two", []string{saved, saved}, "report on what?"},
		{"absent", []string{filepath.Join(dir, "absent.json")}, "absent.json: no such file"},
		{"broken", []string{broken}, broken + ":1: field results cannot be a number"},
		{"CSV", []string{absolute("internal/report/testdata/full.csv")}, "full.csv: " + partial},
		{"Markdown", []string{absolute("internal/report/testdata/full.md")}, "full.md: " + partial},
		{"turns", []string{absolute("internal/report/testdata/full.bench")}, "full.bench: " + partial},
		{"prose", []string{writeFile(t, filepath.Join(dir, "prose.txt"), "It is fast.\n")}, "prose.txt: " + partial},
		{"bench", []string{saved, "--format", "bench"}, "--format bench: saved results do not have the single turns"},
		{"format", []string{saved, "--format", "html"}, `unknown format "html"`},
		{"same file", []string{saved, "--out", page, "--html", page}, "--out and --html are both"},
		{"same picture", []string{saved, "--svg", page, "--html", page}, "--html and --svg are both"},
		{"no times", []string{absolute("internal/report/testdata/counted.json"), "--svg", page},
			"--svg: there are no times in the results"},
		{"no folder for the picture", []string{saved, "--html", page, "--svg", filepath.Join(dir, "no", "x.svg")},
			"x.svg: its folder does not exist"},
		{"no folder", []string{saved, "--html", filepath.Join(dir, "no", "page.html")},
			"page.html: its folder does not exist"},
		{"folder", []string{saved, "--html", dir}, dir + ": is a directory"},
		{"price", []string{saved, "--core-price", "1"}, "prices need a rate"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := protean(t, nil, flags([]string{"report"}, tt.args...)...)
			if o.code != exitUsage || !strings.Contains(o.stderr, tt.want) || strings.Count(o.stderr, "\n") != 1 ||
				o.stdout != "" {
				t.Errorf("exit code %d, standard output %q, standard error %q, want %q", o.code, o.stdout, o.stderr,
					tt.want)
			}
		})
	}
	if _, err := os.Stat(page); !os.IsNotExist(err) {
		t.Errorf("a page was written: %v", err)
	}
}

// A run writes its page beside its results, and none if it comes to nothing.
func TestBenchPage(t *testing.T) {
	page := filepath.Join(t.TempDir(), "report.html")
	t.Run("failed", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir()) // no Go toolchain
		if o := bench(t, "--html", page); o.code != exitUsage {
			t.Errorf("exit code %d", o.code)
		}
		if _, err := os.Stat(page); !os.IsNotExist(err) {
			t.Errorf("a page without results is left: %v", err)
		}
	})
	heavy(t)
	o := bench(t, flags(flags(ordersFlags, threeMarshal...), "--format", "csv", "--html", page)...)
	if o.code != exitOK || o.stderr != "" || !strings.HasPrefix(o.stdout, "suite,") {
		t.Errorf("exit code %d, standard error %q, standard output %.100q", o.code, o.stderr, o.stdout)
	}
	for _, want := range []string{"<h1>shop.orders.v1.Order</h1>", "Concrete (vtproto)", "--html " + page} {
		if !strings.Contains(readFile(t, page), want) {
			t.Errorf("no %q in the page", want)
		}
	}
}
